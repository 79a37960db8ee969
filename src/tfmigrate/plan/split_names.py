"""Gives each thing that one name is bound to in turn a name of its own, before the program is analysed anew.

    w = variable([4, 8])                 w = variable([4, 8])
    h = tf.matmul(x, w)            ->    h = tf.matmul(x, w)
    w = variable([8, 2])                 w_2 = variable([8, 2])
    y = tf.matmul(h, w)                  y = tf.matmul(h, w_2)

A step function computes both where the name means the second already. What belongs to which is told by the order of the
lines alone: the bindings stand in one block, each is certain to happen, and no other function reads the name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import libcst as cst

from tfmigrate.analysis.facts import Facts, Scope
from tfmigrate.analysis.project import Project
from tfmigrate.plan.name_places import NamePlaces
from tfmigrate.plan.statement_edits import Edits, names_in

_Statement = cst.BaseStatement | cst.BaseSmallStatement


def split_names(project: Project, facts: Facts, rebound: Iterable[tuple[Scope, str]]) -> bool:
    """Split these names where that is certain to keep what each place means; whether any text changed."""
    modules = {scope.path for scope in facts.scopes.values() if scope.is_module}
    edits: dict[str, Edits] = {}
    for scope, name in rebound:
        module = project.module(scope.path)
        others = [project.module(path) for path in modules if path != scope.path]
        body = scope.node.body if isinstance(scope.node, (cst.Module, cst.FunctionDef)) else None
        if body is None or (scope.is_module and any(name in names_in(other) for other in others)):
            continue
        groups = _groups(scope.node, body, name)
        taken = names_in(module)
        for group in groups[1:]:
            fresh = next(f"{name}_{n}" for n in range(2, len(taken) + 3) if f"{name}_{n}" not in taken)
            taken.add(fresh)
            edit = edits.setdefault(scope.path, Edits(project, scope.path))
            edit.expressions.update({place: cst.Name(fresh) for place in group})
    return any([edit.apply() for edit in edits.values()])  # noqa: C419  each of them is applied


def _groups(node: cst.CSTNode, body: object, name: str) -> list[list[cst.Name]]:
    """The places of the name by the thing that each means; one group or none where that is not certain."""
    given = isinstance(node, cst.FunctionDef) and any(name in names_in(p) for p in _params(node))
    block: Sequence[_Statement] = node.body if isinstance(node, cst.Module) else _statements(body)
    while True:
        found = [(statement, _Places.of(statement, name)) for statement in block]
        if any(places is None for _, places in found):
            return []
        holding = [(statement, places) for statement, places in found if places]
        inner = _inner_block(holding[0][0], name) if len(holding) == 1 and not given else None
        if inner is None:
            break
        block = inner
    every = [place for _, places in holding for place in places or ()]
    if len({id(place) for place in every}) != len(every):
        return []
    return _told_apart([(statement, places or []) for statement, places in holding], name, given=given)


def _told_apart(lines: list[tuple[_Statement, list[cst.Name]]], name: str, *, given: bool) -> list[list[cst.Name]]:
    groups: list[list[cst.Name]] = [[]] if given else []
    mixed = False  # a loop may have bound it, or not: what is read now may be one or the other
    for statement, places in lines:
        new = _newly_bound(statement, name)
        old = [place for place in places if place not in new]
        if new is None or not new:
            if mixed:
                return []
            groups = groups or [[]]
            groups[-1].extend(places)
            continue
        if old and (mixed or not groups):
            return []
        if old:
            groups[-1].extend(old)
        mixed = isinstance(statement, cst.For) and bool(groups)
        groups.append(list(new))
    return groups


def _newly_bound(statement: _Statement, name: str) -> list[cst.Name]:
    """The places that mean what the statement binds whenever it runs; none where it may not bind the name at all."""
    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
        line = statement.body[0]
        if not isinstance(line, cst.Assign):
            return []
        targets = [place for target in line.targets for place in _bound(target.target, name)]
        inside = [place for target in line.targets for place in _Places.of(target, name) or ()]
        return targets if len(targets) == len(inside) else []
    if isinstance(statement, cst.For) and _bound(statement.target, name) and statement.orelse is None:
        return [*(_Places.of(statement.target, name) or ()), *(_Places.of(statement.body, name) or ())]
    if isinstance(statement, cst.With):
        bound = [p for item in statement.items if item.asname is not None for p in _bound(item.asname.name, name)]
        if bound and not _Places.of(statement.items[-1].item, name) and len(statement.items) == 1:
            return [*bound, *(_Places.of(statement.body, name) or ())]
    return []


def _bound(target: cst.CSTNode, name: str) -> list[cst.Name]:
    if isinstance(target, cst.Name):
        return [target] if target.value == name else []
    if isinstance(target, (cst.Tuple, cst.List)):
        return [place for element in target.elements for place in _bound(element.value, name)]
    return []


def _inner_block(statement: _Statement, name: str) -> Sequence[_Statement] | None:
    """The one block inside a compound statement that holds all places of the name."""
    if not isinstance(statement, (cst.With, cst.If, cst.For, cst.While, cst.Try)):
        return None
    total = len(_Places.of(statement, name) or ())
    inside = len(_Places.of(statement.body, name) or ())
    return _statements(statement.body) if total == inside else None


def _statements(body: object) -> Sequence[_Statement]:
    return body.body if isinstance(body, (cst.IndentedBlock, cst.SimpleStatementSuite)) else ()


def _params(node: cst.FunctionDef) -> list[cst.Param]:
    params = node.params
    stars = [p for p in (params.star_arg, params.star_kwarg) if isinstance(p, cst.Param)]
    return [*params.posonly_params, *params.params, *params.kwonly_params, *stars]


class _Places(NamePlaces):
    """Collects where a name stands for a value; tells of places that the order of the lines does not decide."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.uncertain = False

    @classmethod
    def of(cls, node: cst.CSTNode, name: str) -> list[cst.Name] | None:
        """The places in the code, or None where one of them is not decided by the order of the lines."""
        places = cls(name)
        node.visit(places)
        return None if places.uncertain else places.found

    def on_visit(self, node: cst.CSTNode) -> bool:
        later = (cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.GeneratorExp)
        other = (cst.Import, cst.ImportFrom, cst.Global, cst.Nonlocal, cst.Match, cst.ExceptHandler, cst.NamedExpr)
        if isinstance(node, (*later, *other)):
            self.uncertain |= self.name in names_in(node)
            return False
        if isinstance(node, cst.CompFor):
            self.uncertain |= self.name in names_in(node.target)
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Name):
            self.uncertain |= node.func.value in ("locals", "globals", "vars", "exec", "eval")
        return super().on_visit(node)

    def visit_Name(self, node: cst.Name) -> None:
        if node.value == self.name:
            self.found.append(node)


__all__ = ["split_names"]
