"""What TensorFlow 1's ops make of a batch whose examples are shared out among replicas; see `kinds`.

Each function takes an op's `Operands` and gives the `Share` of its result. Ops that stand nowhere here are UNKNOWN
where an argument depends on the batch.
"""

from __future__ import annotations

from collections.abc import Callable

from tfmigrate.analysis.values import Host, Sequence, Value
from tfmigrate.plan.replication.kinds import (
    Kind,
    Operands,
    Share,
    absent,
    added,
    axes_of,
    divided,
    elementwise,
    integers,
    multiplied,
)
from tfmigrate.plan.replication.tables import DENSE, ELEMENTWISE, LINEAR, LOSSES, PER_EXAMPLE, REDUCTIONS

Meaning = Callable[[Operands], Share]


def meaning(symbol: str) -> Meaning | None:
    """The op's meaning for a shared-out batch; None where it has none here."""
    name = symbol.removeprefix("math.")
    if name in _MEANINGS:
        return _MEANINGS[name]
    if name == "where":
        return _where
    if name in ELEMENTWISE:
        return lambda op: elementwise(op, op.shares)
    if name in LINEAR:
        return lambda op: op.shares[0] if op.shares else Share(Kind.SAME)
    if name in PER_EXAMPLE:
        return lambda op: _rows(op, PER_EXAMPLE[name])
    if name in DENSE:
        return lambda op: _rows(op, op.share(0, "inputs").rank)
    if name in REDUCTIONS:
        return lambda op: _reduction(op, REDUCTIONS[name])
    if name in LOSSES:
        return _loss
    return None


def _rows(op: Operands, rank: int | None) -> Share:
    """An op that treats each example by itself."""
    kinds = {s.kind for s in op.shares}
    if not kinds <= {Kind.BATCH, Kind.SAME}:
        return op.unknown(f"tf.{op.symbol} of a mean or a sum over the examples")
    first = op.shares[0] if op.shares else Share(Kind.SAME)
    if (
        Kind.BATCH in kinds
        and first.kind is not Kind.BATCH
        and op.symbol not in ("nn.in_top_k", "nn.nce_loss", "nn.sampled_softmax_loss")
        and op.keywords[:1] == (None,)
    ):
        return op.unknown(f"tf.{op.symbol} whose first argument does not hold the examples")
    return Share(Kind.BATCH, rank)


def _matmul(op: Operands) -> Share:
    left, right = op.share(0, "a"), op.share(1, "b")
    flagged = not absent(op.value(2, "transpose_a")) and not _false(op.value(2, "transpose_a"))
    if left.kind is Kind.BATCH and right.kind is Kind.SAME and (not flagged or (left.rank or 0) > 2):
        return Share(Kind.BATCH, left.rank)
    if left.kind is Kind.BATCH and right.kind is Kind.BATCH and left.rank == right.rank and (left.rank or 0) > 2:
        return Share(Kind.BATCH, left.rank)
    return op.unknown("a matrix product over the examples")


def _false(value: Value | None) -> bool:
    return isinstance(value, Host) and value.known and not value.literal


def _cross_entropy(op: Operands) -> Share:
    """softmax_cross_entropy_with_logits: the last dimension goes."""
    found = elementwise(
        op, [op.share_of(v) for k, v in zip(op.keywords, op.values, strict=False) if k not in ("name", "dim", "axis")]
    )
    return found if found.rank is None else Share(found.kind, found.rank - 1)


def _sparse_cross_entropy(op: Operands) -> Share:
    labels, logits = op.share(1, "labels"), op.share(2, "logits")
    if (
        {labels.kind, logits.kind} <= {Kind.BATCH, Kind.SAME}
        and labels.rank is not None
        and (logits.rank is None or logits.rank == labels.rank + 1)
    ):
        return Share(Kind.BATCH, labels.rank)
    return op.unknown("labels and logits whose ranks are not known")


