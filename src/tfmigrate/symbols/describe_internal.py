"""Lists what TensorFlow's internal modules hold of its public symbols: the very same object under another name.

Run as a child's main program by `generate` under the interpreter of 1.15, beside `describe`. A line is `module TAB
pairs`: the module without "tensorflow.", the pairs joined by "|", each `name=public`, or just `name` where the public
name is that one.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

describe: Any = importlib.import_module("describe")  # which lies beside this file, the child's main program

SKIPPED = ("python.keras.api.", "python.tpu.", "python.autograph.", "python.debug.", "python.compat.compat")
CONTRIB = ("layers", "rnn", "framework", "slim", "losses", "training", "metrics", "seq2seq", "legacy_seq2seq", "lookup")
LEAKS = ("tf_decorator", "tf_stack")  # inner modules that tf.flags shows


def main() -> None:
    tf = importlib.import_module("tensorflow")
    public = public_names(tf)
    lines: dict[str, str] = {}
    for key in sorted(sys.modules):
        name = key.partition(".")[2]
        module = sys.modules[key]
        if key.partition(".")[0] not in ("tensorflow", "tensorflow_core") or module is None or not internal(name):
            continue
        pairs = []
        for member, value in sorted(vars(module).items()):
            shown = public.get(id(value))
            if shown is not None and not member.startswith("_"):
                pairs.append(member if member == shown else member + "=" + shown)
        if pairs:
            lines[name] = name + "\t" + "|".join(pairs)
    head = "# TensorFlow " + tf.__version__ + ", internal modules"
    sys.stdout.write("\n".join([head, *(lines[name] for name in sorted(lines))]) + "\n")


def internal(name: str) -> bool:
    """Whether programs are not meant to import from that module."""
    if name.startswith("python."):
        return not name.startswith(SKIPPED)
    parts = name.split(".")
    return parts[0] == "contrib" and len(parts) > 3 and parts[1] in CONTRIB and parts[2] == "python"


def public_names(tf: Any) -> dict[int, str]:
    """The shortest public name of each function, class, dtype and object, by identity."""
    found: dict[str, Any] = {}
    describe.walk(tf, "", found, ())
    describe.walk(importlib.import_module("tensorflow.contrib"), "contrib.", found, ())
    names: dict[int, list[str]] = {}
    for name, (kind, _, value) in found.items():
        if kind in ("function", "class", "dtype") and not any(leak in name for leak in LEAKS):
            names.setdefault(id(value), []).append(name)
    return {key: min(group, key=describe.preference) for key, group in names.items()}


if __name__ == "__main__":
    main()
