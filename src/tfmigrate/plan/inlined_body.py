"""The body of a helper function as it stands in the place of one call: parameters and locals renamed, the result put
where the call was.
"""

from __future__ import annotations

from typing import Any

import libcst as cst

from tfmigrate.analysis.facts import CallFact, Facts, Scope
from tfmigrate.analysis.frames import Frame
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.python_builtins import BUILTINS
from tfmigrate.plan.decided import TakenBranches
from tfmigrate.plan.name_places import names_in
from tfmigrate.plan.tail_returns import without_return

SIMPLE = (cst.Name, cst.Integer, cst.Float, cst.SimpleString, cst.Attribute)


class InlinedBody:
    """The statements that stand for one call."""

    def __init__(
        self,
        project: Project,
        facts: Facts,
        modules: dict[str, Frame],
        node: cst.FunctionDef,
        fact: CallFact,
        taken: dict[Scope, set[str]],
        called_on: cst.BaseExpression | None = None,
    ) -> None:
        self.object = called_on  # whose method it is
        self.project, self.modules, self.node, self.fact, self.taken = project, modules, node, fact, taken
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
                | names_in(self.caller.node)
                | {n for s in self.caller.ancestors() for n in s.bound}
            )
        taken = self.taken[self.caller]
        assigned = {name for s in self.scope.statements for name in s.defines}
        parameters = [*self.node.params.posonly_params, *self.node.params.params, *self.node.params.kwonly_params]
        if self.fact.function.receiver is not None:
            assert self.object is not None
            mapping[parameters.pop(0).name.value] = self.object
        for param in parameters:
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

    def _result_name(self) -> str:
        target = self._target()
        taken = self.taken[self.caller]
        return self._fresh(target or f"{self.node.name.value.lstrip('_')}_result", taken, allowed=target)

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
        for name in sorted(names_in(self.node.body) - set(mapping) - BUILTINS):
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
            through_module = isinstance(self.fact.call.func, cst.Attribute) and self.fact.function.receiver is None
            if through_module and not self.project.imports(self.scope.path, name):
                assert isinstance(self.fact.call.func, cst.Attribute)
                mapping[name] = cst.Attribute(self._clone(self.fact.call.func.value), cst.Name(name))
                continue
            if self.project.imports(self.scope.path, name) and other is None:
                self.project.borrow(self.scope.path, self.caller.path, name)
                continue
            called = self.fact.call.func
            plain = other is None and isinstance(called, cst.Name) and self.fact.function.receiver is None
            if plain and self.project.import_beside(self.caller.path, cst.ensure_type(called, cst.Name).value, name):
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
            if isinstance(renamed, (cst.FlattenSentinel, cst.RemovalSentinel)):
                body.extend(renamed if isinstance(renamed, cst.FlattenSentinel) else ())  # type: ignore[arg-type]
                continue
            assert isinstance(renamed, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
            if isinstance(renamed, cst.With) and index == len(self.node.body.body) - 1:
                rest, result = without_return(renamed, self._result_name)
                body += [] if rest is None else [rest]
                continue
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
        return [replaced.with_changes(leading_lines=[])]


class _Rename(TakenBranches):
    """Puts other expressions in the place of names; branches that these decide are taken."""

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
