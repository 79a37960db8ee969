"""The expression that gives what a summary is of: of one made in a loop, that of its turn.

for grad, var in pairs:
    tf.summary.histogram(var.op.name, grad)        ->    {"w": pairs[0][0], "b": pairs[1][0]}
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.values import Summary, Variable
from tfmigrate.plan.name_places import names_in
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.step_context import StepContext

_ONCE = frozenset({"zip", "map", "filter", "iter", "reversed", "enumerate"})  # gone over once, not indexed


def summarized(context: StepContext, member: Summary) -> cst.BaseExpression:
    """What the summary is of, as an expression in the step after its statements."""
    node = member.value_node
    assert node is not None
    if not member.turns:
        return context.visited(node)
    if isinstance(member.value, Variable) and member.value in context.plan.variable_names:
        return nodes.expression(context.plan.variable_names[member.value])
    loops = member.statement.loops if member.statement is not None else ()
    found = _of_turn(context, loops[0], node, member.turns[0]) if len(loops) == 1 else None
    if found is not None:
        return found
    call = member.call if member.call is not None else node
    context.rewrite.refuse("TFM125", call, "a summary in a loop, of what each turn makes anew")
    return node


def _of_turn(context: StepContext, loop: Statement, node: cst.BaseExpression, turn: int) -> cst.BaseExpression | None:
    """The expression with the loop's names replaced by what they stand for in this turn."""
    assert isinstance(loop.node, cst.For)
    paths = _paths(loop.node.target, ())
    read = names_in(node)
    inner = {name for s in context.bindings.descendants(loop) if s is not loop for name in s.defines}
    item = _item(context, loop, turn) if read & set(paths) and not read & inner else None
    if item is None:
        return None
    places = {name: _at(item, path) for name, path in paths.items()}
    return _Replaced({n: p for n, p in places.items() if n in read}).visited(context, node)


def _paths(target: cst.BaseExpression, path: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    """Where in an item each name of the loop's target stands."""
    if isinstance(target, cst.Name):
        return {target.value: path}
    found: dict[str, tuple[int, ...]] = {}
    if isinstance(target, (cst.Tuple, cst.List)) and not any(
        isinstance(e, cst.StarredElement) for e in target.elements
    ):
        for index, element in enumerate(target.elements):
            found.update(_paths(element.value, (*path, index)))
    return found


def _item(context: StepContext, loop: Statement, turn: int) -> cst.BaseExpression | None:
    """What the loop goes over in this turn; None where that is no list that is there after the loop."""
    assert isinstance(loop.node, cst.For)
    iterated = context.visited(loop.node.iter)
    if isinstance(iterated, (cst.List, cst.Tuple)):
        return _element(iterated.elements, turn)
    if not isinstance(iterated, cst.Name) or not isinstance(loop.node.iter, cst.Name):
        return None
    made = [d for (_, name), defs in loop.uses.items() if name == iterated.value for d in defs]
    line = made[0].node if len(made) == 1 else None
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    value = small.value if isinstance(small, cst.Assign) else None
    once = isinstance(value, cst.GeneratorExp) or (isinstance(value, cst.Call) and nodes.code(value.func) in _ONCE)
    return None if value is None or once else _at(iterated, (turn,))


def _at(whole: cst.BaseExpression, path: tuple[int, ...]) -> cst.BaseExpression:
    for index in path:
        inside = _element(whole.elements, index) if isinstance(whole, (cst.List, cst.Tuple)) else None
        whole = inside if inside is not None else nodes.expression(f"{nodes.code(whole)}[{index}]")
    return whole


def _element(elements: Sequence[cst.BaseElement], index: int) -> cst.BaseExpression | None:
    starred = any(isinstance(e, cst.StarredElement) for e in elements)
    return elements[index].value if index < len(elements) and not starred else None


class _Replaced(cst.CSTTransformer):
    """Puts expressions in the place of names."""

    def __init__(self, places: dict[str, cst.BaseExpression]) -> None:
        super().__init__()
        self.places = places

    def visited(self, context: StepContext, node: cst.BaseExpression) -> cst.BaseExpression:
        """The expression as it is in the step, with the names replaced."""
        made = context.visited(node).visit(self)
        assert isinstance(made, cst.BaseExpression)
        return made

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        return self.places.get(original_node.value, updated_node)

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)