def _arg(op: Operands) -> Share:
    share = op.share(0, "input")
    axis = op.value(1, "axis", "dimension")
    axes = axes_of(axis, share.rank)
    if share.kind is not Kind.BATCH or absent(axis) or not axes or axes[0] == 0:
        return op.unknown("the place of the largest or smallest among all examples")
    return Share(Kind.BATCH, None if share.rank is None else share.rank - 1)


def _reduction(op: Operands, over: Kind | None) -> Share:
    share = op.share(0, "input_tensor")
    axis = op.value(1, "axis", "reduction_indices")
    if share.kind in (Kind.MEAN, Kind.SUM):
        return (
            share
            if over is not None and not op.symbol.endswith("count_nonzero")
            else op.unknown("an extreme of means or sums over the examples")
        )
    if share.kind is not Kind.BATCH:
        return op.unknown(f"tf.{op.symbol} of a number of examples")
    axes = axes_of(axis, share.rank) if not absent(axis) else None
    if axes is None and not absent(axis):
        return op.unknown(f"tf.{op.symbol} over axes that are not known to hold the examples or not")
    if axes is not None and 0 not in axes:
        keep = op.value(2, "keepdims", "keep_dims")
        kept = not absent(keep) and not _false(keep)
        return Share(Kind.BATCH, share.rank if kept or share.rank is None else share.rank - len(set(axes)))
    if over is None:
        return op.unknown(f"tf.{op.symbol} over the examples, which is neither their mean nor their sum")
    return Share(over)


def _loss(op: Operands) -> Share:
    """tf.losses: the mean, unless weights or another reduction are given."""
    for keyword, value in zip(op.keywords, op.values, strict=False):
        if keyword == "reduction" or (keyword == "weights" and not (isinstance(value, Host) and value.known)):
            return op.unknown(f"tf.{op.symbol} with weights or a reduction of its own")
    positional = [s for k, s in zip(op.keywords, op.shares, strict=False) if k is None]
    if len(positional) > 2:
        return op.unknown(f"tf.{op.symbol} with weights")
    tensors = [
        s
        for k, s in zip(op.keywords, op.shares, strict=False)
        if k is None or k in ("labels", "logits", "predictions", "onehot_labels")
    ]
    if "sparse" in op.symbol:
        return (
            Share(Kind.MEAN)
            if {s.kind for s in tensors} == {Kind.BATCH}
            else op.unknown(f"tf.{op.symbol} of these arguments")
        )
    found = elementwise(op, tensors)
    return Share(Kind.MEAN) if found.kind is Kind.BATCH else found


def _reshape(op: Operands) -> Share:
    share, shape = op.share(0, "tensor"), op.value(1, "shape")
    if share.kind is not Kind.BATCH or not isinstance(shape, Sequence) or not shape.items:
        return op.unknown("a reshape to dimensions that are not known")
    first = shape.items[0]
    rows = (isinstance(first, Host) and first.literal == -1) or op.share_of(first).kind is Kind.COUNT
    if not rows:
        return op.unknown(
            "a reshape whose first dimension is not open (-1): the number of examples differs on a replica"
        )
    return Share(Kind.BATCH, None if shape.open_ else len(shape.items))


def _expand(op: Operands) -> Share:
    share = op.share(0, "input")
    axes = integers(op.value(1, "axis", "dim"))
    if (
        share.kind is not Kind.BATCH
        or not axes
        or axes[0] == 0
        or (axes[0] < -1 and share.rank is None)
        or (share.rank is not None and axes[0] + share.rank + 1 == 0)
    ):
        return op.unknown("a dimension before the examples")
    return Share(Kind.BATCH, None if share.rank is None else share.rank + 1)


def _squeeze(op: Operands) -> Share:
    share, given = op.share(0, "input"), op.value(1, "axis", "squeeze_dims")
    axes = axes_of(given, share.rank)
    if share.kind is not Kind.BATCH or (axes is not None and 0 in axes):
        return op.unknown("the examples' dimension is squeezed")
    if absent(given):
        return op.unknown(
            "tf.squeeze without an axis also drops the examples' dimension where a replica has one example"
        )
    return Share(Kind.BATCH, None if share.rank is None or axes is None else share.rank - len(axes))


