"""What a run site becomes: a call of its step function, a value read, an assignment, a save, a restore, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Run, Statement, Structure
from tfmigrate.analysis.values import (
    Config,
    Gradients,
    Graphlike,
    Host,
    Operation,
    Placeholder,
    Sequence,
    Summary,
    Tensor,
    Value,
    Variable,
    Writer,
)
from tfmigrate.model import SiteKind
from tfmigrate.plan.program import StepFunction
from tfmigrate.rewrite import nodes

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter

THREADS = {
    "intra_op_parallelism_threads": "set_intra_op_parallelism_threads",
    "inter_op_parallelism_threads": "set_inter_op_parallelism_threads",
}


def statement(
    driver: DriverRewriter, found: Statement, line: cst.SimpleStatementLine, small: cst.BaseSmallStatement
) -> list[cst.BaseStatement] | None:
    """A statement that is little more than a run site; None where the site stands inside a larger expression."""
    if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call) and small.value in driver.facts.runs:
        return _alone(driver, found, line, driver.facts.runs[small.value])
    if (
        isinstance(small, cst.Assign)
        and len(small.targets) == 1
        and isinstance(small.value, cst.Call)
        and small.value in driver.facts.runs
    ):
        run = driver.facts.runs[small.value]
        if run.kind is SiteKind.CALL and isinstance(small.targets[0].target, (cst.Tuple, cst.List)):
            return _unpacked(driver, found, line, small, run)
    if any(isinstance(v, Host) for v in [found.value]):
        made = driver.checkpoints.inline(found)
        if made:
            visited = line.visit(_visitor(driver))
            return [*made, visited]  # type: ignore[list-item]
    return None


def _visitor(driver: DriverRewriter) -> cst.CSTTransformer:
    from tfmigrate.rewrite.driver import _Expressions

    return _Expressions(driver)


def _alone(
    driver: DriverRewriter, found: Statement, line: cst.SimpleStatementLine, run: Run
) -> list[cst.BaseStatement] | None:
    if run.kind in (SiteKind.INITIALIZER,):
        return []
    made: list[cst.BaseStatement] = []
    if run.kind is SiteKind.REINITIALIZER:
        made = reinitialized(driver, run)
    elif run.kind is SiteKind.CALL:
        made = [nodes.expr(call(driver, run))]
    elif run.kind is SiteKind.ASSIGN and run.fetch is not None:
        for leaf in run.fetch.leaves():
            assert leaf.node is not None
            made.append(nodes.expr(_visit(driver, leaf.node)))
    elif run.kind is SiteKind.ITERATOR:
        made = _iterator(driver, run)
    elif run.kind is SiteKind.READ:
        return []
    else:
        made = [*driver.checkpoints.inline(found), nodes.expr(expression(driver, run.call))]
    if made:
        made[0] = made[0].with_changes(leading_lines=line.leading_lines)
        if len(made) == 1:
            made[0] = made[0].with_changes(trailing_whitespace=line.trailing_whitespace)
    return made


def _visit(driver: DriverRewriter, node: cst.BaseExpression) -> cst.BaseExpression:
    visited = node.visit(_visitor(driver))
    assert isinstance(visited, cst.BaseExpression)
    return visited


def _iterator(driver: DriverRewriter, run: Run) -> list[cst.BaseStatement]:
    made: list[cst.BaseStatement] = []
    for leaf in run.fetch.leaves() if run.fetch is not None else ():
        plan = driver.plan.iterators.get(getattr(leaf.value, "iterator", None))  # type: ignore[arg-type]
        if plan is None:
            driver.refuse("TFM127", run.call, "an iterator is initialised that is not known to be one")
            continue
        arguments_: list[cst.BaseExpression] = []
        for parameter in plan.parameters:
            feed = next((f for f in run.feeds if f.key is parameter), None)
            if feed is not None and feed.node is not None and feed.inline:
                arguments_.append(_visit(driver, feed.node))
            elif feed is not None and run.feed_node is not None:
                key = driver.plan.spec_names[parameter]
                arguments_.append(nodes.expression(f"{nodes.code(_visit(driver, run.feed_node))}[{key}]"))
            elif parameter.default is not None:
                arguments_.append(_visit(driver, parameter.default))
            else:
                driver.refuse("TFM107", run.call, f"{parameter.name} is not fed here")
        made.append(nodes.assign(plan.name, nodes.call("iter", nodes.call(plan.function, *arguments_))))
    return made


def reinitialized(driver: DriverRewriter, run: Run) -> list[cst.BaseStatement]:
    """A later run of the initializer resets every variable: kept where that can be told, else refused."""
    members = [
        m
        for leaf in (run.fetch.leaves() if run.fetch else ())
        for m in (leaf.value.members if isinstance(leaf.value, Operation) else ())
    ]
    variables = [v for v in members if isinstance(v, Variable)]
    anew = [
        v
        for v in variables
        if any(v.statement is not None and v.statement.within(loop) for loop in run.statement.loops)
    ]
    if variables and len(anew) == len(variables):
        return []
    if variables and _only_once(driver, run):
        return []
    made: list[cst.BaseStatement] = []
    for variable in variables:
        name = driver.plan.variable_names.get(variable)
        if name is None or variable.layer is not None or not isinstance(variable.expression, cst.Call):
            driver.refuse(
                "TFM149", run.call, "variables are initialised again, and one of them cannot be set back by a name"
            )
            return []
        constructor = driver.constructor(variable.expression, variable)
        assert isinstance(constructor, cst.Call)
        made.append(nodes.expr(nodes.method(nodes.expression(name), "assign", constructor.args[0].value)))
    for optimizer, name in driver.plan.optimizer_names.items():
        if optimizer.symbol != "train.GradientDescentOptimizer":
            made.append(nodes.statements(f"{name}.reset()\n")[0])
    return made


def _only_once(driver: DriverRewriter, run: Run) -> bool:
    """Whether the site stands under a condition on the first turn of its loop (`if i == 0:`)."""
    at = run.statement.parent
    while at is not None:
        if isinstance(at.node, cst.If) and isinstance(at.node.test, cst.Comparison):
            comparison = at.node.test.comparisons[0]
            if (
                isinstance(comparison.operator, cst.Equal)
                and isinstance(comparison.comparator, cst.Integer)
                and comparison.comparator.value == "0"
            ):
                return True
        at = at.parent
    return False


def call(driver: DriverRewriter, run: Run) -> cst.Call:
    """The call of the run's step function."""
    step = driver.plan.step_of.get(run)
    if step is None:
        driver.refuse("TFM108", run.call, "this run site has no step function")
        return run.call
    made: list[cst.Arg] = []
    taken: set[Statement] = set()
    for index, parameter in enumerate(step.parameters):
        if parameter.element is None:
            made.append(cst.Arg(_argument(driver, run, step, index)))
        elif parameter.element not in taken:
            taken.add(parameter.element)
            several = sum(p.element is parameter.element for p in step.parameters) > 1
            iterator = driver.plan.iterators[driver.plan.elements[parameter.element]].name
            made.append(cst.Arg(nodes.expression(f"{iterator}.get_next()"), star="*" if several else ""))
    return cst.Call(nodes.expression(step.name), made)


