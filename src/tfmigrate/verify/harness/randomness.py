# ruff: noqa: B905, TID252  (runs before Python 3.10, in a package of another name)
"""The same numbers from random ops on both sides: stateless draws keyed by the op's place among those of its run and
the run's number.

Draws that become initial values, before behind an initializer's run, after at the program's own level, are keyed by
their kind, their shape and how many of that kind and shape came earlier. They are transplanted anyway, but so a wrong
scale shows: the converted program's own value is then the legacy one, stretched. Where the program itself gives the op
a seed, both get what the real op draws first from it: the author chose values from which the program learns.

Before: each random op takes its seed from a tensor that is fed at each run; its place is its rank, by creation, among
the random ops behind the run's fetches. After: its place is its rank in the outermost function's trace, the run's
number a variable set before each call. Streams cannot serve: an op shared by two fetch sets is one kernel before and
two after. Draws within tf.data's functions keep their streams, with fixed seeds.

Plain draws use StatelessRandomNormal, -Uniform, -UniformInt and -TruncatedNormal, which give the same bits in 1.15.5
and the target; the others are drawn by NumPy's RandomState, whose streams are frozen.
"""

import contextlib
import functools
import json
import os
import sys
import threading
import zlib
from typing import Any, Callable, Dict, List, Optional

from . import samplers, seeded
from .settings import Settings

INITIAL = 1 << 30  # in the place of a run's number, which stays far below
DATASET = threading.local()  # .depth: building a function of tf.data


class Alignment(object):
    """What both sides share: the replaced generators. `seed_tensor` gives an int32 [2] tensor for the next op of the
    kind, None to leave the op alone.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._fixed = 0
        self.drawn: Dict[str, int] = {}  # initial values by kind and shape
        self._legacy: Dict[str, int] = {}  # those of the legacy program's whole run, where that is known

    def seed_tensor(self, kind: Any) -> Any:
        return None

    def _unseeded(self, bound: Dict[str, Any], shape: Any) -> Dict[str, Any]:
        """The op's arguments as they are without the seed that the harness set for all."""
        seed = bound.get("seed")
        return dict(bound, shape=shape, name=None, seed=seeded.DEFAULT if seed == self.settings.seed else seed)

    def own(self, first: Any) -> Any:
        """The tensor that the program's own seed gives, where it is wanted now; `first` computes it, None without a
        seed.
        """
        return None

    def made(self, result: Any, first: Any) -> None:
        """Told of each op that was made in a random op's place."""

    def initial(self, kind: Any) -> List[int]:
        """The seed of the next draw of this kind and shape that becomes an initial value.

        An initializer that is run again draws the same again before; after, where that is drawing anew, the draws
        begin from the first one again when all of the legacy program's are through.
        """
        earlier = self.drawn.get(repr(kind), 0)
        self.drawn[repr(kind)] = earlier + 1
        earlier %= self._legacy.get(repr(kind)) or earlier + 1
        return [zlib.crc32(repr((self.settings.seed, kind, earlier)).encode()) & 0x7FFFFFFF, INITIAL]

    def install(self) -> None:
        from tensorflow.python.ops import gen_candidate_sampling_ops, gen_random_ops, gen_stateless_random_ops

        stateless = gen_stateless_random_ops
        seeded.watch()
        self._replace(
            gen_random_ops,
            "random_standard_normal",
            lambda seed, shape, dtype, name=None: stateless.stateless_random_normal(
                shape, seed, dtype=dtype, name=name
            ),
        )
        self._replace(
            gen_random_ops,
            "random_uniform",
            lambda seed, shape, dtype, name=None: stateless.stateless_random_uniform(
                shape, seed, dtype=dtype, name=name
            ),
        )
        self._replace(
            gen_random_ops,
            "truncated_normal",
            lambda seed, shape, dtype, name=None: stateless.stateless_truncated_normal(
                shape, seed, dtype=dtype, name=name
            ),
        )
        self._replace(
            gen_random_ops,
            "random_uniform_int",
            lambda seed, shape, minval, maxval, name=None: stateless.stateless_random_uniform_int(
                shape, seed, minval, maxval, name=name
            ),
        )
        for name in ("random_shuffle", "multinomial", "random_gamma", "random_poisson_v2"):
            self._replace(gen_random_ops, name, getattr(samplers, name))
        for name in (
            "uniform_candidate_sampler",
            "log_uniform_candidate_sampler",
            "learned_unigram_candidate_sampler",
            "fixed_unigram_candidate_sampler",
        ):
            self._replace(gen_candidate_sampling_ops, name, getattr(samplers, name))

    def _replace(self, module: Any, name: str, draw: Callable[..., Any]) -> None:
        original = getattr(module, name)
        parameters = (
            original.__code__.co_varnames[: original.__code__.co_argcount] if hasattr(original, "__code__") else ()
        )

        @functools.wraps(original)
        def replaced(*args: Any, **kwargs: Any) -> Any:
            bound = dict(zip(parameters, args))
            bound.update(kwargs)
            if getattr(DATASET, "depth", 0):
                self._fixed += 1
                bound.update(seed=self.settings.seed, seed2=self._fixed)
                return original(**bound)
            shape = seeded.sizes(bound.get("shape"))
            told = seeded.told() and name in seeded.PLAIN and shape is not None
            first = functools.partial(seeded.first, original, self._unseeded(bound, shape)) if told else None
            drawn = self.own(first)
            if drawn is not None:
                return drawn
            seed = self.seed_tensor((name,) + (shape or ()))
            if seed is None:
                return original(**bound)
            result = draw(seed, **{key: bound[key] for key in bound if key not in ("seed", "seed2")})
            self.made(result, first)
            return result

        setattr(module, name, replaced)


