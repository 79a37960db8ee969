"""Which expressions of the host may do more than give a value: evaluated once, each in its turn, they stay right."""

from __future__ import annotations

import libcst as cst

from tfmigrate.plan.calls import calls_in

# Functions and methods that give the same again and change nothing.
_QUIET = """
abs all any arange argmax argmin argsort array asarray astype bool clip concatenate copy dict dot dtype exp
expand_dims eye flatten float float16 float32 float64 format full get hstack int int32 int64 isinstance items
keys len linspace list log logical_not max maximum mean min minimum ndarray ones ones_like power range ravel
repeat reshape round set sorted split sqrt squeeze stack std str sum swapaxes tanh tile toarray todense tolist
transpose tuple uint8 values var vstack where zeros zeros_like zip
"""
QUIET = frozenset(_QUIET.split())


def may_act(node: cst.CSTNode) -> bool:
    """Whether evaluating the expression may draw, take or change something: it calls what is not known to be quiet."""
    return any(_name(call.func) not in QUIET for call in calls_in(node))


def _name(function: cst.BaseExpression) -> str:
    """The last part of a function's dotted name; in numpy.random nothing is quiet."""
    if isinstance(function, cst.Attribute):
        drawing = isinstance(function.value, cst.Attribute) and function.value.attr.value == "random"
        return "" if drawing else function.attr.value
    return function.value if isinstance(function, cst.Name) else ""
