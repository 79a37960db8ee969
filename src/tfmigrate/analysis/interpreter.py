"""Abstract interpretation of a program: runs its statements over the kinds of values.py, calls inlined.

Loops are run twice (counters are widened before the second pass), both sides of an undecided branch are run and joined.
What it does not model: exec, monkey patching, writes to globals by functions called before a later rebinding.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Many
from functools import partial
from typing import Any

import libcst as cst

from tfmigrate.analysis import api, api_training, api_variables, graph_members
from tfmigrate.analysis.contexts import Contexts
from tfmigrate.analysis.facts import CallFact, Facts, Node, Scope, Statement
from tfmigrate.analysis.frames import Frame, Name, element, join, merge
from tfmigrate.analysis.legacy_names import Naming
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.refusal import Refusal
from tfmigrate.analysis.values import (
    Class,
    Function,
    Graphlike,
    Host,
    Instance,
    Mapping,
    Method,
    Module,
    Sequence,
    Symbol,
    Unknown,
    Value,
)
from tfmigrate.model import Place

MAX_DEPTH = 24
MAX_STATEMENTS = 60_000  # run in all; calls are followed each time, so that nested ones multiply
REGISTERED = (api_training, api_variables)  # importing them registers what their symbols denote


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
        self.calling: list[cst.CSTNode] = []
        self.main_guard_entry = ""

    # modules

    executed = 0

    def run(self, entry: str) -> Facts:
        """Interpret the entry file as a script; then each function that nobody called."""
        self.main_guard_entry = entry
        self.module(entry)
        self._uncalled()
        for node in self.recursive:
            scope = self.facts.scopes.get(node)
            if isinstance(node, cst.FunctionDef) and scope is not None and any(s.made for s in scope.statements):
                message = f"{node.name.value}() calls itself and builds the graph on the way"
                self._within(self.modules[scope.path], scope.path, partial(self.refuse, "TFM190", node, message))
        return self.facts

    def module(self, path: str) -> Frame:
        """The frame of a module of the tree, interpreted once."""
        if path in self.modules:
            return self.modules[path]
        tree = self.project.module(path)
        scope = self._scope(tree, path, None)
        frame = Frame(scope, None)
        self.modules[path] = frame
        frame.names["__name__"] = Name(Host("__main__" if path == self.main_guard_entry else "module"))
        frame.names["__file__"] = Name(Host())
        self._within(frame, path, lambda: self.block(tree.body))
        return frame

    def _within(self, frame: Frame, path: str, action: Callable[[], Any]) -> Any:
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

    def _scope(
        self, node: cst.Module | cst.FunctionDef | cst.Lambda | cst.ClassDef, path: str, parent: Scope | None
    ) -> Scope:
        scope = self.facts.scopes.get(node)
        if scope is None:
            name = node.name.value if isinstance(node, (cst.FunctionDef, cst.ClassDef)) else ""
            scope = Scope(node, path, parent, name)
            self.facts.scopes[node] = scope
        return scope

    def _uncalled(self) -> None:
        """Functions that nothing in the program calls: interpreted with unknown arguments, so that what they hold is
        known.
        """
        seen: set[cst.CSTNode] = set()
        for path, frame in list(self.modules.items()):
            for name in list(frame.names.values()):
                functions = [name.value] if isinstance(name.value, Function) else []
                if isinstance(name.value, Class):
                    functions = [m for m in name.value.members.values() if isinstance(m, Function)]
                for function in functions:
                    node = function.node
                    if (
                        node in self.facts.functions
                        or node in seen
                        or function.path != path
                        or isinstance(node, cst.Lambda)
                    ):
                        continue
                    seen.add(node)
                    self._within(frame, path, partial(self._invoke_unknown, function))

    def _invoke_unknown(self, function: Function) -> None:
        assert isinstance(function.node, cst.FunctionDef)
        names = [p.name.value for p in _parameters(function.node.params)]
        refusals = len(self.facts.refusals)
        made = len(self.facts.variables)
        uncalled = self.uncalled
        self.uncalled = True
        try:
            self.invoke(function, {n: Unknown("a parameter") for n in names})
        finally:
            self.uncalled = uncalled
        del self.facts.refusals[refusals:]
        del self.facts.variables[made:]

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

    def statement_of(self, node: Node, parent: Statement | None, block: str) -> Statement:
        """The statement's facts, made at its first visit."""
        found = self.facts.statements.get(node)
        if found is None:
            self.order += 1
            found = Statement(node, self.frame.scope, parent, self.order, block)
            self.facts.statements[node] = found
            self.frame.scope.statements.append(found)
        found.visits += 1
        return found

    def execute(self, node: cst.CSTNode, parent: Statement | None, block: str) -> bool:
        """Run one statement."""
        if not isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            return True
        statement = self.statement_of(node, parent, block)
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
                return all([self.simple(small, statement) for small in node.body])  # noqa: C419  each of them is run
            method = getattr(self, "run_" + type(node).__name__, None)
            return bool(method(node, statement)) if method else True
        except TooLarge:
            raise
        except Refusal as refusal:
            self.refuse(refusal.code, refusal.node, refusal.message)
            return True
        finally:
            self.frame.statement = saved

    def simple(self, node: cst.BaseSmallStatement, statement: Statement) -> bool:
        """Run one small statement; False where control leaves."""
        if isinstance(node, cst.Assign):
            value = self.eval(node.value)
            for target in node.targets:
                self.bind_target(target.target, value)
            self._result(statement, value)
        elif isinstance(node, cst.AnnAssign):
            if node.value is not None:
                value = self.eval(node.value)
                self.bind_target(node.target, value)
                self._result(statement, value)
        elif isinstance(node, cst.AugAssign):
            self._augmented(node, statement)
        elif isinstance(node, cst.Expr):
            self._result(statement, self.eval(node.value))
        elif isinstance(node, cst.Return):
            statement.escapes = True
            value = self.eval(node.value) if node.value is not None else Host(None)
            self.frame.returned.append(value)
            self._result(statement, value)
            return False
        elif isinstance(node, (cst.Import, cst.ImportFrom)):
            self._import(node)
        elif isinstance(node, (cst.Raise, cst.Break, cst.Continue)):
            statement.escapes = True
            self.eval_children(node)
            return False
        elif isinstance(node, (cst.Global, cst.Nonlocal)):
            names = {item.name.value for item in node.names}
            (self.frame.globals_ if isinstance(node, cst.Global) else self.frame.nonlocals).update(names)
        elif isinstance(node, cst.Del):
            pass
        else:
            self.eval_children(node)
        return True

    def _result(self, statement: Statement, value: Value) -> None:
        statement.value = value if statement.value is None else join(statement.value, value)
        statement.values.append(value)

    def _augmented(self, node: cst.AugAssign, statement: Statement) -> None:
        right = self.eval(node.value)
        left = self.eval(node.target)
        if isinstance(left, Sequence) and isinstance(node.operator, cst.AddAssign):
            left.items.extend(right.items if isinstance(right, Sequence) else [element(right)])
            left.open_ |= not isinstance(right, Sequence) or bool(statement.loops)
            self.mutated(node.target)
            self._result(statement, left)
            return
        value: Value = self.tensor([left, right], node.value)
        before = self.frame.names.get(node.target.value) if isinstance(node.target, cst.Name) else None
        self.bind_target(node.target, value)
        if before is not None and isinstance(node.target, cst.Name) and node.target.value in self.frame.names:
            statement.uses.setdefault((self.frame.scope, node.target.value), set()).update(before.defs)
        self._result(statement, value)

    def _import(self, node: cst.Import | cst.ImportFrom) -> None:
        for name, value in self.project.imported(self.path, node, self.module):
            if name == "*":
                assert isinstance(value, Module)
                for key, found in list(self.module(value.path).names.items()):
                    if not key.startswith("_"):
                        self.bind(key, found.value)
                continue
            if isinstance(value, Module) and isinstance(node, cst.Import):
                self.module(value.path)
            self.bind(name, value)

    # compound statements

    def run_If(self, node: cst.If, statement: Statement) -> bool:
        test = self.eval(node.test)
        decided = self._decided(node.test, test)
        orelse = node.orelse.body.body if isinstance(node.orelse, cst.Else) else ([node.orelse] if node.orelse else [])
        if decided is not None:
            return self.block(node.body.body if decided else orelse, statement, "body" if decided else "orelse")
        before = dict(self.frame.names)
        goes_on = self.block(node.body.body, statement)
        after_body = self.frame.names
        self.frame.names = before
        goes_on_else = self.block(orelse, statement, "orelse")
        if goes_on and goes_on_else:
            self.frame.names = merge(after_body, self.frame.names)
        elif goes_on:
            self.frame.names = after_body
        return goes_on or goes_on_else

    def _decided(self, node: cst.BaseExpression, value: Value) -> bool | None:
        """What a test gives, where it depends on the call alone; configuration constants are the user's to edit."""
        if not (isinstance(value, Host) and value.known):
            return None
        if isinstance(node, cst.Name):
            owner = self.frame.owner(node.value)
            local = owner is None or (owner.parent is not None and not owner.names[node.value].defs)
            return bool(value.literal) if local else None
        if isinstance(node, cst.UnaryOperation):
            inner = self._decided(node.expression, Host(not value.literal))
            return None if inner is None else bool(value.literal)
        if isinstance(node, cst.Comparison):
            operator = node.comparisons[0].operator
            if isinstance(operator, (cst.Is, cst.IsNot)) or "__name__" in (
                _text(node.left),
                _text(node.comparisons[0].comparator),
            ):
                return bool(value.literal)
            names = [node.left, node.comparisons[0].comparator]
            if all(self._decided(n, Host(True)) is not None or not isinstance(n, cst.Name) for n in names) and any(
                isinstance(n, cst.Name) for n in names
            ):
                return bool(value.literal)
            if any(isinstance(self.facts.values.get(n), Graphlike) for n in names):
                return bool(value.literal)
            return None
        if isinstance(node, cst.Call):
            return bool(value.literal) if _text(node.func) == "isinstance" else None
        if isinstance(node, cst.BooleanOperation):
            return None
        return None

    def run_For(self, node: cst.For, statement: Statement) -> bool:
        iterated = self.eval(node.iter)
        if (
            isinstance(iterated, Sequence)
            and not iterated.open_
            and len(iterated.items) <= 12
            and any(not isinstance(i, Host) for i in iterated.items)
        ):
            self.loop_stack.append(statement)
            for index, item in enumerate(iterated.items):
                self.context.append(index)
                self.bind_element(node.target, item)
                self.block(node.body.body, statement)
                self.context.pop()
            self.loop_stack.pop()
        else:
            self._loop(node, statement, lambda: self.bind_element(node.target, element(iterated)))
        if node.orelse is not None:
            self.block(node.orelse.body.body, statement, "orelse")
        return True

    def run_While(self, node: cst.While, statement: Statement) -> bool:
        self._loop(node, statement, lambda: self.eval(node.test))
        if node.orelse is not None:
            self.block(node.orelse.body.body, statement, "orelse")
        return True

    def _loop(self, node: cst.For | cst.While, statement: Statement, head: Callable[[], object]) -> None:
        before = dict(self.frame.names)
        widened = {name for name in _assigned(node.body) if name in before}
        for name in widened:
            bound = before[name]
            if isinstance(bound.value, Host) and bound.value.known:
                self.frame.names[name] = Name(Host(), bound.defs)
        self.loop_stack.append(statement)
        for _ in range(2):
            start = dict(self.frame.names)
            head()
            self.block(node.body.body, statement)
            self.frame.names = merge(start, self.frame.names)
        self.loop_stack.pop()
        self.frame.names = merge(before, self.frame.names)

    def run_Try(self, node: cst.Try, statement: Statement) -> bool:
        before = dict(self.frame.names)
        goes_on = self.block(node.body.body, statement)
        after = dict(self.frame.names)
        for handler in node.handlers:
            if handler.type is not None:
                self.eval(handler.type)
            self.frame.names = merge(before, after)
            if handler.name is not None:
                self.bind_target(handler.name.name, Host())
            goes_on |= self.block(handler.body.body, statement, "handlers")
            after = merge(after, self.frame.names)
        self.frame.names = after
        if node.orelse is not None:
            goes_on &= self.block(node.orelse.body.body, statement, "orelse")
        if node.finalbody is not None:
            self.block(node.finalbody.body.body, statement, "finalbody")
        return goes_on

    def run_With(self, node: cst.With, statement: Statement) -> bool:
        leave = [self.enter(item, statement) for item in node.items]
        goes_on = self.block(node.body.body, statement)
        for undo in reversed(leave):
            undo()
        return goes_on

    def run_FunctionDef(self, node: cst.FunctionDef, statement: Statement) -> bool:
        for param in _parameters(node.params):
            if param.default is not None:
                self.eval(param.default)
        value: Value = Function(node, self.path, self.frame, name=node.name.value)
        for decorator in node.decorators:
            decorated = self.eval(decorator.decorator)
            if not (
                isinstance(decorated, Symbol) and decorated.name in ("builtins.staticmethod", "builtins.classmethod")
            ):
                value = Unknown("a decorated function") if not isinstance(decorated, Symbol) else value
        self.bind(node.name.value, value)
        return True

    def run_ClassDef(self, node: cst.ClassDef, statement: Statement) -> bool:
        bases = tuple(self.eval(argument.value) for argument in node.bases)
        cls = Class(node, self.path, self.frame, bases=bases)
        frame = Frame(self._scope(node, self.path, self.frame.scope), self.frame)
        self._within(frame, self.path, lambda: self.block(node.body.body))
        cls.members = {name: bound.value for name, bound in frame.names.items()}
        for base in bases:
            if isinstance(base, Symbol) and not base.name.startswith("builtins."):
                self.refuse("TFM102", node, f"class {node.name.value} extends tf.{base.name}")
        self.bind(node.name.value, cls)
        return True

    # calls

    def call_function(self, function: Function, node: cst.Call) -> Value:
        arguments, nodes = self.bind_arguments(function.node.params, node, function)
        log: list[Graphlike] = []
        self.making.append(log)
        self.context.append(self.running.get(function.node, node))
        runs_before = self.run_count
        try:
            result = self.invoke(function, arguments)
        finally:
            self.making.pop()
            self.context.pop()
        if self.making:
            self.making[-1].extend(log)
        fact = CallFact(
            node, function, self.statement, arguments, nodes, result, log, runs=self.run_count > runs_before
        )
        if fact.runs:
            self.running.setdefault(function.node, node)
        self.facts.calls.setdefault(node, []).append(fact)
        self.facts.functions.setdefault(function.node, []).append(fact)
        return self.call_result(fact)

    def call_with_unknown(self, function: Function, node: cst.Call) -> None:
        """A call that TensorFlow itself makes (`tf.app.run`): the arguments are the command line's."""
        names = [p.name.value for p in _parameters(function.node.params)]
        log: list[Graphlike] = []
        self.making.append(log)
        runs_before = self.run_count
        result = self.invoke(function, {n: Host() for n in names})
        self.making.pop()
        fact = CallFact(node, function, self.statement, {}, {}, result, log, runs=self.run_count > runs_before)
        self.facts.calls.setdefault(node, []).append(fact)
        self.facts.functions.setdefault(function.node, []).append(fact)

    def invoke(self, function: Function, arguments: dict[str, Value]) -> Value:
        """Run a function's body with the arguments bound; its joined return values."""
        node = function.node
        if len(self.calling) > MAX_DEPTH or self.calling.count(node) > 1:
            if self.calling.count(node) > 1:
                self.recursive.add(node)
            return Host()
        scope = self._scope(node, function.path, function.frame.scope)
        frame = Frame(scope, function.frame)
        for name, value in arguments.items():
            frame.names[name] = Name(value)
            scope.bound.add(name)
        self.calling.append(node)
        try:
            if isinstance(node, cst.Lambda):
                return self._within(frame, function.path, lambda: self._lambda(node, frame))  # type: ignore[no-any-return]
            self._within(frame, function.path, lambda: self.block(node.body.body))
        finally:
            self.calling.pop()
        if not frame.returned:
            return Host(None)
        result = frame.returned[0]
        for other in frame.returned[1:]:
            result = join(result, other)
        return result

    def _lambda(self, node: cst.Lambda, frame: Frame) -> Value:
        frame.statement = self.frames[-2].statement if len(self.frames) > 1 else None
        return self.eval(node.body)

    def bind_arguments(
        self, params: cst.Parameters, node: cst.Call, function: Function
    ) -> tuple[dict[str, Value], dict[str, cst.BaseExpression]]:
        """The arguments of a call by parameter name: their values and their expressions."""
        names = [p.name.value for p in (*params.posonly_params, *params.params)]
        values: dict[str, Value] = {}
        nodes: dict[str, cst.BaseExpression] = {}
        positional = names[1:] if function.receiver is not None and names else names
        if function.receiver is not None and names:
            values[names[0]] = function.receiver
        rest: list[Value] = []
        keywords: list[tuple[str, Value]] = []
        index = 0
        for argument in node.args:
            value = self.eval(argument.value)
            if argument.star == "*":
                items = value.items if isinstance(value, Sequence) and not value.open_ else []
                for item in items:
                    if index < len(positional):
                        values[positional[index]] = item
                    else:
                        rest.append(item)
                    index += 1
            elif argument.star == "**":
                if isinstance(value, Mapping):
                    for entry in value.entries:
                        if isinstance(entry.key, Host) and isinstance(entry.key.literal, str):
                            values[entry.key.literal] = entry.value
            elif argument.keyword is not None:
                keyword = argument.keyword.value
                if keyword in names or keyword in [p.name.value for p in params.kwonly_params]:
                    values[keyword], nodes[keyword] = value, argument.value
                else:
                    keywords.append((keyword, value))
            elif index < len(positional):
                values[positional[index]], nodes[positional[index]] = value, argument.value
                index += 1
            else:
                rest.append(value)
        for param in (*params.posonly_params, *params.params, *params.kwonly_params):
            if param.name.value not in values:
                values[param.name.value] = self._default(param, function)
        if isinstance(params.star_arg, cst.Param):
            values[params.star_arg.name.value] = Sequence(rest, tuple_=True)
        if params.star_kwarg is not None:
            values[params.star_kwarg.name.value] = graph_members.keywords(keywords)
        return values, nodes

    def _default(self, param: cst.Param, function: Function) -> Value:
        if param.default is None:
            return Unknown(f"the parameter {param.name.value}")
        known = self.facts.values.get(param.default)
        if known is not None:
            return known
        return self._within(function.frame, function.path, partial(self.eval, param.default))  # type: ignore[no-any-return]

    def instantiate(self, cls: Class, node: cst.Call) -> Value:
        instance = Instance(cls)
        init = self.class_member(cls, "__init__")
        if isinstance(init, Function):
            self.call_function(Function(init.node, init.path, init.frame, instance, init.name), node)
        else:
            for argument in node.args:
                self.eval(argument.value)
        return instance

    def call_symbol(self, symbol: str, node: cst.Call) -> Value:
        return api.call(self, symbol, node)

    def call_method(self, method: Method, node: cst.Call) -> Value:
        return graph_members.call(self, method, node)


def _parameters(params: cst.Parameters) -> list[cst.Param]:
    found = [*params.posonly_params, *params.params, *params.kwonly_params]
    if isinstance(params.star_arg, cst.Param):
        found.append(params.star_arg)
    if params.star_kwarg is not None:
        found.append(params.star_kwarg)
    return found


def _assigned(body: cst.BaseSuite) -> set[str]:
    """Names that the block's own statements assign."""
    found: set[str] = set()

    class Visitor(cst.CSTVisitor):
        def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
            _names(node.target, found)

        def visit_AugAssign(self, node: cst.AugAssign) -> None:
            _names(node.target, found)

        def visit_For(self, node: cst.For) -> None:
            _names(node.target, found)

        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
            return False

        def visit_Lambda(self, node: cst.Lambda) -> bool:
            return False

    body.visit(Visitor())
    return found


def _names(target: cst.BaseExpression, found: set[str]) -> None:
    if isinstance(target, cst.Name):
        found.add(target.value)
    elif isinstance(target, (cst.Tuple, cst.List)):
        for entry in target.elements:
            _names(entry.value, found)


def _text(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)
