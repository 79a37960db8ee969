"""Keeps a call whose symbol and arguments the target has too: only names change, the call's formatting stays."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import libcst as cst

from tfmigrate import symbols
from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten
from tfmigrate.rules.binding import Argument, Binding, bind_arguments
from tfmigrate.rules.expressions import keyword
from tfmigrate.rules.meanings import EQUAL_DEFAULTS, changed
from tfmigrate.rules.refusals import refusal
from tfmigrate.rules.renames import RENAMES, Rename
from tfmigrate.symbols import Symbol


def keep_call(name: str, node: cst.Call, context: Context) -> Rewritten | Refused:
    """The call under the target's name, or why not (TFM201 to TFM205)."""
    if problem := changed(name):
        return problem
    rename = RENAMES.get(symbols.canonical(name))
    found = counterpart(name)
    if found is None:
        return refusal(name)
    binding = bind_arguments(name, node)
    if isinstance(binding, Refused):
        return binding
    row = rename or Rename(name, found.name)
    arguments = _arguments(binding, found, row)
    if isinstance(arguments, Refused):
        return arguments
    return Rewritten(node.with_changes(func=_function(name, found, node, context), args=arguments))


def amend(
    call: BoundCall,
    target: str,
    context: Context,
    *,
    arguments: Mapping[str, str] | None = None,
    values: Mapping[str, cst.BaseExpression] | None = None,
    added: Mapping[str, cst.BaseExpression] | None = None,
    dropped: Collection[str] = (),
    named: Collection[str] = (),
    notes: tuple[tuple[str, str], ...] = (),
) -> Rewritten | Refused:
    """The call of `target` with the call's own formatting.

    `arguments` gives new names, `values` new expressions (both by 1.15's parameter); `dropped` are left out, `named`
    are written with their name even where they stand at the right place; `added` follow at the end; `notes` are told.
    """
    found = symbols.target(target)
    binding = bind_arguments(call.symbol, call.node)
    if found is None or isinstance(binding, Refused):
        return binding if isinstance(binding, Refused) else refusal(target)
    changes = values or {}
    swapped = Binding(
        binding.symbol,
        tuple(
            replace(a, node=a.node.with_changes(value=changes[a.parameter])) if a.parameter in changes else a
            for a in binding.arguments
        ),
    )
    row = Rename(call.symbol, target, dict(arguments or {}), tuple(dropped))
    result = _arguments(swapped, found, row, named, frozenset(added or ()))
    if isinstance(result, Refused):
        return result
    extra = [keyword(name, value) for name, value in (added or {}).items()]
    function = cst.parse_expression(f"{context.tf}.{target}")
    return Rewritten(call.node.with_changes(func=function, args=(*_spaced(result, bool(extra)), *extra)), notes)


def _spaced(arguments: tuple[cst.Arg, ...], more: bool) -> tuple[cst.Arg, ...]:
    """The arguments, their last one followed by a comma where more come."""
    if not more or not arguments or isinstance(arguments[-1].comma, cst.Comma):
        return arguments
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    return (*arguments[:-1], arguments[-1].with_changes(comma=comma))


def keep_reference(name: str, context: Context) -> Rewritten | Refused:
    """The bare name in the target, where it can be called with the same arguments there."""
    if problem := changed(name):
        return problem
    row = RENAMES.get(symbols.canonical(name))
    found = counterpart(name)
    old = symbols.legacy(name)
    if found is None or old is None:
        return refusal(name)
    if old.kind in ("function", "class") and not _same_places(old, found, row or Rename(name, found.name)):
        return Refused("TFM204", f"tf.{name} as a value: its arguments changed and are not seen here")
    return Rewritten(cst.parse_expression(f"{context.tf}.{found.name}"))


def counterpart(name: str) -> Symbol | None:
    """The target's symbol of that meaning: by a row of the renames, or by one of 1.15's names."""
    rename = RENAMES.get(symbols.canonical(name))
    if rename:
        written = symbols.target(name.removeprefix("compat.v1."))
        known = name.removeprefix("compat.v1.") in symbols.aliases(name)
        return written if written and known and rename.symbol == rename.target else symbols.target(rename.target)
    plain = name.removeprefix("compat.v1.")
    for candidate in (plain, *sorted(symbols.aliases(name), key=lambda n: (n.count("."), len(n)))):
        if (found := symbols.target(candidate)) and symbols.legacy(candidate):
            return found
    return None


def _function(name: str, found: Symbol, node: cst.Call, context: Context) -> cst.BaseExpression:
    written = cst.parse_expression(f"{context.tf}.{found.name}")
    return node.func if node.func.deep_equals(written) else written


