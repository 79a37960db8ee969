"""Gives what a class keeps in its attributes a local name in the method that makes it.

A method that builds the graph is planned like any other function that does, over its local names. So before that each
part of the graph that it puts into an attribute gets a local name there, and the attribute becomes another name for it:

    self.loss = tf.reduce_mean(self.error)        error = …
                                            ->    loss = tf.reduce_mean(error)
                                                  self.loss = loss

What it does not model: attributes that several methods bind, or that the class itself binds too (`loss = None`).
"""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from tfmigrate.analysis.facts import AttributeWrite, Facts, Scope
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.values import (
    Context,
    Graph,
    Graphlike,
    Instance,
    Session,
    Value,
    leaves,
)
from tfmigrate.plan.name_places import names_in


def localize(project: Project, facts: Facts) -> bool:
    """Give local names in each method that builds; whether any text changed."""
    found: dict[str, dict[cst.FunctionDef, _Locals]] = {}
    for scope, names in _building(facts).items():
        method = _Locals(facts, scope, names)
        if method.changes:
            assert isinstance(scope.node, cst.FunctionDef)
            found.setdefault(scope.path, {})[scope.node] = method
    for path, methods in found.items():
        project.replace(path, _Localize(project, path, methods))
    return bool(found)


def receiver(scope: Scope) -> str | None:
    """What a method calls its own object; None for a plain function."""
    node = scope.node
    if not isinstance(node, cst.FunctionDef) or scope.parent is None or not isinstance(scope.parent.node, cst.ClassDef):
        return None
    first = [*node.params.posonly_params, *node.params.params][:1]
    static = any(isinstance(d.decorator, cst.Name) and d.decorator.value == "staticmethod" for d in node.decorators)
    return first[0].name.value if first and not static else None


def kept_by_graph(value: Value) -> bool:
    """Whether the value is a part of the graph (or holds one) that its maker has to have a name for."""
    return any(isinstance(v, Graphlike) and not isinstance(v, (Session, Graph, Context)) for v in leaves(value))


def _building(facts: Facts) -> dict[Scope, dict[str, list[AttributeWrite]]]:
    """For each method the attributes of its own object that it alone binds, to parts of the graph."""
    writers: dict[tuple[cst.ClassDef, str], set[Scope]] = {}
    own: dict[Scope, dict[str, list[AttributeWrite]]] = {}
    for write in facts.attribute_writes:
        scope = write.statement.scope
        writers.setdefault((write.instance.cls.node, write.name), set()).add(scope)
        if receiver(scope) == write.receiver:
            own.setdefault(scope, {}).setdefault(write.name, []).append(write)
    return {
        scope: kept
        for scope, names in own.items()
        if (
            kept := {
                name: writes
                for name, writes in names.items()
                if any(kept_by_graph(w.value) for w in writes)
                and all(len(writers[(w.instance.cls.node, name)]) == 1 for w in writes)
                and not any(name in _members(w.instance) for w in writes)
            }
        )
    }


def _members(instance: Instance) -> Iterable[str]:
    """What the classes of an object bind themselves."""
    todo: list[Value] = [instance.cls]
    while todo:
        cls = todo.pop()
        yield from getattr(cls, "members", ())
        todo.extend(getattr(cls, "bases", ()))


class _Locals:
    """The local names of one method's attributes."""

    def __init__(self, facts: Facts, scope: Scope, names: dict[str, list[AttributeWrite]]) -> None:
        assert isinstance(scope.node, cst.FunctionDef)
        self.own = receiver(scope) or ""
        self.local: dict[str, str] = {}
        self.exported: set[cst.CSTNode] = set()  # targets whose value has a local name already
        taken = set(scope.bound) | names_in(scope.node)
        bound = [name for s in scope.statements for name in s.defines]
        parameters = {p.name.value for p in (*scope.node.params.posonly_params, *scope.node.params.params)}
        for name, writes in names.items():
            targets = list({w.target for w in writes})
            values = [_assigned(scope, target) for target in targets]
            given = {v.value for v in values if isinstance(v, cst.Name)}
            local = given.pop() if len(given) == 1 and all(isinstance(v, cst.Name) for v in values) else None
            # each time that the local is bound, the attribute is too: the two are always the same
            if local is not None and bound.count(local) + (local in parameters) == len(targets):
                self.local[name] = local
                self.exported.update(targets)
            else:
                made, count = name.lstrip("_") or name, 0
                base = made
                while made in taken or made == self.own:
                    count += 1
                    made = f"{base}_{count}"
                taken.add(made)
                self.local[name] = made
        scope.node.body.visit(_Exports(self))
        finder = _Attributes(self.own, set(self.local), self.exported)
        scope.node.body.visit(finder)
        self.changes = finder.found


