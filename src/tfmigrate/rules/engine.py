"""Applies the rules: a TensorFlow 1 call or reference in, its TensorFlow 2 form or a refusal out.

Order: a rule for the symbol; a row of `renames`; a symbol that the target has under one of 1.15's own names with every
passed argument at the same place; else refused. What no rule covers is refused, never guessed.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import libcst as cst

import tfmigrate.rules
from tfmigrate import symbols
from tfmigrate.rules.base import BoundCall, Context, LayerForm, OptimizerForm, Refused, Rewritten, Rule
from tfmigrate.rules.binding import NotPassed, bind_arguments, bound_call
from tfmigrate.rules.keeping import keep_call, keep_reference
from tfmigrate.rules.refusals import refusal


@cache
def rules() -> dict[str, Rule]:
    """The rule of each symbol, found by walking the package; two rules for one symbol are an error."""
    found: dict[str, Rule] = {}
    for module in pkgutil.walk_packages(tfmigrate.rules.__path__, "tfmigrate.rules."):
        if module.name.count(".") < 3:  # rules live in rules/<theme>/<verb_phrase>.py
            continue
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and issubclass(value, Rule) and value.__module__ == module.name:
                rule = value()
                for symbol in value.symbols:
                    if symbol in found:
                        raise ValueError(
                            f"{module.name}: tf.{symbol} has a rule already: {type(found[symbol]).__module__}"
                        )
                    found[symbol] = rule
    return found


def bind(symbol: str, node: cst.Call) -> BoundCall | Refused:
    """The call's arguments by 1.15's parameter names."""
    binding = bind_arguments(symbol, node)
    return binding if isinstance(binding, Refused) else bound_call(symbol, binding, node)


def apply(symbol: str, node: cst.Call, context: Context) -> Rewritten | Refused | LayerForm | OptimizerForm:
    """The new form of a call of `symbol` ("nn.dropout"; any of 1.15's names, "compat.v1." in front allowed).

    `node` is the updated call: its arguments are taken over as they are.
    """
    if symbol.startswith("compat.v2."):
        return _native(symbol.removeprefix("compat.v2."), node, context)
    if symbols.legacy(symbol) is None and symbols.target(symbol):
        return _native(symbol, node, context)
    rule = rules().get(symbols.canonical(symbol))
    if rule is None:
        return keep_call(symbol, node, context)
    call = bind(symbol, node)
    if isinstance(call, Refused):
        return call
    try:
        return rule.rewrite(call, context)
    except NotPassed as missing:
        return Refused("TFM203", f"this call of tf.{symbol} does not say what {missing} is")


def reference(symbol: str, context: Context) -> Rewritten | Refused:
    """The new form of a bare reference to `symbol` (a dtype, a constant, a function passed as a value)."""
    if symbol.startswith("compat.v2."):
        plain = symbol.removeprefix("compat.v2.")
        return Rewritten(_named(plain, context)) if symbols.target(plain) else refusal(symbol)
    if symbols.legacy(symbol) is None and symbols.target(symbol):
        return Rewritten(_named(symbol, context))
    rule = rules().get(symbols.canonical(symbol))
    if rule is None:
        return keep_reference(symbol, context)
    result = rule.reference(symbols.canonical(symbol), context)
    if result is None:
        return Refused("TFM204", f"tf.{symbol} as a value: its arguments changed and are not seen here")
    return result


def _native(name: str, node: cst.Call, context: Context) -> Rewritten | Refused:
    if symbols.target(name) is None:
        return refusal("compat.v2." + name)
    return Rewritten(node.with_changes(func=_named(name, context)))


def _named(name: str, context: Context) -> cst.BaseExpression:
    return cst.parse_expression(f"{context.tf}.{name}")
