"""Abstract interpretation of a program: runs its statements over the kinds of values.py, calls inlined.

Loops are run twice (counters are widened before the second pass), both sides of an undecided branch are run and joined.
What it does not model: exec, monkey patching, writes to globals by functions called before a later rebinding.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Many
from functools import partial
from typing import Any, TypeVar

import libcst as cst

from tfmigrate.analysis import (
    api,
    api_averages,
    api_collections,
    api_control,
    api_datasets,
    api_digits,
    api_layers,
    api_queues,
    api_recurrent,
    api_savers,
    api_sessions,
    api_summaries,
    api_tables,
    api_training,
    api_variables,
    calls,
    compound_statements,
    definitions,
    eager,
    graph_methods,
    small_statements,
)
from tfmigrate.analysis.contexts import Contexts
from tfmigrate.analysis.facts import Facts, Node, Scope, Statement
from tfmigrate.analysis.frames import Frame, Name
from tfmigrate.analysis.legacy_names import Naming
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.refusal import Refusal
from tfmigrate.analysis.uncalled import interpret_uncalled
from tfmigrate.analysis.values import Class, Function, Host, Instance, Method, Module, Unknown, Value
from tfmigrate.model import Place

T = TypeVar("T")

MAX_STATEMENTS = 60_000  # run in all; calls are followed each time, so that nested ones multiply
REGISTERED = (  # importing them registers what their symbols denote
    api_averages,
    api_collections,
    api_control,
    api_datasets,
    api_layers,
    api_queues,
    api_recurrent,
    api_savers,
    api_sessions,
    api_summaries,
    api_digits,
    api_tables,
    api_training,
    api_variables,
    eager,
)


class TooLarge(Refusal):
    """The program is too large to be followed: analysis stops at once."""


class Interpreter(Contexts):
    """Interprets one program, beginning with its entry file."""

    def __init__(self, project: Project) -> None:
        super().__init__()
        self.project = project
        self.facts = Facts()
        self.naming = Naming()
        self.frames: list[Frame] = []
        self.collectors = []
        self.modules: dict[str, Frame] = {}
        self.path = ""
        self.order = 0
        self.executed = 0
        self.main_guard_entry = ""
        self.dtypes = {}
        self.objects: dict[tuple[object, ...], Instance] = {}  # a loop's second pass makes no other objects

    # modules

    def run(self, entry: str) -> Facts:
        """Interpret the entry file as a script; then each function that nobody called."""
        self.main_guard_entry = entry
        self.module(entry)
        interpret_uncalled(self)
        for node in self.recursive:
            scope = self.facts.scopes.get(node)
            if isinstance(node, cst.FunctionDef) and scope is not None and any(s.made for s in scope.statements):
                message = f"{node.name.value}() calls itself and builds the graph on the way"
                self.within(self.modules[scope.path], scope.path, partial(self.refuse, "TFM190", node, message))
        self.within(self.modules[entry], entry, partial(eager.settle, self))
        return self.facts

    def module(self, path: str) -> Frame:
        """The frame of a module of the tree, interpreted once."""
        if path in self.modules:
            return self.modules[path]
        tree = self.project.module(path)
        frame = Frame(self.scope_of(tree, path, None), None)
        self.modules[path] = frame
        frame.names["__name__"] = Name(Host("__main__" if path == self.main_guard_entry else "module"))
        frame.names["__file__"] = Name(Host())
        self.within(frame, path, partial(self.block, tree.body))
        return frame

    def within(self, frame: Frame, path: str, action: Callable[[], T]) -> T:
        """Do something with the names of that frame, in that file."""
        saved_path, saved_frame = self.path, getattr(self, "frame", None)
        self.path, self.frame = path, frame
        self.frames.append(frame)
        try:
            return action()
        finally:
            self.frames.pop()
            self.path = saved_path
            if saved_frame is not None:
                self.frame = saved_frame

    def scope_of(
        self, node: cst.Module | cst.FunctionDef | cst.Lambda | cst.ClassDef, path: str, parent: Scope | None
    ) -> Scope:
        """The scope of a module, function or class, made at its first visit."""
        scope = self.facts.scopes.get(node)
        if scope is None:
            name = node.name.value if isinstance(node, (cst.FunctionDef, cst.ClassDef)) else ""
            scope = Scope(node, path, parent, name)
            self.facts.scopes[node] = scope
        return scope

    def place(self, node: cst.CSTNode) -> Place:
        return self.project.place(self.path, node)

    def module_member(self, module: Module, name: str) -> Value:
        frame = self.module(module.path)
        if name in frame.names:
            found = frame.names[name]
            self.record_use(frame, name, found.defs)
            return found.value
        submodule = self.project.submodule(module.path, name)
        if submodule is not None:
            self.module(submodule)
            return Module(submodule)
        return Unknown(f"the name {name} of {module.path}")

    # statements

    def block(
        self, body: Many[cst.BaseStatement] | Many[cst.CSTNode], parent: Statement | None = None, block: str = "body"
    ) -> bool:
        """Run the statements; False where control leaves the block (return, raise, break …)."""
        return all(self.execute(node, parent, block) for node in body)

    def execute(self, node: cst.CSTNode, parent: Statement | None, block: str) -> bool:
        """Run one statement."""
        if not isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            return True
        statement = self._statement_of(node, parent, block)
        self.executed += 1
        if self.executed > MAX_STATEMENTS:
            raise TooLarge(
                "TFM160",
                node,
                f"the calls and loops of the program unfold into more than {MAX_STATEMENTS:,} statements",
            )
        saved = self.frame.statement
        self.frame.statement = statement
        for control in self.controls:
            if control not in statement.controls:
                statement.controls.append(control)
        try:
            if isinstance(node, cst.SimpleStatementLine):
                goes_on = [small_statements.run(self, small, statement) for small in node.body]
                return all(goes_on)
            runner = COMPOUND.get(type(node))
            return runner(self, node, statement) if runner is not None else True
        except TooLarge:
            raise
        except Refusal as refusal:
            self.refuse(refusal.code, refusal.node, refusal.message)
            return True
        finally:
            self.frame.statement = saved

    def _statement_of(self, node: Node, parent: Statement | None, block: str) -> Statement:
        """The statement's facts, made at its first visit."""
        found = self.facts.statements.get(node)
        if found is None:
            self.order += 1
            found = Statement(node, self.frame.scope, parent, self.order, block)
            self.facts.statements[node] = found
            self.frame.scope.statements.append(found)
        found.visits += 1
        return found

    # calls

    def call_function(self, function: Function, node: cst.Call) -> Value:
        return calls.call_function(self, function, node)

    def invoke(self, function: Function, arguments: dict[str, Value]) -> Value:
        return calls.invoke(self, function, arguments)

    def instantiate(self, cls: Class, node: cst.Call) -> Value:
        return calls.instantiate(self, cls, node)

    def call_symbol(self, symbol: str, node: cst.Call) -> Value:
        return api.call(self, symbol, node)

    def call_method(self, method: Method, node: cst.Call) -> Value:
        return graph_methods.call(self, method, node)


COMPOUND: dict[type[cst.CSTNode], Callable[[Interpreter, Any, Statement], bool]] = {
    cst.If: compound_statements.if_,
    cst.For: compound_statements.for_,
    cst.While: compound_statements.while_,
    cst.Try: compound_statements.try_,
    cst.With: compound_statements.with_,
    cst.FunctionDef: definitions.function,
    cst.ClassDef: definitions.class_,
}
