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
from typing import Any

import libcst as cst

from tfmigrate.analysis.facts import CallFact, Facts, Scope
from tfmigrate.analysis.frames import Frame
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.python_builtins import BUILTINS

_Changed = cst.BaseStatement | cst.FlattenSentinel[cst.BaseStatement] | cst.RemovalSentinel

SIMPLE = (cst.Name, cst.Integer, cst.Float, cst.SimpleString, cst.Attribute)


def inline(project: Project, facts: Facts, modules: dict[str, Frame], targets: Iterable[cst.FunctionDef]) -> bool:
    """Inline each target whose calls all can be; whether any was."""
    wanted = set(targets)
    plans: dict[cst.FunctionDef, list[CallFact]] = {}
    for node in wanted:
        found = {fact.call: fact for fact in facts.functions.get(node, [])}
        inner = any(other in wanted for other in _called(facts, facts.scopes.get(node)) if other is not node)
        if (
            found
            and not inner
            and all(_possible(facts, node, fact) for fact in found.values())
            and not _used_as_value(project, facts, node, set(found))
        ):
            plans[node] = list(found.values())
    if not plans:
        return False
    taken: dict[Scope, set[str]] = {}
    replacements: dict[str, dict[cst.CSTNode, list[cst.BaseStatement]]] = {}
    for node, calls in plans.items():
        for fact in calls:
            made = _Body(project, facts, modules, node, fact, taken).write()
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
        project.replace(path, _Replace(replacements.get(path, {}), set(plans)))
    for path, module in list(project.modules.items()):
        if any(name in _imported_names(module) for name in gone):
            project.replace(path, _DropImports(gone, path, project, {facts.scopes[n].path for n in plans}))
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
    if any(a.star for a in fact.call.args) or fact.function.receiver is not None:
        return False
    if not isinstance(fact.statement.node, cst.SimpleStatementLine) or len(fact.statement.node.body) != 1:
        return False
    if fact.statement.scope.node is node or not isinstance(fact.statement.scope.node, (cst.Module, cst.FunctionDef)):
        return False
    finder = _Inner()
    node.body.visit(finder)
    last = node.body.body[-1]
    tail = isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[0], cst.Return)
    if finder.odd or finder.returns > 1 or (finder.returns == 1 and not tail):
        return False
    outside = _Outside(fact.call)
    fact.statement.node.visit(outside)
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


def _used_as_value(project: Project, facts: Facts, node: cst.FunctionDef, calls: set[cst.Call]) -> bool:
    functions = {call.func for call in calls}
    for expression, value in facts.values.items():
        if (
            getattr(value, "node", None) is node
            and expression not in functions
            and isinstance(expression, (cst.Name, cst.Attribute))
        ):
            return True
    return False


