"""Python source as coloured pieces, line by line: pygments' tokens reduced to the few classes the page colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pygments.lexers.python import PythonLexer
from pygments.token import Token, _TokenType

_CLASSES: tuple[tuple[_TokenType, str], ...] = (
    (Token.Comment, "c"),
    (Token.Literal.String, "s"),
    (Token.Literal.Number, "m"),
    (Token.Keyword.Constant, "m"),
    (Token.Keyword, "k"),
    (Token.Operator.Word, "k"),
    (Token.Name.Function, "f"),
    (Token.Name.Class, "f"),
    (Token.Name.Decorator, "f"),
)


@dataclass(frozen=True)
class Piece:
    """A run of text of one class ("" for plain); `changed` marks what differs from the line that stands opposite."""

    text: str
    kind: str = ""
    changed: bool = False


def lines(source: str, *, coloured: bool = True) -> tuple[tuple[Piece, ...], ...]:
    """The source's lines (ends of any form taken off), each as pieces."""
    normal = source.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")
    rows: list[list[Piece]] = [[]]
    for kind, text in _tokens(normal) if coloured else [("", normal)]:
        first, *rest = text.split("\n")
        _add(rows[-1], kind, first)
        for part in rest:
            rows.append([])
            _add(rows[-1], kind, part)
    if rows and not rows[-1]:
        rows.pop()
    return tuple(tuple(row) for row in rows)


def text_of(row: tuple[Piece, ...]) -> str:
    """The line's plain text."""
    return "".join(p.text for p in row)


def _add(row: list[Piece], kind: str, text: str) -> None:
    if not text:
        return
    if row and (row[-1].kind == kind or text.isspace()):
        row[-1] = Piece(row[-1].text + text, row[-1].kind)
    else:
        row.append(Piece(text, kind))


def _tokens(source: str) -> Iterator[tuple[str, str]]:
    lexer = PythonLexer(stripnl=False, stripall=False, ensurenl=False)
    for token, text in lexer.get_tokens(source):
        yield next((name for group, name in _CLASSES if token in group), ""), text
