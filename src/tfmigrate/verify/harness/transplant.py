# ruff: noqa: B905, TID252  (runs before Python 3.10, in a package of another name)
"""Initial values of the before-run are put into the after-run's variables as these are made."""

import functools
import json
import os
import re
import sys
import threading
import time
from typing import Any, Dict, List, Optional, Tuple

from .recorder import Recorder

KEPT = 5000  # variables kept alive until the end, so that their last value can be read
OWN = "tfmigrate_run_number"


class Made(object):
    """A variable of the after side."""

    def __init__(self, name: str, variable: Any, slot: bool) -> None:
        self.name = name
        self.variable = variable
        self.slot = slot
        self.shape = tuple(variable.shape.as_list()) if variable.shape.ndims is not None else None
        self.trainable = bool(variable.trainable)
        self.copies: List[Any] = []  # the other replicas'
        self.given: Optional[str] = None  # legacy name of the value put in
        self.how = ""
        self.own: Optional[Dict[str, Any]] = None  # what the program itself gave it
        self.initial: Optional[Dict[str, Any]] = None
        self.settled = False


class Legacy(object):
    """A variable of the before side with its initial value."""

    def __init__(self, record: Dict[str, Any], values: Any) -> None:
        self.name = record["name"]
        self.shape = tuple(record["shape"])
        self.trainable = record["trainable"]
        self.slot = record["slot"]
        self.key = record["initial"]["key"] if record["initial"] else None
        self.restored = bool(record.get("restored"))
        self._values = values

    def value(self) -> Any:
        return self._values[self.key]


def load_legacy(folder: Optional[str]) -> List[Legacy]:
    """The variables of the trace in `folder` that have an initial value."""
    if folder is None:
        return []
    import numpy as np

    with open(os.path.join(folder, "trace.json")) as stream:
        records = json.load(stream)["variables"]
    values = np.load(os.path.join(folder, "values.npz"))
    return [item for item in (Legacy(record, values) for record in records) if item.key is not None]