def _argument(driver: DriverRewriter, run: Run, step: StepFunction, index: int) -> cst.BaseExpression:
    parameter = step.parameters[index]
    if parameter.host is not None:
        return cst.Name(parameter.name)
    feed = next((f for f in run.feeds if f.key is parameter.fed), None)
    assert parameter.fed is not None
    if feed is None or (feed.node is None and run.feed_node is None):
        driver.refuse("TFM107", run.call, f"{parameter.name} is not fed here")
        return cst.Name("None")
    if feed.node is not None and (feed.inline or _constant_here(feed.node)):
        made = _visit(driver, feed.node)
        dtype = parameter.fed.dtype if isinstance(parameter.fed, Placeholder) else None
        if dtype is not None and "bool" in nodes.code(dtype) and isinstance(made, cst.Integer):
            return cst.Name("False" if made.value == "0" else "True")
        return made
    assert run.feed_node is not None
    key = driver.plan.spec_names.get(parameter.fed, parameter.name)
    return nodes.expression(f"{nodes.code(nodes.parenthesized(_visit(driver, run.feed_node)))}[{key}]")


def _constant_here(node: cst.BaseExpression) -> bool:
    return isinstance(node, (cst.Integer, cst.Float))


def expression(driver: DriverRewriter, node: cst.Call) -> cst.BaseExpression:
    """The run site inside an expression: host values, in the structure of the fetches."""
    run = driver.facts.runs[node]
    if run.kind in (SiteKind.INITIALIZER, SiteKind.REINITIALIZER, SiteKind.ITERATOR):
        if run.kind is not SiteKind.INITIALIZER:
            reinitialized(driver, run)
        return cst.Name("None")
    if run.kind is SiteKind.SAVE:
        return driver.checkpoints.save(run)
    if run.kind is SiteKind.RESTORE:
        return driver.checkpoints.restore(run)
    if run.kind is SiteKind.SUMMARY:
        return _summary(driver, run)
    if run.kind is SiteKind.ASSIGN and run.fetch is None:
        assert isinstance(node.func, cst.Attribute)
        return nodes.method(_visit(driver, node.func.value), "assign", _visit(driver, run.extra["value"]))
    assert run.fetch is not None
    if run.kind in (SiteKind.READ, SiteKind.ASSIGN):
        return _read(driver, run.fetch)
    return values(driver, run)


