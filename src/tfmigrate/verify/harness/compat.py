"""The `compat` oracle: the target TensorFlow's tf.compat.v1, v2 behaviour off, under the name `tensorflow`."""

import importlib
import importlib.abc
import importlib.machinery
import sys
import types
from typing import Any, Optional, Sequence

INTERNAL = (
    "python",
    "core",
    "compat",
    "_api",
    "tools",
    "lite",
    "compiler",
    "distribute",
    "dtensor",
    "security",
    "include",
)


class _Legacy(types.ModuleType):
    """`tensorflow` as TensorFlow 1 scripts know it; what compat.v1 has not (contrib) is not there."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        legacy = self.__dict__["_legacy"]
        try:
            return getattr(legacy, name)
        except AttributeError:
            pass
        raise AttributeError("module 'tensorflow' has no attribute %r" % name)

    def __dir__(self) -> Any:
        return dir(self.__dict__["_legacy"])


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """`import tensorflow.nn`, `tensorflow.keras.layers`, … as the modules that tf.compat.v1 and tf_keras have."""

    def __init__(self, legacy: str) -> None:
        self._legacy = legacy

    def find_spec(self, name: str, path: Optional[Sequence[Any]], target: Any = None) -> Any:
        if name.startswith("tensorflow.") and name.split(".")[1] not in INTERNAL and self._find(name) is not None:
            return importlib.machinery.ModuleSpec(name, self)
        return None

    def _find(self, name: str) -> Any:
        rest = name[len("tensorflow.") :]
        candidates = [self._legacy + "." + rest]
        if rest == "keras" or rest.startswith("keras."):
            tail = rest[len("keras") :]
            candidates = ["tf_keras.api._v1.keras" + tail, "tf_keras" + tail]
        for candidate in candidates:
            try:
                return importlib.import_module(candidate)
            except ImportError:
                continue
        value: Any = sys.modules["tensorflow"]
        for part in rest.split("."):
            value = getattr(value, part, None)
        return value if isinstance(value, types.ModuleType) else None

    def create_module(self, spec: Any) -> Any:
        return None

    def exec_module(self, module: Any) -> None:
        # The import system takes what stands here afterwards.
        sys.modules[module.__name__] = self._find(module.__name__)


def install() -> Any:
    """Puts compat.v1 in the place of `tensorflow`; returns the real module. TF_USE_LEGACY_KERAS must be set."""
    real = importlib.import_module("tensorflow")
    legacy = real.compat.v1
    legacy.disable_v2_behavior()
    module = _Legacy("tensorflow", legacy.__doc__)
    module.__dict__.update(
        {
            "_legacy": legacy,
            "__file__": real.__file__,
            "__path__": real.__path__,
            "__version__": real.__version__,
            "__package__": "tensorflow",
            "compat": legacy.compat,
            "python": sys.modules["tensorflow.python"],
            "__spec__": real.__spec__,
        }
    )
    sys.modules["tensorflow"] = module
    sys.meta_path.insert(0, _Finder(legacy.__name__))
    return real
