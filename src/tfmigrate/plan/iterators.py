"""Iterators of tf.data: what they are called, and what becomes of those with an initializer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Facts, Statement
from tfmigrate.analysis.values import Dataset, Iterator_, leaves
from tfmigrate.model import SiteKind
from tfmigrate.plan.program import IteratorPlan
from tfmigrate.plan.refusing import refuse

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner

_Assigned = dict[cst.BaseExpression, tuple[Statement, cst.BaseExpression]]


def plan_iterators(planner: Planner) -> None:
    """Name the iterators and plan the functions of those with an initializer."""
    plan = planner.plan
    for statement in planner.facts.statements.values():
        for value in statement.made:
            if isinstance(value, Iterator_) and value not in plan.iterator_names:
                if value.name and statement.value is value:
                    plan.iterator_names[value] = value.name
                else:
                    plan.iterator_names[value] = planner.names[statement.scope.path].fresh("iterator")
    _initialised(planner)


def _initialised(planner: Planner) -> None:
    """Iterators with an initializer: the pipeline becomes a function, the next element a parameter of the steps."""
    facts, plan = planner.facts, planner.plan
    assigned = _assigned(facts)
    for statement in list(facts.statements.values()):
        for value in statement.made:
            if not isinstance(value, Iterator_) or value.kind != "initializable" or value in plan.iterators:
                continue
            line = statement.node.body[0] if isinstance(statement.node, cst.SimpleStatementLine) else None
            if (
                not (isinstance(line, cst.Assign) and statement.value is value and value.name)
                or statement.scope not in planner.drivers
            ):
                refuse(plan, "TFM127", statement.node, "an initializable iterator that is not bound to one name")
                continue
            pipeline = _pipeline(statement)
            parameters = [
                p
                for p in facts.placeholders
                if any(n == p.name and o is p.scope for s in (*pipeline, statement) for (o, n) in s.uses)
            ]
            function = planner.names[statement.scope.path].fresh(f"make_{_dataset_name(pipeline)}")
            plan.iterators[value] = IteratorPlan(value, value.name, function, statement, pipeline, parameters)
            _elements(planner, value, assigned)
    for run in facts.runs.values():
        if run.kind is SiteKind.ITERATOR and run.fetch is not None:
            for leaf in run.fetch.leaves():
                iterator = getattr(leaf.value, "iterator", None)
                planned = plan.iterators.get(iterator) if iterator is not None else None
                if planned is None or planned.statement.scope is not run.statement.scope:
                    refuse(plan, "TFM127", run.call, "an iterator is initialised out of the scope that made it")


def _pipeline(statement: Statement) -> list[Statement]:
    """The statements that the iterator's dataset is made by."""
    found: dict[Statement, None] = {}
    todo = [statement]
    while todo:
        for (owner, _), defs in todo.pop().uses.items():
            for definition in defs if owner is statement.scope else ():
                if definition not in found and any(
                    isinstance(v, Dataset) for value in definition.values for v in leaves(value)
                ):
                    found[definition] = None
                    todo.append(definition)
    return sorted(found, key=lambda s: s.order)


def _dataset_name(pipeline: list[Statement]) -> str:
    names = [n for s in pipeline for n in s.defines]
    return names[-1] if names else "dataset"


def _assigned(facts: Facts) -> _Assigned:
    """For the right side of each assignment its statement and its first target."""
    found: _Assigned = {}
    for statement in facts.statements.values():
        line = statement.node.body[0] if isinstance(statement.node, cst.SimpleStatementLine) else None
        if isinstance(line, cst.Assign):
            found[line.value] = statement, line.targets[0].target
    return found


def _elements(planner: Planner, iterator: Iterator_, assigned: _Assigned) -> None:
    """The statements that take the iterator's next element."""
    for call, of in planner.facts.nexts.items():
        if of is not iterator:
            continue
        statement, target = assigned.get(call, (None, None))
        plain = isinstance(target, cst.Name) or (
            isinstance(target, cst.Tuple) and all(isinstance(e.value, cst.Name) for e in target.elements)
        )
        if statement is None or not plain:
            refuse(
                planner.plan,
                "TFM127",
                call,
                "the next element of an initializable iterator is not bound to plain names",
            )
            continue
        planner.plan.elements[statement] = iterator