def _read(driver: DriverRewriter, structure: Structure) -> cst.BaseExpression:
    if structure.kind == "leaf":
        assert structure.leaf is not None
        leaf = structure.leaf
        element = (
            isinstance(leaf.node, cst.Name) and leaf.node.value != leaf.value.name
            if isinstance(leaf.value, Variable)
            else False
        )
        if isinstance(leaf.value, Variable) and leaf.value in driver.plan.variable_names and not element:
            return nodes.method(nodes.expression(driver.plan.variable_names[leaf.value]), "numpy")
        if isinstance(leaf.value, Sequence) and leaf.node is not None:
            return nodes.expression(f"[value.numpy() for value in {nodes.code(_visit(driver, leaf.node))}]")
        if leaf.node is not None:
            return nodes.method(_visit(driver, leaf.node), "numpy")
        if isinstance(leaf.value, Graphlike) and leaf.value.name:
            return nodes.expression(f"{leaf.value.name}.numpy()")
        driver.refuse("TFM108", cst.Name("x"), "something read here has no name of its own")
        return cst.Name("None")
    parts = [_read(driver, item) for item in structure.items]
    if structure.kind == "dict":
        return cst.Dict([cst.DictElement(_visit(driver, k), v) for k, v in zip(structure.keys, parts, strict=True)])
    elements = [cst.Element(p) for p in parts]
    return (
        cst.Tuple(elements, lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        if structure.kind == "tuple"
        else cst.List(elements)
    )


def values(driver: DriverRewriter, run: Run) -> cst.BaseExpression:
    """The call with its results as host values."""
    assert run.fetch is not None
    structure = run.fetch
    leaves = list(structure.leaves())
    made = call(driver, run)
    kept = [leaf for leaf in leaves if not isinstance(leaf.value, Operation)]
    if structure.kind == "leaf":
        value = leaves[0].value
        if isinstance(value, (Operation, Summary)):
            return made
        if _nested(value):
            return _mapped(driver, made)
        if isinstance(value, (Sequence, Gradients)):
            return nodes.expression(f"[value.numpy() for value in {nodes.code(made)}]")
        return nodes.method(made, "numpy")
    if structure.kind == "dict":
        return nodes.expression(f"{{key: value.numpy() for key, value in {nodes.code(made)}.items()}}")
    flat = all(item.kind == "leaf" for item in structure.items)
    if flat and len(kept) == len(leaves) and not any(_several(leaf.value) for leaf in leaves):
        text = f"value.numpy() for value in {nodes.code(made)}"
        return nodes.expression(f"tuple({text})" if structure.kind == "tuple" else f"[{text}]")
    step = driver.plan.step_of.get(run)
    if len(kept) != len(leaves) and step is not None:
        if flat:
            return nodes.expression(f"[value if value is None else value.numpy() for value in {nodes.code(made)}]")
        driver.refuse("TFM108", run.call, "ops and tensors are fetched in a nested structure")
    return _mapped(driver, made)


def _nested(value: Value) -> bool:
    """Whether the value is an element of a dataset, whose structure is not known here."""
    return isinstance(value, Tensor) and value.nested


def _several(value: Value) -> bool:
    return isinstance(value, (Summary, Sequence, Gradients)) or _nested(value)


def _mapped(driver: DriverRewriter, made: cst.BaseExpression) -> cst.BaseExpression:
    return nodes.expression(f"{driver.context.tf}.nest.map_structure(lambda value: value.numpy(), {nodes.code(made)})")


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
        or _several(wanted.leaf.value)
    ):
        return None
    kept = [item for item in items if item.leaf is not None and not isinstance(item.leaf.value, Operation)]
    made: cst.BaseExpression = call(driver, run)
    if len(kept) > 1 or len(items) == 1:
        made = nodes.expression(f"{nodes.code(made)}[{kept.index(wanted)}]")
    return nodes.method(made, "numpy")


