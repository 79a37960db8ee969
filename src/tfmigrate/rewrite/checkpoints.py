"""Writes what a Saver becomes: one Checkpoint, a CheckpointManager for numbered saves, a restore by old names."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Facts, Run, Scope, Statement
from tfmigrate.analysis.values import Host, Layer, Saver, Variable
from tfmigrate.model import SiteKind
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.naming import identifier
from tfmigrate.plan.program import Plan, SaverPlan
from tfmigrate.rewrite import nodes

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


class CheckpointWriter:
    """Writes the checkpoints of one file."""

    def __init__(self, plan: Plan, facts: Facts, bindings: Bindings, driver: DriverRewriter) -> None:
        self.plan, self.facts, self.bindings, self.driver = plan, facts, bindings, driver
        self.written: set[Saver] = set()
        self.kept: dict[Saver, str] = {}  # the lists of paths, where the program makes them up while it runs

    def made(self, saver: Saver, statement: Statement) -> list[cst.BaseStatement]:
        """The lines that stand where the Saver was made."""
        plan = self.plan.savers[saver]
        self.written.add(saver)
        if self._grows(saver, statement):
            saver.keep_all = True
        tf = self.driver.context.tf
        keywords = self._objects(saver, plan, statement.scope)
        listed = ", ".join(f"{key}={text}" for key, text in keywords.items())
        made = nodes.statements(f"{_text(plan, plan.name)} = {tf}.train.Checkpoint({listed})\n")
        for run in self.facts.runs.values():
            if run.saver is saver and run.kind is SiteKind.SAVE:
                made += self._manager(run, plan)
                made += self._kept(run, saver)
        if plan.restored:
            made += nodes.statements(f"{plan.own}.{plan.restored} = {self._restored(saver, plan, statement.scope)}\n")
        return made

    def _kept(self, run: Run, saver: Saver) -> list[cst.BaseStatement]:
        """The list by which `save_checkpoint` knows which checkpoint is the oldest."""
        single = self._static_path(run) is not None and (
            "global_step" not in run.extra or self._none(run, "global_step")
        )
        plan = self.plan.savers[saver]
        if run.call in plan.managers or single or saver in self.kept or self._max_to_keep(saver) == "None":
            return []
        self.kept[saver] = self.driver.fresh("kept_checkpoints")
        return nodes.statements(f"{_text(plan, self.kept[saver])} = []\n")

    def _grows(self, saver: Saver, statement: Statement) -> bool:
        return any(self.bindings.runs(loop) for loop in statement.loops) or bool(self.facts.loops.get(saver))

    def inline(self, statement: Statement) -> list[cst.BaseStatement]:
        """The lines for a Saver that is made in the very call that saves."""
        made: list[cst.BaseStatement] = []
        for value in statement.made:
            if isinstance(value, Saver) and value not in self.written and value in self.plan.savers:
                made += self.made(value, statement)
        return made

    def _objects(self, saver: Saver, plan: SaverPlan, scope: Scope) -> dict[str, str]:
        found: dict[str, str] = {}
        for legacy, variable in saver.variables:
            if isinstance(variable.layer, Layer):
                name = self.plan.layer_names.get(variable.layer)
                if name is not None:
                    found.setdefault(identifier(name), self.plan.text(variable.layer, scope) or name)
                continue
            text = self.plan.variable_names.get(variable)
            if text is not None:
                renamed = legacy is not None and legacy != variable.legacy_name
                key = identifier(text if text.isidentifier() and not renamed else (legacy or text))
                found.setdefault(key, self.plan.text(variable, scope) or text)
        for optimizer in plan.optimizers:
            name = self.plan.optimizer_names[optimizer]
            found.setdefault(identifier(name), self.plan.text(optimizer, scope) or name)
        return found

    def _manager(self, run: Run, plan: SaverPlan) -> list[cst.BaseStatement]:
        if "global_step" not in run.extra or self._none(run, "global_step"):
            return []
        place = self._static_path(run)
        if place is None:
            return []
        directory, prefix = place
        known = [name for call, name in plan.managers.items() if self._static_path(self.facts.runs[call]) == place]
        if known:
            plan.managers[run.call] = known[0]
            return []
        name = self.driver.fresh("manager")
        plan.managers[run.call] = name
        self.driver.output.need(self.driver.path, ("legacy_checkpoints:CheckpointManager",))
        keep = self._max_to_keep(plan.saver)
        extra = "" if keep == "5" else f", max_to_keep={keep}"
        directory = self._own(directory)
        given = f"{_text(plan, plan.name)}, {directory}{extra}, checkpoint_name={prefix}"
        return nodes.statements(f"{_text(plan, name)} = CheckpointManager({given})\n")

    def _own(self, text: str) -> str:
        replicas = self.driver.steps.replicas
        return text if replicas is None else replicas.folder(text)

    def _max_to_keep(self, saver: Saver) -> str:
        if saver.keep_all:
            return "None"
        return nodes.code(saver.max_to_keep) if saver.max_to_keep is not None else "5"

    def _none(self, run: Run, name: str) -> bool:
        value = run.values.get(name)
        return isinstance(value, Host) and value.literal is None

    def _static_path(self, run: Run) -> tuple[str, str] | None:
        """The directory and the prefix as expressions, where they are the same in every turn and known early."""
        node = run.extra.get("save_path")
        value = run.values.get("save_path")
        if isinstance(node, cst.SimpleString) and isinstance(value, Host) and isinstance(value.literal, str):
            folder, prefix = posixpath.split(value.literal)
            return f'"{folder}"' if folder else '"."', f'"{prefix}"'
        return None

    def save(self, run: Run) -> cst.BaseExpression:
        """`saver.save(sess, path, global_step)`: the path that was written."""
        saver = run.saver
        assert isinstance(saver, Saver)
        plan = self.plan.savers[saver]
        path = self._visit(run.extra["save_path"])
        step = None if self._none(run, "global_step") else run.extra.get("global_step")
        if run.call in plan.managers:
            assert step is not None
            return nodes.expression(
                f"{_text(plan, plan.managers[run.call], run)}.save(checkpoint_number={nodes.code(self._visit(step))})"
            )
        self.driver.output.need(self.driver.path, ("legacy_checkpoints:save_checkpoint",))
        path = nodes.expression(self._own(nodes.code(path)))
        kept = [nodes.expression(_text(plan, self.kept[saver], run))] if saver in self.kept else []
        checkpoint = nodes.expression(_text(plan, plan.name, run))
        keep = self._max_to_keep(saver)
        limit = "" if keep in ("None", "5") else f", max_to_keep={keep}"
        if step is None:
            made = nodes.code(nodes.call("save_checkpoint", checkpoint, path, *kept))
            return nodes.expression(f"{made[:-1]}{limit if kept else ''})")
        number = self._visit(step)
        if isinstance(run.values.get("global_step"), Variable):
            number = nodes.method(number, "numpy")
        text = f'"%s-%d" % ({nodes.code(path)}, {nodes.code(number)})'
        made = nodes.code(nodes.call("save_checkpoint", checkpoint, nodes.expression(text), *kept))
        return nodes.expression(f"{made[:-1]}{limit if kept else ''})")

    def restore(self, run: Run) -> cst.BaseExpression:
        """`saver.restore(sess, path)`: by objects, or by the old names from a checkpoint of the legacy program."""
        saver = run.saver
        assert isinstance(saver, Saver)
        plan = self.plan.savers[saver]
        self.driver.output.need(self.driver.path, ("legacy_checkpoints:restore_checkpoint",))
        path = nodes.code(self._visit(run.extra["save_path"]))
        if any(legacy is None or self.plan.variable_names.get(v) is None for legacy, v in saver.variables):
            self.driver.refuse("TFM126", run.call, "a restored variable has no known name")
        optimizers = self._restored_optimizers(plan, run.statement.scope if run not in plan.objects else None)
        extra = f", [{', '.join(optimizers)}]" if optimizers else ""
        if run in plan.objects:
            around = plan.objects[run]
            names = f"{around}.{plan.restored}"
            if optimizers:
                names, extra = f"*{names}", ""
            return nodes.expression(f"restore_checkpoint({around}.{plan.name}, {path}, {names}{extra})")
        names = self._names(saver, run.statement.scope)
        return nodes.expression(f"restore_checkpoint({_text(plan, plan.name)}, {path}, {names}{extra})")

    def _names(self, saver: Saver, scope: Scope) -> str:
        """The restored variables by their old names, as a dictionary."""
        return "{" + ", ".join(f'"{legacy}": {self.plan.text(v, scope)}' for legacy, v in saver.variables) + "}"

    def _restored_optimizers(self, plan: SaverPlan, scope: Scope | None) -> list[str]:
        found = [o for o in plan.optimizers if o.symbol != "train.GradientDescentOptimizer"]
        return [self.plan.text(o, scope) or "" for o in found]

    def _restored(self, saver: Saver, plan: SaverPlan, scope: Scope) -> str:
        """What `restore_checkpoint` restores by old names, for restores elsewhere."""
        optimizers = self._restored_optimizers(plan, scope)
        names = self._names(saver, scope)
        return f"({names}, [{', '.join(optimizers)}])" if optimizers else names

    def _visit(self, node: cst.BaseExpression) -> cst.BaseExpression:
        return self.driver.visited(node)


def _text(plan: SaverPlan, name: str, run: Run | None = None) -> str:
    """What a run (without one: the code that makes the checkpoint) calls a thing of the checkpoint."""
    around = plan.own if run is None else plan.objects.get(run, plan.own)
    return f"{around}.{name}" if around else name
