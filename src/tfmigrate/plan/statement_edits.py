"""Edits of a module's source before it is analysed anew: statements put before, after or in the place of others."""

from __future__ import annotations

from typing import Any

import libcst as cst

from tfmigrate.analysis.project import Project


class Edits:
    """The edits of one file, applied at once."""

    def __init__(self, project: Project, path: str) -> None:
        self.project, self.path = project, path
        self.before: dict[cst.CSTNode, list[cst.BaseStatement]] = {}
        self.after: dict[cst.CSTNode, list[cst.BaseStatement]] = {}
        self.instead: dict[cst.CSTNode, list[cst.BaseStatement]] = {}
        self.expressions: dict[cst.BaseExpression, cst.BaseExpression] = {}  # in the place of others
        self.arguments: dict[cst.Call, tuple[str, cst.BaseExpression]] = {}  # other function, just this argument
        self.wrapped: dict[cst.Call, str] = {}  # the call as the argument of this function
        self.hoisted: dict[cst.CSTNode, list[tuple[str, cst.Call, str]]] = {}  # name, its call, the line after it

    def apply(self) -> bool:
        """Change the module; whether there was anything to change."""
        edited = (self.before, self.after, self.instead, self.expressions, self.arguments, self.wrapped, self.hoisted)
        if not any(edited):
            return False
        for places in (self.before, self.after, self.instead):
            for node, statements in places.items():
                for statement in statements:
                    self.project.moved(self.path, node, statement)
        self.project.replace(self.path, _Editor(self))
        return True


class _Editor(cst.CSTTransformer):
    def __init__(self, edits: Edits) -> None:
        super().__init__()
        self.edits = edits
        self.values: dict[cst.Call, cst.BaseExpression] = {}  # hoisted calls, as they are now

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        edits = self.edits
        if original_node in edits.arguments:
            function, value = edits.arguments[original_node]
            index = next(i for i, a in enumerate(original_node.args) if a.value is value)
            argument = cst.Arg(updated_node.args[index].value)
            return updated_node.with_changes(func=cst.parse_expression(function), args=[argument])
        if original_node in edits.wrapped:
            return cst.Call(cst.parse_expression(edits.wrapped[original_node]), [cst.Arg(updated_node)])
        for hoisted in edits.hoisted.values():
            for name, call, _ in hoisted:
                if call is original_node:
                    self.values[call] = updated_node
                    return cst.Name(name)
        return updated_node

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> Any:
        if isinstance(original_node, cst.BaseExpression) and original_node in self.edits.expressions:
            return self.edits.expressions[original_node]
        result = super().on_leave(original_node, updated_node)
        if isinstance(original_node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            return self._statement(original_node, result)
        if isinstance(original_node, cst.IndentedBlock) and isinstance(result, cst.IndentedBlock) and not result.body:
            return result.with_changes(body=[cst.parse_statement("pass")])
        return result

    def _statement(self, original: cst.CSTNode, result: Any) -> Any:
        edits = self.edits
        before: list[Any] = list(edits.before.get(original, ()))
        for name, call, line in edits.hoisted.get(original, ()):
            made = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(name))], self.values[call])])
            before += [self.edits.project.moved(edits.path, original, made), cst.parse_statement(line)]
        after = edits.after.get(original, ())
        if original in edits.instead:
            own: list[Any] = list(edits.instead[original])
        elif _emptied(original, result):
            own = []
        else:
            own = [result]
        if before and own:
            lines = list(result.leading_lines)
            comments = [line for line in lines if line.comment is not None]
            if not isinstance(before[0], cst.FunctionDef):
                before[0] = before[0].with_changes(leading_lines=[line for line in lines if line.comment is None][:1])
            own[0] = own[0].with_changes(leading_lines=comments)
        made_all = [*before, *own, *after]
        if len(made_all) == 1:
            return made_all[0]
        return cst.FlattenSentinel(made_all) if made_all else cst.RemovalSentinel.REMOVE


def _emptied(original: cst.CSTNode, result: Any) -> bool:
    """Whether nothing is left to do under an `if` whose condition has no effect of its own."""
    if not isinstance(original, cst.If) or not isinstance(result, cst.If) or result.orelse is not None:
        return False
    quiet = "(" not in cst.Module([]).code_for_node(result.test)
    return quiet and _only_pass(result.body) and not _only_pass(original.body)


def _only_pass(body: cst.BaseSuite) -> bool:
    return all(
        isinstance(s, cst.SimpleStatementLine) and all(isinstance(b, cst.Pass) for b in s.body) for s in body.body
    )


def names_in(node: cst.CSTNode) -> set[str]:
    """All names that stand in the code."""
    found: set[str] = set()

    class Visitor(cst.CSTVisitor):
        def visit_Name(self, node: cst.Name) -> None:
            found.add(node.value)

    node.visit(Visitor())
    return found


__all__ = ["Edits", "names_in"]
