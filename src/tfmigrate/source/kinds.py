"""What kinds of numbers the names and expressions of a Python 2 text are, by everything in the text that binds them."""

from __future__ import annotations

import enum
from collections.abc import Sequence

import libcst as cst


class Kind(enum.Enum):
    """What is known of a value. FLOAT: a division by it or of it is true division, elementwise too."""

    INT = enum.auto()
    FLOAT = enum.auto()
    UNKNOWN = enum.auto()


_PACKAGES = ("tf.", "tensorflow.", "np.", "numpy.")
_FLOATS = frozenset({"float", "round", "time.time", "time.clock", "random.random", "random.uniform", "random.gauss"})
# of NumPy's and TensorFlow's functions, whatever their arguments are
_TRUE_RESULTS_NAMES = """
    mean std var average sqrt exp log log10 log2 sin cos tan tanh sigmoid linspace l2_normalize l2_loss softmax
    softmax_cross_entropy_with_logits softmax_cross_entropy_with_logits_v2 sparse_softmax_cross_entropy_with_logits
    sigmoid_cross_entropy_with_logits dropout moments to_float to_double zeros ones eye rand randn
    uniform normal random_sample truncated_normal random_normal random_uniform
"""
_TRUE_RESULTS = frozenset(_TRUE_RESULTS_NAMES.split())
# integers, truths, or whatever a function given returns
_OTHER_RESULTS_NAMES = """
    shape size rank argmax argmin arg_max arg_min argsort nonzero searchsorted digitize count_nonzero where unique
    top_k in_top_k equal not_equal greater greater_equal less less_equal isnan isinf isfinite any all logical_and
    logical_or logical_not cast saturate_cast bitcast to_int32 to_int64 py_func while_loop map_fn scan cond case
    bincount histogram run
"""
_OTHER_RESULTS = frozenset(_OTHER_RESULTS_NAMES.split())
# methods that give what their object holds
_KEEPING_NAMES = """
    reshape copy sum max min dot transpose flatten ravel squeeze clip round cumsum prod eval value read_value
"""
_KEEPING = frozenset(_KEEPING_NAMES.split())
_OTHER_TYPES_NAMES = """
    int int_ intc int8 int16 int32 int64 uint8 uint16 uint32 uint64 long bool bool_ complex complex64 complex128
    string str object
"""
_OTHER_TYPES = frozenset(_OTHER_TYPES_NAMES.split())
_FLOAT_TYPES = frozenset({"float", "float16", "float32", "float64", "double", "float_"})
_ROUNDS = 12  # after which a name that has been of two kinds stays of none