def _unpacked(
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
    plain = all(i.kind == "leaf" and i.leaf is not None and not _several(i.leaf.value) for _, i in valued)
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


def _summary(driver: DriverRewriter, run: Run) -> cst.BaseExpression:
    """`writer.add_summary(summary, step)`."""
    summary = getattr(run.values.get("summary"), "summary", None)
    tf = driver.context.tf
    name = (
        driver.plan.summary_functions.get((run.saver, summary))
        if isinstance(run.saver, Writer) and isinstance(summary, Summary)
        else None
    )
    if name is None:
        driver.refuse("TFM125", run.call, "what is written here is not known to be one fetched summary")
        return run.call
    step = run.extra.get("global_step")
    text = nodes.code(_visit(driver, step)) if step is not None else "0"
    return nodes.call(
        name, _visit(driver, run.extra["summary"]), nodes.expression(f"{tf}.constant({text}, {tf}.int64)")
    )


def settings(driver: DriverRewriter, config: Config) -> list[cst.BaseStatement]:
    """A session's settings that have a counterpart: memory growth, the share of memory, threads, placement."""
    tf = driver.context.tf
    made: list[cst.BaseStatement] = []
    for name, node in config.settings.items():
        key = name.split(".")[-1]
        value = driver.facts.values.get(node)
        literal = value.literal if isinstance(value, Host) and value.known else None
        if key == "allow_growth" and literal is not False:
            made += nodes.statements(
                f'for gpu in {tf}.config.list_physical_devices("GPU"):\n'
                f"    {tf}.config.experimental.set_memory_growth(gpu, True)\n"
            )
        elif key in THREADS and literal not in (0, None):
            made += nodes.statements(f"{tf}.config.threading.{THREADS[key]}({literal})\n")
        elif key == "log_device_placement" and literal is True:
            made += nodes.statements(f"{tf}.debugging.set_log_device_placement(True)\n")
        elif key == "per_process_gpu_memory_fraction":
            driver.note(
                "TFM504",
                node,
                "a share of the GPU's memory has no counterpart; set a limit in megabytes with a logical device",
            )
    return made