class Feeds(Alignment):
    """The before side: seeds are placeholders with a default, fed at each run."""

    def __init__(self, settings: Settings) -> None:
        super(Feeds, self).__init__(settings)
        self.graphs: Any = None
        self._seeds: Dict[int, List[Any]] = {}
        self._kinds: Dict[Any, Any] = {}  # (graph's id, number of the op) -> kind
        self._initial: Dict[Any, List[int]] = {}
        self._seeded: Dict[Any, Any] = {}  # (graph's id, number of the op) -> its tensor and what gives its first draw

    def seed_tensor(self, kind: Any) -> Any:
        import numpy as np
        from tensorflow.python.framework import ops
        from tensorflow.python.ops import array_ops

        graph = ops.get_default_graph()
        while getattr(graph, "outer_graph", None) is not None:
            graph = graph.outer_graph
        if graph.finalized:
            return None
        seeds = self._seeds.setdefault(id(graph), [])
        with contextlib.ExitStack() as scopes:
            for scope in (graph.as_default(), graph.control_dependencies(None), graph.colocate_with(None, True)):
                scopes.enter_context(scope)
            for scope in (graph.device(None), graph.name_scope(None)):
                scopes.enter_context(scope)
            default = np.array([len(seeds), 0], "int32")
            seed = array_ops.placeholder_with_default(default, [2], name="tfmigrate/seed_%d" % len(seeds))
        self.graphs.random[(id(graph), seed.op.name)] = len(seeds)
        self._kinds[(id(graph), len(seeds))] = kind
        seeds.append(seed)
        return seed

    def feed(self, graph: Any, fetched: Any, feed_dict: Any, number: int) -> Any:
        """The run's feeds with the seeds of the random ops behind its fetches added."""
        if not fetched.random:
            return feed_dict
        seeds = self._seeds[id(graph)]
        feeds = dict(feed_dict or {})
        for place, index in enumerate(fetched.random):
            feeds[seeds[index]] = self._begin(id(graph), index) if fetched.initializer else [place, number]
            if fetched.initializer and (id(graph), index) in self._seeded:
                tensor, first = self._seeded[(id(graph), index)]
                feeds.setdefault(tensor, first())
        return feeds

    def made(self, result: Any, first: Any) -> None:
        seeds = self._seeds.get(id(result.graph)) if first is not None else None
        if seeds:
            self._seeded[(id(result.graph), len(seeds) - 1)] = (result, first)

    def _begin(self, graph: int, index: int) -> List[int]:
        """The seed of a draw behind an initializer, the same each time it is run."""
        if (graph, index) not in self._initial:
            self._initial[(graph, index)] = self.initial(self._kinds[(graph, index)])
        return self._initial[(graph, index)]


class Traced(Alignment):
    """The after side: seeds are made of a rank in the outermost trace and the variable that holds the run's number."""

    def __init__(self, settings: Settings) -> None:
        super(Traced, self).__init__(settings)
        self._run: Any = None
        if settings.initial is not None:
            with open(os.path.join(settings.initial, "trace.json")) as stream:
                self._legacy = json.load(stream)["environment"].get("draws", {})

    def install(self) -> None:
        super(Traced, self).install()
        from tensorflow.python.ops import variables

        from .transplant import OWN

        self._run = variables.Variable(0, dtype="int32", trainable=False, name=OWN)
        keras: Any = sys.modules.get("keras.src.backend.tensorflow.random")
        for name in ("normal", "uniform", "truncated_normal", "randint", "dropout", "categorical", "shuffle"):
            if keras is not None:
                self._replace_keras(keras, name)

    def own(self, first: Any) -> Any:
        from tensorflow.python.framework import ops

        return ops.convert_to_tensor(first()) if first is not None and _eager() else None

    def set_run(self, number: int) -> None:
        """Called before each outermost call."""
        self._run.assign(number)

    def seed_tensor(self, kind: Any) -> Any:
        import numpy as np
        from tensorflow.python.framework import ops
        from tensorflow.python.ops import array_ops, array_ops_stack

        if _eager():
            return ops.convert_to_tensor(np.array(self.initial(kind), "int32"))
        graph = ops.get_default_graph()
        if not hasattr(graph, "outer_graph"):
            return None
        outermost = graph
        while hasattr(outermost.outer_graph, "outer_graph"):
            outermost = outermost.outer_graph
        rank = getattr(outermost, "_tfmigrate_random", 0)
        outermost._tfmigrate_random = rank + 1
        return array_ops_stack.stack([array_ops.constant(np.int32(rank)), self._run.read_value()])

    def _replace_keras(self, module: Any, name: str) -> None:
        """Keras draws statelessly from its own counter: goes through TensorFlow's plain generators instead."""
        original, draw = getattr(module, name), getattr(KerasDraws, name)

        @functools.wraps(original)
        def replaced(*args: Any, **kwargs: Any) -> Any:
            kwargs.pop("seed", None)
            return draw(original, *args, **kwargs)

        setattr(module, name, replaced)


