"""Results of run sites as host values, in the structure of the fetches: read, mapped, unpacked, picked out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Run, Statement, Structure
from tfmigrate.analysis.values import Gradients, Graphlike, Host, Operation, Sequence, Summary, Tensor, Value, Variable
from tfmigrate.model import SiteKind
from tfmigrate.plan.fetch_sets import is_flat, several
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.step_calls import call

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


def values(driver: DriverRewriter, run: Run) -> cst.BaseExpression:
    """The call with its results as host values."""
    assert run.fetch is not None
    structure = run.fetch
    leaves = list(structure.leaves())
    made = call(driver, run)
    if structure.kind == "leaf":
        value = leaves[0].value
        if isinstance(value, (Operation, Summary)):
            return made
        if _nested(value):
            return _mapped(driver, made)
        if isinstance(value, (Sequence, Gradients)):
            return nodes.expression(f"[value.numpy() for value in {nodes.code(made)}]")
        return nodes.method(made, "numpy")
    ops = any(isinstance(leaf.value, Operation) for leaf in leaves)
    if is_flat(structure):
        each = "value if value is None else value.numpy()" if ops else "value.numpy()"
        if structure.kind == "dict":
            return nodes.expression(f"{{key: {each} for key, value in {nodes.code(made)}.items()}}")
        text = f"{each} for value in {nodes.code(made)}"
        return nodes.expression(f"tuple({text})" if structure.kind == "tuple" else f"[{text}]")
    if ops:
        driver.refuse("TFM108", run.call, "ops and tensors are fetched in a nested structure")
    return _mapped(driver, made)


def read(driver: DriverRewriter, structure: Structure) -> cst.BaseExpression:
    """Variables and what is made of them, read without a step."""
    if structure.kind == "leaf":
        assert structure.leaf is not None
        leaf = structure.leaf
        element = (
            isinstance(leaf.node, cst.Name) and leaf.node.value != leaf.value.name
            if isinstance(leaf.value, Variable)
            else False
        )
        attribute = isinstance(leaf.value, Variable) and isinstance(leaf.node, cst.Attribute)
        if (
            isinstance(leaf.value, Variable)
            and leaf.value in driver.plan.variable_names
            and not element
            and not attribute
        ):
            return nodes.method(nodes.expression(driver.plan.variable_names[leaf.value]), "numpy")
        if isinstance(leaf.value, Sequence) and leaf.node is not None:
            return nodes.expression(f"[value.numpy() for value in {nodes.code(driver.visited(leaf.node))}]")
        if leaf.node is not None:
            return nodes.method(driver.visited(leaf.node), "numpy")
        if isinstance(leaf.value, Graphlike) and leaf.value.name:
            return nodes.expression(f"{leaf.value.name}.numpy()")
        driver.refuse("TFM108", cst.Name("x"), "something read here has no name of its own")
        return cst.Name("None")
    parts = [read(driver, item) for item in structure.items]
    if structure.kind == "dict":
        return cst.Dict([cst.DictElement(driver.visited(k), v) for k, v in zip(structure.keys, parts, strict=True)])
    elements = [cst.Element(p) for p in parts]
    return (
        cst.Tuple(elements, lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        if structure.kind == "tuple"
        else cst.List(elements)
    )


def subscripted(driver: DriverRewriter, node: cst.Subscript) -> cst.BaseExpression | None:
    """`sess.run([train_op, loss])[1]`: the one value that is asked for."""
    run = driver.facts.runs.get(node.value) if isinstance(node.value, cst.Call) else None
    if (
        run is None
        or run.kind is not SiteKind.CALL
        or run.fetch is None
        or run.fetch.kind not in ("list", "tuple")
        or len(node.slice) != 1
    ):
        return None
    index = node.slice[0].slice
    value = index.value if isinstance(index, cst.Index) else None
    number = driver.facts.values.get(value) if value is not None else None
    if (
        not isinstance(number, Host)
        or not isinstance(number.literal, int)
        or not -len(run.fetch.items) <= number.literal < len(run.fetch.items)
    ):
        return None
    items = run.fetch.items
    wanted = items[number.literal]
    if (
        any(item.kind != "leaf" for item in items)
        or wanted.leaf is None
        or isinstance(wanted.leaf.value, Operation)
        or several(wanted.leaf.value)
    ):
        return None
    kept = [item for item in items if item.leaf is not None and not isinstance(item.leaf.value, Operation)]
    made: cst.BaseExpression = call(driver, run)
    if len(kept) > 1 or len(items) == 1:
        made = nodes.expression(f"{nodes.code(made)}[{kept.index(wanted)}]")
    return nodes.method(made, "numpy")


def unpacked(
    driver: DriverRewriter, found: Statement, line: cst.SimpleStatementLine, small: cst.Assign, run: Run
) -> list[cst.BaseStatement] | None:
    """`_, l = sess.run([train_op, loss], …)`: only what has a value is unpacked."""
    target = small.targets[0].target
    assert isinstance(target, (cst.Tuple, cst.List))
    assert run.fetch is not None
    items = run.fetch.items
    if (
        run.fetch.kind not in ("list", "tuple")
        or len(items) != len(target.elements)
        or any(isinstance(e, cst.StarredElement) for e in target.elements)
    ):
        return None
    pairs = [(element.value, item) for element, item in zip(target.elements, items, strict=True)]
    valued = [
        (t, i)
        for t, i in pairs
        if not (i.kind == "leaf" and i.leaf is not None and isinstance(i.leaf.value, Operation))
    ]
    if any(i.kind != "leaf" and any(isinstance(leaf.value, Operation) for leaf in i.leaves()) for _, i in valued):
        return None
    made = call(driver, run)
    plain = all(i.kind == "leaf" and i.leaf is not None and not several(i.leaf.value) for _, i in valued)
    if not valued:
        statement_: cst.BaseStatement = nodes.expr(made)
    elif len(valued) == 1 and len(items) > 1:
        item = valued[0][1]
        value: cst.BaseExpression = nodes.method(made, "numpy") if plain else made
        if not plain and item.leaf is not None and isinstance(item.leaf.value, (Sequence, Gradients)):
            value = nodes.expression(f"[value.numpy() for value in {nodes.code(made)}]")
        elif not plain and (item.kind != "leaf" or (item.leaf is not None and _nested(item.leaf.value))):
            value = _mapped(driver, made)
        left = valued[0][0]
        assert isinstance(left, cst.BaseAssignTargetExpression)
        statement_ = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(left)], value)])
    else:
        text = nodes.code(made)
        right = (
            f"(value.numpy() for value in {text})"
            if plain
            else (f"{driver.context.tf}.nest.map_structure(lambda value: value.numpy(), {text})")
        )
        elements = [cst.Element(t) for t, _ in valued]
        new_target = cst.Tuple(elements, lpar=[], rpar=[])
        statement_ = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(new_target)], nodes.expression(right))])
    result: list[cst.BaseStatement] = [
        statement_.with_changes(leading_lines=line.leading_lines, trailing_whitespace=line.trailing_whitespace)
    ]
    for element, item in pairs:
        gone = item.kind == "leaf" and item.leaf is not None and isinstance(item.leaf.value, Operation)
        if gone and isinstance(element, cst.Name) and _read_later(driver, found, element.value):
            result.append(nodes.assign(element.value, cst.Name("None")))
    return result


def _read_later(driver: DriverRewriter, found: Statement, name: str) -> bool:
    return any(
        found in defs for s in found.scope.statements for (_, n), defs in s.uses.items() if n == name and s is not found
    )


def _nested(value: Value) -> bool:
    """Whether the value is an element of a dataset, whose structure is not known here."""
    return isinstance(value, Tensor) and value.nested


def _mapped(driver: DriverRewriter, made: cst.BaseExpression) -> cst.BaseExpression:
    return nodes.expression(f"{driver.context.tf}.nest.map_structure(lambda value: value.numpy(), {nodes.code(made)})")
