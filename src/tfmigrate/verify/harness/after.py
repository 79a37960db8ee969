# ruff: noqa: B905, TID252  (runs before Python 3.10, in a package of another name)
"""The after side: every outermost call of a tf.function or concrete function that user code makes becomes an event."""

import functools
import os
import re
import sys
import threading
import time
from typing import Any, Iterator, List, Optional, Set, Tuple

from .frames import Frames
from .recorder import Recorder
from .stopping import Stopper

KEPT = 2000  # functions kept, so that those replaced by their concrete function still count
TRACED = re.compile(r"^__(?:inference|forward|backward)_(.+?)_\d+$")
HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


class Functions(object):
    """Patches Function.__call__ and ConcreteFunction.__call__; counts traces of the user's functions."""

    def __init__(
        self, recorder: Recorder, frames: Frames, stopper: Stopper, record: bool, alignment: Any, variables: Any
    ) -> None:
        self.recorder = recorder
        self.frames = frames
        self.stopper = stopper
        self.record = record
        self.alignment = alignment
        self.variables = variables
        self._functions: List[Any] = []
        self._ops = (0, 0)
        self._writers: Set[int] = set()  # ids of functions that only write summaries
        self._inside = threading.local()
        names = stopper.settings.step_names
        self._names = None if names is None else frozenset(names)

    def install(self) -> None:
        import tensorflow
        from tensorflow.python.eager.polymorphic_function import concrete_function, polymorphic_function
        from tensorflow.python.framework import ops

        self._tensorflow = os.path.dirname(os.path.abspath(tensorflow.__file__)) + os.sep
        self._tracing = ops.inside_function
        self._wrap(
            polymorphic_function.Function,
            lambda function: function._name or getattr(function.python_function, "__name__", ""),
        )
        self._wrap(concrete_function.ConcreteFunction, lambda function: getattr(function.graph, "name", ""))
        self._register(polymorphic_function.Function)

    def _register(self, kind: Any) -> None:
        original, functions, frames = kind.__init__, self._functions, self.frames

        @functools.wraps(original)
        def __init__(function: Any, python_function: Any, *args: Any, **kwargs: Any) -> None:
            original(function, python_function, *args, **kwargs)
            moment = time.perf_counter()
            if _code_file(python_function) is None or frames.relative(_code_file(python_function) or "") is not None:
                if len(functions) < KEPT:
                    functions.append(function)
            self.recorder.clock.since(moment)

        kind.__init__ = __init__

    def _wrap(self, kind: Any, name_of: Any) -> None:
        original = kind.__call__
        inside, measured, tracing = self._inside, self._measured, self._tracing

        @functools.wraps(original)
        def __call__(function: Any, *args: Any, **kwargs: Any) -> Any:
            if getattr(inside, "depth", 0) or tracing():
                return original(function, *args, **kwargs)
            return measured(original, function, name_of, args, kwargs)

        kind.__call__ = __call__

    def _caller(self) -> Optional[Tuple[str, int]]:
        """The user's line that called, None where a library (Keras, say) did."""
        frame: Any = sys._getframe(2)
        while frame is not None:
            filename = frame.f_code.co_filename
            place = self.frames.relative(filename)
            if place is not None:
                return place, self.frames.call_start(filename, frame.f_lineno)
            if not filename.startswith((self._tensorflow, HERE, "<")) and not filename.endswith("contextlib.py"):
                return None
            frame = frame.f_back
        return None

    def _measured(self, original: Any, function: Any, name_of: Any, args: Any, kwargs: Any) -> Any:
        moment = time.perf_counter()
        place = self._caller()
        if place is None:
            self.recorder.clock.since(moment)
            return original(function, *args, **kwargs)
        name = name_of(function)
        counted = self._is_step(function, name)
        number = self.stopper.enter(place, counted)
        self.variables.settle()
        if self.alignment is not None:
            self.alignment.set_run(number)
        self._inside.depth = 1
        error, result = None, None
        self.recorder.clock.since(moment)
        start = time.perf_counter()
        begun = self.recorder.clock.now()
        try:
            result = original(function, *args, **kwargs)
            return result
        except BaseException as problem:
            error = type(problem).__name__
            raise
        finally:
            seconds = time.perf_counter() - start
            moment = time.perf_counter()
            try:
                values = (
                    [self.recorder.value(value) for value in flatten(result)] if self.record and error is None else []
                )
                traces, ops = self._traced()
                if error is not None and counted:
                    self.stopper.take_back(place)
                elif counted and self._names is None and next(flatten(result), None) is None and _writes(function):
                    self._writers.add(id(function))
                    self.stopper.counted -= 1
                self.recorder.event(
                    path=place[0],
                    line=place[1],
                    name=name,
                    start=begun,
                    seconds=seconds,
                    values=values,
                    ops=ops,
                    traces=traces,
                    variables=self.variables.count,
                    fetches=[],
                    effects=[],
                    error=error,
                )
            finally:
                self._inside.depth = 0
                self.recorder.clock.since(moment)

    def _is_step(self, function: Any, name: str) -> bool:
        """Whether the call has a run of the before side as its partner. Without names all have but those that only
        write summaries.
        """
        if self._names is None:
            return id(function) not in self._writers
        return plain(name) in self._names

    def _traced(self) -> Tuple[int, int]:
        """(traces made so far, operations in all graphs traced so far) of the user's functions."""
        traces = sum(function.experimental_get_tracing_count() for function in self._functions)
        if traces != self._ops[0]:
            graphs = [found.graph for function in self._functions for found in function._list_all_concrete_functions()]
            self._ops = (traces, sum(int(graph.version) for graph in graphs))
        return self._ops


