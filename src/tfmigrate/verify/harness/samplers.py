# ruff: noqa: B905, TID252  (runs before Python 3.10, in a package of another name)
"""Random ops without a stateless kernel in 1.15, drawn by NumPy from the seed tensor: the same on both sides, with the
op's distribution.

Each takes the seed (int32 [2]) and the op's own arguments by their names. Sources:
tensorflow/core/kernels/candidate_sampler_ops.cc, range_sampler.cc, random_op.cc.
"""

import collections
from typing import Any, List, Set, Tuple


def _call(function: Any, inputs: List[Any], types: List[Any], shapes: List[Any], name: Any) -> List[Any]:
    """A py_func in graph and function alike, with static shapes."""
    from tensorflow.python.ops import script_ops

    results = (
        script_ops.py_func_common(function, inputs, types, stateful=False, name=name)
        if hasattr(script_ops, "py_func_common")
        else script_ops.py_func(function, inputs, types, stateful=False, name=name)
    )
    results = results if isinstance(results, (list, tuple)) else [results]
    for result, shape in zip(results, shapes):
        result.set_shape(shape)
    return list(results)


def _state(seed: Any) -> Any:
    import numpy as np

    return np.random.RandomState([int(part) & 0x7FFFFFFF for part in seed] + [77])


def _shape_of(shape: Any) -> Any:
    from tensorflow.python.framework import tensor_util

    value = tensor_util.constant_value(shape) if hasattr(shape, "op") else shape
    return None if value is None else [int(size) for size in value]


def random_shuffle(seed: Any, value: Any, name: Any = None) -> Any:
    """Rows in the order of uniform draws."""
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import array_ops

    value = ops.convert_to_tensor(value)
    (order,) = _call(
        lambda key, rows: _state(key).permutation(int(rows)).astype("int32"),
        [seed, array_ops.shape(value)[0]],
        ["int32"],
        [[None]],
        None,
    )
    result = array_ops.gather(value, order, name=name)
    result.set_shape(value.shape)
    return result


def multinomial(seed: Any, logits: Any, num_samples: Any, output_dtype: Any = "int64", name: Any = None) -> Any:
    """Samples by the inverse of the cumulated probabilities, in float64."""
    from tensorflow.python.framework import dtypes, ops, tensor_util

    dtype = dtypes.as_dtype(output_dtype or "int64")
    logits = ops.convert_to_tensor(logits)

    def draw(key: Any, rows: Any, count: Any) -> Any:
        import numpy as np

        weights = np.exp(rows.astype("float64") - rows.max(axis=1, keepdims=True))
        bounds = np.cumsum(weights, axis=1)
        points = _state(key).random_sample((len(rows), int(count))) * bounds[:, -1:]
        chosen = (points[:, :, None] >= bounds[:, None, :]).sum(axis=2)
        return np.minimum(chosen, rows.shape[1] - 1).astype(dtype.as_numpy_dtype)

    count = tensor_util.constant_value(num_samples) if hasattr(num_samples, "op") else num_samples
    return _call(
        draw,
        [seed, logits, ops.convert_to_tensor(num_samples, dtype="int32")],
        [dtype],
        [[logits.shape[0], count]],
        name,
    )[0]


def random_gamma(seed: Any, shape: Any, alpha: Any, name: Any = None) -> Any:
    """Standard gamma; no gradient reaches alpha."""
    from tensorflow.python.framework import ops

    alpha = ops.convert_to_tensor(alpha)

    def draw(key: Any, sizes: Any, alphas: Any) -> Any:
        import numpy as np

        return np.asarray(_state(key).standard_gamma(alphas, tuple(sizes) + alphas.shape)).astype(alphas.dtype)

    sizes = _shape_of(shape)
    static = None if sizes is None or alpha.shape.ndims is None else sizes + alpha.shape.as_list()
    return _call(draw, [seed, ops.convert_to_tensor(shape), alpha], [alpha.dtype], [static], name)[0]