class Kinds:
    """The kinds of names and attributes, by everything in the file that binds them, and of expressions of them.

    An attribute is known by its name alone, whichever object it belongs to: objects have several names.
    """

    def __init__(self) -> None:
        self._bindings: dict[str, list[cst.BaseExpression | Kind]] = {}
        self._known: dict[str, Kind | None] = {}

    def bind(self, target: cst.BaseExpression, value: cst.BaseExpression | Kind) -> None:
        if name := _key(target):
            self._bindings.setdefault(name, []).append(value)

    def settle(self) -> None:
        """Find the names' kinds, each from the others', until nothing changes."""
        for count in range(2 * _ROUNDS):
            found = {
                name: _joined([value if isinstance(value, Kind) else self._of(value) for value in values])
                for name, values in self._bindings.items()
            }
            if count > _ROUNDS:
                found = {name: _joined([kind, self._known[name]]) for name, kind in found.items()}
            if found == self._known:
                return
            self._known = found

    def of(self, node: cst.BaseExpression) -> Kind:
        """What is known of the expression's value."""
        return self._of(node) or Kind.UNKNOWN

    def _of(self, node: cst.BaseExpression) -> Kind | None:
        """None: not known yet."""
        if isinstance(node, cst.Integer):
            return Kind.INT
        if isinstance(node, cst.Float):
            return Kind.FLOAT
        if isinstance(node, cst.Name | cst.Attribute):
            if dotted(node) in ("math.pi", "math.e", "np.pi", "numpy.pi", "np.e"):
                return Kind.FLOAT
            key = _key(node)
            return self._known.get(key) if key in self._bindings else Kind.UNKNOWN
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus | cst.Plus):
            return self._of(node.expression)
        if isinstance(node, cst.BinaryOperation):
            return self._operation(node)
        if isinstance(node, cst.IfExp):
            return _joined([self._of(node.body), self._of(node.orelse)])
        if isinstance(node, cst.List | cst.Tuple):
            kinds = {self._of(element.value) for element in node.elements}
            return Kind.FLOAT if kinds == {Kind.FLOAT} else Kind.UNKNOWN
        if isinstance(node, cst.Subscript):
            if isinstance(node.value, cst.Attribute) and node.value.attr.value == "shape":
                return Kind.INT
            return Kind.FLOAT if self._of(node.value) is Kind.FLOAT else Kind.UNKNOWN
        if isinstance(node, cst.Call):
            return self._call(node)
        return Kind.UNKNOWN

    def _operation(self, node: cst.BinaryOperation) -> Kind | None:
        left, right = self._of(node.left), self._of(node.right)
        if not isinstance(
            node.operator,
            cst.Add | cst.Subtract | cst.Multiply | cst.Divide | cst.FloorDivide | cst.Modulo | cst.Power,
        ):
            return Kind.UNKNOWN
        if Kind.FLOAT in (left, right):
            return Kind.FLOAT
        if isinstance(node.operator, cst.Power) and not isinstance(node.right, cst.Integer):
            return Kind.UNKNOWN  # a float where the exponent is negative
        return _joined([left, right])

    def _call(self, node: cst.Call) -> Kind | None:
        name = dotted(node.func)
        if name in ("len", "int", "ord", "math.factorial", "math.trunc"):
            return Kind.INT
        if name in _FLOATS or name.startswith("math."):
            return Kind.FLOAT
        typed = [a for a in node.args if a.keyword is None or a.keyword.value == "dtype"]
        types = [kind for a in typed if (kind := _type(a.value)) is not None]
        if types or any(a.keyword is not None and a.keyword.value == "dtype" for a in node.args):
            return types[0] if len(types) == 1 else Kind.UNKNOWN
        values = [a.value for a in node.args if not a.star]
        if not name.startswith(_PACKAGES):
            if isinstance(node.func, cst.Attribute):
                return self._method(node.func, values)
            return _joined([self._of(v) for v in values]) if name in ("abs", "max", "min") else Kind.UNKNOWN
        last = name.rsplit(".", 1)[-1]
        untyped = last in ("zeros", "ones", "eye") and len(typed) > 1  # a type that is not written out, it may be
        if last in _OTHER_RESULTS or untyped:
            return Kind.UNKNOWN
        # Elsewhere all operands have one type, or the widest of theirs.
        return Kind.FLOAT if last in _TRUE_RESULTS or self._holds_float(values) else Kind.UNKNOWN

    def _holds_float(self, values: Sequence[cst.BaseExpression]) -> bool:
        return any(
            self._holds_float([e.value for e in value.elements])
            if isinstance(value, cst.List | cst.Tuple)
            else self._of(value) is Kind.FLOAT
            for value in values
        )

    def _method(self, func: cst.Attribute, values: Sequence[cst.BaseExpression]) -> Kind | None:
        method = func.attr.value
        if method in ("mean", "std", "var") and dotted(func.value) not in ("self", ""):
            return Kind.FLOAT
        if method == "run" and len(values) and not isinstance(values[0], cst.List | cst.Tuple | cst.Dict):
            return Kind.FLOAT if self._of(values[0]) is Kind.FLOAT else Kind.UNKNOWN
        return Kind.FLOAT if method in _KEEPING and self._of(func.value) is Kind.FLOAT else Kind.UNKNOWN


