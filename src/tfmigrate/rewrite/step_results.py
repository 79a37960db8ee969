"""What a step returns: values of before or after its updates, in the structure of the fetches."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfmigrate.analysis.facts import Fetch, Structure
from tfmigrate.analysis.values import Graphlike, Operation, Summary, Tensor, Value, Variable, leaves
from tfmigrate.plan.fetch_sets import is_flat, is_unpacked
from tfmigrate.plan.naming import Names
from tfmigrate.plan.program import Phase
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.layout import one_a_line
from tfmigrate.rewrite.step_context import StepContext
from tfmigrate.rewrite.summary_values import summarized


def returned(context: StepContext, late: bool) -> tuple[list[cst.BaseStatement], cst.BaseExpression | None]:
    """What is computed before the updates, and what is returned. An expression over variables is
    computed before the updates (`late` ones), a variable itself is read after them.
    """
    step, structure = context.step, context.step.structure
    saved: list[cst.BaseStatement] = []
    texts: list[cst.BaseExpression] = []
    names = Names(set())
    for leaf in structure.leaves():
        if isinstance(leaf.value, Operation):
            if step.keep_structure:
                texts.append(cst.Name("None"))
            continue
        made = _fetch(context, leaf)
        if late and isinstance(leaf.value, Summary) and context.replicas is None:
            if not any(_of_updates(context, member.value) for member in leaf.value.members or (leaf.value,)):
                name = names.fresh("summaries")
                saved.append(nodes.assign(name, _read(context, leaf.value, made)))
                made = cst.Name(name)
        elif (
            late
            and not isinstance(made, cst.Name)
            and not isinstance(leaf.value, (Variable, Summary))
            and not _of_updates(context, leaf.value)
        ):
            name = names.fresh("result")
            saved.append(nodes.assign(name, made))
            made = cst.Name(name)
        texts.append(made if context.replicas is None else context.replicas.results(leaf, made))
    if not texts:
        return saved, None
    return saved, _structured(context, structure, iter(texts))


def _structured(context: StepContext, structure: Structure, texts: Iterator[cst.BaseExpression]) -> cst.BaseExpression:
    """The values in the structure of the fetches; ops have none, and are left out where nobody wants it whole."""
    if structure.kind == "leaf":
        return next(texts)
    whole = context.step.keep_structure
    kept = [
        (index, _structured(context, item, texts))
        for index, item in enumerate(structure.items)
        if whole or any(not isinstance(leaf.value, Operation) for leaf in item.leaves())
    ]
    if structure.kind == "dict":
        return cst.Dict([cst.DictElement(structure.keys[index], made) for index, made in kept])
    elements = [cst.Element(made) for _, made in kept]
    outermost = structure is context.step.structure
    if outermost and len(elements) == 1 < len(structure.items) and not whole:
        return elements[0].value  # beside ops, which have no value: what is unpacked there
    apart = outermost and (is_flat(structure) or all(is_unpacked(run) for run in context.step.runs))
    if apart and len(elements) > 1:
        return cst.Tuple(elements, lpar=[], rpar=[])  # the host makes a list of flat ones where it wants one
    return cst.Tuple(elements) if structure.kind == "tuple" else cst.List(elements)


def _read(context: StepContext, summary: Summary, made: cst.BaseExpression) -> cst.BaseExpression:
    """The values of a summary as they are now: a variable that stands for itself would be read after the updates."""
    elements = []
    for member, element in zip(summary.members or (summary,), cst.ensure_type(made, cst.Dict).elements, strict=True):
        if isinstance(member.value, Variable):
            element = element.with_changes(value=nodes.call(f"{context.tf}.identity", element.value))
            at = member.call if member.call is not None else made
            message = "TensorFlow 1 reads this variable and updates it in no order; here it is read first"
            context.rewrite.note("TFM408", at, message)
        elements.append(element)
    return made.with_changes(elements=elements)


def _of_updates(context: StepContext, value: Value | None) -> bool:
    """Whether the value is that of an update, or made along with one."""
    found = leaves(value) if value is not None else ()
    return any(isinstance(v, Tensor) and (v.effect or _made_by_update(context, v)) for v in found)


def _made_by_update(context: StepContext, value: Tensor) -> bool:
    return any(
        u.phase is Phase.EFFECT and value.statement is not None and value.statement.within(u.statement)
        for u in context.step.units
    )


def _fetch(context: StepContext, leaf: Fetch) -> cst.BaseExpression:
    """The expression that gives what is fetched."""
    step, value = context.step, leaf.value
    if isinstance(value, Summary):
        return _summary(context, value)
    parameter = next((p.name for p in step.parameters if p.fed is value and p.fed is not None), None)
    if parameter is not None:
        return cst.Name(parameter)
    constant = next((name for name, placeholder, _ in step.constants if placeholder is value), None)
    if constant is not None:
        return cst.Name(constant)
    if value in context.step.kept_names:
        return cst.Name(context.step.kept_names[value])
    if isinstance(value, Variable) and value in context.plan.variable_names:
        return nodes.expression(context.plan.variable_names[value])
    if (
        isinstance(value, Graphlike)
        and value.name
        and (leaf.node is None or isinstance(leaf.node, (cst.Name, cst.Attribute)))
    ):
        return cst.Name(value.name)
    if leaf.node is not None:
        return context.visited(leaf.node)
    context.rewrite.refuse("TFM108", step.runs[0].call, "something fetched here has no name of its own")
    return cst.Name("None")


def _summary(context: StepContext, value: Summary) -> cst.BaseExpression:
    """The values of a summary's members by their tags."""
    elements = []
    for member in value.members or (value,):
        node = summarized(context, member)
        elements.append(cst.DictElement(cst.SimpleString(repr(member.tag).replace("'", '"')), node))
    return one_a_line(cst.Dict(elements))
