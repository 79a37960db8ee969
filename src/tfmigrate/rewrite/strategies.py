"""Puts the strategy at its place in a file."""

from __future__ import annotations

import libcst as cst

from tfmigrate.model import Strategy
from tfmigrate.plan.replication.replicas import DISTRIBUTED
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.templates import strategy_lines


def with_strategy(module: cst.Module, strategy: Strategy, name: str, tf: str) -> cst.Module:
    """The module with the strategy made at its place.

    One that takes part in a cluster must be made before any op runs: right after the imports. So must one that several
    functions use; else it is made before the first block under its scope.
    """
    lines = [line.replace("strategy =", f"{name} =", 1) for line in strategy_lines(strategy, tf)]
    text = "".join(line + "\n" for line in lines)
    finder = _Scopes(name)
    module.visit(finder)
    early = strategy in (Strategy.MULTIWORKER, Strategy.TPU) or (strategy in DISTRIBUTED and finder.functions > 1)
    if early:
        return _after_imports(module, text)
    return cst.ensure_type(module.visit(_BeforeFirst(text, name)), cst.Module)


def _after_imports(module: cst.Module, text: str) -> cst.Module:
    body = list(module.body)
    at = 0
    for index, node in enumerate(body):
        if (
            isinstance(node, cst.SimpleStatementLine)
            and all(
                isinstance(s, (cst.Import, cst.ImportFrom))
                or (isinstance(s, cst.Expr) and isinstance(s.value, (cst.SimpleString, cst.ConcatenatedString)))
                for s in node.body
            )
        ) or (isinstance(node, (cst.Try, cst.If)) and at == index and _only_imports(node)):
            at = index + 1
        elif at:
            break
    made = nodes.statements(text)
    made[0] = cst.ensure_type(nodes.blank_lines(made[0], 1), cst.SimpleStatementLine)
    return module.with_changes(body=[*body[:at], *made, *body[at:]])


def _only_imports(node: cst.CSTNode) -> bool:
    if isinstance(node, (cst.BaseExpression, cst.Assign, cst.AugAssign, cst.With, cst.For, cst.While)):
        return not isinstance(node, (cst.Assign, cst.AugAssign, cst.With, cst.For, cst.While, cst.Call))
    return all(_only_imports(child) for child in node.children)


class _Scopes(cst.CSTVisitor):
    """Counts the bodies (functions, the module) that have a block under the strategy's scope."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name, self.stack, self.bodies = name, [0], {0: False}

    @property
    def functions(self) -> int:
        """How many bodies have such a block."""
        return sum(self.bodies.values())

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self.stack.append(len(self.bodies))
        self.bodies[self.stack[-1]] = False

    def leave_FunctionDef(self, original_node: cst.FunctionDef) -> None:
        self.stack.pop()

    def visit_With(self, node: cst.With) -> None:
        if is_scope(node, self.name):
            self.bodies[self.stack[-1]] = True


class _BeforeFirst(cst.CSTTransformer):
    """Puts the strategy before the first block under its scope, in each function or module body that has one."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__()
        self.text, self.name = text, name

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        if not isinstance(updated_node.body, cst.IndentedBlock):
            return updated_node
        body = self._insert(list(updated_node.body.body))
        return (
            updated_node if body is None else updated_node.with_changes(body=updated_node.body.with_changes(body=body))
        )

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> cst.Module:
        body = self._insert(list(updated_node.body))
        return updated_node if body is None else updated_node.with_changes(body=body)

    def _insert(self, body: list[cst.CSTNode]) -> list[cst.CSTNode] | None:
        for index, node in enumerate(body):
            if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
                continue
            if self._holds(node):
                made = nodes.statements(self.text)
                leading = list(node.leading_lines)  # type: ignore[attr-defined]
                blanks = [line for line in leading if line.comment is None][:1]
                if isinstance(node, cst.With) and is_scope(node, self.name):
                    made[0] = made[0].with_changes(leading_lines=blanks or [cst.EmptyLine(indent=False)])
                    body[index] = node.with_changes(
                        leading_lines=[line for line in leading if line.comment is not None]
                    )
                return [*body[:index], *made, *body[index:]]
        return None

    def _holds(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.With) and is_scope(node, self.name):
            return True
        return any(
            self._holds(child)
            for child in node.children
            if not isinstance(child, (cst.FunctionDef, cst.ClassDef, cst.BaseExpression))
        )


def is_scope(node: cst.With, name: str) -> bool:
    """Whether the block stands under the strategy's scope."""
    return nodes.code(node.items[0].item) == f"{name}.scope()"