def _key(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return f".{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def _joined(kinds: Sequence[Kind | None]) -> Kind | None:
    found = set(kinds) - {None}
    return Kind.UNKNOWN if len(found) > 1 else found.pop() if found else None


def _type(node: cst.BaseExpression) -> Kind | None:
    """The kind that an argument which is a type names."""
    if isinstance(node, cst.SimpleString):
        name = str(node.evaluated_value)
    elif isinstance(node, cst.Attribute) and dotted(node).startswith(_PACKAGES):
        name = node.attr.value
    else:
        name = node.value if isinstance(node, cst.Name) else ""
    return Kind.FLOAT if name in _FLOAT_TYPES else Kind.UNKNOWN if name in _OTHER_TYPES else None


def dotted(node: cst.CSTNode) -> str:
    """`a.b.c`, or "" of anything but names."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr.value}" if base else ""
    return ""


class Bindings(cst.CSTVisitor):
    """Gathers what binds each name and attribute."""

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds

    def visit_Assign(self, node: cst.Assign) -> None:
        for target in node.targets:
            self._assign(target.target, node.value)

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:
        self._assign(node.target, node.value or Kind.UNKNOWN)

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        operators: dict[type[cst.BaseAugOp], cst.BaseBinaryOp] = {
            cst.AddAssign: cst.Add(),
            cst.SubtractAssign: cst.Subtract(),
            cst.MultiplyAssign: cst.Multiply(),
            cst.DivideAssign: cst.Divide(),
        }
        operator = operators.get(type(node.operator))
        value = cst.BinaryOperation(node.target, operator, node.value) if operator is not None else Kind.UNKNOWN
        self._kinds.bind(node.target, value)

    def visit_For(self, node: cst.For) -> None:
        self._loop(node.target, node.iter)

    def visit_CompFor(self, node: cst.CompFor) -> None:
        self._loop(node.target, node.iter)

    def visit_Param(self, node: cst.Param) -> None:
        self._kinds.bind(node.name, Kind.UNKNOWN)

    def visit_AsName(self, node: cst.AsName) -> None:
        self._assign(node.name, Kind.UNKNOWN)

    def visit_Call(self, node: cst.Call) -> None:
        flag = dotted(node.func).rsplit(".", 1)[-1]
        if flag in ("DEFINE_integer", "DEFINE_float") and node.args:
            name = node.args[0].value
            if isinstance(name, cst.SimpleString):
                kind = Kind.INT if flag == "DEFINE_integer" else Kind.FLOAT
                self._kinds.bind(cst.Attribute(cst.Name("FLAGS"), cst.Name(name.raw_value)), kind)

    def _assign(self, target: cst.BaseExpression, value: cst.BaseExpression | Kind) -> None:
        if isinstance(target, cst.Tuple | cst.List):
            parts = self._parts(value, len(target.elements))
            for element, part in zip(target.elements, parts, strict=True):
                self._assign(element.value, part)
        else:
            self._kinds.bind(target.value if isinstance(target, cst.Subscript) else target, value)

    def _parts(self, value: cst.BaseExpression | Kind, count: int) -> Sequence[cst.BaseExpression | Kind]:
        if isinstance(value, cst.Call) and dotted(value.func).endswith(".run") and value.args:
            value = value.args[0].value  # the fetches, of whose kinds the values are
        if isinstance(value, cst.Tuple | cst.List) and len(value.elements) == count:
            return [e.value for e in value.elements]
        return [Kind.UNKNOWN] * count

    def _loop(self, target: cst.BaseExpression, over: cst.BaseExpression) -> None:
        called = dotted(over.func) if isinstance(over, cst.Call) else ""
        if called in ("range", "xrange"):
            self._assign(target, Kind.INT)
        elif called == "enumerate" and isinstance(target, cst.Tuple) and len(target.elements) == 2:
            self._assign(target.elements[0].value, Kind.INT)
            self._assign(target.elements[1].value, Kind.UNKNOWN)
        else:
            self._assign(target, Kind.UNKNOWN)
