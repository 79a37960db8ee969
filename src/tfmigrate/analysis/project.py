"""The modules of a tree: parsing, positions, and what an import statement binds."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from tfmigrate.analysis.values import Host, Module, Symbol, Unknown, Value
from tfmigrate.model import Place, SourceTree
from tfmigrate.symbols import public

_Node = TypeVar("_Node", bound=cst.CSTNode)
_New = TypeVar("_New")


@dataclass
class Project:
    """A tree of sources, parsed when asked for. `entry` decides where plain imports are looked up first."""

    tree: SourceTree
    modules: dict[str, cst.Module] = field(default_factory=dict)
    positions: dict[str, Any] = field(default_factory=dict)
    paths: frozenset[str] = frozenset()
    origins: dict[cst.CSTNode, str] = field(default_factory=dict)  # files of nodes that stand in another one now
    # datasets, by scope and name, whose elements are a plain tensor, or (True) several
    plain_elements: dict[tuple[str, str], bool] = field(default_factory=dict)
    whole: Project | None = None  # of which this is a fork: it parses, once for all

    def __post_init__(self) -> None:
        self.paths = frozenset(f.path for f in self.tree.files if f.text is not None and f.problem is None)

    def module(self, path: str) -> cst.Module:
        """The parsed file, statements on one line set apart; raises cst.ParserSyntaxError."""
        if path not in self.modules and self.whole is not None:
            self.modules[path] = self.whole.module(path)
            self.positions[path] = self.whole.positions[path]
        elif path not in self.modules:
            source = self.tree.file(path)
            assert source is not None
            assert source.text is not None
            module = cst.parse_module(source.text)
            # Not `wrapper.resolve`: that walks the whole tree once more, for providers that are none.
            self.positions[path] = dict(PositionProvider()._gen(MetadataWrapper(module, unsafe_skip_copy=True)))
            suites = any(isinstance(node, cst.SimpleStatementSuite) for node in self.positions[path])
            if ";" in source.text or suites:
                changed = module.visit(_Tracking(_OneStatementALine(), self.positions[path]))
                assert isinstance(changed, cst.Module)
                module = changed
            self.modules[path] = module
        return self.modules[path]

    def text(self, path: str) -> str:
        """The file as it was read."""
        source = self.tree.file(path)
        return source.text or "" if source is not None else ""

    def place(self, path: str, node: cst.CSTNode) -> Place:
        """Where the node stands in the file as it was read; columns from 1."""
        found = self.positions.get(path, {}).get(node)
        path = self.origins.get(node, path)
        return Place(path, found.start.line, found.start.column + 1) if found is not None else Place(path, 1, 1)

    def locate(self, node: cst.CSTNode) -> Place | None:
        """Where the node stands, in whichever file; None where it was never read from one."""
        for path, positions in self.positions.items():
            if node in positions:
                return self.place(path, node)
        return None

    def lines(self, path: str, node: cst.CSTNode) -> tuple[int, int]:
        """First and last line of the node."""
        found = self.positions.get(path, {}).get(node)
        return (found.start.line, found.end.line) if found is not None else (0, 0)

    def forget(self, paths: tuple[str, ...]) -> None:
        """Let go of what was parsed: the programs of these files are done."""
        for path in paths:
            self.modules.pop(path, None)
            self.positions.pop(path, None)

    def fork(self) -> Project:
        """The same tree for one program, whose modules may be changed without changing others'."""
        made = Project(self.tree, dict(self.modules), self.positions)
        made.positions, made.origins, made.whole = dict(self.positions), dict(self.origins), self
        return made

    def replace(self, path: str, transformer: cst.CSTTransformer) -> None:
        """Change a module; nodes that are made anew around a change keep the positions of those they replace."""
        positions = dict(self.positions[path])
        before = self.modules[path]
        after = before.visit(_Tracking(transformer, positions))
        assert isinstance(after, cst.Module)
        self.positions[path] = positions
        self.modules[path] = after

    def changed(self, path: str, node: cst.CSTNode, transformer: cst.CSTTransformer) -> Any:
        """A node of the file (or a clone of one) as the transformer makes it; positions are kept."""
        return node.visit(_Tracking(transformer, self.positions[path]))

    def clone(self, path: str, node: _Node, into: str) -> _Node:
        """A copy of a node for another place, with the positions of the original."""
        made = node.deep_clone()
        source = self.positions.get(path, {})
        target = self.positions[into]
        todo: list[tuple[cst.CSTNode, cst.CSTNode]] = [(node, made)]
        while todo:
            old, new = todo.pop()
            if old in source:
                target[new] = source[old]
                origin = self.origins.get(old, path)
                if origin != into:
                    self.origins[new] = origin
            todo.extend(zip(old.children, new.children, strict=False))
        return made

    def moved(self, path: str, old: cst.CSTNode, new: _New) -> _New:
        """A node made anew in the place of another one keeps its position."""
        positions = self.positions[path]
        if new is not old and isinstance(new, cst.CSTNode) and old in positions:
            positions.setdefault(new, positions[old])
            if old in self.origins:
                self.origins.setdefault(new, self.origins[old])
        return new

    def imports(self, path: str, name: str) -> bool:
        """Whether an import statement of the file binds the name."""
        return self._import_of(path, name) is not None

    def same_import(self, first: str, second: str, name: str) -> bool:
        """Whether both files import the same thing under the name."""
        one, other = self._import_of(first, name), self._import_of(second, name)
        return one is not None and one == other

    def borrow(self, source: str, path: str, name: str) -> None:
        """Import in one file what another one imports under the name."""
        line = self._import_of(source, name)
        module = self.modules[path]
        if line is not None:
            made = cst.parse_statement(line)
            index = next(
                (
                    i + 1
                    for i, s in enumerate(module.body)
                    if isinstance(s, cst.SimpleStatementLine)
                    and any(isinstance(b, (cst.Import, cst.ImportFrom)) and not _future(b) for b in s.body)
                ),
                0,
            )
            body = list(module.body)
            body.insert(index, made)
            self.modules[path] = module.with_changes(body=body)

    def import_beside(self, path: str, known: str, name: str) -> bool:
        """Import a name from the module that the file imports a known one from; whether it does so by name."""
        module = self.modules[path]
        for index, statement in enumerate(module.body):
            small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
            if not isinstance(small, cst.ImportFrom) or isinstance(small.names, cst.ImportStar):
                continue
            plain = [a for a in small.names if a.asname is None]
            if not any(isinstance(a.name, cst.Name) and a.name.value == known for a in plain):
                continue
            if any(isinstance(a.name, cst.Name) and a.name.value == name for a in plain):
                return True
            last = small.names[-1].with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
            names = [*small.names[:-1], last, cst.ImportAlias(cst.Name(name))]
            line = statement.with_changes(body=[small.with_changes(names=names)])
            self.moved(path, statement, line)
            self.modules[path] = module.with_changes(body=[*module.body[:index], line, *module.body[index + 1 :]])
            return True
        return False

    def _import_of(self, path: str, name: str) -> str | None:
        for statement in self.module(path).body:
            if isinstance(statement, cst.SimpleStatementLine):
                for small in statement.body:
                    if isinstance(small, cst.Import):
                        for alias in small.names:
                            dotted = _dotted(alias.name)
                            bound = _dotted(alias.asname.name) if alias.asname is not None else dotted.split(".")[0]
                            if bound == name:
                                return f"import {dotted}" + (f" as {bound}" if alias.asname is not None else "")
                    elif (
                        isinstance(small, cst.ImportFrom)
                        and not isinstance(small.names, cst.ImportStar)
                        and small.module is not None
                    ):
                        for alias in small.names:
                            bound = _dotted(alias.asname.name) if alias.asname is not None else _dotted(alias.name)
                            if bound == name and not small.relative:
                                suffix = f" as {bound}" if alias.asname is not None else ""
                                return f"from {_dotted(small.module)} import {_dotted(alias.name)}{suffix}"
        return None

    def find(self, importer: str, dotted: str, level: int = 0) -> str | None:
        """The tree's file that `import dotted` in `importer` means, or None where it is no file of the tree."""
        folder = posixpath.dirname(importer)
        parts = dotted.split(".") if dotted else []
        if level:
            for _ in range(level - 1):
                folder = posixpath.dirname(folder)
            roots = [folder]
        else:
            roots = [folder]
            while folder:
                folder = posixpath.dirname(folder)
                roots.append(folder)
        for root in roots:
            base = posixpath.join(root, *parts) if parts or root else ""
            for candidate in (base + ".py", posixpath.join(base, "__init__.py")):
                if candidate in self.paths and candidate != importer:
                    return candidate
        return None

    def submodule(self, package: str, name: str) -> str | None:
        """The module `name` of a package given by its __init__.py."""
        if posixpath.basename(package) != "__init__.py":
            return None
        folder = posixpath.dirname(package)
        for candidate in (posixpath.join(folder, name + ".py"), posixpath.join(folder, name, "__init__.py")):
            if candidate in self.paths:
                return candidate
        return None

    def imported(
        self, path: str, node: cst.Import | cst.ImportFrom, load: Callable[[str], Any]
    ) -> Iterator[tuple[str, Value]]:
        """The names that the statement binds, and to what; ("*", Module) for a star import of a file of the tree."""
        if isinstance(node, cst.Import):
            for alias in node.names:
                dotted = _dotted(alias.name)
                bound = _dotted(alias.asname.name) if alias.asname is not None else dotted.split(".")[0]
                yield bound, self._value(path, dotted if alias.asname is not None else dotted.split(".")[0], 0)
            return
        module = _dotted(node.module) if node.module is not None else ""
        level = len(node.relative)
        if isinstance(node.names, cst.ImportStar):
            file = self.find(path, module, level)
            if file is not None:
                yield "*", Module(file)
            return
        if module == "__future__":
            return
        for alias in node.names:
            name = _dotted(alias.name)
            bound = _dotted(alias.asname.name) if alias.asname is not None else name
            if not level and module.split(".")[0] == "tensorflow":
                yield bound, self._value(path, f"{module}.{name}", 0)
                continue
            file = self.find(path, module, level)
            inner = self.find(path, f"{module}.{name}" if module else name, level)
            if file is not None:
                frame = load(file)
                if name in frame.names:
                    yield bound, frame.names[name].value
                    continue
            if inner is not None:
                load(inner)
                yield bound, Module(inner)
            elif (module, name) == ("functools", "reduce"):
                yield bound, Symbol("builtins.reduce")
            else:
                yield bound, Host(random=True) if file is None else Unknown(f"the name {name} of {file}")

    def _value(self, path: str, dotted: str, level: int) -> Value:
        parts = dotted.split(".")
        if parts[0] == "tensorflow":
            rest = parts[1:]
            if rest[:2] == ["compat", "v1"]:
                rest = rest[2:]
            return Symbol(public(".".join(rest)))
        file = self.find(path, dotted, level)
        return Module(file) if file is not None else Host(random=True)


