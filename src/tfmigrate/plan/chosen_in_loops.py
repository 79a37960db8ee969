"""Makes the things that a loop fetches one after the other into functions, before the program is analysed anew.

    for name, t in (("a", a), ("b", b)):        ->    for name, t in (("a", lambda: sess.run(a, {x: X})), …):
        print(name, sess.run(t, {x: X}))                  print(name, t())

Each of them then has a step function of its own. The names in a lambda are looked up where it is called: in the loop,
as before. A comprehension over a few things of the graph is written out. What it does not model: loops over lists that
are built elsewhere, and names that the loop's body uses for more than one run.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfmigrate.analysis.facts import Facts, Run, Statement
from tfmigrate.analysis.project import Project
from tfmigrate.plan.name_places import names_in, places_of

_Display = cst.Tuple | cst.List


def choose_in_loops(project: Project, facts: Facts) -> bool:
    """Make functions of what loops fetch in turn; whether any text changed."""
    edits: dict[str, dict[cst.CSTNode, cst.CSTNode]] = {}
    for run in facts.runs.values():
        path = run.statement.scope.path
        if run.conflicting:
            made = _of_loop(project, path, run) or _of_comprehension(project, path, run)
            held = edits.setdefault(path, {})
            if made and not any(node in held for node in made):
                held.update(made)
    for path, nodes in edits.items():
        if nodes:
            project.replace(path, _Replace(nodes))
    return any(edits.values())


def _of_loop(project: Project, path: str, run: Run) -> dict[cst.CSTNode, cst.CSTNode]:
    """The elements of the loop's display as functions, the run as a call of the loop's name."""
    found = _loop(run.statement, names_in(run.call))
    if found is None:
        return {}
    loop, name, elements = found
    whole = _picked(loop.body, run.call)
    inside = set(places_of(run.call, name))
    if any(node not in inside for node in places_of(loop.body, name)) or _bound_inside(loop.body, run.call):
        return {}
    if _assigned(loop.body) & {n for element in elements for n in names_in(element)}:
        return {}
    edits: dict[cst.CSTNode, cst.CSTNode] = {whole: cst.Call(cst.Name(name))}
    for element in elements:
        edits[element] = cst.Lambda(cst.Parameters(), _with(project, path, whole, name, element))
    return edits


def _loop(statement: Statement, used: set[str]) -> tuple[cst.For, str, list[cst.BaseExpression]] | None:
    """The innermost loop over a display that binds a name of the run to things of the graph: the name, its elements."""
    at: Statement | None = statement
    while at is not None:
        if isinstance(at.node, cst.For):
            for name, elements in _columns(at.node.target, at.node.iter):
                if name in used and all(_may_be_graph(e) for e in elements):
                    return at.node, name, elements
        at = at.parent
    return None


def _columns(
    target: cst.BaseExpression, iterated: cst.BaseExpression
) -> Iterator[tuple[str, list[cst.BaseExpression]]]:
    """For each name of a loop's target the elements of a display that it is bound to."""
    if not isinstance(iterated, (cst.Tuple, cst.List)) or not _plain(iterated):
        return
    rows = [e.value for e in iterated.elements]
    if isinstance(target, cst.Name):
        yield target.value, rows
    elif isinstance(target, cst.Tuple) and _plain(target):
        for index, part in enumerate(target.elements):
            cells = [
                row.elements[index].value
                for row in rows
                if isinstance(row, (cst.Tuple, cst.List)) and _plain(row) and len(row.elements) == len(target.elements)
            ]
            if isinstance(part.value, cst.Name) and len(cells) == len(rows):
                yield part.value.value, cells


def _plain(display: _Display) -> bool:
    return not any(isinstance(e, cst.StarredElement) for e in display.elements)


def _may_be_graph(node: cst.BaseExpression) -> bool:
    """Whether it is a name, or a display of names: evaluated in the lambda it means the same."""
    if isinstance(node, (cst.Tuple, cst.List)):
        return _plain(node) and all(_may_be_graph(e.value) for e in node.elements)
    return isinstance(node, cst.Name) or (isinstance(node, cst.Attribute) and _may_be_graph(node.value))