class KerasDraws(object):
    """keras.random's functions by TensorFlow's own; `seed` is already gone."""

    @staticmethod
    def normal(original: Any, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None) -> Any:
        return _tensorflow().random.normal(shape, mean, stddev, dtype or _floatx())

    @staticmethod
    def uniform(original: Any, shape: Any, minval: Any = 0.0, maxval: Any = 1.0, dtype: Any = None) -> Any:
        return _tensorflow().random.uniform(shape, minval, maxval, dtype or _floatx())

    @staticmethod
    def truncated_normal(original: Any, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None) -> Any:
        return _tensorflow().random.truncated_normal(shape, mean, stddev, dtype or _floatx())

    @staticmethod
    def randint(original: Any, shape: Any, minval: Any, maxval: Any, dtype: Any = "int32") -> Any:
        return _tensorflow().random.uniform(shape, minval, maxval, dtype)

    @staticmethod
    def dropout(original: Any, inputs: Any, rate: Any, noise_shape: Any = None) -> Any:
        return _tensorflow().nn.dropout(inputs, rate, noise_shape)

    @staticmethod
    def categorical(original: Any, logits: Any, num_samples: Any, dtype: Any = "int64") -> Any:
        return _tensorflow().random.categorical(logits, num_samples, dtype)

    @staticmethod
    def shuffle(original: Any, x: Any, axis: int = 0) -> Any:
        return _tensorflow().random.shuffle(x) if axis == 0 else original(x, axis)


def _tensorflow() -> Any:
    return sys.modules["tensorflow"]


def _floatx() -> Any:
    return _tensorflow().keras.backend.floatx()


def _eager() -> bool:
    from tensorflow.python.eager import context

    return bool(context.executing_eagerly())


def install(settings: Settings) -> Optional[Alignment]:
    """The alignment of this side, installed; None in timing runs."""
    _fix_datasets(settings)
    if not settings.record:
        return None
    alignment: Alignment = Feeds(settings) if settings.side == "before" else Traced(settings)
    alignment.install()
    return alignment


def _fix_datasets(settings: Settings) -> None:
    """tf.data: shuffles in one order, the same at every pass, by the place of the dataset; functions marked while they
    are built.
    """
    made = [0]
    for module_name, class_name in (("dataset_ops", "ShuffleDataset"), ("shuffle_op", "_ShuffleDataset")):
        kind = _find("tensorflow.python.data.ops." + module_name, class_name)
        if kind is not None:
            _wrap_shuffle(kind, settings, made)
    for module_name in ("dataset_ops", "structured_function"):
        kind = _find("tensorflow.python.data.ops." + module_name, "StructuredFunctionWrapper")
        if kind is not None and not hasattr(kind.__init__, "__wrapped__"):
            _wrap_function(kind)


def _find(module: str, name: str) -> Any:
    import importlib

    try:
        return getattr(importlib.import_module(module), name, None)
    except ImportError:
        return None


def _wrap_shuffle(kind: Any, settings: Settings, made: List[int]) -> None:
    original = kind.__init__

    @functools.wraps(original)
    def __init__(
        dataset: Any,
        input_dataset: Any,
        buffer_size: Any,
        seed: Any = None,
        reshuffle_each_iteration: Any = None,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        made[0] += 1
        if settings.record:
            seed, reshuffle_each_iteration = made[0] if seed is None else seed, False
        original(dataset, input_dataset, buffer_size, seed, reshuffle_each_iteration, *args, **kwargs)

    kind.__init__ = __init__


def _wrap_function(kind: Any) -> None:
    original = kind.__init__

    @functools.wraps(original)
    def __init__(wrapper: Any, *args: Any, **kwargs: Any) -> None:
        DATASET.depth = getattr(DATASET, "depth", 0) + 1
        try:
            original(wrapper, *args, **kwargs)
        finally:
            DATASET.depth -= 1

    kind.__init__ = __init__
