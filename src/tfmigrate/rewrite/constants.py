"""A literal that a step reads once stands where it is read: `layer(x, training=True)` rather than a name for it."""

from __future__ import annotations

import ast

import libcst as cst


def inlined(body: list[cst.BaseStatement], constants: list[str]) -> list[cst.BaseStatement]:
    """The body without the assignments at its head of literals that are read once, as a whole operand, and never bound
    again.
    """
    for name in constants:
        place = next((i for i, s in enumerate(body) if _assigned(s) == name), None)
        if place is None:
            continue
        value = body[place].body[0].value  # type: ignore[attr-defined]
        rest = [*body[:place], *body[place + 1 :]]
        if _literal(value) and _read_once(rest, name):
            replacing = _Replace(name, value)
            body = [s.visit(replacing) for s in rest]  # type: ignore[misc]
    return body


def _assigned(statement: cst.BaseStatement) -> str | None:
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1 or statement.leading_lines:
        return None
    small = statement.body[0]
    if isinstance(small, cst.Assign) and len(small.targets) == 1 and isinstance(small.targets[0].target, cst.Name):
        return small.targets[0].target.value
    return None


def _literal(node: cst.BaseExpression) -> bool:
    return isinstance(node, (cst.Integer, cst.Float)) or (
        isinstance(node, cst.Name) and node.value in ("True", "False")
    )


def _read_once(body: list[cst.BaseStatement], name: str) -> bool:
    count = 0
    tree = ast.parse("def body():\n    pass\n" + _code(body))
    for node in ast.walk(tree):
        if (
            isinstance(node, (ast.Attribute, ast.Subscript))
            and isinstance(node.value, ast.Name)
            and node.value.id == name
        ):
            return False
        if isinstance(node, ast.arg) and node.arg == name:
            return False
        if isinstance(node, ast.Name) and node.id == name:
            if not isinstance(node.ctx, ast.Load):
                return False
            count += 1
    return count == 1


def _code(body: list[cst.BaseStatement]) -> str:
    return "".join(cst.Module([]).code_for_node(statement) for statement in body)


class _Replace(cst.CSTTransformer):
    def __init__(self, name: str, value: cst.BaseExpression) -> None:
        super().__init__()
        self.name, self.value = name, value
        self.skipped: set[cst.CSTNode] = set()

    def visit_Arg(self, node: cst.Arg) -> bool:
        if node.keyword is not None:
            self.skipped.add(node.keyword)
        return True

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        self.skipped.add(node.attr)
        return True

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        return self.value if original_node.value == self.name and original_node not in self.skipped else updated_node
