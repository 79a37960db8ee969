"""Symbols whose meaning did not change, only their name or the names of their arguments.

A row names the 1.15 symbol (its shortest name), the target's, the arguments with another name there, and the arguments
that have no effect on results and are left out. Symbols that keep one of their 1.15 names need no row.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Rename:
    """One row."""

    symbol: str
    target: str
    arguments: dict[str, str] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()


_AXIS = {"reduction_indices": "axis", "keep_dims": "keepdims"}
_ROWS = (
    *(Rename(f"reduce_{name}", f"reduce_{name}", _AXIS) for name in ("sum", "mean", "max", "min", "prod", "all", "any", "logsumexp")),
    Rename("math.reduce_euclidean_norm", "math.reduce_euclidean_norm", _AXIS),
    Rename("argmax", "argmax", {"dimension": "axis"}),
    Rename("argmin", "argmin", {"dimension": "axis"}),
    Rename("expand_dims", "expand_dims", {"dim": "axis"}),
    Rename("squeeze", "squeeze", {"squeeze_dims": "axis"}),
    Rename("nn.softmax", "nn.softmax", {"dim": "axis"}),
    Rename("nn.log_softmax", "nn.log_softmax", {"dim": "axis"}),
    Rename("nn.l2_normalize", "nn.l2_normalize", {"dim": "axis"}),
    Rename("nn.moments", "nn.moments", {"keep_dims": "keepdims"}, ("shift",)),
    Rename("norm", "norm", {"keep_dims": "keepdims"}),
    Rename("floordiv", "math.floordiv"),
    Rename("floormod", "math.floormod"),
    Rename("reverse_v2", "reverse"),
    Rename("lin_space", "linspace"),
    Rename("is_numeric_tensor", "debugging.is_numeric_tensor"),
)

RENAMES: dict[str, Rename] = {row.symbol: row for row in _ROWS}
