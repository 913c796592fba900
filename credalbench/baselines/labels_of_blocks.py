"""Labels of the objects of a fit to data in blocks."""

from functools import cached_property

import numpy as np


class LabelsOfBlocks:
    """`labels_` for estimators with `predict`, of data in blocks computed when they are asked for."""

    @cached_property
    def labels_(self) -> np.ndarray:
        """Labels of a fit to data in blocks; other fits set them."""
        if "_blocks" not in vars(self):
            raise AttributeError(f"{type(self).__name__} has no labels_ before it is fitted")
        return self.predict(self._blocks)

    def _forget_objects(self, blocks: object = None) -> None:
        """Delete what an earlier fit keeps of its objects; keep the blocks of this one, if there are any."""
        for name in ("membership_", "labels_", "_blocks"):
            vars(self).pop(name, None)
        if blocks is not None:
            self._blocks = blocks
