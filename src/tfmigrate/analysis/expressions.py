"""Evaluates expressions over the kinds of values.py, recording what each statement uses, makes and runs."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from tfmigrate.analysis import frames, graph_members
from tfmigrate.analysis.facts import Facts, Lift, Statement, Uses
from tfmigrate.analysis.frames import Frame, Name, element
from tfmigrate.analysis.values import (
    MISSING,
    Class,
    Function,
    Graphlike,
    Host,
    Instance,
    Mapping,
    MappingEntry,
    Method,
    Module,
    Optimizer,
    Placeholder,
    Sequence,
    Session,
    Symbol,
    Tensor,
    Unknown,
    Value,
    Variable,
    is_graph,
    is_step,
    leaves,
)
from tfmigrate.model import Finding, Place, Severity

if TYPE_CHECKING:
    from tfmigrate.analysis.legacy_names import Naming

BUILTINS = frozenset(dir(builtins)) | {
    "xrange",
    "unicode",
    "raw_input",
    "long",
    "reduce",
    "unichr",
    "basestring",
    "cmp",
    "execfile",
    "reload",
}


class Expressions:
    """The evaluator of expressions; `interpreter.Interpreter` adds statements, calls and modules."""

    facts: Facts
    frame: Frame
    frames: list[Frame]
    naming: Naming
    collectors: list[Uses]
    context: list[object]  # calls and turns around what is evaluated now
    path: str

    iterating = 0  # the targets of loops and comprehensions are being bound: they are no names of their own

    def bind_element(self, target: cst.BaseExpression, value: Value) -> None:
        """Bind the target of a loop or of a comprehension to what it goes over."""
        self.iterating += 1
        try:
            self.bind_target(target, value)
        finally:
            self.iterating -= 1

    # what the subclass gives

    def call_function(self, function: Function, node: cst.Call) -> Value:
        """The value of a call of a user's function."""
        raise NotImplementedError

    def instantiate(self, cls: Class, node: cst.Call) -> Value:
        """The value of a call of a user's class."""
        raise NotImplementedError

    def call_symbol(self, symbol: str, node: cst.Call) -> Value:
        """The value of a call of the TensorFlow API."""
        raise NotImplementedError

    def call_method(self, method: Method, node: cst.Call) -> Value:
        """The value of a call of a method of something in the graph."""
        raise NotImplementedError

    def module_member(self, module: Module, name: str) -> Value:
        """A name of another module of the tree."""
        raise NotImplementedError

    def place(self, node: cst.CSTNode) -> Place:
        """Where the node stands."""
        raise NotImplementedError

    # recording

    def refuse(self, code: str, node: cst.CSTNode, message: str) -> None:
        """Record a reason why the program cannot be converted; analysis goes on, to find all of them."""
        finding = Finding(code, Severity.ERROR, self.place(node), message)
        if finding not in self.facts.refusals:
            self.facts.refusals.append(finding)

    def note(self, code: str, node: cst.CSTNode, message: str, severity: Severity = Severity.WARNING) -> None:
        """Record something to tell the user."""
        finding = Finding(code, severity, self.place(node), message)
        if finding not in self.facts.notes:
            self.facts.notes.append(finding)

    @property
    def statement(self) -> Statement:
        """The statement that is being evaluated."""
        assert self.frame.statement is not None
        return self.frame.statement

    def record_use(self, owner: Frame, name: str, defs: frozenset[Statement]) -> None:
        """The current statements of all frames down to the owner's use the name."""
        key = (owner.scope, name)
        for frame in reversed(self.frames):
            if frame.statement is not None:
                frame.statement.uses.setdefault(key, set()).update(defs)
            if frame is owner:
                break
        for collector in self.collectors:
            collector.setdefault(key, set()).update(defs)

    def collect(self, node: cst.BaseExpression) -> tuple[Value, Uses]:
        """The value, and what just this expression uses."""
        uses: Uses = {}
        self.collectors.append(uses)
        try:
            return self.eval(node), uses
        finally:
            self.collectors.remove(uses)

    def made(self, value: Graphlike, node: cst.BaseExpression | None) -> None:
        """Record where a thing of the graph was made."""
        if value.statement is None:
            value.statement = self.frame.statement
            value.scope = self.frame.scope
            value.expression = node
        self.statement.made.append(value)

    def lift(self, node: cst.Call, value: Graphlike) -> None:
        """A build-once expression that may stand inside a step statement."""
        self.statement.lifts.setdefault(node, Lift(node, value))

    # evaluation

    def eval(self, node: cst.BaseExpression) -> Value:
        """The value of an expression."""
        method: Callable[[Any], Value] | None = getattr(self, "eval_" + type(node).__name__, None)
        value = method(node) if method else self.eval_children(node)
        if type(value) is not Host or value.known or value.element is not None:
            self.facts.values[node] = value
        self.facts.visited.add(node)
        return value

    def eval_children(self, node: cst.CSTNode) -> Value:
        """For an expression without a meaning of its own here: its parts are evaluated."""
        found: list[Value] = []
        for child in node.children:
            if isinstance(child, cst.BaseExpression):
                found.append(self.eval(child))
            else:
                self.eval_children(child)
        return self.combined(found)

    def combined(self, values: list[Value]) -> Value:
        """The value of an operator over values: a tensor where one of them is."""
        if any(is_graph(v) for v in values):
            return Tensor(
                step=any(is_step(v) or isinstance(v, (Variable, Placeholder)) for v in values), inputs=tuple(values)
            )
        return Host(random=any(isinstance(v, Host) and v.random for v in values))

    def eval_Name(self, node: cst.Name) -> Value:
        owner = self.frame.owner(node.value)
        if owner is None:
            if node.value in ("True", "False", "None"):
                return Host({"True": True, "False": False, "None": None}[node.value])
            return Symbol("builtins." + node.value) if node.value in BUILTINS else Unknown(f"the name {node.value}")
        name = owner.names[node.value]
        self.record_use(owner, node.value, name.defs)
        if isinstance(name.value, Symbol) and (not name.defs or any(_imports(d) for d in name.defs)):
            self.facts.symbols[node] = name.value.name  # a name of the user's own (FLAGS = flags.FLAGS) stays
        return name.value

    def eval_Integer(self, node: cst.Integer) -> Value:
        return Host(node.evaluated_value)

    def eval_Float(self, node: cst.Float) -> Value:
        return Host(node.evaluated_value)

    def eval_SimpleString(self, node: cst.SimpleString) -> Value:
        if isinstance(node.evaluated_value, str) and node.evaluated_value.endswith(".meta"):
            self.facts.meta_reads.append(node)
        return Host(node.evaluated_value)

    def eval_ConcatenatedString(self, node: cst.ConcatenatedString) -> Value:
        value = node.evaluated_value
        if value is None:
            self.eval_children(node)
            return Host()
        return Host(value)

    def eval_FormattedString(self, node: cst.FormattedString) -> Value:
        self.eval_children(node)
        return Host()

    def eval_UnaryOperation(self, node: cst.UnaryOperation) -> Value:
        value = self.eval(node.expression)
        if isinstance(value, Host) and value.known:
            try:
                return Host(
                    ast.literal_eval(f"{cst.Module([]).code_for_node(node.operator).strip()} {value.literal!r}")
                )
            except (ValueError, SyntaxError, TypeError):
                return Host(not value.literal) if isinstance(node.operator, cst.Not) else Host()
        return self.tensor([value], node)

    def eval_BinaryOperation(self, node: cst.BinaryOperation) -> Value:
        left, right = self.eval(node.left), self.eval(node.right)
        if isinstance(left, Host) and isinstance(right, Host) and left.known and right.known:
            return Host(_fold(node.operator, left.literal, right.literal))
        if isinstance(left, Sequence) and isinstance(right, Sequence) and isinstance(node.operator, cst.Add):
            return Sequence([*left.items, *right.items], left.tuple_, left.open_ or right.open_)
        if isinstance(left, Sequence) and isinstance(right, Host) and isinstance(node.operator, cst.Multiply):
            if isinstance(right.literal, int) and right.literal < 64:
                return Sequence(left.items * right.literal, left.tuple_)
            return Sequence(left.items, left.tuple_, open_=True)
        if isinstance(node.operator, cst.Modulo) and isinstance(left, Host) and isinstance(left.literal, str):
            known = _plain(right)
            if known is not MISSING:
                try:
                    return Host(left.literal % known)
                except (TypeError, ValueError):
                    return Host()
            if not is_graph(right):
                return Host()
        return self.tensor([left, right], node)

    def tensor(self, values: list[Value], node: cst.BaseExpression) -> Value:
        """Like `combined`, with the operator's tensor recorded as an op of the graph."""
        value = self.combined(values)
        if isinstance(value, Tensor):
            self.made(value, node)
        return value

    def eval_Comparison(self, node: cst.Comparison) -> Value:
        left = self.eval(node.left)
        values = [left]
        for target in node.comparisons:
            values.append(self.eval(target.comparator))
        if len(node.comparisons) == 1:
            operator, right = node.comparisons[0].operator, values[1]
            if isinstance(operator, (cst.Is, cst.IsNot)):
                same = _identical(left, right)
                return Host(MISSING if same is None else same is isinstance(operator, cst.Is))
            if isinstance(left, Host) and isinstance(right, Host) and left.known and right.known:
                return Host(_compare(operator, left.literal, right.literal))
            if isinstance(operator, (cst.In, cst.NotIn, cst.Equal, cst.NotEqual)):
                if isinstance(operator, (cst.Equal, cst.NotEqual)) and (
                    (isinstance(left, Host) and left.literal is None)
                    or (isinstance(right, Host) and right.literal is None)
                ):
                    other = right if isinstance(left, Host) and left.literal is None else left
                    if isinstance(other, (Graphlike, Function, Sequence, Instance, Symbol)):
                        return Host(isinstance(operator, cst.NotEqual))
                if any(is_step(v) for v in values) and isinstance(operator, (cst.Equal, cst.NotEqual)):
                    self.refuse(
                        "TFM114", node, "tensors are compared with == or !=, which TensorFlow 1 decides by identity"
                    )
                return Host()
        return self.tensor(values, node) if any(is_graph(v) for v in values) else Host()

    def eval_BooleanOperation(self, node: cst.BooleanOperation) -> Value:
        left, right = self.eval(node.left), self.eval(node.right)
        if isinstance(left, Host) and left.known:
            decides = bool(left.literal) is isinstance(node.operator, cst.Or)
            return left if decides else right
        if is_graph(left) or is_graph(right):
            return frames.join(left, right)
        return Host()

    def eval_IfExp(self, node: cst.IfExp) -> Value:
        test = self.eval(node.test)
        if isinstance(test, Host) and test.known and not isinstance(node.test, cst.Name):
            return self.eval(node.body if test.literal else node.orelse)
        return frames.join(self.eval(node.body), self.eval(node.orelse))

    def eval_Lambda(self, node: cst.Lambda) -> Value:
        for param in node.params.params:
            if param.default is not None:
                self.eval(param.default)
        return Function(node, self.path, self.frame, name="<lambda>")

    def eval_NamedExpr(self, node: cst.NamedExpr) -> Value:
        value = self.eval(node.value)
        self.bind_target(node.target, value)
        return value

    def eval_List(self, node: cst.List) -> Value:
        return self._sequence(node, tuple_=False)

    def eval_Tuple(self, node: cst.Tuple) -> Value:
        return self._sequence(node, tuple_=True)

    def eval_Set(self, node: cst.Set) -> Value:
        return self._sequence(node, tuple_=False)

    def _sequence(self, node: cst.List | cst.Tuple | cst.Set, *, tuple_: bool) -> Value:
        items: list[Value] = []
        open_ = False
        for entry in node.elements:
            value = self.eval(entry.value)
            if isinstance(entry, cst.StarredElement):
                if isinstance(value, Sequence):
                    items.extend(value.items)
                    open_ |= value.open_
                else:
                    items.append(element(value))
                    open_ = True
            else:
                items.append(value)
        return Sequence(items, tuple_, open_)

    def eval_Dict(self, node: cst.Dict) -> Value:
        mapping = Mapping()
        for entry in node.elements:
            if isinstance(entry, cst.DictElement):
                mapping.entries.append(MappingEntry(self.eval(entry.key), self.eval(entry.value), entry.value))
            else:
                value = self.eval(entry.value)
                mapping.open_ |= not isinstance(value, Mapping)
                if isinstance(value, Mapping):
                    mapping.entries.extend(MappingEntry(e.key, e.value, None) for e in value.entries)
        return mapping

    def eval_Subscript(self, node: cst.Subscript) -> Value:
        value = self.eval(node.value)
        if (
            isinstance(node.value, cst.Call)
            and isinstance(node.slice[0].slice, cst.Index)
            and isinstance(node.slice[0].slice.value, (cst.Integer, cst.UnaryOperation))
        ):
            self.facts.picked.add(node.value)
        indices: list[Value] = []
        for part in node.slice:
            if isinstance(part.slice, cst.Index):
                indices.append(self.eval(part.slice.value))
            elif isinstance(part.slice, cst.Slice):
                for bound in (part.slice.lower, part.slice.upper, part.slice.step):
                    if bound is not None:
                        self.eval(bound)
                indices.append(Host())
        index = indices[0] if len(indices) == 1 else None
        if isinstance(value, Sequence):
            return self._item(value, index, node)
        if isinstance(value, Mapping):
            for entry in value.entries:
                if _identical(entry.key, index) or _equal(entry.key, index):
                    return entry.value
            return element(Sequence([e.value for e in value.entries])) if value.entries else Host()
        if isinstance(value, Symbol):
            self.refuse("TFM190", node, f"tf.{value.name} is subscripted")
        if is_graph(value) or any(is_graph(i) for i in indices):
            return self.tensor([value, *indices], node)
        return element(value) if isinstance(value, Host) and value.element is not None else Host()

    def _item(self, value: Sequence, index: Value | None, node: cst.Subscript) -> Value:
        if isinstance(index, Host) and isinstance(index.literal, int) and not value.open_:
            try:
                return value.items[index.literal]
            except IndexError:
                return Unknown("an index out of range")
        part = node.slice[0].slice
        if isinstance(part, cst.Slice):
            bounds = [
                None if b is None else _plain(self.facts.values.get(b, Host()))
                for b in (part.lower, part.upper, part.step)
            ]
            if MISSING not in bounds and not value.open_:
                return Sequence(value.items[slice(*bounds)], value.tuple_)
            return Sequence(value.items, value.tuple_, open_=True)
        return element(value)

    def eval_ListComp(self, node: cst.ListComp) -> Value:
        return self._comprehension(node, node.elt)

    def eval_GeneratorExp(self, node: cst.GeneratorExp) -> Value:
        return self._comprehension(node, node.elt)

    def eval_SetComp(self, node: cst.SetComp) -> Value:
        return self._comprehension(node, node.elt)

    def _comprehension(self, node: cst.ListComp | cst.GeneratorExp | cst.SetComp, elt: cst.BaseExpression) -> Value:
        saved = dict(self.frame.names)
        exact, iterated = self._comp_items(node.for_in)
        items: list[Value] = []
        if exact is not None:
            for index, item in enumerate(exact):
                self.context.append(index)
                self.bind_element(node.for_in.target, item)
                if all(_truth(self.eval(c.test)) is not False for c in node.for_in.ifs):
                    items.append(self.eval(elt))
                self.context.pop()
            open_ = bool(node.for_in.ifs)
        else:
            self._enter_comp(node.for_in, iterated)
            items.append(self.eval(elt))
            open_ = True
        self.frame.names = saved
        if not any(is_graph(i) for i in items) and not items:
            return Host() if exact is None else Sequence([])
        return Sequence(items, open_=open_)

    def _comp_items(self, loop: cst.CompFor) -> tuple[list[Value] | None, Value]:
        value = self.eval(loop.iter)
        single = loop.inner_for_in is None
        if isinstance(value, Sequence) and not value.open_ and single and len(value.items) <= 64:
            return value.items, value
        return None, value

    def _enter_comp(self, loop: cst.CompFor, value: Value) -> None:
        self.bind_element(loop.target, element(value))
        for condition in loop.ifs:
            self.eval(condition.test)
        if loop.inner_for_in is not None:
            self._enter_comp(loop.inner_for_in, self.eval(loop.inner_for_in.iter))

    def eval_DictComp(self, node: cst.DictComp) -> Value:
        saved = dict(self.frame.names)
        exact, iterated = self._comp_items(node.for_in)
        mapping = Mapping(open_=exact is None)
        for index, item in enumerate(exact if exact is not None else [element(iterated)]):
            self.context.append(index)
            if exact is not None:
                self.bind_element(node.for_in.target, item)
            else:
                self._enter_comp(node.for_in, iterated)
            mapping.entries.append(MappingEntry(self.eval(node.key), self.eval(node.value), None))
            self.context.pop()
        self.frame.names = saved
        return mapping

    def eval_Attribute(self, node: cst.Attribute) -> Value:
        receiver = self.eval(node.value)
        name = node.attr.value
        if isinstance(receiver, Symbol):
            if receiver.name.startswith("builtins."):
                return Host()
            if receiver.name in ("__version__", "VERSION", "GIT_VERSION"):
                return Host()
            full = f"{receiver.name}.{name}" if receiver.name else name
            self.facts.symbols[node] = full
            return Symbol(full)
        if isinstance(receiver, Module):
            return self.module_member(receiver, name)
        if isinstance(receiver, Instance):
            return self._instance_attribute(receiver, name)
        if isinstance(receiver, Class):
            return receiver.members.get(name, Host())
        if isinstance(receiver, (Graphlike, Sequence, Mapping)):
            return graph_members.attribute(self, receiver, name, node)
        if isinstance(receiver, Host):
            return Method(receiver, name)
        return Unknown(f"the attribute {name}")

    def _instance_attribute(self, receiver: Instance, name: str) -> Value:
        if name in receiver.attributes:
            return receiver.attributes[name]
        member = self.class_member(receiver.cls, name)
        if isinstance(member, Function):
            return Function(member.node, member.path, member.frame, receiver, member.name)
        return member if member is not None else Unknown(f"the attribute {name}")

    def class_member(self, cls: Class, name: str) -> Value | None:
        """A member of the class or of its bases."""
        if name in cls.members:
            return cls.members[name]
        for base in cls.bases:
            if isinstance(base, Class):
                found = self.class_member(base, name)
                if found is not None:
                    return found
        return None

    def eval_Call(self, node: cst.Call) -> Value:
        function = self.eval(node.func)
        if isinstance(function, Symbol):
            if function.name.startswith("builtins."):
                return graph_members.builtin(self, function.name[9:], node)
            return self.call_symbol(function.name, node)
        if isinstance(function, Function):
            return self.call_function(function, node)
        if isinstance(function, Class):
            return self.instantiate(function, node)
        if isinstance(function, Method):
            return self.call_method(function, node)
        values = [self.eval(argument.value) for argument in node.args]
        if any(isinstance(v, Session) for value in values for v in leaves(value)):
            self.refuse("TFM112", node, "a session is given to a function whose source is not in the tree")
        elif any(is_step(v) for v in values) or any(isinstance(v, Optimizer) for v in values):
            self.refuse("TFM110", node, f"a tensor is given to {_text(node.func)}, whose source is not in the tree")
        return Host(random=True)

    # targets

    def bind(self, name: str, value: Value) -> None:
        """Bind a name in the current frame (or where `global`/`nonlocal` say)."""
        frame = self.frame
        if name in frame.globals_:
            frame = frame.module()
        elif name in frame.nonlocals and frame.parent is not None:
            frame = frame.parent.owner(name) or frame
        statement = self.frame.statement
        defs = frozenset([statement]) if statement is not None else frozenset()
        frame.names[name] = Name(value, defs)
        frame.scope.bound.add(name)
        if statement is not None and frame is self.frame:
            statement.defines.add(name)
        if isinstance(value, Graphlike) and not self.iterating:
            self._home(value, name, frame, statement)

    def _home(self, value: Graphlike, name: str, frame: Frame, statement: Statement | None) -> None:
        """The first name by which a thing can be reached; one that a called function gave out of sight is replaced by
        the caller's.
        """
        hidden = value.scope is not None and value.scope not in set(frame.scope.ancestors())
        if hidden and value.path is None:
            value.name, value.scope, value.statement = name, frame.scope, statement
        elif value.name is None and value.path is None:
            value.name = name
            value.scope = value.scope or frame.scope
            value.statement = value.statement or statement

    def bind_target(self, target: cst.BaseExpression, value: Value) -> None:
        """Bind an assignment's target, unpacking where it is a tuple."""
        if isinstance(target, cst.Name):
            self.bind(target.value, value)
        elif isinstance(target, (cst.Tuple, cst.List)):
            self._unpack(target, value)
        elif isinstance(target, cst.Attribute):
            self._set_attribute(target, value)
        elif isinstance(target, cst.Subscript):
            self._set_item(target, value)
        elif isinstance(target, cst.StarredElement):
            self.bind_target(target.value, Sequence([value], open_=True))
        else:
            self.eval(target)

    def _unpack(self, target: cst.Tuple | cst.List, value: Value) -> None:
        elements = target.elements
        if isinstance(value, Sequence) and not value.open_ and len(value.items) == len(elements):
            for entry, item in zip(elements, value.items, strict=True):
                self.bind_target(entry.value, item)
            return
        if isinstance(value, Graphlike):
            parts = graph_members.parts(value, len(elements))
            for entry, item in zip(elements, parts, strict=True):
                self.bind_target(entry.value, item)
            return
        for entry in elements:
            self.bind_target(entry.value, element(value))

    def _set_attribute(self, target: cst.Attribute, value: Value) -> None:
        receiver = self.eval(target.value)
        if isinstance(receiver, Instance):
            receiver.attributes[target.attr.value] = value
            if isinstance(value, Graphlike) and value.name is None and value.path is None:
                value.path = f"{_text(target.value)}.{target.attr.value}"
            if is_graph(value):
                self.refuse(
                    "TFM101", target, "a class keeps placeholders, variables or tensors of the graph in its attributes"
                )
        elif isinstance(receiver, Graphlike):
            graph_members.set_attribute(self, receiver, target.attr.value, value, target)

    def _set_item(self, target: cst.Subscript, value: Value) -> None:
        receiver = self.eval(target.value)
        index = target.slice[0].slice
        key = self.eval(index.value) if isinstance(index, cst.Index) else Host()
        if isinstance(receiver, Mapping):
            kept = [e for e in receiver.entries if not (_identical(e.key, key) or _equal(e.key, key))]
            receiver.entries[:] = [*kept, MappingEntry(key, value, None)]
            self.mutated(target.value)
        elif isinstance(receiver, Sequence):
            if (
                isinstance(key, Host)
                and isinstance(key.literal, int)
                and -len(receiver.items) <= key.literal < len(receiver.items)
            ):
                receiver.items[key.literal] = value
            else:
                receiver.items.append(value)
                receiver.open_ = True
            self.mutated(target.value)
        elif is_step(value):
            self.refuse("TFM113", target, "a tensor of the graph is put into an object whose contents are not known")

    def mutated(self, node: cst.BaseExpression) -> None:
        """The object that the expression names was changed in place: later uses depend on this statement too."""
        if isinstance(node, cst.Name):
            owner = self.frame.owner(node.value)
            if owner is not None and self.frame.statement is not None:
                name = owner.names[node.value]
                owner.names[node.value] = Name(name.value, name.defs | {self.frame.statement})
                self.frame.statement.mutates.add(node.value)