def _transpose(op: Operands) -> Share:
    share, perm = op.share(0, "a"), integers(op.value(1, "perm"))
    if share.kind is Kind.BATCH and perm and perm[0] == 0:
        return share
    return op.unknown("a transpose that moves the examples' dimension")


def _concat(op: Operands) -> Share:
    values, axis = op.value(0, "values"), op.value(1, "axis", "concat_dim")
    if isinstance(axis, Sequence):  # the order of TensorFlow 0.x
        values, axis = axis, values
    return _joined(op, values, axis, 0)


def _stack(op: Operands) -> Share:
    return _joined(op, op.value(0, "values"), op.value(1, "axis"), 1)


def _joined(op: Operands, values: Value | None, axis: Value | None, more: int) -> Share:
    if not isinstance(values, Sequence):
        return op.unknown(f"tf.{op.symbol} of a list that is not known")
    shares = [op.share_of(v) for v in values.items]
    found = elementwise(op, shares)
    axes = axes_of(axis, None if found.rank is None else found.rank + more)
    if found.kind is Kind.BATCH and all(s.kind is Kind.BATCH for s in shares) and axes and axes[0] != 0:
        return Share(Kind.BATCH, None if found.rank is None else found.rank + more)
    return found if not found.known else op.unknown(f"tf.{op.symbol} along the examples")


def _gather(op: Operands) -> Share:
    table, rows = op.share(0, "params"), op.share(1, "indices", "ids")
    if table.kind is Kind.SAME and rows.kind is Kind.BATCH and absent(op.value(9, "axis")):
        rank = None if table.rank is None or rows.rank is None else table.rank + rows.rank - 1
        return Share(Kind.BATCH, rank if table.rank is not None else (None if rows.rank is None else rows.rank + 1))
    return op.unknown("rows are picked from the examples")


def _one_hot(op: Operands) -> Share:
    share = op.share(0, "indices")
    if share.kind is Kind.BATCH and absent(op.value(4, "axis")):
        return Share(Kind.BATCH, None if share.rank is None else share.rank + 1)
    return op.unknown("tf.one_hot along another axis than the last")


def _shape(op: Operands) -> Share:
    share = op.shares[0]
    return Share(Kind.SHAPE, 1) if share.kind is Kind.BATCH else op.unknown("the shape of a mean or sum")


def _filled(op: Operands) -> Share:
    """Something of a given shape: rows where the first dimension is the number of examples."""
    shape = op.value(0, "shape", "dims")
    if op.share_of(shape).kind is Kind.SHAPE if shape is not None else False:
        return Share(Kind.BATCH)
    if isinstance(shape, Sequence) and shape.items and op.share_of(shape.items[0]).kind is Kind.COUNT:
        return Share(Kind.BATCH, None if shape.open_ else len(shape.items))
    return op.unknown(
        "each replica would draw a batch of the whole size"
        if "random" in op.symbol or "normal" in op.symbol
        else "the shape depends on the number of examples in a way that is not followed"
    )


def _cast(op: Operands) -> Share:
    share, dtype = op.share(0, "x"), op.value(1, "dtype")
    floating = "float" in getattr(dtype, "name", "") or (isinstance(dtype, Host) and "float" in str(dtype.literal))
    if share.kind in (Kind.MEAN, Kind.SUM) and not floating:
        return op.unknown("a mean or a sum is rounded")
    return share


def _normalize(op: Operands) -> Share:
    share, axis = op.share(0, "x"), op.value(1, "axis", "dim")
    axes = axes_of(axis, share.rank)
    if share.kind is Kind.BATCH and axes and 0 not in axes:
        return share
    return op.unknown("a norm over all examples")