def _arguments(
    binding: Binding, found: Symbol, row: Rename, named: Collection[str] = (), added: frozenset[str] = frozenset()
) -> tuple[cst.Arg, ...] | Refused:
    if binding.starred:
        return _unpacked(binding, found, row)
    result: list[cst.Arg] = []
    passed: set[str] = set(added)
    by_name = found.name.startswith("raw_ops.")  # they take no argument by position
    for argument in binding.arguments:
        if argument.parameter in row.dropped:
            by_name = by_name or argument.position is not None
            continue
        new = row.arguments.get(argument.parameter, argument.parameter)
        by_name = by_name or new in named
        arg = _argument(argument, new, found, by_name, binding)
        if arg is None:
            return Refused("TFM204", f"tf.{binding.symbol.name}: the target has no argument {argument.parameter}")
        by_name = by_name or (argument.position is not None and arg.keyword is not None)
        result.append(arg)
        passed.add(new)
    if problem := _unpassed(binding, found, row, passed):
        return problem
    return _closed(result, binding)


def _argument(argument: Argument, new: str, found: Symbol, by_name: bool, binding: Binding) -> cst.Arg | None:
    """The argument as the target takes it; None where it takes none such."""
    if found.unknown:
        return argument.node
    position = argument.position
    if position is not None and binding.symbol.variadic and argument.parameter == binding.symbol.variadic:
        return argument.node if found.variadic and not by_name else None
    if (
        position is not None
        and not by_name
        and position < len(found.positional)
        and found.positional[position].name == new
    ):
        return argument.node
    if found.parameter(new) is None and not found.keywords:
        return None
    if argument.node.keyword is not None and argument.node.keyword.value == new:
        return argument.node
    if argument.node.keyword is not None:
        return argument.node.with_changes(keyword=argument.node.keyword.with_changes(value=new))
    made = keyword(new, argument.node.value)
    return argument.node.with_changes(keyword=made.keyword, equal=made.equal)


def _unpassed(binding: Binding, found: Symbol, row: Rename, passed: set[str]) -> Refused | None:
    """Arguments that are not passed: required in the target, or with another default there."""
    name = binding.symbol.name
    for parameter in found.parameters:
        if parameter.name in passed:
            continue
        if parameter.default is None and not found.unknown:
            return Refused("TFM204", f"tf.{name}: the target needs the argument {parameter.name}")
    for old in binding.symbol.parameters:
        new = found.parameter(row.arguments.get(old.name, old.name))
        if new is None or new.name in passed or old.default is None or old.name in row.arguments or old.name == "name":
            continue
        if old.default != new.default and (found.name, new.name) not in EQUAL_DEFAULTS:
            return Refused("TFM204", f"tf.{name}: the default of {old.name} is another one in TensorFlow 2")
    return None


def _unpacked(binding: Binding, found: Symbol, row: Rename) -> tuple[cst.Arg, ...] | Refused:
    if not _same_places(binding.symbol, found, row) or (
        "**" in binding.starred and not _same_names(binding.symbol, found)
    ):
        return Refused("TFM202", f"the call of tf.{binding.symbol.name} unpacks its arguments ({binding.starred})")
    named = [a.parameter for a in binding.arguments if a.position is None and not a.starred]
    if any(found.parameter(name) is None for name in named):
        return Refused("TFM202", f"the call of tf.{binding.symbol.name} unpacks its arguments ({binding.starred})")
    return tuple(a.node for a in binding.arguments)


def _same_places(old: Symbol, new: Symbol, row: Rename) -> bool:
    """Whether positional arguments mean the same in both; the deprecated ones at the end of 1.15's aside."""
    if old.unknown or new.unknown:
        return False
    pairs = list(zip(old.positional, new.positional, strict=False))
    same = [
        row.arguments.get(a.name, a.name) == b.name
        and (a.default == b.default or a.default is None or (new.name, b.name) in EQUAL_DEFAULTS)
        for a, b in pairs
    ]
    required = [p for p in new.positional[len(old.positional) :] if p.default is None]
    dropped = [
        p for p in old.positional[len(new.positional) :] if p.name not in row.arguments and p.name not in row.dropped
    ]
    return all(same) and not required and not dropped and bool(old.variadic) <= bool(new.variadic)


def _same_names(old: Symbol, new: Symbol) -> bool:
    return all(new.parameter(p.name) is not None for p in old.parameters)


def _closed(arguments: list[cst.Arg], binding: Binding) -> tuple[cst.Arg, ...]:
    """The arguments, where some were left out, with the last one ended as the last one was."""
    if not arguments or len(arguments) == len(binding.arguments):
        return tuple(arguments)
    last = binding.arguments[-1].node
    arguments[-1] = arguments[-1].with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
    return tuple(arguments)
