"""Puts the body of a helper function in the place of its calls, where the helper itself cannot be split.

A helper that makes an optimizer, a train op, summaries or placeholders for its caller, or reads the graph around it,
has no form of its own in the result. Its body, with parameters and locals renamed, stands in its caller instead, and is
analysed there anew.

    def train(loss, rate):                             optimizer = tf.train.AdamOptimizer(0.1)
        optimizer = tf.train.AdamOptimizer(rate)  ->   train_op = optimizer.minimize(total)
        return optimizer.minimize(loss)
    train_op = train(total, 0.1)

What it does not model: recursion, several returns, decorators, *args, functions that are also used as values.
"""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from tfmigrate.analysis.facts import CallFact, Facts, Scope
from tfmigrate.analysis.frames import Frame
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.values import Instance, Super
from tfmigrate.plan.attributes import receiver
from tfmigrate.plan.inlined_body import InlinedBody
from tfmigrate.plan.inlined_files import DropImports, ReplaceStatements, imported_names
from tfmigrate.plan.tail_returns import ends_with_return


def inline(project: Project, facts: Facts, modules: dict[str, Frame], targets: Iterable[cst.FunctionDef]) -> bool:
    """Inline each target whose calls all can be; whether any was."""
    given = set(targets)
    wanted = {node: None for node in facts.scopes if isinstance(node, cst.FunctionDef) and node in given}
    plans: dict[cst.FunctionDef, list[CallFact]] = {}
    for node in wanted:
        found = {fact.call: fact for fact in facts.functions.get(node, [])}
        inner = any(other in wanted for other in _called(facts, facts.scopes.get(node)) if other is not node)
        if (
            found
            and not inner
            and all(_possible(facts, node, fact) for fact in found.values())
            and not used_as_value(facts, node, set(found))
        ):
            plans[node] = list(found.values())
    if not plans:
        return False
    taken: dict[Scope, set[str]] = {}
    replacements: dict[str, dict[cst.CSTNode, list[cst.BaseStatement]]] = {}
    for node, calls in plans.items():
        for fact in calls:
            made = InlinedBody(project, facts, modules, node, fact, taken, object_called(facts, fact)).write()
            if made is None:
                return False
            path = fact.statement.scope.path
            held = replacements.setdefault(path, {})
            if fact.statement.node in held:
                return False
            held[fact.statement.node] = made
    gone = {node.name.value for node in plans}
    paths = {facts.scopes[node].path for node in plans} | set(replacements)
    for path in paths:
        project.replace(path, ReplaceStatements(replacements.get(path, {}), set(plans)))
    for path, module in list(project.modules.items()):
        if any(name in imported_names(module) for name in gone):
            project.replace(path, DropImports(gone, path, project, {facts.scopes[n].path for n in plans}))
    return True


def _called(facts: Facts, scope: Scope | None) -> list[cst.CSTNode]:
    return [fact.function.node for calls in facts.calls.values() for fact in calls if fact.statement.scope is scope]


def _possible(facts: Facts, node: cst.FunctionDef, fact: CallFact) -> bool:
    params = node.params
    if (
        params.star_kwarg is not None
        or isinstance(params.star_arg, cst.Param)
        or node.decorators
        or not isinstance(node.body, cst.IndentedBlock)
    ):
        return False
    if any(a.star for a in fact.call.args):
        return False
    if fact.function.receiver is not None and object_called(facts, fact) is None:
        return False
    if not isinstance(fact.statement.node, cst.SimpleStatementLine) or len(fact.statement.node.body) != 1:
        return False
    if fact.statement.scope.node is node or not isinstance(fact.statement.scope.node, (cst.Module, cst.FunctionDef)):
        return False
    finder = _Inner()
    node.body.visit(finder)
    if finder.odd or finder.returns > 1 or (finder.returns == 1 and not ends_with_return(node.body)):
        return False
    return evaluated_once(fact.statement.node, fact.call)


def object_called(facts: Facts, fact: CallFact) -> cst.BaseExpression | None:
    """The expression of the object whose method is called: `x` of `x.method()`, of `x()` or of `super().method()`."""
    called = fact.call.func
    if isinstance(called, (cst.Name, cst.Attribute)) and isinstance(facts.values.get(called), Instance):
        return called
    if isinstance(called, cst.Attribute) and isinstance(called.value, (cst.Name, cst.Attribute)):
        return called.value
    if isinstance(called, cst.Attribute) and isinstance(facts.values.get(called.value), Super):
        own = receiver(fact.statement.scope)
        return cst.Name(own) if own is not None else None
    return None


def evaluated_once(statement: cst.SimpleStatementLine, call: cst.Call) -> bool:
    """Whether the call is evaluated once, and always, with its statement."""
    outside = _Outside(call)
    statement.visit(outside)
    return outside.reachable


class _Inner(cst.CSTVisitor):
    """Looks for what keeps a body from being moved."""

    def __init__(self) -> None:
        super().__init__()
        self.returns, self.odd = 0, False

    def visit_Return(self, node: cst.Return) -> None:
        self.returns += 1

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        self.odd = True
        return False

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        self.odd = True

    def visit_Yield(self, node: cst.Yield) -> None:
        self.odd = True

    def visit_Global(self, node: cst.Global) -> None:
        self.odd = True

    def visit_Nonlocal(self, node: cst.Nonlocal) -> None:
        self.odd = True


class _Outside(cst.CSTVisitor):
    """Whether a call is evaluated once, with its statement (not in a comprehension, a lambda or one side of a
    condition).
    """

    def __init__(self, call: cst.Call) -> None:
        super().__init__()
        self.call, self.reachable = call, False

    def visit_Call(self, node: cst.Call) -> None:
        self.reachable |= node is self.call

    def visit_Lambda(self, node: cst.Lambda) -> bool:
        return False

    def visit_ListComp(self, node: cst.ListComp) -> bool:
        return False

    def visit_DictComp(self, node: cst.DictComp) -> bool:
        return False

    def visit_GeneratorExp(self, node: cst.GeneratorExp) -> bool:
        return False

    def visit_IfExp(self, node: cst.IfExp) -> bool:
        return False

    def visit_BooleanOperation(self, node: cst.BooleanOperation) -> bool:
        return False


def used_as_value(facts: Facts, node: cst.FunctionDef, calls: set[cst.Call]) -> bool:
    """Whether the function is named anywhere but in these calls."""
    functions = {call.func for call in calls}
    for expression, value in facts.values.items():
        if (
            getattr(value, "node", None) is node
            and expression not in functions
            and isinstance(expression, (cst.Name, cst.Attribute))
        ):
            return True
    return False