class Variables(object):
    """Watches the making of variables; pairs by name as they are made, by place and order once the first step is asked
    for.
    """

    def __init__(self, recorder: Recorder, legacy: List[Legacy], pairs: List[Tuple[str, str]], record: bool) -> None:
        self.recorder = recorder
        self.legacy = [item for item in legacy if not item.slot]
        self.paths = {path: name for name, path in pairs}
        self.record = record
        self.made: List[Made] = []
        self.count = 0
        self._pending = False
        self._keras = threading.local()

    def install(self) -> None:
        from tensorflow.python.eager.polymorphic_function import polymorphic_function
        from tensorflow.python.ops import resource_variable_ops

        self._wrap(resource_variable_ops.ResourceVariable)
        self._wrap(polymorphic_function.UnliftedInitializerVariable)
        keras = sys.modules.get("keras.src.backend.tensorflow.core")
        if keras is not None:
            self._wrap_keras(keras.Variable)

    def _wrap(self, kind: Any) -> None:
        original = kind.__init__

        @functools.wraps(original)
        def __init__(variable: Any, *args: Any, **kwargs: Any) -> None:
            original(variable, *args, **kwargs)
            if type(variable) is kind:
                moment = time.perf_counter()
                self._created(variable)
                self.recorder.clock.since(moment)

        kind.__init__ = __init__

    def _wrap_keras(self, kind: Any) -> None:
        original, keras = kind._initialize, self._keras

        @functools.wraps(original)
        def _initialize(variable: Any, *args: Any, **kwargs: Any) -> Any:
            outer = getattr(keras, "path", None)
            keras.path = getattr(variable, "path", None) or variable.name
            try:
                return original(variable, *args, **kwargs)
            finally:
                keras.path = outer

        kind._initialize = _initialize

    def _created(self, variable: Any) -> None:
        name = getattr(self._keras, "path", None) or variable.name.split(":")[0]
        origin = _origin()
        if OWN in name or name.endswith("seed_generator_state") or origin == "internal":
            return
        replica = re.search(r"/replica_\d+$", variable.name.split(":")[0])
        if replica is not None:
            plain = re.sub(r"/replica_\d+$", "", name)
            for other in reversed(self.made):
                if other.name == plain:
                    other.copies.append(variable)
                    if other.given is not None:
                        self._assign(variable, next(item for item in self.legacy if item.name == other.given))
                    return
        self.count += 1
        if len(self.made) >= KEPT:
            return
        made = Made(name, variable, origin == "optimizer")
        self.made.append(made)
        self._pending = True
        if self.record and not made.slot:
            made.own = self._own(variable)
        if self.legacy and not made.slot:
            item, how = self._by_name(made, self._claimed())
            if item is None:
                item, how = self._by_order(made, self._claimed()), "order and shape, when made"
            if item is not None:
                self._give(made, item, how)

    def _own(self, variable: Any) -> Optional[Dict[str, Any]]:
        """The value just given by the program; None where it has none yet (made while a function is traced)."""
        from tensorflow.python.framework import ops

        with ops.init_scope():
            if not variable.is_initialized():
                return None
            return self.recorder.value(variable.numpy(), whole=True)

    def _claimed(self) -> Any:
        return {made.given for made in self.made if made.given is not None}

    def _by_name(self, made: Made, claimed: Any) -> Tuple[Optional[Legacy], str]:
        free = [item for item in self.legacy if item.name not in claimed and item.shape == made.shape]
        for item in free:
            if item.name == made.name:
                return item, "name"
        dotted = made.name.replace("/", ".")
        for path, name in self.paths.items():
            if dotted == path or dotted.endswith("." + path):
                for item in free:
                    if item.name == name:
                        return item, "plan"
        ends = [item for item in free if made.name.endswith("/" + item.name) or item.name.endswith("/" + made.name)]
        return (ends[0], "end of name") if len(ends) == 1 else (None, "")

    def _by_object(self, claimed: Any) -> Dict[int, Legacy]:
        """Objects that the plan's paths reach from the program's module, by the variable's id."""
        found = {}
        for path, name in self.paths.items():
            item = next((item for item in self.legacy if item.name == name and name not in claimed), None)
            value: Any = sys.modules["__main__"]
            for part in re.findall(r"[A-Za-z_]\w*|\[\d+\]", path):
                try:
                    value = value[int(part[1:-1])] if part.startswith("[") else getattr(value, part)
                except Exception:  # any object of the user's may stand here
                    value = None
                    break
            if item is not None and value is not None:
                found[id(getattr(value, "_value", value))] = item
        return found

    def _by_order(self, made: Made, claimed: Any) -> Optional[Legacy]:
        same = [
            item
            for item in self.legacy
            if item.name not in claimed and item.shape == made.shape and item.trainable == made.trainable
        ]
        return same[0] if same else None

    def _give(self, made: Made, item: Legacy, how: str) -> None:
        made.given, made.how = item.name, how
        for variable in [made.variable] + made.copies:
            self._assign(variable, item)

    @staticmethod
    def _assign(variable: Any, item: Legacy) -> None:
        from tensorflow.python.framework import ops

        if item.restored:
            return  # the program itself is to read it from the checkpoint
        with ops.init_scope():
            variable.assign(item.value().astype(variable.dtype.as_numpy_dtype))

    def settle(self) -> None:
        """Pairs all variables made so far once more, now that all names are known; called before each step, quick where
        nothing is new.
        """
        if not self._pending:
            return
        self._pending = False
        fresh = [made for made in self.made if not made.settled]
        waiting = [made for made in fresh if not made.slot and made.how in ("", "order and shape, when made")]
        claimed = {made.given for made in self.made if made.given is not None and made not in waiting}
        plan = self._by_object(claimed) if waiting and self.legacy else {}
        for kind in ("name", "plan", "order and shape"):
            for made in list(waiting):
                item, how = self._choose(kind, made, claimed, plan)
                if item is not None and item.name not in claimed and item.shape == made.shape:
                    claimed.add(item.name)
                    waiting.remove(made)
                    self._settle_one(made, item, how)
        for made in waiting:
            made.given, made.how = None, ""
        for made in fresh:
            made.settled = True
            if self.record:
                made.initial = self.recorder.value(made.variable.numpy(), whole=True)

    def _choose(self, kind: str, made: Made, claimed: Any, plan: Dict[int, Legacy]) -> Tuple[Optional[Legacy], str]:
        if kind == "name":
            return self._by_name(made, claimed)
        return (plan.get(id(made.variable)) if kind == "plan" else self._by_order(made, claimed)), kind

    def _settle_one(self, made: Made, item: Legacy, how: str) -> None:
        """Puts the value in unless user code has changed what stood there since the variable was made."""
        import numpy as np

        before = next((other for other in self.legacy if other.name == made.given), None)
        touched = before is not None and not np.array_equal(
            made.variable.numpy(), before.value().astype(made.variable.dtype.as_numpy_dtype)
        )
        made.how = how
        if made.given == item.name or touched:
            made.given = item.name
            return
        self._give(made, item, how)

    def finish(self) -> None:
        """Writes the variables' records with their last values."""
        for made in self.made:
            final = None
            if self.record:
                try:
                    final = self.recorder.value(made.variable.numpy(), whole=True)
                except Exception:  # deleted, uninitialised, on a device that is gone
                    final = None
            self.recorder.write(
                "variable",
                name=made.name,
                shape=list(made.shape or ()),
                dtype=made.variable.dtype.name,
                trainable=made.trainable,
                initial=made.initial,
                final=final,
                slot=made.slot,
                own=made.own,
            )

    def pairing(self) -> Dict[str, Any]:
        """How each variable was paired, and those that were not."""
        claimed = self._claimed()
        return {
            "pairs": [[made.given, made.name, made.how] for made in self.made if made.given is not None],
            "unmatched_before": [item.name for item in self.legacy if item.name not in claimed],
            "unmatched_after": [made.name for made in self.made if made.given is None and not made.slot]
            if self.legacy
            else [],
        }


INTERNAL = ("/tensorflow/python/checkpoint/", "/tensorflow/python/distribute/cross_device_", "/keras/src/trainers/")


def _origin() -> str:
    """Who makes a variable: "optimizer" (a slot), "internal" (a checkpoint's counter, a strategy's, Keras' trackers),
    "user".
    """
    frame: Any = sys._getframe(2)
    while frame is not None:
        name = frame.f_code.co_filename.replace(os.sep, "/")
        if "/keras/src/optimizers/" in name or "/tf_keras/src/optimizers/" in name:
            return "optimizer"
        if any(part in name for part in INTERNAL):
            return "internal"
        frame = frame.f_back
    return "user"
