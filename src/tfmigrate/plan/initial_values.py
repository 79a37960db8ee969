"""Initializers that run again: how each variable is reached from there, and what its initial value is by then.

The legacy initializer gives a variable the value that its graph holds; the expression that made it may mean something
else where it stands again: a name was bound anew, an array changed in place, NumPy draws other numbers. Then the value
is kept from the beginning (`initial_w = w.numpy()`); where a random op of the graph draws it, it cannot be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Facts, Run, Scope
from tfmigrate.analysis.values import Operation, Optimizer, Variable
from tfmigrate.model import SiteKind
from tfmigrate.plan.changes import changed_in_place
from tfmigrate.plan.naming import identifier
from tfmigrate.plan.reaching import reach, through
from tfmigrate.plan.refusing import refuse
from tfmigrate.rules.expressions import code

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner

PLAIN_CALLS = {"float", "int", "len", "list", "max", "min", "range", "tuple"}
PLAIN_METHODS = {"astype", "reshape", "copy", "transpose"}
FIXED_SYMBOLS = {
    "Variable",
    "cast",
    "constant",
    "constant_initializer",
    "convert_to_tensor",
    "fill",
    "get_variable",
    "ones",
    "ones_initializer",
    "zeros",
    "zeros_initializer",
}


def plan_initial_values(planner: Planner) -> None:
    """Plan what later runs of initializers set their variables to."""
    for run in planner.facts.runs.values():
        if run.kind is SiteKind.REINITIALIZER:
            for variable in reset_by(run):
                _plan(planner, run, variable)
            _reach_slots(planner, run)


def reset_by(run: Run) -> list[Variable]:
    """The variables that a later run of an initializer sets back; none where each turn makes them anew."""
    variables = [
        member
        for leaf in (run.fetch.leaves() if run.fetch else ())
        for member in (leaf.value.members if isinstance(leaf.value, Operation) else ())
        if isinstance(member, Variable)
    ]
    anew = all(v.statement is not None and any(v.statement.within(x) for x in run.statement.loops) for v in variables)
    return [] if anew else variables


def _plan(planner: Planner, run: Run, variable: Variable) -> None:
    plan = planner.plan
    if variable not in plan.variable_names or not isinstance(variable.expression, cst.Call):
        return  # told where it is written
    if variable.layer is not None or variable.average_of is not None or variable.statement is None:
        return
    scope = run.statement.scope
    if not reach(planner.plan, planner.facts, variable, scope):
        refuse(plan, "TFM149", run.call, f"{variable.name or 'a variable'} is initialised again in another function")
    elif variable not in plan.initial_values and not _means_the_same(planner, run, variable):
        if not _is_fixed(planner.facts, variable.expression):
            message = f"{variable.name or 'a variable'} is initialised again, and its initial value may differ by then"
            refuse(plan, "TFM149", run.call, message)
            return
        name = planner.names[variable.statement.scope.path].fresh(
            f"initial_{identifier(plan.variable_names[variable].removeprefix('self.'))}"
        )
        plan.initial_values[variable] = name
    if variable in plan.initial_values:
        around = through(planner.plan, planner.facts, variable, scope) or ""
        plan.initial_texts[(scope, variable)] = f"{around}.{plan.initial_values[variable]}" if around else ""
        if around:
            plan.initial_attributes.add(variable)


def _reach_slots(planner: Planner, run: Run) -> None:
    for optimizer in planner.plan.optimizer_names:
        if has_slots(optimizer) and not reach(planner.plan, planner.facts, optimizer, run.statement.scope):
            message = "an initializer runs again where the optimizer cannot be reached to set it back"
            refuse(planner.plan, "TFM149", run.call, message)


def has_slots(optimizer: Optimizer) -> bool:
    """Whether an optimizer keeps variables of its own."""
    return optimizer.symbol != "train.GradientDescentOptimizer"


def _means_the_same(planner: Planner, run: Run, variable: Variable) -> bool:
    """Whether the expression that made a variable gives the same value where the initializer runs again."""
    assert variable.statement is not None
    assert isinstance(variable.expression, cst.Call)
    finder = _Reads()
    variable.expression.visit(finder)
    if not all(_is_plain(planner.facts, call) for call in finder.calls):
        return False
    visible = set(run.statement.scope.ancestors())
    names = finder.names
    for (owner, name), defs in variable.statement.uses.items():
        if name not in names:
            continue
        if owner not in visible or len(planner.bindings.binders(owner, name)) > 1:
            return False
        if any(not all(loop in run.statement.loops for loop in d.loops) for d in defs):
            return False
        if _changes(planner.facts, owner, name):
            return False
    return True


def _is_plain(facts: Facts, call: cst.Call) -> bool:
    if call.func in facts.symbols:
        return True
    text = code(call.func)
    if isinstance(call.func, cst.Attribute) and call.func.attr.value in PLAIN_METHODS:
        return True
    return text in PLAIN_CALLS or (text.startswith(("np.", "numpy.")) and ".random" not in text and ".load" not in text)


def _is_fixed(facts: Facts, expression: cst.Call) -> bool:
    """Whether no op of the graph draws the initial value."""
    finder = _Reads()
    expression.visit(finder)
    symbols = [facts.symbols[call.func] for call in finder.calls if call.func in facts.symbols]
    if symbols[:1] == ["get_variable"]:
        named = [a.keyword.value for a in expression.args if a.keyword is not None]
        if "initializer" not in named:
            return False
    return all(symbol in FIXED_SYMBOLS for symbol in symbols)


def _changes(facts: Facts, owner: Scope, name: str) -> bool:
    """Whether a statement changes what the name holds in place."""
    return any(
        name in changed_in_place(statement)
        for scope in facts.scopes.values()
        if owner in set(scope.ancestors())
        for statement in scope.statements
    )


class _Reads(cst.CSTVisitor):
    """The names and the calls of an expression."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.calls: list[cst.Call] = []

    def visit_Name(self, node: cst.Name) -> None:
        self.names.add(node.value)

    def visit_Call(self, node: cst.Call) -> None:
        self.calls.append(node)


__all__ = ["has_slots", "plan_initial_values", "reset_by"]