def _of_comprehension(project: Project, path: str, run: Run) -> dict[cst.CSTNode, cst.CSTNode]:
    """`[sess.run(t) for t in (a, b)]` as the list of its elements."""
    finder = _Comprehensions(run.call)
    run.statement.node.visit(finder)
    for comprehension in finder.found:
        part = comprehension.for_in
        if part.inner_for_in is not None or part.ifs or not isinstance(part.target, cst.Name):
            continue
        for name, elements in _columns(part.target, part.iter):
            if name in names_in(run.call) and all(_may_be_graph(e) for e in elements):
                made = [cst.Element(_with(project, path, comprehension.elt, name, e)) for e in elements]
                return {comprehension: cst.List(made)}
    return {}


def _with(
    project: Project, path: str, node: cst.BaseExpression, name: str, value: cst.BaseExpression
) -> cst.BaseExpression:
    """A copy of the expression with a value in the place of a name."""
    copy = project.clone(path, node, path)
    made = copy.visit(_Substitute(name, project.clone(path, value, path)))
    assert isinstance(made, cst.BaseExpression)
    return project.moved(path, node, made)


def _picked(body: cst.BaseSuite, call: cst.Call) -> cst.BaseExpression:
    """The run with the literal index that picks one of its values."""
    found: list[cst.BaseExpression] = [call]

    class Visitor(cst.CSTVisitor):
        def visit_Subscript(self, node: cst.Subscript) -> None:
            part = node.slice[0].slice
            if node.value is call and isinstance(part, cst.Index) and isinstance(part.value, cst.Integer):
                found.append(node)

    body.visit(Visitor())
    return found[-1]


def _bound_inside(body: cst.BaseSuite, call: cst.Call) -> bool:
    """Whether the run reads a name that a comprehension or a lambda of the body binds."""
    bound: set[str] = set()

    class Visitor(cst.CSTVisitor):
        def visit_CompFor(self, node: cst.CompFor) -> None:
            bound.update(names_in(node.target))

        def visit_Param(self, node: cst.Param) -> None:
            bound.add(node.name.value)

    body.visit(Visitor())
    return bool(bound & names_in(call))


def _assigned(body: cst.BaseSuite) -> set[str]:
    """The names that the body binds by statements."""
    bound: set[str] = set()

    class Visitor(cst.CSTVisitor):
        def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
            bound.update(names_in(node.target))

        def visit_AugAssign(self, node: cst.AugAssign) -> None:
            bound.update(names_in(node.target))

        def visit_For(self, node: cst.For) -> None:
            bound.update(names_in(node.target))

    body.visit(Visitor())
    return bound


class _Comprehensions(cst.CSTVisitor):
    """Finds the list comprehensions whose elements hold the call."""

    def __init__(self, call: cst.Call) -> None:
        super().__init__()
        self.call = call
        self.found: list[cst.ListComp] = []
        self.around: list[cst.ListComp] = []

    def visit_ListComp(self, node: cst.ListComp) -> None:
        self.around.append(node)

    def leave_ListComp(self, original_node: cst.ListComp) -> None:
        self.around.pop()

    def visit_Call(self, node: cst.Call) -> None:
        if node is self.call:
            self.found = list(reversed(self.around))


class _Substitute(cst.CSTTransformer):
    """Puts an expression in the place of a name."""

    def __init__(self, name: str, value: cst.BaseExpression) -> None:
        super().__init__()
        self.name, self.value = name, value

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        return self.value if original_node.value == self.name else updated_node


class _Replace(cst.CSTTransformer):
    """Puts expressions in the place of others."""

    def __init__(self, nodes: dict[cst.CSTNode, cst.CSTNode]) -> None:
        super().__init__()
        self.nodes = nodes

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> object:  # type: ignore[override]
        if original_node in self.nodes:
            return self.nodes[original_node]
        return super().on_leave(original_node, updated_node)


__all__ = ["choose_in_loops"]