def plain(name: str) -> str:
    """The name of a function without what tracing and methods add, as the host's `called_name` gives it."""
    traced = TRACED.match(name)
    return (traced.group(1) if traced else name).rsplit(".", 1)[-1].lstrip("_")


def _writes(function: Any) -> bool:
    """Whether a function's graph writes summaries."""
    graphs = (
        [function.graph]
        if hasattr(function, "graph")
        else [concrete.graph for concrete in function._list_all_concrete_functions()]
    )
    return any(
        operation.type.startswith("Write") and "Summary" in operation.type
        for graph in graphs
        for operation in _all_operations(graph)
    )


def _all_operations(graph: Any) -> Iterator[Any]:
    """The graph's operations and those of the branches it calls, where a conditional write stands."""
    for operation in graph.get_operations():
        yield operation
        for name in ("then_branch", "else_branch"):
            if operation.type in ("If", "StatelessIf"):
                branch = graph._get_function(operation.get_attr(name).name)
                for inner in getattr(getattr(branch, "graph", None), "get_operations", list)():
                    yield inner


def _code_file(function: Any) -> Optional[str]:
    """The file of a Python function under its decorators, None where it has no code of its own."""
    for _ in range(10):
        code = getattr(function, "__code__", None)
        if code is not None and not hasattr(function, "__wrapped__"):
            return str(code.co_filename)
        function = (
            getattr(function, "__wrapped__", None)
            or getattr(function, "__func__", None)
            or getattr(function, "func", None)
        )
        if function is None:
            return None
    return None


def flatten(result: Any) -> Iterator[Any]:
    """The values of a function's result in structure order, as NumPy takes them; None is left out."""
    if result is None:
        return
    kind = type(result).__name__
    if isinstance(result, dict):
        parts: List[Any] = list(result.values())
    elif kind == "SparseTensor":
        parts = [result.indices, result.values, result.dense_shape]
    elif kind == "IndexedSlices":
        parts = [result.values, result.indices, result.dense_shape]
    elif kind == "RaggedTensor":
        parts = [result.flat_values] + list(result.nested_row_splits)
    elif kind == "PerReplica":
        parts = list(result.values)
    elif isinstance(result, (list, tuple)):
        parts = list(result)
    else:
        numpy = getattr(result, "numpy", None)
        if numpy is not None:
            try:
                yield numpy()
            except (NotImplementedError, ValueError):  # a dataset, an optional: no value
                return
        elif isinstance(result, (bool, int, float, complex, str, bytes)) or type(result).__module__ == "numpy":
            yield result
        return
    for part in parts:
        for value in flatten(part):
            yield value
