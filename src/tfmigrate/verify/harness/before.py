# ruff: noqa: B905, TID252  (runs before Python 3.10, in a package of another name)
"""The before side: every Session.run that user code asks for becomes an event."""

import functools
import threading
import time
from typing import Any, Dict, List, Optional, Set, Tuple

from .fetches import Fetched, Graphs, flatten
from .frames import Frames
from .recorder import Recorder
from .stopping import Stopper
from .transplant import Legacy


class Sessions(object):
    """Patches BaseSession: run, partial_run, make_callable, close."""

    def __init__(
        self, recorder: Recorder, frames: Frames, stopper: Stopper, record: bool, alignment: Any, legacy: List[Legacy]
    ) -> None:
        self.recorder = recorder
        self.frames = frames
        self.stopper = stopper
        self.record = record
        self.alignment = alignment  # randomness.Seeds, or None
        self.legacy = legacy
        self.graphs = Graphs()
        self.initial: Dict[Any, Dict[str, Any]] = {}
        self.final: Dict[Any, Dict[str, Any]] = {}
        self.restored: Set[Any] = set()  # those variables that a checkpoint gave their first value
        self.variables: List[Any] = []
        self._known: Set[Any] = set()
        self._last: Any = None
        self._inside = threading.local()
        counted = stopper.settings.counted_sites
        self._counted = None if counted is None else frozenset(counted)
        self._read = frozenset(stopper.settings.read_sites)
        self._initialized = frozenset(stopper.settings.initializer_sites)

    def install(self) -> None:
        from tensorflow.python.client import session

        self._base = session.BaseSession
        self._run = self._base.run
        self._wrap("run", self._on_run)
        self._wrap("partial_run", self._on_partial_run)
        if self.record:
            self._wrap("make_callable", self._on_make_callable)
            self._wrap("close", self._on_close)

    def _wrap(self, name: str, handler: Any) -> None:
        original = getattr(self._base, name)

        @functools.wraps(original)
        def method(session: Any, *args: Any, **kwargs: Any) -> Any:
            return handler(original, session, args, kwargs)

        setattr(self._base, name, method)

    # A run inside a run (Variable.load, a py_func, the monitored session's wrappers) is part of the outer one.
    def _nested(self) -> bool:
        return bool(getattr(self._inside, "depth", 0))

    def _on_run(self, original: Any, session: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        if self._nested():
            return original(session, *args, **kwargs)
        return self._measured(
            original, session, _bind(("fetches", "feed_dict", "options", "run_metadata"), args, kwargs), "run"
        )

    def _on_partial_run(self, original: Any, session: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        if self._nested():
            return original(session, *args, **kwargs)
        return self._measured(original, session, _bind(("handle", "fetches", "feed_dict"), args, kwargs), "partial")

    def _on_make_callable(self, original: Any, session: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        bound = _bind(("fetches", "feed_list", "accept_options"), args, kwargs)
        if self._nested() or bound.get("accept_options"):
            return original(session, *args, **kwargs)
        feeds = list(bound.get("feed_list") or [])
        return lambda *values: session.run(bound["fetches"], dict(zip(feeds, values)))

    def _on_close(self, original: Any, session: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        if not self._nested():
            self.capture_final(session)
        return original(session, *args, **kwargs)

    def _measured(self, original: Any, session: Any, call: Dict[str, Any], how: str) -> Any:
        moment = time.perf_counter()
        path, line = self.frames.user(3)
        fetched = self.graphs.describe(
            session.graph, call.get("fetches"), call.get("feed_dict"), self._counted is None or self.record
        )
        counted = bool(path) and (fetched.step if self._counted is None else self._is_counted((path, line), fetched))
        number = self.stopper.enter((path, line), counted)
        if self.alignment is not None and how == "run":
            call = dict(call, feed_dict=self.alignment.feed(session.graph, fetched, call.get("feed_dict"), number))
        self._last = session
        self._inside.depth = 1
        error, result = None, None
        self.recorder.clock.since(moment)
        start = time.perf_counter()
        begun = self.recorder.clock.now()
        try:
            result = original(session, **call)
            return result
        except BaseException as problem:
            error = type(problem).__name__
            raise
        finally:
            seconds = time.perf_counter() - start
            moment = time.perf_counter()
            try:
                if error is not None and counted:
                    self.stopper.take_back((path, line))
                if path:
                    self._note(session, fetched, call, result, error, path, line, begun, seconds)
                restored = "restore" in fetched.effects
                if error is None and (fetched.initializer or restored) and (self.record or self.legacy):
                    self._capture_initial(session, restored)
            finally:
                self._inside.depth = 0
                self.recorder.clock.since(moment)

    def _is_counted(self, place: Tuple[str, int], fetched: Fetched) -> bool:
        if place not in (self._counted or ()):
            return False
        return not (
            (place in self._read and "read" in fetched.effects)
            or (place in self._initialized and (fetched.initializer or "iterator" in fetched.effects))
        )

    def _note(
        self,
        session: Any,
        fetched: Fetched,
        call: Dict[str, Any],
        result: Any,
        error: Optional[str],
        path: str,
        line: int,
        begun: float,
        seconds: float,
    ) -> None:
        values: List[Dict[str, Any]] = []
        if self.record and error is None:
            for value, tensor in flatten(session.graph, call.get("fetches"), result):
                values.append(self.recorder.value(value, summary=self.graphs.is_summary(tensor)))
        self.recorder.event(
            path=path,
            line=line,
            name="",
            start=begun,
            seconds=seconds,
            values=values,
            ops=self.graphs.size(session.graph),
            traces=0,
            variables=self.graphs.variable_count(session.graph),
            fetches=list(fetched.names),
            effects=list(fetched.effects),
            error=error,
        )

    def _values_of(self, session: Any, variables: List[Any]) -> List[Any]:
        """Values of those variables that are initialised (None for the others); adds nothing to the graph."""
        from tensorflow.python.framework import errors

        self._inside.depth = 1
        try:
            try:
                return list(self._run(session, variables)) if variables else []
            except (errors.FailedPreconditionError, errors.NotFoundError, errors.InvalidArgumentError):
                values = []
                for variable in variables:
                    try:
                        values.append(self._run(session, variable))
                    except (errors.FailedPreconditionError, errors.NotFoundError, errors.InvalidArgumentError):
                        values.append(None)
                return values
        finally:
            self._inside.depth = 0

    def _capture_initial(self, session: Any, restored: bool) -> None:
        graph = session.graph
        self._learn(graph)
        missing = [variable for key, variable in self.variables if key[0] == id(graph) and key not in self.initial]
        self._transplant(session, missing)
        for variable, value in zip(missing, self._values_of(session, missing)):
            if value is not None:
                key = (id(graph), variable.op.name)
                self.initial[key] = self.recorder.value(value, whole=True)
                if restored:
                    self.restored.add(key)

    def _transplant(self, session: Any, variables: List[Any]) -> None:
        """Puts another before-run's initial values in, by name."""
        legacy = {item.name: item for item in self.legacy}
        for variable, value in zip(variables, self._values_of(session, variables) if legacy else ()):
            item = legacy.get(variable.op.name)
            if value is not None and item is not None and tuple(getattr(value, "shape", ())) == item.shape:
                self._inside.depth = 1
                feed = {variable.initializer.inputs[1]: item.value().astype(value.dtype)}
                self._run(session, variable.initializer, feed)

    def capture_final(self, session: Any) -> None:
        """The values of the session's variables as they are now."""
        graph = session.graph
        self._learn(graph)
        known = [variable for key, variable in self.variables if key[0] == id(graph)]
        for variable, value in zip(known, self._values_of(session, known)):
            if value is not None:
                self.final[(id(graph), variable.op.name)] = self.recorder.value(value, whole=True)

    def _learn(self, graph: Any) -> None:
        """New variables of the graph, in order of creation. The graph is kept alive so that its id stays its own."""
        for variable in self.graphs.variables(graph):
            key = (id(graph), variable.op.name)
            if key not in self._known:
                self._known.add(key)
                self.variables.append((key, variable))

    def finish(self) -> None:
        """Reads the last session once more where it is open, and writes the variables' records."""
        session = self._last
        if session is None:
            return
        if self.record and not getattr(session, "_closed", False):
            self.capture_final(session)
        for key, variable in self.variables:
            value = self.final.get(key) or self.initial.get(key)
            self.recorder.write(
                "variable",
                name=variable.op.name,
                shape=value["shape"] if value else _shape(variable),
                dtype=variable.dtype.base_dtype.name,
                trainable=bool(getattr(variable, "trainable", False)),
                initial=self.initial.get(key),
                final=self.final.get(key),
                slot=self.graphs.is_slot(variable),
                drawn=self.graphs.is_drawn(variable),
                restored=key in self.restored,
            )


def _shape(variable: Any) -> List[int]:
    return variable.shape.as_list() if variable.shape.ndims is not None else []


def _bind(names: Tuple[str, ...], args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Dict[str, Any]:
    bound = dict(zip(names, args))
    bound.update(kwargs)
    return bound
