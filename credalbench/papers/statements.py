"""The top-level statements of a source file, without what has no effect when they run.

Comments, docstrings, type hints and layout are left out; so are the modules in ``import`` statements, which
are given separately.
"""

import ast
import functools
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

#: Decorators that define, and do nothing else at import that could change a number: `kernel` and `warm_up`
#: list what there is to compile.
WITHOUT_EFFECT = (
    "cache",
    "contextmanager",
    "dataclass",
    "jit",
    "kernel",
    "lru_cache",
    "njit",
    "total_ordering",
    "warm_up",
    "wraps",
)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
ALL = "*"
CLAIM = "claim"  # the decorator
#: The origin of an imported name: leading dots, module, name in it (ALL: the module itself), name here.
Imported = tuple[int, str, str, str]


class Statement:
    """One top-level statement, or one of the names that an import statement binds."""

    def __init__(self, node: ast.stmt) -> None:
        self.node = node
        self.is_import = isinstance(node, IMPORTS)

    @cached_property
    def text(self) -> str:
        """The statement without the modules that it imports from."""
        parts = [part for part in ast.walk(self.node) if isinstance(part, ast.ImportFrom)]
        places = [(part.module, part.level) for part in parts]
        for part in parts:
            part.module, part.level = "", 0
        text = ast.unparse(self.node)
        for part, (module, level) in zip(parts, places):
            part.module, part.level = module, level
        return text

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name in it."""
        return frozenset(part.id for part in ast.walk(self.node) if isinstance(part, ast.Name))

    @cached_property
    def bound(self) -> frozenset[str]:
        """The names that it binds in its module."""
        return frozenset(_bound(self.node))

    @cached_property
    def imports(self) -> tuple[Imported, ...]:
        """Its imports, also within functions."""
        return tuple(_imported(part for part in ast.walk(self.node) if isinstance(part, IMPORTS)))

    @cached_property
    def imports_when_run(self) -> tuple[Imported, ...]:
        """Its imports when its module is imported."""
        return tuple(_imported(_imports_outside_functions([self.node])))

    @cached_property
    def acts(self) -> bool:
        """Whether it may do more at import than bind names: call, decorate, set items or attributes."""
        return _acts(self.node)

    @property
    def is_claim(self) -> bool:
        """Whether it declares a claim."""
        return any(_last_word(part) == CLAIM for part in getattr(self.node, "decorator_list", ()))


def statements(path: Path) -> tuple[Statement, ...]:
    """Return the statements of a file; of an import, one for each name."""
    stat = path.stat()
    return _parsed(path, stat.st_mtime_ns, stat.st_size)


@functools.cache
def _parsed(path: Path, modified_ns: int, size: int) -> tuple[Statement, ...]:
    tree = _WithoutHints().visit(ast.parse(path.read_text("utf-8")))
    return tuple(Statement(part) for node in tree.body for part in _by_name(node))


class _WithoutHints(ast.NodeTransformer):
    """Removes docstrings and type hints, except those of class fields, which make a dataclass."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        is_docstring = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_docstring else self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        parts = [part if isinstance(part, ast.AnnAssign) else self.visit(part) for part in node.body]
        node.body = [part for part in parts if part is not None]
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.Assign | None:
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], self.visit(node.value)), node)


def _by_name(node: ast.stmt) -> list[ast.stmt]:
    if isinstance(node, ast.Import):
        return [ast.copy_location(ast.Import([alias]), node) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [ast.copy_location(ast.ImportFrom(node.module, [a], node.level), node) for a in node.names]
    return [node]


def _imported(parts: Iterable[ast.stmt]) -> Iterator[Imported]:
    for part in parts:
        for alias in part.names:
            if isinstance(part, ast.ImportFrom):
                yield part.level, part.module or "", alias.name, _bound_by(alias)
            else:  # `import a.b` binds a, which gives access to everything below it
                yield 0, alias.name if alias.asname else _bound_by(alias), ALL, _bound_by(alias)


def _imports_outside_functions(nodes: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for node in nodes:
        if isinstance(node, IMPORTS):
            yield node
        elif not isinstance(node, FUNCTIONS):
            yield from _imports_outside_functions(_within(node))


def _acts(node: ast.stmt) -> bool:
    if isinstance(node, (*IMPORTS, ast.Pass)):
        return False
    if isinstance(node, DEFINITIONS):
        return any(_last_word(decorator) not in WITHOUT_EFFECT for decorator in node.decorator_list)
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        parts = [part for part in ast.walk(node) if isinstance(part, (ast.Attribute, ast.Subscript))]
        return any(isinstance(part.ctx, ast.Store) for part in parts)
    within = _within(node)
    return any(map(_acts, within)) if within else True


def _last_word(decorator: ast.expr) -> str:
    """Return the last word of a dotted name or call: lru_cache of ``functools.lru_cache(maxsize=1)``."""
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _bound(node: ast.stmt) -> set[str]:
    if isinstance(node, DEFINITIONS):
        return {node.name}
    if isinstance(node, IMPORTS):
        return set(map(_bound_by, node.names))
    stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored.union(*map(_bound, _within(node)))


def _bound_by(alias: ast.alias) -> str:
    return alias.asname or alias.name.split(".")[0]


def _within(node: ast.AST) -> list[ast.stmt]:
    """Return the statements directly within a compound one: branches of ``if``, handlers of ``try``, ..."""
    found = []
    for part in ast.iter_child_nodes(node):
        found += [part] if isinstance(part, ast.stmt) else _within(part)
    return found
