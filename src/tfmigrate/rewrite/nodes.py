"""Small builders of LibCST nodes."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

_EMPTY = cst.Module([])


def code(node: cst.CSTNode) -> str:
    """The node's source text."""
    return _EMPTY.code_for_node(node)


def expression(text: str) -> cst.BaseExpression:
    """The expression that the text is."""
    return cst.parse_expression(text)


def statements(text: str) -> list[cst.BaseStatement]:
    """The statements that the text is, comments kept."""
    module = cst.parse_module(text)
    body = list(module.body)
    if module.header and body:
        body[0] = body[0].with_changes(leading_lines=[*module.header, *body[0].leading_lines])
    return body  # type: ignore[return-value]


def call(function: str, *arguments: cst.BaseExpression, **keywords: cst.BaseExpression) -> cst.Call:
    """A call; `function` is its text."""
    args = [cst.Arg(a) for a in arguments]
    args += [
        cst.Arg(v, keyword=cst.Name(k), equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")))
        for k, v in keywords.items()
    ]
    return cst.Call(expression(function), args)


def method(receiver: cst.BaseExpression, name: str, *arguments: cst.BaseExpression) -> cst.Call:
    """`receiver.name(arguments)`, with the receiver in parentheses where it needs them."""
    return cst.Call(cst.Attribute(parenthesized(receiver), cst.Name(name)), [cst.Arg(a) for a in arguments])


def parenthesized(node: cst.BaseExpression) -> cst.BaseExpression:
    """The expression as the left side of a dot."""
    simple = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.List, cst.Tuple, cst.Dict, cst.SimpleString)
    bare = isinstance(node, cst.Tuple) and not node.lpar
    if (isinstance(node, simple) or node.lpar) and not bare:
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def assign(target: str, value: cst.BaseExpression) -> cst.SimpleStatementLine:
    """`target = value`."""
    left = expression(target)
    assert isinstance(left, cst.BaseAssignTargetExpression)
    return cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(left)], value)])


def expr(value: cst.BaseExpression) -> cst.SimpleStatementLine:
    """The expression as a statement."""
    return cst.SimpleStatementLine([cst.Expr(value)])


def block(header: str, body: Sequence[cst.BaseStatement]) -> cst.BaseCompoundStatement:
    """A compound statement: `header` without its colon's body, for instance "with tf.GradientTape() as tape:"."""
    made = cst.parse_statement(header + "\n    pass\n")
    assert isinstance(made, cst.BaseCompoundStatement)
    return made.with_changes(body=cst.IndentedBlock(list(body)))


def function(
    name: str, parameters: Sequence[str], body: Sequence[cst.BaseStatement], decorator: str = "", blank: int = 0
) -> cst.FunctionDef:
    """A function definition with an optional decorator line."""
    text = (decorator + "\n" if decorator else "") + f"def {name}({', '.join(parameters)}):\n    pass\n"
    made = cst.parse_statement(text)
    assert isinstance(made, cst.FunctionDef)
    return made.with_changes(body=cst.IndentedBlock(list(body)), leading_lines=[cst.EmptyLine(indent=False)] * blank)


def blank_lines(node: cst.CSTNode, count: int) -> cst.CSTNode:
    """The statement with `count` blank lines before it, its comments kept."""
    kept = [line for line in node.leading_lines if line.comment is not None]  # type: ignore[attr-defined]
    return node.with_changes(leading_lines=[cst.EmptyLine(indent=False)] * count + kept)