def random_poisson_v2(seed: Any, shape: Any, rate: Any, dtype: Any = "int64", name: Any = None) -> Any:
    """Poisson counts."""
    from tensorflow.python.framework import dtypes, ops

    rate, kind = ops.convert_to_tensor(rate), dtypes.as_dtype(dtype or "int64")

    def draw(key: Any, sizes: Any, rates: Any) -> Any:
        import numpy as np

        return np.asarray(_state(key).poisson(rates, tuple(sizes) + rates.shape)).astype(kind.as_numpy_dtype)

    sizes = _shape_of(shape)
    static = None if sizes is None or rate.shape.ndims is None else sizes + rate.shape.as_list()
    return _call(draw, [seed, ops.convert_to_tensor(shape), rate], [kind], [static], name)[0]


Candidates = collections.namedtuple(
    "Candidates", ["sampled_candidates", "true_expected_count", "sampled_expected_count"]
)


def _candidates(seed: Any, true_classes: Any, num_sampled: int, unique: bool, weights: Any, name: Any) -> Any:
    """(sampled int64 [n], expected count of the true classes, expected count of the sampled): drawn in sequence,
    repeats dropped if unique.

    `weights()` gives the classes' probabilities.
    """
    from tensorflow.python.framework import ops

    def draw(key: Any, true: Any) -> Tuple[Any, Any, Any]:
        import numpy as np

        state, bounds = _state(key), np.cumsum(weights())
        probabilities = np.diff(np.concatenate([[0.0], bounds])) / bounds[-1]
        chosen: List[int] = []
        tries = 0
        seen: Set[int] = set()
        while len(chosen) < num_sampled:
            for item in np.minimum(
                np.searchsorted(bounds, state.random_sample(num_sampled) * bounds[-1], side="right"), len(bounds) - 1
            ):
                tries += 1
                if not unique or item not in seen:
                    seen.add(item)
                    chosen.append(item)
                if len(chosen) == num_sampled:
                    break

        def expected(classes: Any) -> Any:
            share = probabilities[classes]
            with np.errstate(divide="ignore"):
                return (-np.expm1(tries * np.log1p(-share)) if unique else share * num_sampled).astype("float32")

        sampled = np.array(chosen, "int64")
        return sampled, expected(true), expected(sampled)

    true_classes = ops.convert_to_tensor(true_classes, dtype="int64")
    results = _call(
        draw,
        [seed, true_classes],
        ["int64", "float32", "float32"],
        [[num_sampled], true_classes.shape, [num_sampled]],
        name,
    )
    return Candidates(*results)


def uniform_candidate_sampler(
    seed: Any, true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, name: Any = None
) -> Any:
    """All classes alike."""
    import numpy as np

    return _candidates(seed, true_classes, num_sampled, unique, lambda: np.ones(range_max), name)


def log_uniform_candidate_sampler(
    seed: Any, true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, name: Any = None
) -> Any:
    """P(k) = log((k + 2) / (k + 1)) / log(range_max + 1)."""
    import numpy as np

    return _candidates(
        seed, true_classes, num_sampled, unique, lambda: np.diff(np.log(np.arange(1.0, range_max + 2))), name
    )


def learned_unigram_candidate_sampler(
    seed: Any, true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, name: Any = None
) -> Any:
    """Starts uniform; what it learns from the labels is left out, on both sides alike."""
    return uniform_candidate_sampler(seed, true_classes, num_true, num_sampled, unique, range_max, name)


def fixed_unigram_candidate_sampler(
    seed: Any,
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    vocab_file: str = "",
    distortion: float = 1,
    num_reserved_ids: int = 0,
    num_shards: int = 1,
    shard: int = 0,
    unigrams: Any = (),
    name: Any = None,
) -> Any:
    """Weights from `unigrams` or the last column of `vocab_file`, to the power `distortion`; reserved ids are never
    drawn.
    """

    def weights() -> Any:
        import numpy as np

        counts = list(unigrams)
        if vocab_file:
            with open(vocab_file) as stream:
                counts = [float(line.split(",")[-1]) for line in stream if line.strip()]
        full = np.concatenate([np.zeros(num_reserved_ids), np.power(np.array(counts, "float64"), distortion)])
        full[np.arange(len(full)) % num_shards != shard] = 0.0
        return full[:range_max]

    return _candidates(seed, true_classes, num_sampled, unique, weights, name)
