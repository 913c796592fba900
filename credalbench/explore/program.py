"""Generated Python programs that reproduce the result of an explorer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from inspect import signature
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from credalbench.explore.stepping import REPEATING, Run, repeating

if TYPE_CHECKING:
    from credalbench.explore.model import ExplorerModel

#: Longer calls have one line per argument.
LINE = 88
#: The functions of `credalbench.plots` that draw the views of a map.
FUNCTIONS = {"masses": "mass_pies", "plane": "mass_plane", "corners": "mass_corners"}


class Program:
    """Lines of Python and the imports that they need; `str` returns the source."""

    def __init__(self, about: str) -> None:
        """Start with a comment."""
        self._about = about
        self._modules: set[str] = set()
        self._names: dict[str, set[str]] = {}
        self._lines: list[str] = []

    def use(self, module: str, *names: str) -> None:
        """Import names from a module; without names, add the line itself, such as ``import numpy as np``."""
        if names:
            self._names.setdefault(module, set()).update(names)
        else:
            self._modules.add(module)

    def add(self, *lines: str) -> None:
        """Add lines."""
        self._lines.extend(lines)

    def add_call(self, head: str, arguments: Sequence[str], tail: str = ")") -> None:
        """Add a call that begins with `head`, such as ``name = function(``, on one or several lines."""
        line = head + ", ".join(arguments) + tail
        if len(line) <= LINE:
            self.add(line)
        else:
            self.add(head, *(f"    {argument}," for argument in arguments), tail)

    def add_fit(
        self, estimator: BaseEstimator, data: Sequence[str], method: str = "fit", **written: str
    ) -> None:
        """Add ``model = Estimator(...)`` and its fit; `written` holds source code of arguments."""
        package = ".".join(type(estimator).__module__.split(".")[:2])
        self.use(package, type(estimator).__name__)
        arguments = arguments_of(estimator, **written)
        self.add_call(f"model = {type(estimator).__name__}(", arguments)
        self.add_call(f"model.{method}(", data)

    def add_iteration(self, run: Run, iteration: int, data: Sequence[str]) -> None:
        """Add, after `add_fit`, a fit up to an iteration, unless it is the last one."""
        if iteration < run.n_iter:
            again = [f"{name}={REPEATING[name]}" for name in repeating(run.estimator)]
            self.add(f"# Iteration {iteration} of {run.n_iter} from the same start.")
            self.add_call("model.set_params(", [*again, f"max_iter={iteration}"])
            self.add_call("model.fit(", data)

    def add_array(self, name: str, rows: ArrayLike) -> None:
        """Add an array (m, p), one line per row."""
        self.use("import numpy as np")
        self.add(f"{name} = np.array([", *(f"    {row!r}," for row in np.asarray(rows).tolist()), "])")

    def add_partition(
        self, numbers: ArrayLike, found: str = "model.partition_", name: str = "partition"
    ) -> None:
        """Add code that renumbers the clusters of the partition `found`: cluster k becomes ``numbers[k]``."""
        numbers = np.asarray(numbers).tolist()
        if numbers == sorted(numbers):
            self.add(f"{name} = {found}")
        else:
            self.use("credalbench.belief", "renumber_clusters")
            self.add("# Clusters numbered as they were shown.")
            self.add(f"{name} = renumber_clusters({found}, {numbers})")

    def add_picture(self, name: str, data: str, fitted: object) -> None:
        """Add the picture of a partition: the default one, or that of the view of the map that is shown.

        `data` is the name of the attributes, or "" without any; `fitted` may have a view.
        """
        view = getattr(fitted, "view", "sets")
        if view == "sets":
            self.add(f"{name}.plot({data}).show()")
            return
        function = FUNCTIONS[view]
        self.use("credalbench.plots", function)
        self.add(f"figure = {name}.plot({data})")
        if view == "plane":
            self.add_call(f"{function}(", ["figure.axes[0]", data, self._predicting(fitted.run.numbers)])
        else:
            places = [self._positions(data)] if view == "masses" else []
            self.add("figure.clear()")
            self.add_call(f"{function}(", ["figure.subplots()", *places, name])
        self.add("figure.show()")

    def _predicting(self, numbers: np.ndarray) -> str:
        """Return a function that predicts points, with clusters numbered as they were shown."""
        numbers = numbers.tolist()
        if numbers == sorted(numbers):
            return "model.predict_partition"
        return f"lambda points: renumber_clusters(model.predict_partition(points), {numbers})"

    def _positions(self, data: str) -> str:
        """Return the positions of objects on a map of attributes, or of the dissimilarities D."""
        function = "map_of_attributes" if data else "classical_scaling"
        self.use("credalbench.plots.object_maps", function)
        return f"{function}({data or 'D'})[0]"

    def __str__(self) -> str:
        modules = sorted(self._modules)
        names = [f"from {m} import {', '.join(sorted(self._names[m]))}" for m in sorted(self._names)]
        return "\n".join([f"# {self._about}", *modules, *names, "", *self._lines, ""])


def program_of(model: ExplorerModel) -> str:
    """Return the program of what a model shows, see `ExplorerModel.as_code`."""
    if model.fitted is None or model.busy or model.is_out_of_date:
        raise ValueError("there is no code yet: these settings have no result")
    names = [ending.removesuffix("-partition") for ending in model.partitions()]
    what = "credal partition" if len(names) == 1 else "credal partitions"
    program = Program(
        f"The {what} that the {model.STEM} explorer of credalbench shows.\n"
        "# Python counts objects and clusters from 0: object 1 of the page is row 0."
    )
    data = model.source.write(program)
    model._write_fit(program, data)
    places = data if data == "X" else ""  # otherwise there are no attributes: masses as bars
    for name in names:
        program.add(f"print({name}.summary())")
        program.add_picture(name, places, model.fitted)
    return str(program)


def arguments_of(estimator: BaseEstimator, **written: str) -> list[str]:
    """Return the arguments of an estimator that differ from its defaults, as source."""
    declared = signature(type(estimator)).parameters
    arguments = []
    for name, value in estimator.get_params(deep=False).items():
        usual = declared[name].default
        if name in written:
            arguments.append((name, written[name]))
        elif (name == "n_clusters" and value is not None) or type(value) is not type(usual) or value != usual:
            arguments.append((name, literal(value)))
    order = list(declared)
    arguments.sort(key=lambda argument: order.index(argument[0]))
    return [text if name == "n_clusters" else f"{name}={text}" for name, text in arguments]


def literal(value: object) -> str:
    """Return a plain value as source code, strings in double quotes."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        return f"{{{', '.join(f'{literal(key)}: {literal(one)}' for key, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    return repr(value.item() if isinstance(value, np.generic) else value)
