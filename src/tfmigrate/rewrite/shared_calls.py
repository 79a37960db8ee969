"""Calls of shared functions inside the steps: arguments, results, and whether what is left of the step reads only what
it is given.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import libcst as cst

from tfmigrate.analysis.values import Placeholder
from tfmigrate.plan.program import SharedFunction, StepFunction, Unit
from tfmigrate.rewrite import nodes

Constant = Callable[[Placeholder, cst.BaseExpression], cst.BaseExpression]


class SharedCalls:
    """The calls in one writing of a step's body. `named`: constants that the rest of the body reads too, so they keep a
    name.
    """

    def __init__(self, step: StepFunction, named: set[str], constant: Constant) -> None:
        self.step, self.named, self.constant = step, named, constant
        self.of = {unit.statement: (function, results) for function, results in step.prefix for unit in function.units}
        self.written: set[int] = set()

    def write(self, unit: Unit) -> list[cst.BaseStatement] | None:
        """The call, where the unit is the first of a shared function's; nothing for its others; None for a unit of the
        step's own.
        """
        found = self.of.get(unit.statement)
        if found is None:
            return None
        function, results = found
        if id(function) in self.written:
            return []
        self.written.add(id(function))
        if all(name == "_" for name in results):
            return []
        call = self._call(function)
        if len(results) == 1:
            return [nodes.assign(results[0], call)]
        target = cst.Tuple([cst.Element(cst.Name(name)) for name in results], lpar=[], rpar=[])
        return [cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(target)], call)])]

    def _call(self, function: SharedFunction) -> cst.Call:
        constants = {
            name: (placeholder, node) for name, placeholder, node in self.step.constants if name not in self.named
        }
        positional: list[cst.BaseExpression] = []
        keywords: dict[str, cst.BaseExpression] = {}
        for name in function.parameters:
            value = self.constant(*constants[name]) if name in constants else cst.Name(name)
            if name in constants or keywords:
                keywords[name] = value
            else:
                positional.append(value)
        return nodes.call(function.name, *positional, **keywords)

    def lost(self, body: Sequence[cst.BaseStatement]) -> set[str]:
        """Names that only shared functions bind and that the body reads without being given them."""
        inner = {name for statement in self.of for name in _defined(statement.node)}
        loaded, stored = names(body)
        return (loaded & inner) - stored - {p.name for p in self.step.parameters}


def names(body: Sequence[cst.BaseStatement]) -> tuple[set[str], set[str]]:
    """The names that the statements load, and those they store."""
    loaded: set[str] = set()
    stored: set[str] = set()
    for node in ast.walk(ast.parse("def body():\n    pass\n" + "".join(map(nodes.code, body)))):
        if isinstance(node, ast.Name):
            (loaded if isinstance(node.ctx, ast.Load) else stored).add(node.id)
    return loaded, stored


def _defined(node: cst.CSTNode) -> set[str]:
    text = cst.Module([node]).code  # type: ignore[list-item]
    return {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def returned(body: list[cst.BaseStatement]) -> list[cst.BaseStatement]:
    """`name = value; return name` at the end becomes `return value`."""
    if len(body) < 2:
        return body
    last, line = body[-1], body[-2]
    if not (
        isinstance(last, cst.SimpleStatementLine) and isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
    ):
        return body
    result, small = last.body[0], line.body[0]
    if not (isinstance(result, cst.Return) and isinstance(result.value, cst.Name) and isinstance(small, cst.Assign)):
        return body
    if (
        len(small.targets) != 1
        or not isinstance(small.targets[0].target, cst.Name)
        or small.targets[0].target.value != result.value.value
    ):
        return body
    return [*body[:-2], line.with_changes(body=[cst.Return(small.value)])]


def call_returned(function: SharedFunction) -> cst.SimpleStatementLine:
    """The return statement of a shared function."""
    values = [cst.Name(name) for name in function.returns]
    value: cst.BaseExpression = (
        values[0] if len(values) == 1 else cst.Tuple([cst.Element(v) for v in values], lpar=[], rpar=[])
    )
    return cst.SimpleStatementLine([cst.Return(value)])
