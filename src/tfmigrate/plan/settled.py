"""A function whose parameters are known: their values stand for them, and what they decide is decided."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfmigrate.plan.name_places import names_in

_Statements = cst.BaseStatement | cst.FlattenSentinel[cst.BaseStatement] | cst.RemovalSentinel


def settles(node: cst.FunctionDef, name: str) -> bool:
    """Whether each assignment to the parameter stands under an `if` of the body that the parameter decides."""
    inside = 0
    for statement in node.body.body:
        if isinstance(statement, cst.If) and _truth(statement.test, name, given=True) is not None:
            inside += _bindings(statement, name)
            if statement.orelse is not None and _bindings(statement.orelse, name):
                return False
    return inside == _bindings(node.body, name)


def _bindings(node: cst.CSTNode, name: str) -> int:
    """How often the name is bound in the code."""
    found: list[cst.CSTNode] = []

    class Visitor(cst.CSTVisitor):
        def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
            found.extend([node] if name in names_in(node.target) else [])

        def visit_AugAssign(self, node: cst.AugAssign) -> None:
            found.extend([node] if name in names_in(node.target) else [])

        def visit_For(self, node: cst.For) -> None:
            found.extend([node] if name in names_in(node.target) else [])

        def visit_CompFor(self, node: cst.CompFor) -> None:
            found.extend([node, node] if name in names_in(node.target) else [])

        def visit_Param(self, node: cst.Param) -> None:
            found.extend([node, node] if name == node.name.value else [])

        def visit_AsName(self, node: cst.AsName) -> None:
            found.extend([node, node] if name in names_in(node.name) else [])

    node.visit(Visitor())
    return len(found)


def _truth(test: cst.BaseExpression, name: str, *, given: bool) -> bool | None:
    """What the test of a parameter gives that is handed something (`given`) or None; None for any other test."""
    if isinstance(test, cst.Name) and test.value == name:
        return given
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        inner = _truth(test.expression, name, given=given)
        return None if inner is None else not inner
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        operator, other = test.comparisons[0].operator, test.comparisons[0].comparator
        plain = isinstance(test.left, cst.Name) and test.left.value == name
        if plain and isinstance(other, cst.Name) and other.value == "None":
            if isinstance(operator, (cst.Is, cst.Equal)):
                return not given
            if isinstance(operator, (cst.IsNot, cst.NotEqual)):
                return given
    return None


class Settle(cst.CSTTransformer):
    """Puts texts in the place of parameters; statements that they decide stand alone or are gone."""

    def __init__(self, texts: dict[str, str]) -> None:
        super().__init__()
        self.texts = dict(texts)
        self.unset: set[str] = set()  # parameters that are handed nothing, and that the body binds

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        """A parameter that is bound where nothing was handed keeps its name."""
        self.unset |= {n for n, text in self.texts.items() if text == "None" and _bindings(node.body, n)}
        self.texts = {n: text for n, text in self.texts.items() if n not in self.unset}

    def _decided(self, test: cst.BaseExpression) -> bool | None:
        for name in (*self.texts, *self.unset):
            truth = _truth(test, name, given=self.texts.get(name, "None") != "None")
            if truth is not None:
                return truth
        return None

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> _Statements:
        decided = self._decided(original_node.test)
        if decided is None:
            return updated_node
        if decided:
            return _standing(updated_node.body, updated_node.leading_lines)
        orelse = updated_node.orelse
        if isinstance(orelse, cst.Else):
            return _standing(orelse.body, updated_node.leading_lines)
        return orelse if orelse is not None else cst.RemoveFromParent()

    def leave_IfExp(self, original_node: cst.IfExp, updated_node: cst.IfExp) -> cst.BaseExpression:
        decided = self._decided(original_node.test)
        if decided is None:
            return updated_node
        return updated_node.body if decided else updated_node.orelse

    def leave_UnaryOperation(
        self, original_node: cst.UnaryOperation, updated_node: cst.UnaryOperation
    ) -> cst.BaseExpression:
        return self._told(original_node) or updated_node

    def leave_Comparison(self, original_node: cst.Comparison, updated_node: cst.Comparison) -> cst.BaseExpression:
        return self._told(original_node) or updated_node

    def leave_BooleanOperation(
        self, original_node: cst.BooleanOperation, updated_node: cst.BooleanOperation
    ) -> cst.BaseExpression:
        decided = self._decided(original_node.left)
        if decided is None:
            return updated_node
        return updated_node.left if decided is isinstance(original_node.operator, cst.Or) else updated_node.right

    def _told(self, test: cst.BaseExpression) -> cst.Name | None:
        decided = self._decided(test)
        return None if decided is None else cst.Name(str(decided))

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        return updated_node if updated_node.body else updated_node.with_changes(body=[cst.parse_statement("pass")])

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)

    def leave_Param(self, original_node: cst.Param, updated_node: cst.Param) -> cst.Param:
        return updated_node.with_changes(name=original_node.name)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        text = self.texts.get(original_node.value)
        return updated_node if text is None else cst.parse_expression(text)


def _standing(body: cst.BaseSuite, leading: Sequence[cst.EmptyLine]) -> _Statements:
    """The statements of a block without the `if` around them."""
    made = [s for s in body.body if isinstance(s, (cst.SimpleStatementLine, cst.BaseCompoundStatement))]
    if not made:
        return cst.RemoveFromParent()
    made[0] = made[0].with_changes(leading_lines=[*leading, *made[0].leading_lines])
    return cst.FlattenSentinel(made)


def without_parameters(node: cst.FunctionDef, names: set[str]) -> cst.FunctionDef:
    """The function without these parameters."""
    params = node.params
    kept = {
        field: [p for p in getattr(params, field) if p.name.value not in names]
        for field in ("posonly_params", "params", "kwonly_params")
    }
    for field in ("posonly_params", "params", "kwonly_params"):
        if kept[field]:
            kept[field][-1] = kept[field][-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    star = params.star_arg if kept["kwonly_params"] else cst.MaybeSentinel.DEFAULT
    return node.with_changes(params=params.with_changes(**kept, star_arg=star))


__all__ = ["Settle", "settles", "without_parameters"]