def _imports(statement: Statement) -> bool:
    node = statement.node
    return isinstance(node, cst.SimpleStatementLine) and any(
        isinstance(s, (cst.Import, cst.ImportFrom)) for s in node.body
    )


def _fold(operator: cst.BaseBinaryOp, left: Any, right: Any) -> Any:
    symbol = cst.Module([]).code_for_node(operator).strip()
    if symbol == "**" and not (isinstance(right, (int, float)) and abs(right) < 64):
        return MISSING
    try:
        if symbol == "*" and isinstance(left, (str, list, tuple)) and isinstance(right, int) and right > 1000:
            return MISSING
        if symbol == "%" and isinstance(left, str):
            return left % right
        operations: dict[str, Callable[[Any, Any], Any]] = {
            "+": lambda a, b: a + b,
            "-": lambda a, b: a - b,
            "*": lambda a, b: a * b,
            "/": lambda a, b: a / b,
            "//": lambda a, b: a // b,
            "%": lambda a, b: a % b,
            "**": lambda a, b: a**b,
        }
        return operations[symbol](left, right) if symbol in operations else MISSING
    except (TypeError, ValueError, ArithmeticError):
        return MISSING


def _compare(operator: cst.BaseCompOp, left: Any, right: Any) -> Any:
    symbol = cst.Module([]).code_for_node(operator).strip()
    operations: dict[str, Callable[[Any, Any], Any]] = {
        "==": lambda a, b: a == b,
        "!=": lambda a, b: a != b,
        "<": lambda a, b: a < b,
        "<=": lambda a, b: a <= b,
        ">": lambda a, b: a > b,
        ">=": lambda a, b: a >= b,
        "in": lambda a, b: a in b,
        "not in": lambda a, b: a not in b,
    }
    try:
        return operations[symbol](left, right) if symbol in operations else MISSING
    except TypeError:
        return MISSING


def _plain(value: Value) -> Any:
    if isinstance(value, Host):
        return value.literal
    if isinstance(value, Sequence) and not value.open_:
        items = [_plain(i) for i in value.items]
        return MISSING if MISSING in items else (tuple(items) if value.tuple_ else items)
    return MISSING


def _truth(value: Value) -> bool | None:
    return bool(value.literal) if isinstance(value, Host) and value.known else None


def _identical(left: Value, right: Value | None) -> bool | None:
    if right is None:
        return False
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Host) and one.literal is None:
            if isinstance(other, Host):
                return other.literal is None if other.known else None
            return None if isinstance(other, Unknown) else False
    if isinstance(left, Graphlike) and isinstance(right, Graphlike):
        return left is right
    return None


def _equal(left: Value, right: Value | None) -> bool:
    return (
        isinstance(left, Host)
        and isinstance(right, Host)
        and left.known
        and right.known
        and left.literal == right.literal
    )


def _text(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)
