"""Plans a whole program: which scopes are drivers, what is made once and how it is called, step functions, savers,
summaries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import libcst as cst

from tfmigrate.analysis.facts import Binding, Facts, Scope, Statement
from tfmigrate.analysis.values import (
    Dataset,
    Graphlike,
    Host,
    Iterator_,
    Layer,
    Mapping,
    Operation,
    Optimizer,
    Placeholder,
    Saver,
    Sequence,
    Session,
    Summary,
    Tensor,
    Variable,
    Writer,
    leaves,
)
from tfmigrate.model import Options, Place, SiteKind
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.layers import plan_layers
from tfmigrate.plan.naming import Names, identifier, object_name
from tfmigrate.plan.placing import place
from tfmigrate.plan.program import IteratorPlan, Plan, SaverPlan
from tfmigrate.plan.refusing import note, refuse
from tfmigrate.plan.replicas import replicate
from tfmigrate.plan.sharing import share
from tfmigrate.plan.steps import Steps


class Planner:
    """Plans one program from its facts."""

    def __init__(self, facts: Facts, entry: str, locate: Callable[[cst.CSTNode], Place], options: Options) -> None:
        self.facts, self.options = facts, options
        self.bindings = Bindings(facts)
        self.plan = Plan(entry, locate)
        self.plan.refusals.extend(facts.refusals)
        self.plan.notes.extend(facts.notes)
        self.drivers: set[Scope] = set()
        self.names: dict[str, Names] = {}

    def run(self) -> Plan:
        """The plan, or one with refusals."""
        self._drivers()
        self.plan.drivers = {scope.node for scope in self.drivers}
        self._functions()
        self._taken()
        plan_layers(self)
        if self.plan.unsplit:
            return self.plan
        self._specs()
        self._objects()
        self._variables()
        self._iterators()
        if not self.plan.refusals:
            Steps(self.facts, self.bindings, self.names, self.plan, self.drivers).plan_all()
        self._summaries()
        self._savers()
        self._removed()
        if not self.plan.refusals:
            replicate(self)
        if not self.plan.refusals:
            place(self)
            share(self)
        return self.plan

    # scopes and functions

    def _drivers(self) -> None:
        running = {run.statement.scope for run in self.facts.runs.values()}
        for scope in self.facts.scopes.values():
            if isinstance(scope.node, cst.Module):
                self.drivers.add(scope)
            elif isinstance(scope.node, cst.FunctionDef):
                calls = self.facts.functions.get(scope.node, [])
                makes = any(isinstance(m, (Placeholder, Session)) for s in scope.statements for m in s.made)
                if scope in running or any(c.runs for c in calls) or makes:
                    self.drivers.add(scope)

    def _functions(self) -> None:
        for scope in self.facts.scopes.values():
            node = scope.node
            if not isinstance(node, cst.FunctionDef):
                continue
            calls = self.facts.functions.get(node, [])
            built = [
                m
                for s in scope.statements
                for m in s.made
                if isinstance(m, (Variable, Optimizer, Placeholder, Saver, Layer, Iterator_))
            ]
            inside_class = isinstance(scope.parent.node, cst.ClassDef) if scope.parent is not None else False
            if not calls and node not in self.facts.callbacks:
                if (built and not self._factory(scope, built)) or (
                    scope in self.drivers and any(r.statement.scope is scope for r in self.facts.runs.values())
                ):
                    refuse(
                        self.plan,
                        "TFM147",
                        node,
                        f"{node.name.value}() builds or runs a graph and nothing in the program calls it",
                    )
                continue
            if inside_class and any(isinstance(m, Graphlike) for s in scope.statements for m in s.made):
                refuse(self.plan, "TFM101", node, "a method of a class builds the graph")
            if scope in self.drivers:
                if built and any(self._part_of_graph(v, scope) for c in calls for v in leaves(c.result)):
                    self._unsplit(node, "makes placeholders or sessions and gives parts of the graph to its caller")
            else:
                message = self._tangle(scope, built)
                if message is not None:
                    self._unsplit(node, message)
            self._closures(scope)

    def _factory(self, scope: Scope, built: Iterable[Graphlike]) -> bool:
        """Whether a function makes variables and nothing of a step: it stays as it is."""
        if not all(isinstance(m, Variable) for m in built):
            return False
        return all(self.bindings.of(s) is not Binding.STEP for s in scope.statements)

    def _unsplit(self, node: cst.FunctionDef, message: str) -> None:
        """A helper that cannot be split: to be inlined, or else a reason to refuse."""
        self.plan.unsplit.add(node)
        refuse(self.plan, "TFM103", node, f"{node.name.value}() {message}")

    @staticmethod
    def _part_of_graph(value: object, scope: Scope) -> bool:
        return (
            isinstance(value, (Placeholder, Tensor, Operation, Variable, Optimizer, Saver)) and value.scope is scope
        ) or (isinstance(value, (Placeholder, Tensor, Operation)) and value.step)

    def _tangle(self, scope: Scope, built: Iterable[Graphlike]) -> str | None:
        """What a helper makes for its caller that has no place in a function of its own."""
        made = [m for s in scope.statements for m in s.made]
        if any(isinstance(m, Optimizer) for m in built) or any(
            isinstance(m, Operation) and m.optimizer is not None for m in made
        ):
            return "makes an optimizer or a train op for its caller"
        if any(isinstance(m, Placeholder) for m in built):
            return "makes placeholders for its caller"
        if any(isinstance(m, Variable) for m in built) and scope.node in self.facts.callbacks:
            return "makes variables and is handed to an op"
        if any(isinstance(m, (Summary, Iterator_, Saver)) for m in made):
            return "makes summaries, iterators or savers for its caller"
        if any(isinstance(m, (Tensor, Operation)) and (getattr(m, "effect", False)) for m in made) and any(
            s.effect and not s.mutates for s in scope.statements
        ):
            return "makes assignments for its caller"
        return None

    def _closures(self, scope: Scope) -> None:
        """A helper that reads placeholders or step tensors of the scope around it would not find them there any
        more.
        """
        if scope in self.drivers:
            return
        for statement in scope.statements:
            for (owner, name), defs in statement.uses.items():
                if owner is scope or owner not in self.drivers:
                    continue
                for definition in defs:
                    binding = self.bindings.of(definition)
                    holder = any(isinstance(m, Placeholder) for m in definition.made)
                    if binding is Binding.STEP or holder:
                        if isinstance(scope.node, cst.FunctionDef):
                            self.plan.unsplit.add(scope.node)
                        refuse(
                            self.plan,
                            "TFM148",
                            statement.node,
                            f"a helper function reads {name}, a tensor of the graph around it",
                        )
                        return

    def _taken(self) -> None:
        for scope in self.facts.scopes.values():
            kept = {
                name
                for s in scope.statements
                for name in s.defines
                if (
                    self.bindings.of(s) not in (Binding.STEP, Binding.DROP)
                    and not isinstance(s.node, (cst.FunctionDef, cst.ClassDef))
                )
                or (isinstance(s.node, (cst.FunctionDef, cst.ClassDef)) and name)
            }
            for s in scope.statements:
                if s.runs:
                    kept |= s.defines
            if not isinstance(scope.node, cst.Module):
                kept |= scope.bound - {n for s in scope.statements for n in s.defines}
            known = self.names.setdefault(scope.path, Names(set()))
            known.taken |= kept
        for path, names in self.names.items():
            module = next(s for s in self.facts.scopes.values() if s.path == path and s.is_module)
            names.taken |= _imported(module)

    # objects made once

    def _objects(self) -> None:
        for statement in sorted(self.facts.statements.values(), key=lambda s: s.order):
            if statement.scope not in self.drivers:
                continue
            for lift in statement.lifts.values():
                names = self.names[statement.scope.path]
                value = lift.value
                if isinstance(value, Layer) and value not in self.plan.layer_names:
                    if self._in_plain_loop(statement):
                        refuse(self.plan, "TFM143", lift.expression, "a layer is made in a loop")
                    target = _target(statement)
                    base = object_name(value, target or "layer")
                    if hasattr(value.form, "function"):
                        called = value.form.function.name
                        single = len(self.plan.layers[value.form.function.node].instances) == 1
                        base = called if single else f"{target}_layer" if target else called
                    self.plan.layer_names[value] = names.fresh(
                        f"{base}_layer" if base in self._local(statement.scope) else base
                    )
                elif isinstance(value, Optimizer) and value not in self.plan.optimizer_names:
                    direct = statement.value is value and value.name is not None
                    self.plan.optimizer_names[value] = value.name if direct and value.name else names.fresh("optimizer")

    def _local(self, scope: Scope) -> set[str]:
        """Names that statements of the scope bind which move into step functions: local there, they would hide an
        object's.
        """
        return {
            name
            for s in scope.statements
            if self.bindings.of(s) in (Binding.STEP, Binding.RANDOM)
            for name in s.defines
        }

    def _specs(self) -> None:
        for placeholder in self.facts.placeholders:
            if placeholder.scope is None:
                continue
            name = placeholder.name or identifier(placeholder.legacy_name or "input")
            self.plan.spec_names[placeholder] = self.names[placeholder.scope.path].fresh(f"{name}_spec")

    def _in_plain_loop(self, statement: Statement) -> bool:
        return any(not self.bindings.runs(loop) for loop in statement.loops)

    def _variables(self) -> None:
        """How each variable is reached from its scope: a name, an attribute of its layer, or not at all."""
        for variable in self.facts.variables:
            if (
                variable.layer is not None
                and isinstance(variable.layer, Layer)
                and variable.layer in self.plan.layer_names
            ):
                self.plan.variable_names[variable] = f"{self.plan.layer_names[variable.layer]}.{variable.attribute}"
                continue
            statement = variable.statement
            if statement is None or variable.scope is None:
                continue
            if variable.scope not in self.drivers:
                continue
            if self._perhaps(statement):
                refuse(
                    self.plan,
                    "TFM130",
                    statement.node,
                    "whether this variable is made depends on what the loop around it runs",
                )
            place = self._container(variable)
            if self._in_plain_loop(statement):
                variable.made_in_loop = True
                if place is not None:
                    self.plan.variable_lists[variable] = f"*{place[0]}"
                continue
            direct = variable.name is not None and variable.name in statement.defines
            if direct and variable.name:
                once = self._bound_once(variable, statement)
                self.plan.variable_names[variable] = (
                    variable.name if once else self.names[variable.scope.path].fresh(variable.name)
                )
            elif place is not None:
                self.plan.variable_names[variable] = f"{place[0]}[{place[1]}]"
            elif any(lift.value is variable for lift in statement.lifts.values()):
                self.plan.variable_names[variable] = self.names[variable.scope.path].fresh(
                    object_name(variable, "variable")
                )

    def _perhaps(self, statement: Statement) -> bool:
        """Whether a condition inside a loop that runs the session decides about the statement."""
        at, conditional = statement.parent, False
        while at is not None:
            conditional |= isinstance(at.node, cst.If)
            if conditional and isinstance(at.node, (cst.For, cst.While)) and self.bindings.runs(at):
                return True
            at = at.parent
        return False

    def _container(self, variable: Variable) -> tuple[str, str] | None:
        """The list or dict that holds the variable, and its index or key there."""
        scope = variable.scope
        for statement in scope.statements if scope is not None else ():
            for value in statement.values:
                if isinstance(value, (Sequence, Mapping)) and _target(statement):
                    key = _key_in(value, variable)
                    if key is not None:
                        return _target(statement), key
        return None

    def _bound_once(self, variable: Variable, statement: Statement) -> bool:
        """Whether the variable's name means it from its making on."""
        if variable.scope is None or variable.name not in statement.defines:
            return False
        others = [s for s in variable.scope.statements if variable.name in s.defines and s is not statement]
        return not others

    def _iterators(self) -> None:
        for statement in self.facts.statements.values():
            for value in statement.made:
                if isinstance(value, Iterator_) and value not in self.plan.iterator_names:
                    if value.name and statement.value is value:
                        self.plan.iterator_names[value] = value.name
                    else:
                        self.plan.iterator_names[value] = self.names[statement.scope.path].fresh("iterator")

        self._initialised()

    def _initialised(self) -> None:
        """Iterators with an initializer: the pipeline becomes a function, the next element a parameter of the steps."""
        for statement in list(self.facts.statements.values()):
            for value in statement.made:
                if not isinstance(value, Iterator_) or value.kind != "initializable" or value in self.plan.iterators:
                    continue
                line = statement.node.body[0] if isinstance(statement.node, cst.SimpleStatementLine) else None
                if (
                    not (isinstance(line, cst.Assign) and statement.value is value and value.name)
                    or statement.scope not in self.drivers
                ):
                    refuse(
                        self.plan, "TFM127", statement.node, "an initializable iterator that is not bound to one name"
                    )
                    continue
                pipeline = self._pipeline(statement)
                parameters = [
                    p
                    for p in self.facts.placeholders
                    if any(n == p.name and o is p.scope for s in (*pipeline, statement) for (o, n) in s.uses)
                ]
                names = self.names[statement.scope.path]
                self.plan.iterators[value] = IteratorPlan(
                    value, value.name, names.fresh(f"make_{_dataset_name(pipeline)}"), statement, pipeline, parameters
                )
                self._elements(value)
        for run in self.facts.runs.values():
            if run.kind is SiteKind.ITERATOR and run.fetch is not None:
                for leaf in run.fetch.leaves():
                    iterator = getattr(leaf.value, "iterator", None)
                    plan = self.plan.iterators.get(iterator) if iterator is not None else None
                    if plan is None or plan.statement.scope is not run.statement.scope:
                        refuse(
                            self.plan, "TFM127", run.call, "an iterator is initialised out of the scope that made it"
                        )

    def _pipeline(self, statement: Statement) -> list[Statement]:
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

    def _elements(self, iterator: Iterator_) -> None:
        for call, of in self.facts.nexts.items():
            if of is not iterator:
                continue
            taking = [
                s
                for s in self.facts.statements.values()
                if isinstance(s.node, cst.SimpleStatementLine)
                and isinstance(s.node.body[0], cst.Assign)
                and s.node.body[0].value is call
            ]
            targets = taking[0].node.body[0].targets[0].target if taking else None  # type: ignore[union-attr,index]
            plain = isinstance(targets, cst.Name) or (
                isinstance(targets, cst.Tuple) and all(isinstance(e.value, cst.Name) for e in targets.elements)
            )
            if not plain:
                refuse(
                    self.plan,
                    "TFM127",
                    call,
                    "the next element of an initializable iterator is not bound to plain names",
                )
                continue
            self.plan.elements[taking[0]] = iterator

    # summaries and savers

    def _summaries(self) -> None:
        for run in self.facts.runs.values():
            if run.kind is not SiteKind.SUMMARY:
                continue
            value = run.values.get("summary")
            summary = getattr(value, "summary", None)
            if not isinstance(summary, Summary) or not isinstance(run.saver, Writer):
                refuse(self.plan, "TFM125", run.call, "what is written here is not known to be one fetched summary")
                continue
            key = (run.saver, summary)
            if key not in self.plan.summary_functions:
                names = self.names[run.statement.scope.path]
                several = len({r.saver for r in self.facts.runs.values() if r.kind is SiteKind.SUMMARY}) > 1
                about = identifier(run.saver.name or "").removesuffix("writer").strip("_") if several else ""
                self.plan.summary_functions[key] = names.fresh(
                    f"write_{about}_summaries" if about else "write_summaries"
                )

    def _savers(self) -> None:
        if any(run.kind is SiteKind.SAVE for run in self.facts.runs.values()):
            for node in (*self.facts.checkpoint_reads, *self.facts.meta_reads):
                refuse(
                    self.plan,
                    "TFM126",
                    node,
                    "the program looks into the checkpoints that it writes, whose files and names differ now",
                )
        for statement in sorted(self.facts.statements.values(), key=lambda s: s.order):
            for value in statement.made:
                if isinstance(value, Saver) and value not in self.plan.savers:
                    names = self.names[statement.scope.path]
                    plan = SaverPlan(value, names.fresh("checkpoint"))
                    if value.all_:
                        plan.optimizers = [
                            o
                            for o in self.plan.optimizer_names
                            if (o.statement and o.statement.order <= statement.order)
                        ]
                    self.plan.savers[value] = plan
                    for _, variable in value.variables:
                        if variable not in self.plan.variable_names and variable.layer is None:
                            refuse(
                                self.plan,
                                "TFM126",
                                statement.node,
                                "a Saver of variables that cannot be reached by a name",
                            )

    # what is gone

    def _removed(self) -> None:
        users = self._users()
        for statement in self.facts.statements.values():
            if statement.scope not in self.drivers or statement.transparent:
                continue
            binding = self.bindings.of(statement)
            if binding is Binding.STEP or binding is Binding.DROP:
                unit = self.bindings.unit(statement)
                self.plan.removed.add(unit)
            elif binding is Binding.RANDOM and not any(
                self.bindings.of(u) in (Binding.BUILD, Binding.HOST) or (u.made and self._builds(u))
                for u in users.get(statement, ())
            ):
                self.plan.removed.add(self.bindings.unit(statement))
        for plan in self.plan.iterators.values():
            others = [
                u for s in plan.pipeline for u in users.get(s, ()) if u not in plan.pipeline and u is not plan.statement
            ]
            if not others:
                self.plan.removed.update(plan.pipeline)
        moved = {unit.statement for step in self.plan.steps for unit in step.units}
        for statement in moved:
            if self.bindings.of(statement) is Binding.HOST and all(
                self._inside(u) for u in users.get(statement, ()) if u is not statement
            ):
                self.plan.removed.add(statement)
        self.plan.removed_names = {
            n for r in self.plan.removed for s in self.bindings.descendants(r) for n in s.defines
        }
        fetched = moved
        for statement in self.plan.removed:
            if self.bindings.of(statement) is Binding.STEP and statement not in fetched and self._tells(statement):
                note(self.plan, "TFM503", statement.node, "nothing that is run needs this; it is left out")

    def _builds(self, statement: Statement) -> bool:
        return self.bindings.makes(statement, Variable, Optimizer)

    def _inside(self, statement: Statement) -> bool:
        return any(statement.within(r) for r in self.plan.removed)

    def _tells(self, statement: Statement) -> bool:
        return any(isinstance(m, (Tensor, Operation)) for m in statement.made)

    def _users(self) -> dict[Statement, list[Statement]]:
        found: dict[Statement, list[Statement]] = {}
        for statement in self.facts.statements.values():
            for defs in statement.uses.values():
                for definition in defs:
                    found.setdefault(definition, []).append(statement)
        return found


def _target(statement: Statement) -> str:
    if isinstance(statement.node, cst.SimpleStatementLine) and isinstance(statement.node.body[0], cst.Assign):
        target = statement.node.body[0].targets[0].target
        if isinstance(target, cst.Name):
            return target.value
    return ""


def _dataset_name(pipeline: list[Statement]) -> str:
    names = [n for s in pipeline for n in s.defines]
    return names[-1] if names else "dataset"


def _key_in(value: Sequence | Mapping, variable: Variable) -> str | None:
    if isinstance(value, Sequence):
        return next((str(i) for i, item in enumerate(value.items) if item is variable), None)
    for entry in value.entries:
        if entry.value is variable and isinstance(entry.key, Host) and isinstance(entry.key.literal, (str, int)):
            return repr(entry.key.literal)
    return None


def _imported(scope: Scope) -> set[str]:
    return {
        name
        for s in scope.statements
        for name in s.defines
        if isinstance(s.node, cst.SimpleStatementLine)
        and any(isinstance(b, (cst.Import, cst.ImportFrom)) for b in s.node.body)
    }
