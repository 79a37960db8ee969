"""Small pieces of LibCST that rules build new calls from."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from decimal import Decimal

import libcst as cst

_TIGHT = cst.AssignEqual(whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace(""))
_ATOMS = (
    cst.Name,
    cst.Attribute,
    cst.Call,
    cst.Subscript,
    cst.Integer,
    cst.Float,
    cst.Tuple,
    cst.List,
    cst.Dict,
    cst.SimpleString,
)


def parse(text: str) -> cst.BaseExpression:
    """The expression of that source text."""
    return cst.parse_expression(text)


def code(node: cst.CSTNode) -> str:
    """The source text of a node."""
    return cst.Module(body=()).code_for_node(node)


def keyword(name: str, value: cst.BaseExpression) -> cst.Arg:
    """The argument `name=value`."""
    return cst.Arg(value=value, keyword=cst.Name(name), equal=_TIGHT)


def call(function: str, *positional: cst.BaseExpression, **keywords: cst.BaseExpression | None) -> cst.Call:
    """`function(positional, name=keyword)`; keywords that are None are left out."""
    arguments = [cst.Arg(value=value) for value in positional]
    arguments += [keyword(name, value) for name, value in keywords.items() if value is not None]
    return cst.Call(func=parse(function), args=tuple(arguments))


def call_with(
    function: str, positional: Iterable[cst.BaseExpression], keywords: Mapping[str, cst.BaseExpression]
) -> cst.Call:
    """As `call`, from collections."""
    return call(function, *positional, **keywords)


def fill(template: str, **holes: cst.BaseExpression | str) -> cst.BaseExpression:
    """The expression of `template` with its names in `holes` replaced; parentheses are added where one is needed.

    A hole that is text is put in before parsing (module names); the others are put in as they are, comments included.
    """
    for name, value in holes.items():
        if isinstance(value, str):
            template = template.replace(name, value)
    nodes = {name: value for name, value in holes.items() if not isinstance(value, str)}
    filled = parse(template).visit(_Fill(nodes))
    assert isinstance(filled, cst.BaseExpression)
    return filled


class _Fill(cst.CSTTransformer):
    def __init__(self, nodes: Mapping[str, cst.BaseExpression]) -> None:
        self.nodes = nodes
        self.bare: set[int] = set()

    def visit_Arg(self, node: cst.Arg) -> None:
        self.bare.add(id(node.value))
        if node.keyword is not None:
            self.bare.add(-id(node.keyword))

    def visit_Element(self, node: cst.Element) -> None:
        self.bare.add(id(node.value))

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        value = self.nodes.get(original_node.value)
        if value is None or -id(original_node) in self.bare:
            return updated_node
        return value if id(original_node) in self.bare else parenthesized(value)


def parenthesized(value: cst.BaseExpression) -> cst.BaseExpression:
    """The expression, in parentheses unless it stands for itself in any place."""
    if value.lpar or isinstance(value, _ATOMS):
        return value
    return value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def literal(value: cst.BaseExpression | None) -> object:
    """The Python value of a literal expression (numbers, strings, lists, tuples of those); `UNKNOWN` for others."""
    if value is None:
        return UNKNOWN
    try:
        return ast.literal_eval(code(value).strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return UNKNOWN


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown()


def is_none(value: cst.BaseExpression | None) -> bool:
    """Whether it is not there or is the word None."""
    return value is None or (isinstance(value, cst.Name) and value.value == "None")


def is_word(value: cst.BaseExpression | None, word: str) -> bool:
    """Whether it is that name (True, False, a variable)."""
    return isinstance(value, cst.Name) and value.value == word


def complement(value: cst.BaseExpression) -> cst.BaseExpression:
    """`1 - value`, folded where the value is a decimal literal (1 - 0.9 gives 0.1, not 0.09999999999999998)."""
    if isinstance(value, (cst.Float, cst.Integer)) and not value.lpar:
        try:
            difference = Decimal(1) - Decimal(value.value.replace("_", ""))
        except ArithmeticError:
            return fill("1 - VALUE", VALUE=value)
        text = format(difference.normalize(), "f")
        return parse(text if "." in text or isinstance(value, cst.Integer) else text + ".0")
    return fill("1 - VALUE", VALUE=value)
