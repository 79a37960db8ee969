"""How the written statements of a block are laid out: variables and optimizers in one scope block, blank lines around
definitions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import libcst as cst

from tfmigrate.plan.placing import written_out
from tfmigrate.rewrite.shared_calls import names

LONG = 90  # characters of a list or dict from which on it takes a line for each element
ScopeBlock = Callable[[list[cst.BaseStatement]], cst.BaseStatement]


def gathered(
    body: Sequence[cst.BaseStatement],
    scoped: Callable[[cst.CSTNode], bool],
    movable: Callable[[cst.CSTNode], bool],
    block: ScopeBlock,
) -> list[cst.BaseStatement]:
    """The statements with those under the strategy's scope in blocks.

    Specifications and constants that stand between two such statements, and depend on neither, go before the block.
    """
    result: list[cst.BaseStatement] = []
    group: list[cst.BaseStatement] = []
    waiting: list[cst.BaseStatement] = []

    def close() -> None:
        if group:
            result.append(block(list(group)))
        result.extend(waiting)
        group.clear()
        waiting.clear()

    for statement in body:
        if scoped(statement):
            if group and waiting:
                result.extend(waiting)
                waiting.clear()
            group.append(statement)
        elif group and (movable(statement) or plain(statement)) and not _entangled(statement, group):
            waiting.append(statement)
        else:
            close()
            result.append(statement)
    close()
    return result


def plain(statement: cst.CSTNode) -> bool:
    """Whether the statement binds names to what is written out: no call, no attribute, no subscript."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    return all(
        isinstance(s, cst.Assign) and all(isinstance(t.target, cst.Name) for t in s.targets) and written_out(s.value)
        for s in statement.body
    )


def _entangled(statement: cst.BaseStatement, group: Sequence[cst.BaseStatement]) -> bool:
    loaded, stored = names([statement])
    others, bound = names(group)
    return bool(loaded & bound or stored & (others | bound))


def empty(statement: cst.CSTNode) -> bool:
    """Whether the statement binds a name to itself, as `flags = tf.app.flags` does once flags are imported."""
    small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1 else None
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return False
    target = small.targets[0].target
    return isinstance(target, cst.Name) and isinstance(small.value, cst.Name) and target.value == small.value.value


def one_a_line(node: cst.BaseExpression) -> cst.BaseExpression:
    """A list or dict that is too long for a line with one element a line; anything else as it is."""
    if not isinstance(node, (cst.List, cst.Dict)) or len(cst.Module([]).code_for_node(node)) <= LONG:
        return node
    inner = cst.ParenthesizedWhitespace(indent=True, last_line=cst.SimpleWhitespace("    "))
    outer = cst.ParenthesizedWhitespace(indent=True)
    count = len(node.elements)
    elements = [
        e.with_changes(comma=cst.Comma(whitespace_after=inner if i + 1 < count else outer))
        for i, e in enumerate(node.elements)
    ]
    if isinstance(node, cst.List):
        return node.with_changes(elements=elements, lbracket=cst.LeftSquareBracket(whitespace_after=inner))
    return node.with_changes(elements=elements, lbrace=cst.LeftCurlyBrace(whitespace_after=inner))


def apart(body: Sequence[cst.BaseStatement]) -> bool:
    """Whether definitions and what follows them are kept apart by blank lines."""
    followers = [after for before, after in pairwise(body) if isinstance(before, (cst.FunctionDef, cst.ClassDef))]
    return all(after.leading_lines and after.leading_lines[0].comment is None for after in followers)  # type: ignore[attr-defined]


def spaced(
    body: Sequence[cst.BaseStatement],
    written: Callable[[cst.CSTNode], bool],
    module: bool,
    apart_: bool,
    first_close: bool,
) -> list[cst.BaseStatement]:
    """The statements with blank lines as they are usual around definitions that were written: two in a module, one in a
    function.

    `apart_`: what follows a definition of the source is kept apart too, where the blank lines went with a statement
    between. `first_close`: no blank line stands before the first statement.
    """
    result: list[cst.BaseStatement] = []
    count = 2 if module else 1
    for index, statement in enumerate(body):
        before = body[index - 1] if index else None
        if before is None:
            statement = _led(statement, 0, 0) if written(statement) or first_close else statement
        elif (
            (isinstance(before, cst.FunctionDef) and written(before))
            or (isinstance(statement, cst.FunctionDef) and written(statement))
            or (isinstance(statement, (cst.FunctionDef, cst.ClassDef)) and written(before))
            or (apart_ and isinstance(before, (cst.FunctionDef, cst.ClassDef)) and not _blanks(statement))
        ):
            statement = _led(statement, count, count)
        elif not module:
            statement = _led(statement, 0, 1)
        result.append(statement)
    return result


def _blanks(statement: cst.BaseStatement) -> int:
    """How many blank lines lead the statement."""
    count = 0
    for line in statement.leading_lines:  # type: ignore[attr-defined]
        if line.comment is not None:
            break
        count += 1
    return count


def _led(statement: cst.BaseStatement, least: int, most: int) -> cst.BaseStatement:
    """The statement with its leading blank lines brought between the two counts; unchanged where they are."""
    lines = list(statement.leading_lines)  # type: ignore[attr-defined]
    blank = _blanks(statement)
    wanted = min(max(blank, least), most)
    if wanted == blank:
        return statement
    return statement.with_changes(leading_lines=[cst.EmptyLine(indent=False)] * wanted + lines[blank:])
