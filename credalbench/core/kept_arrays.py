"""Arrays in a file, for blocks of data that a fit reads again and again.

The file has no name, so that nothing of it is left when its process ends, however it ends, or when the arrays
are no longer used. It is in the folder of a Dask worker, or else in the system's for temporary files.
"""

import errno
import mmap
import shutil
import tempfile
from threading import Lock
from weakref import WeakValueDictionary

import numpy as np

from credalbench.core.dask_blocks import folder_of_worker

RESERVE = 2**30  # bytes that are left free
SPOOLS: WeakValueDictionary = WeakValueDictionary()  # name -> the file of this process
LOCK = Lock()


class Spool:
    """A file that arrays are appended to."""

    def __init__(self) -> None:
        self.folder = folder_of_worker() or tempfile.gettempdir()
        self.file = tempfile.TemporaryFile(dir=self.folder)  # noqa: SIM115
        self.end = 0

    def add(self, values: np.ndarray) -> int:
        """Append an array, and return its place, of which memory can be mapped."""
        if shutil.disk_usage(self.folder).free < values.nbytes + RESERVE:
            raise OSError(errno.ENOSPC, "no room", self.folder)
        place = -(-self.end // mmap.ALLOCATIONGRANULARITY) * mmap.ALLOCATIONGRANULARITY
        self.file.seek(place)
        self.file.write(memoryview(values).cast("B"))
        self.file.flush()
        self.end = place + values.nbytes
        return place


class KeptArray:
    """An array in the file `name` of this process; where it is sent, it goes into that of the other.

    Parameters
    ----------
    values : array
        With C or Fortran order, in which it is read again.
    name : str
        Arrays with the same name share a file.

    Raises
    ------
    OSError
        There is no room.
    """

    def __init__(self, values: np.ndarray, name: str) -> None:
        self.name, self.dtype, self.shape = name, values.dtype, values.shape
        self.order = "C" if values.flags.c_contiguous else "F"
        with LOCK:
            self.spool = SPOOLS.get(name)
            if self.spool is None:
                self.spool = SPOOLS[name] = Spool()
            self.place = self.spool.add(np.ravel(values, order=self.order))

    def __len__(self) -> int:
        return self.shape[0]

    def __reduce__(self) -> tuple:
        return KeptArray, (self.read(), self.name)

    def read(self) -> np.ndarray:
        """Return the array, which cannot be written to: a map of the file, as long as it is used."""
        size = int(np.prod(self.shape)) * self.dtype.itemsize
        pages = mmap.mmap(self.spool.file.fileno(), size, access=mmap.ACCESS_READ, offset=self.place)
        return np.frombuffer(pages, self.dtype).reshape(self.shape, order=self.order)
