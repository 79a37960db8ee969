"""Lists the public symbols of the TensorFlow that runs it: one line a symbol on standard output.

Run as a child's main program by `generate` under both interpreters; standard library only, any Python from 3.7 on.
A line is `name TAB kind TAB parameters TAB canonical`, the parameters joined by "|": `x`, `axis=None`, `*args`, `*`
(keyword-only ones follow), `**kwargs`. `canonical` is the shortest public name of the same object, "" where it is
this one.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import types
from typing import Any

SKIPPED_MODULES = {
    "python",
    "core",
    "tools",
    "examples",
    "__internal__",
    "_api",
    "test_util",
    "mlir",
    "pywrap_tensorflow",
}
SKIPPED_CONTRIB = {"keras", "quantization", "specs", "graph_editor", "labeled_tensor"}  # leaks of inner modules
MAX_DEPTH = 7
MAX_VISITS = 2  # contrib's modules import one another without end
visits: dict[int, int] = {}


def main() -> None:
    tf = importlib.import_module("tensorflow")
    found: dict[str, Any] = {}
    walk(tf, "", found, ())
    if tf.__version__.startswith("1."):
        walk(importlib.import_module("tensorflow.contrib"), "contrib.", found, ())
    names: dict[int, list[str]] = {}
    for name, (kind, _, value) in found.items():
        if kind != "constant":
            names.setdefault(id(value), []).append(name)
    canonical = {}
    for group in names.values():
        best = min(group, key=preference)
        for name in group:
            if name != best:
                canonical[name] = best
    lines = []
    for name in sorted(found):
        kind, parameters, _ = found[name]
        lines.append("\t".join((name, kind, "|".join(parameters), canonical.get(name, ""))))
    sys.stdout.write("# TensorFlow " + tf.__version__ + "\n" + "\n".join(lines) + "\n")


def preference(name: str) -> tuple[Any, ...]:
    contrib = name.startswith("contrib.")
    experimental = "experimental" in name
    return (contrib, experimental, contrib and not name.startswith("contrib.layers."), name.count("."), len(name), name)


def walk(module: Any, prefix: str, found: dict[str, Any], above: tuple[Any, ...]) -> None:
    """Add the symbols below `module`; modules that are their own ancestor are left out."""
    if len(above) > MAX_DEPTH or any(module is other for other in above):
        return
    if prefix.startswith("contrib.") and prefix != "contrib.":
        at_home = module.__name__.split("tensorflow", 1)[-1].partition(".")[2] + "." == prefix
        inside = ".contrib." in module.__name__ or module.__name__.endswith("util.nest")
        if not at_home and (not inside or visits.get(id(module), 0) >= MAX_VISITS):
            return
        visits[id(module)] = visits.get(id(module), 0) + 1
    for name in dir(module):
        path = prefix + name
        if path != "__version__" and (name.startswith("_") or (name in SKIPPED_MODULES and path != "test")):
            continue
        if path.startswith("contrib.") and (path.split(".")[1] in SKIPPED_CONTRIB or path.count(".") > 3):
            continue
        if path in ("compat.v1", "compat.v2", "contrib") or path in found:
            continue
        try:
            value = getattr(module, name)
        except Exception:  # a lazily loaded module whose own dependency is missing
            continue
        if inspect.ismodule(value) or isinstance(value, types.ModuleType):
            if "tensorflow" in value.__name__ or "keras" in value.__name__:
                found[path] = ("module", [], value)
                walk(value, path + ".", found, (*above, module))
        elif inspect.isclass(value):
            found[path] = ("class", parameters_of(value), value)
            members(value, path, found)
        elif callable(value) and type(value).__name__ != "DType":
            found[path] = ("function", parameters_of(value), value)
        elif type(value).__name__ == "DType":
            found[path] = ("dtype", [], value)
        else:
            found[path] = ("constant", [], value)


def members(owner: Any, path: str, found: dict[str, Any]) -> None:
    """Add a class's static and class methods and its upper-case constants."""
    for name in dir(owner):
        if name.startswith("_") or name.endswith("_FIELD_NUMBER"):
            continue
        static = inspect.getattr_static(owner, name, None)
        if isinstance(static, (staticmethod, classmethod)):
            try:
                found[path + "." + name] = ("method", parameters_of(getattr(owner, name)), static)
            except Exception:
                continue
        elif name.isupper() and not callable(static):
            found[path + "." + name] = ("constant", [], static)


def parameters_of(value: Any) -> list[str]:
    """The parameters in order, without self, as the line's pieces; "..." where they cannot be told."""
    inspector = importlib.import_module("tensorflow.python.util.tf_inspect")
    target = value
    drop = 0
    if inspect.isclass(value):
        drop = 1
        target = value.__init__
        if target is object.__init__ or type(target).__name__ == "wrapper_descriptor":
            target = value.__new__
        if target is object.__new__:
            return []
        if hasattr(value, "DESCRIPTOR"):  # a protocol buffer: any of its fields by keyword
            return ["**fields"]
    elif inspect.ismethod(value):
        drop = 1
    try:
        spec = inspector.getfullargspec(target)
    except Exception:
        return ["..."]
    return pieces(spec, drop)


def pieces(spec: Any, drop: int) -> list[str]:
    defaults = spec.defaults or ()
    first = len(spec.args) - len(defaults)
    result = []
    for index, name in enumerate(spec.args):
        if index >= drop or name not in ("self", "cls", "_cls"):
            result.append(name if index < first else name + "=" + shown(defaults[index - first]))
    if spec.varargs:
        result.append("*" + spec.varargs)
    elif spec.kwonlyargs:
        result.append("*")
    for name in spec.kwonlyargs:
        known = (spec.kwonlydefaults or {}).get(name, spec)
        result.append(name if known is spec else name + "=" + shown(known))
    if spec.varkw:
        result.append("**" + spec.varkw)
    return result


def shown(value: Any) -> str:
    """A default as text; what has no stable text becomes "<type>"."""
    if type(value).__name__ == "DType":
        return "tf." + str(value.name)
    if value is None or isinstance(value, (bool, int, float, str, tuple, list, bytes)):
        text = repr(value)
        return text if len(text) < 60 and "0x" not in text and "|" not in text and "\t" not in text else "<value>"
    name = getattr(value, "__name__", None)
    return "<" + (name or type(value).__name__) + ">"


if __name__ == "__main__":
    main()
