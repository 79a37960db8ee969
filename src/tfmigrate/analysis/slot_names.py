"""The names of the slots that TensorFlow 1.15's optimizers make: what get_slot_names() gives once a train op exists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfmigrate.analysis.values import Host, Operation, Optimizer

if TYPE_CHECKING:
    from tfmigrate.analysis.facts import Facts

_NAMES: dict[str, tuple[str, ...]] = {
    "GradientDescentOptimizer": (),
    "ProximalGradientDescentOptimizer": (),
    "MomentumOptimizer": ("momentum",),
    "AdamOptimizer": ("m", "v"),
    "RMSPropOptimizer": ("momentum", "rms"),
    "AdagradOptimizer": ("accumulator",),
    "ProximalAdagradOptimizer": ("accumulator",),
    "AdagradDAOptimizer": ("gradient_accumulator", "gradient_squared_accumulator"),
    "AdadeltaOptimizer": ("accum", "accum_update"),
    "FtrlOptimizer": ("accum", "linear"),
}
_CENTERED = 5  # the position of RMSProp's `centered`: learning_rate, decay, momentum, epsilon, use_locking, centered


def slot_names(facts: Facts, optimizer: Optimizer) -> list[str] | None:
    """The sorted names; None where they are not known."""
    name = optimizer.symbol.removeprefix("train.")
    if name not in _NAMES or not _has_train_op(facts, optimizer):
        return [] if name in _NAMES else None
    found = list(_NAMES[name])
    if name == "RMSPropOptimizer":
        centered = _centered(facts, optimizer)
        if centered is None:
            return None
        found += ["mg"] if centered else []
    return sorted(found)


def _has_train_op(facts: Facts, optimizer: Optimizer) -> bool:
    """Whether a train op of the optimizer has been made by now."""
    return any(
        isinstance(made, Operation) and made.optimizer is optimizer
        for statement in facts.statements.values()
        for made in statement.made
    )


def _centered(facts: Facts, optimizer: Optimizer) -> bool | None:
    """Whether RMSProp is the centered one; None where its argument is not known."""
    args = optimizer.call.args if optimizer.call is not None else ()
    for index, argument in enumerate(args):
        keyword = argument.keyword.value if argument.keyword is not None else None
        if keyword == "centered" or (keyword is None and index == _CENTERED):
            value = facts.values.get(argument.value)
            return bool(value.literal) if isinstance(value, Host) and value.known else None
    return False


__all__ = ["slot_names"]