def _assigned(scope: Scope, target: cst.CSTNode) -> cst.BaseExpression | None:
    """The expression that is assigned to just this target."""
    for statement in scope.statements:
        if isinstance(statement.node, cst.SimpleStatementLine):
            for small in statement.node.body:
                if isinstance(small, cst.Assign) and len(small.targets) == 1 and small.targets[0].target is target:
                    return small.value
    return None


class _Exports(cst.CSTVisitor):
    """Finds lines that hand a local out already, in branches too that no object of the program takes."""

    def __init__(self, method: _Locals) -> None:
        super().__init__()
        self.method = method

    def visit_Assign(self, node: cst.Assign) -> None:
        target = node.targets[0].target
        name = _own_attribute(target, self.method.own)
        local = self.method.local.get(name) if name is not None and len(node.targets) == 1 else None
        if local is not None and isinstance(node.value, cst.Name) and node.value.value == local:
            self.method.exported.add(target)


class _Attributes(cst.CSTVisitor):
    """Whether a body names any of the attributes other than to hand a local out."""

    def __init__(self, own: str, names: set[str], exported: set[cst.CSTNode]) -> None:
        super().__init__()
        self.own, self.names, self.exported, self.found = own, names, exported, False

    def visit_Attribute(self, node: cst.Attribute) -> None:
        if node not in self.exported and _own_attribute(node, self.own) in self.names:
            self.found = True


def _own_attribute(node: cst.BaseExpression, own: str) -> str | None:
    if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name) and node.value.value == own:
        return node.attr.value
    return None


class _Localize(cst.CSTTransformer):
    """Puts local names in the place of attributes, and hands them out after each assignment."""

    def __init__(self, project: Project, path: str, methods: dict[cst.FunctionDef, _Locals]) -> None:
        super().__init__()
        self.project, self.path, self.methods = project, path, methods
        self.inside: list[_Locals] = []

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        if node in self.methods:
            self.inside.append(self.methods[node])

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        if original_node in self.methods:
            self.inside.pop()
        return updated_node

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        if not self.inside or original_node in self.inside[-1].exported:
            return updated_node
        method = self.inside[-1]
        name = _own_attribute(original_node, method.own)
        if name is None or name not in method.local:
            return updated_node
        return cst.Name(method.local[name], lpar=updated_node.lpar, rpar=updated_node.rpar)

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.SimpleStatementLine]:
        if not self.inside:
            return updated_node
        method = self.inside[-1]
        names: dict[str, None] = {}
        for small in original_node.body:
            targets = (
                [t.target for t in small.targets]
                if isinstance(small, cst.Assign)
                else [small.target]
                if isinstance(small, (cst.AugAssign, cst.AnnAssign))
                else []
            )
            for target in targets:
                names.update(dict.fromkeys(_bound(target, method)))
        if not names:
            return updated_node
        lines = [updated_node]
        for name in names:
            target = cst.Attribute(cst.Name(method.own), cst.Name(name))
            line = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(target)], cst.Name(method.local[name]))])
            for node in (line, target, *line.body):
                self.project.moved(self.path, original_node, node)
            lines.append(line)
        return cst.FlattenSentinel(lines)


def _bound(target: cst.BaseExpression, method: _Locals) -> list[str]:
    """The attributes that an assignment's target binds and that get a local name."""
    if isinstance(target, (cst.Tuple, cst.List)):
        return [name for entry in target.elements for name in _bound(entry.value, method)]
    name = _own_attribute(target, method.own)
    return [name] if name is not None and name in method.local and target not in method.exported else []


__all__ = ["kept_by_graph", "localize", "receiver"]