def _future(node: cst.BaseSmallStatement) -> bool:
    return isinstance(node, cst.ImportFrom) and node.module is not None and _dotted(node.module) == "__future__"


class _Tracking(cst.CSTTransformer):
    """Runs a transformer and keeps the positions of the nodes that it makes anew."""

    def __init__(self, inner: cst.CSTTransformer, positions: dict[cst.CSTNode, Any]) -> None:
        super().__init__()
        self.inner, self.positions = inner, positions

    def on_visit(self, node: cst.CSTNode) -> bool:
        return self.inner.on_visit(node)

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> Any:
        result = self.inner.on_leave(original_node, updated_node)
        if result is not original_node and isinstance(result, cst.CSTNode) and original_node in self.positions:
            self.positions.setdefault(result, self.positions[original_node])
        return result


class _OneStatementALine(cst.CSTTransformer):
    """`a = 1; b = 2` as two lines, and `if a: b()` too: statements move apart. Expressions keep their identity, and so
    their positions.
    """

    def leave_SimpleStatementSuite(
        self, original_node: cst.SimpleStatementSuite, updated_node: cst.SimpleStatementSuite
    ) -> cst.IndentedBlock:
        lines = [
            cst.SimpleStatementLine([small.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)])
            for small in original_node.body
        ]
        lines[-1] = lines[-1].with_changes(trailing_whitespace=updated_node.trailing_whitespace)
        return cst.IndentedBlock(lines)

    def visit_SimpleStatementSuite(self, node: cst.SimpleStatementSuite) -> bool:
        return False

    def visit_SimpleStatementLine(self, node: cst.SimpleStatementLine) -> bool:
        return False

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.SimpleStatementLine]:
        if len(original_node.body) < 2:
            return original_node
        lines = [
            cst.SimpleStatementLine([small.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)])
            for small in original_node.body
        ]
        lines[0] = lines[0].with_changes(leading_lines=original_node.leading_lines)
        lines[-1] = lines[-1].with_changes(trailing_whitespace=original_node.trailing_whitespace)
        return cst.FlattenSentinel(lines)


def _dotted(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""