def _softmax(op: Operands) -> Share:
    share = op.share(0, "logits")
    axis = op.value(1, "axis", "dim")
    axes = [1] if absent(axis) and share.rank != 1 else axes_of(axis, share.rank)
    if share.kind is Kind.BATCH and axes and 0 not in axes:
        return share
    return op.unknown("a softmax over the examples")


def _split(op: Operands) -> Share:
    axis = integers(op.value(2, "axis"))
    share = op.share(0, "value", "values")
    if share.kind is Kind.BATCH and axis and axis[0] > 0:
        return Share(Kind.BATCH, share.rank)
    return op.unknown(f"tf.{op.symbol} along the examples")


def _where(op: Operands) -> Share:
    return (
        elementwise(op, op.shares)
        if len(op.values) > 1
        else op.unknown("the places of true elements among all examples")
    )


def _l2(op: Operands) -> Share:
    return Share(Kind.SUM) if op.shares[0].kind is Kind.BATCH else op.unknown("the square of a mean or a sum")


def _batch_norm(op: Operands) -> Share:
    training = op.value(99, "training", "is_training")
    if (op.symbol == "layers.batch_normalization" and absent(training)) or _false(training):
        return op.shares[0]
    return op.unknown("batch normalization takes its mean over the part of the batch that a replica has")


_MEANINGS: dict[str, Meaning] = {
    "add": lambda op: added(op, op.shares[:2]),
    "subtract": lambda op: added(op, op.shares[:2]),
    "sub": lambda op: added(op, op.shares[:2]),
    "multiply": lambda op: multiplied(op, op.shares[:2]),
    "mul": lambda op: multiplied(op, op.shares[:2]),
    "scalar_mul": lambda op: multiplied(op, op.shares[:2]),
    "divide": lambda op: divided(op, op.shares[0], op.shares[1]),
    "div": lambda op: divided(op, op.shares[0], op.shares[1]),
    "truediv": lambda op: divided(op, op.shares[0], op.shares[1]),
    "realdiv": lambda op: divided(op, op.shares[0], op.shares[1]),
    "add_n": lambda op: added(op, [op.share_of(v) for v in _items(op.value(0, "inputs"))]),
    "accumulate_n": lambda op: added(op, [op.share_of(v) for v in _items(op.value(0, "inputs"))]),
    "matmul": _matmul,
    "nn.softmax_cross_entropy_with_logits": _cross_entropy,
    "nn.softmax_cross_entropy_with_logits_v2": _cross_entropy,
    "nn.sparse_softmax_cross_entropy_with_logits": _sparse_cross_entropy,
    "argmax": _arg,
    "argmin": _arg,
    "arg_max": _arg,
    "arg_min": _arg,
    "reshape": _reshape,
    "expand_dims": _expand,
    "squeeze": _squeeze,
    "transpose": _transpose,
    "concat": _concat,
    "stack": _stack,
    "gather": _gather,
    "nn.embedding_lookup": _gather,
    "one_hot": _one_hot,
    "shape": _shape,
    "size": lambda op: Share(Kind.COUNT, 0),
    "cast": _cast,
    "nn.l2_normalize": _normalize,
    "nn.softmax": _softmax,
    "nn.log_softmax": _softmax,
    "split": _split,
    "unstack": _split,
    "nn.l2_loss": _l2,
    "layers.batch_normalization": _batch_norm,
    "contrib.layers.batch_norm": _batch_norm,
    "zeros": _filled,
    "ones": _filled,
    "fill": _filled,
    "random_normal": _filled,
    "random_uniform": _filled,
    "truncated_normal": _filled,
    "random.normal": _filled,
    "random.uniform": _filled,
    "nn.top_k": lambda op: Share(Kind.BATCH, op.shares[0].rank),
    "losses.get_total_loss": lambda op: op.unknown("a collection of losses"),
}


def _items(value: Value | None) -> list[Value]:
    return value.items if isinstance(value, Sequence) else []