class _Body:
    """The statements that stand for one call."""

    def __init__(
        self,
        project: Project,
        facts: Facts,
        modules: dict[str, Frame],
        node: cst.FunctionDef,
        fact: CallFact,
        taken: dict[Scope, set[str]],
    ) -> None:
        self.taken = taken
        self.project, self.facts, self.modules, self.node, self.fact = project, facts, modules, node, fact
        self.scope = facts.scopes[node]
        self.caller = fact.statement.scope

    def write(self) -> list[cst.BaseStatement] | None:
        """The body with names set right, then the statement with the call's value; None where a name cannot be
        reached.
        """
        mapping: dict[str, cst.BaseExpression] = {}
        before: list[cst.BaseStatement] = []
        if self.caller not in self.taken:
            self.taken[self.caller] = (
                set(self.caller.bound)
                | _names_in(self.caller.node)
                | {n for s in self.caller.ancestors() for n in s.bound}
            )
        taken = self.taken[self.caller]
        assigned = {name for s in self.scope.statements for name in s.defines}
        for param in (*self.node.params.posonly_params, *self.node.params.params, *self.node.params.kwonly_params):
            name = param.name.value
            given = self.fact.argument_nodes.get(name) or param.default
            if given is None:
                return None
            if isinstance(given, SIMPLE) and name not in assigned:
                mapping[name] = given
            else:
                own = self._fresh(name, taken)
                mapping[name] = cst.Name(own)
                if not (isinstance(given, cst.Name) and given.value == own):
                    before.append(
                        cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(own))], self._clone(given))])
                    )
        target = self._target()
        for name in sorted(assigned - set(mapping)):
            mapping[name] = cst.Name(self._fresh(name, taken, allowed=target))
        if not self._free(mapping):
            return None
        body, result = self._statements(mapping)
        line = self.fact.statement.node
        assert isinstance(line, cst.SimpleStatementLine)
        replaced = self._with_result(line, result)
        made: list[Any] = [*before, *body, *replaced]
        if made:
            comments = [x for x in made[0].leading_lines if x.comment is not None]
            made[0] = made[0].with_changes(leading_lines=[*line.leading_lines, *comments])
        return made

    def _target(self) -> str:
        line = self.fact.statement.node
        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
        if (
            isinstance(small, cst.Assign)
            and small.value is self.fact.call
            and isinstance(small.targets[0].target, cst.Name)
        ):
            return small.targets[0].target.value
        return ""

    def _fresh(self, name: str, taken: set[str], allowed: str = "") -> str:
        made, count = name, 0
        while made in taken and made != allowed:
            count += 1
            made = f"{name}_{count}"
        taken.add(made)
        return made

    def _free(self, mapping: dict[str, cst.BaseExpression]) -> bool:
        """Names of the helper's own module must be reachable from the caller's."""
        if self.caller.path == self.scope.path:
            return True
        mine, theirs = self.modules[self.scope.path], self.modules[self.caller.path]
        for name in _names_in(self.node.body) - set(mapping) - BUILTINS:
            bound = mine.names.get(name)
            if bound is None:
                continue
            other = theirs.names.get(name)
            same = other is not None and (
                other.value is bound.value
                or (
                    type(other.value) is type(bound.value)
                    and (getattr(other.value, "name", 0) == getattr(bound.value, "name", 1))
                )
            )
            module_like = other is not None and self.project.same_import(self.scope.path, self.caller.path, name)
            if same or module_like:
                continue
            if isinstance(self.fact.call.func, cst.Attribute) and not self.project.imports(self.scope.path, name):
                mapping[name] = cst.Attribute(self._clone(self.fact.call.func.value), cst.Name(name))
                continue
            if self.project.imports(self.scope.path, name) and other is None:
                self.project.borrow(self.scope.path, self.caller.path, name)
                continue
            return False
        return True

    def _clone(self, node: cst.BaseExpression) -> cst.BaseExpression:
        return self.project.clone(
            self.scope.path if node in self.project.positions.get(self.scope.path, {}) else self.caller.path,
            node,
            self.caller.path,
        )

    def _statements(
        self, mapping: dict[str, cst.BaseExpression]
    ) -> tuple[list[cst.BaseStatement], cst.BaseExpression | None]:
        body: list[cst.BaseStatement] = []
        result: cst.BaseExpression | None = None
        for index, statement in enumerate(self.node.body.body):
            clone = self.project.clone(self.scope.path, statement, self.caller.path)
            docstring = (
                index == 0
                and isinstance(statement, cst.SimpleStatementLine)
                and isinstance(statement.body[0], cst.Expr)
                and isinstance(statement.body[0].value, (cst.SimpleString, cst.ConcatenatedString))
            )
            if docstring:
                continue
            renamed = clone.visit(_Rename(mapping, self.project, self.caller.path))
            assert isinstance(renamed, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
            if isinstance(renamed, cst.SimpleStatementLine) and isinstance(renamed.body[0], cst.Return):
                result = renamed.body[0].value
                continue
            body.append(renamed)
        return body, result

    def _with_result(self, line: cst.SimpleStatementLine, result: cst.BaseExpression | None) -> list[cst.BaseStatement]:
        small = line.body[0]
        if (
            isinstance(small, cst.Expr)
            and small.value is self.fact.call
            and (result is None or isinstance(result, cst.Name))
        ):
            return []
        value = result if result is not None else cst.Name("None")
        if isinstance(small, cst.Assign) and small.value is self.fact.call and len(small.targets) == 1:
            target = small.targets[0].target
            if isinstance(target, cst.Name) and isinstance(value, cst.Name) and target.value == value.value:
                return []
        if isinstance(value, cst.Tuple) and not value.lpar:
            value = value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        replaced = line.visit(_ReplaceCall(self.fact.call, value, self.project, self.caller.path))
        assert isinstance(replaced, cst.SimpleStatementLine)
        return [replaced.with_changes(leading_lines=[x for x in line.leading_lines if False])]


class _Rename(cst.CSTTransformer):
    """Puts other expressions in the place of names."""

    def __init__(self, mapping: dict[str, cst.BaseExpression], project: Project, path: str) -> None:
        super().__init__()
        self.mapping, self.project, self.path = mapping, project, path
        self.skip: set[cst.CSTNode] = set()

    def visit_Attribute(self, node: cst.Attribute) -> None:
        self.skip.add(node.attr)

    def visit_Arg(self, node: cst.Arg) -> None:
        if node.keyword is not None:
            self.skip.add(node.keyword)

    def visit_Param(self, node: cst.Param) -> None:
        self.skip.add(node.name)

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        result = super().on_leave(original_node, updated_node)
        return self.project.moved(self.path, original_node, result)  # type: ignore[return-value]

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        found = self.mapping.get(original_node.value)
        if found is None or original_node in self.skip:
            return updated_node
        return found.deep_clone()


class _ReplaceCall(cst.CSTTransformer):
    """Puts a value in the place of a call."""

    def __init__(self, call: cst.Call, value: cst.BaseExpression, project: Project, path: str) -> None:
        super().__init__()
        self.call, self.value, self.project, self.path = call, value, project, path

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        if original_node is self.call:
            return self.value
        return self.project.moved(self.path, original_node, updated_node)


class _Replace(cst.CSTTransformer):
    """Puts statements in the place of others, and drops functions."""

    def __init__(self, replacements: dict[cst.CSTNode, list[cst.BaseStatement]], gone: set[cst.FunctionDef]) -> None:
        super().__init__()
        self.replacements, self.gone = replacements, gone

    def visit_SimpleStatementLine(self, node: cst.SimpleStatementLine) -> bool:
        return False

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> _Changed:
        if original_node in self.replacements:
            made = self.replacements[original_node]
            return cst.FlattenSentinel(made) if made else cst.RemovalSentinel.REMOVE
        return original_node

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> _Changed:
        return cst.RemovalSentinel.REMOVE if original_node in self.gone else updated_node


class _DropImports(cst.CSTTransformer):
    """Drops imports of functions that are gone."""

    def __init__(self, gone: set[str], path: str, project: Project, sources: set[str]) -> None:
        super().__init__()
        self.gone, self.path, self.project, self.sources = gone, path, project, sources

    def leave_ImportFrom(
        self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom
    ) -> cst.BaseSmallStatement | cst.RemovalSentinel:
        if isinstance(updated_node.names, cst.ImportStar):
            return updated_node
        module = cst.Module([]).code_for_node(updated_node.module) if updated_node.module is not None else ""
        if self.project.find(self.path, module, len(updated_node.relative)) not in self.sources:
            return updated_node
        kept = [a for a in updated_node.names if not (isinstance(a.name, cst.Name) and a.name.value in self.gone)]
        if len(kept) == len(updated_node.names):
            return updated_node
        if not kept:
            return cst.RemovalSentinel.REMOVE
        kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return updated_node.with_changes(names=kept)


def _names_in(node: cst.CSTNode) -> set[str]:
    found: set[str] = set()

    class Visitor(cst.CSTVisitor):
        def visit_Name(self, name: cst.Name) -> None:
            found.add(name.value)

    node.visit(Visitor())
    return found


def _imported_names(module: cst.Module) -> set[str]:
    found: set[str] = set()

    class Visitor(cst.CSTVisitor):
        def visit_ImportAlias(self, node: cst.ImportAlias) -> None:
            if isinstance(node.name, cst.Name):
                found.add(node.name.value)

        def visit_Call(self, node: cst.Call) -> bool:
            return False

    module.visit(Visitor())
    return found
