"""The program's own functions: which drive the graph, which keep a form of their own and why others cannot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Binding, Scope
from tfmigrate.analysis.values import (
    Graphlike,
    Iterator_,
    Layer,
    Operation,
    Optimizer,
    Placeholder,
    Saver,
    Session,
    Summary,
    Table,
    Tensor,
    Variable,
    leaves,
)
from tfmigrate.plan.attributes import receiver
from tfmigrate.plan.classes import attributes_in, part_of_another, reads
from tfmigrate.plan.helper_layers import are_needed_outside
from tfmigrate.plan.own_collections import fills_for_others
from tfmigrate.plan.refusing import refuse
from tfmigrate.rules.expressions import code

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner


def find_drivers(planner: Planner) -> None:
    """The scopes that build or run the graph themselves: modules, and functions that run or make placeholders."""
    running = {run.statement.scope for run in planner.facts.runs.values()}
    keeping = {w.statement.scope for w in planner.facts.attribute_writes if isinstance(w.value, Session)}
    for scope in planner.facts.scopes.values():
        if isinstance(scope.node, cst.Module):
            planner.drivers.add(scope)
        elif isinstance(scope.node, cst.FunctionDef):
            calls = planner.facts.functions.get(scope.node, [])
            makes = any(isinstance(m, (Placeholder, Session)) for s in scope.statements for m in s.made)
            makes |= scope in keeping or scope in planner.plan.builders
            if scope in running or any(c.runs for c in calls) or makes:
                planner.drivers.add(scope)
    planner.plan.drivers = {scope.node for scope in planner.drivers}


def plan_functions(planner: Planner) -> None:
    """Find the functions that cannot stay as they are: to be inlined, or else reasons to refuse."""
    running = {run.statement.scope for run in planner.facts.runs.values()}
    for scope in planner.facts.scopes.values():
        if isinstance(scope.node, cst.FunctionDef):
            _plan_function(planner, scope, scope.node, scope in running)


def _plan_function(planner: Planner, scope: Scope, node: cst.FunctionDef, runs: bool) -> None:
    calls = planner.facts.functions.get(node, [])
    built = [
        m
        for s in scope.statements
        for m in s.made
        if isinstance(m, (Variable, Optimizer, Placeholder, Saver, Layer, Iterator_))
    ]
    offered = node in planner.facts.offered and not built
    if not calls and node not in planner.facts.callbacks and not offered:
        if (built and not _is_factory(planner, scope, built)) or (scope in planner.drivers and runs):
            refuse(
                planner.plan,
                "TFM147",
                node,
                f"{node.name.value}() builds or runs a graph and nothing in the program calls it",
            )
        return
    if scope in planner.plan.builders and part_of_another(planner.facts, planner.plan, scope):
        _unsplit(planner, node, "builds a part of what another method of its class goes on with")
    if scope in planner.drivers:
        if built and any(_part_of_graph(v, scope) for c in calls for v in leaves(c.result)):
            _unsplit(planner, node, "makes placeholders or sessions and gives parts of the graph to its caller")
    else:
        message = _tangle(planner, scope, built)
        if message is not None:
            _unsplit(planner, node, message)
        _closures(planner, scope, node)
        if receiver(scope) is not None:
            _reads_own_tensors(planner, scope, node)


def _is_factory(planner: Planner, scope: Scope, built: Iterable[Graphlike]) -> bool:
    """Whether a function makes variables and nothing of a step: it stays as it is."""
    if not all(isinstance(m, Variable) for m in built):
        return False
    return all(planner.bindings.of(s) is not Binding.STEP for s in scope.statements)


def _unsplit(planner: Planner, node: cst.FunctionDef, message: str) -> None:
    """A helper that cannot be split: to be inlined, or else a reason to refuse."""
    planner.plan.unsplit.add(node)
    refuse(planner.plan, "TFM103", node, f"{node.name.value}() {message}")


def _part_of_graph(value: object, scope: Scope) -> bool:
    return (
        isinstance(value, (Placeholder, Tensor, Operation, Variable, Optimizer, Saver)) and value.scope is scope
    ) or (isinstance(value, (Placeholder, Tensor, Operation)) and value.step)


def _tangle(planner: Planner, scope: Scope, built: Iterable[Graphlike]) -> str | None:
    """What a helper makes for its caller that has no place in a function of its own."""
    made = [m for s in scope.statements for m in s.made]
    if any(isinstance(m, Optimizer) for m in built) or any(
        isinstance(m, Operation) and m.optimizer is not None for m in made
    ):
        return "makes an optimizer or a train op for its caller"
    if are_needed_outside(planner.facts, scope):
        return "makes layers whose variables are named elsewhere"
    if any(isinstance(m, Variable) for m in built) and receiver(scope) is not None:
        return "makes variables for what another method builds"
    if fills_for_others(planner.facts, scope):
        return "fills or reads a collection that other functions use"
    if any(isinstance(m, Operation) and m.averages is not None for m in made):
        return "keeps moving averages for its caller"
    if any(isinstance(m, Placeholder) for m in built):
        return "makes placeholders for its caller"
    if any(isinstance(m, Variable) for m in built) and scope.node in planner.facts.callbacks:
        return "makes variables and is handed to an op"
    if any(isinstance(m, (Summary, Iterator_, Saver)) for m in made):
        return "makes summaries, iterators or savers for its caller"
    if any(isinstance(m, Table) for m in made):
        return "makes lookup tables for its caller"
    if any(isinstance(m, (Tensor, Operation)) and (getattr(m, "effect", False)) for m in made) and any(
        s.effect and not s.mutates for s in scope.statements
    ):
        return "makes assignments for its caller"
    return None


def _reads_own_tensors(planner: Planner, scope: Scope, node: cst.FunctionDef) -> None:
    """A method that computes with placeholders or step tensors of its object would find none there any more."""
    kept = reads(planner.facts)
    for statement in scope.statements:
        found = [a for a in attributes_in(statement.node) if a in kept]
        if found:
            planner.plan.unsplit.add(node)
            message = f"{node.name.value}() computes with {code(found[0])}, a tensor that its object keeps"
            refuse(planner.plan, "TFM148", statement.node, message)
            return


def _closures(planner: Planner, scope: Scope, node: cst.FunctionDef) -> None:
    """A helper that reads placeholders or step tensors of the scope around it would not find them there any more."""
    for statement in scope.statements:
        for (owner, name), defs in statement.uses.items():
            if owner is scope or owner not in planner.drivers:
                continue
            for definition in defs:
                holder = any(isinstance(m, Placeholder) for m in definition.made)
                if planner.bindings.of(definition) is Binding.STEP or holder:
                    planner.plan.unsplit.add(node)
                    refuse(
                        planner.plan,
                        "TFM148",
                        statement.node,
                        f"a helper function reads {name}, a tensor of the graph around it",
                    )
                    return
