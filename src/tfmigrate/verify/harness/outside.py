# ruff: noqa: TID252  (in a package of another name)
"""What the program leaves outside its folder: only the copy of that folder is looked at afterwards, and other runs
write to the same places.

Event files go to a folder of the copy instead, which no program reads back; checkpoints, which programs do read back,
are copied there at the end.
"""

import functools
import glob
import importlib
import os
import shutil
from typing import Any, Dict, Optional

FOLDER = "_outside"
MOST = 20  # checkpoints kept: the last ones written


class Outside(object):
    """Stands between the program and the event files and checkpoints that it writes by absolute paths."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)
        self._prefixes: Dict[str, None] = {}  # of checkpoints, in the order of their writing

    def install(self) -> None:
        self._redirect_writers()
        for module_name, class_name in (
            ("tensorflow.python.training.saver", "Saver"),
            ("tensorflow.python.checkpoint.checkpoint", "TrackableSaver"),
        ):
            try:
                kind = getattr(importlib.import_module(module_name), class_name)
            except ImportError:  # 1.15 has its trackable saver elsewhere
                continue
            self._watch(kind)

    def place(self, path: Any) -> Optional[str]:
        """Where in the copy a path outside it is kept; None for one inside, on a remote file system or unknown."""
        text = path.decode("utf-8", "replace") if isinstance(path, bytes) else str(path)
        real = os.path.realpath(text)
        if "://" in text or real == self.root or real.startswith(self.root + os.sep):
            return None
        return os.path.join(self.root, FOLDER, os.path.splitdrive(real)[1].lstrip(os.sep))

    def finish(self) -> None:
        """Copies the checkpoints that are still there."""
        for prefix in list(self._prefixes)[-MOST:]:
            target = self.place(prefix)
            for path in glob.glob(glob.escape(prefix) + ".*") if target is not None else ():
                to = str(target) + path[len(prefix) :]
                os.makedirs(os.path.dirname(to), exist_ok=True)
                shutil.copyfile(path, to)

    def _redirect_writers(self) -> None:
        from tensorflow.python.ops import gen_summary_ops
        from tensorflow.python.summary.writer import event_file_writer

        kind, place = event_file_writer.EventFileWriter, self.place
        begin, create = kind.__init__, gen_summary_ops.create_summary_file_writer

        @functools.wraps(begin)
        def __init__(writer: Any, logdir: Any, *args: Any, **kwargs: Any) -> None:
            target = place(logdir)
            if target is not None:
                os.makedirs(str(logdir), exist_ok=True)  # the program may put other files there
            begin(writer, logdir if target is None else target, *args, **kwargs)
            writer._logdir = str(logdir)

        @functools.wraps(create)
        def create_summary_file_writer(writer: Any, logdir: Any, *args: Any, **kwargs: Any) -> Any:
            known = _text(logdir)
            target = place(known) if known is not None else None
            return create(writer, logdir if target is None else target, *args, **kwargs)

        kind.__init__ = __init__
        gen_summary_ops.create_summary_file_writer = create_summary_file_writer

    def _watch(self, kind: Any) -> None:
        original = kind.save

        @functools.wraps(original)
        def save(saver: Any, *args: Any, **kwargs: Any) -> Any:
            prefix = original(saver, *args, **kwargs)
            known = _text(prefix)
            if known is not None and self.place(known) is not None:
                self._prefixes.pop(os.path.realpath(known), None)
                self._prefixes[os.path.realpath(known)] = None
            return prefix

        kind.save = save


def _text(value: Any) -> Optional[str]:
    """A path given as text or as a string tensor; None where it is not known yet."""
    if hasattr(value, "dtype") and hasattr(value, "op") and not hasattr(value, "numpy"):
        from tensorflow.python.framework import tensor_util

        value = tensor_util.constant_value(value)
        value = value.item() if hasattr(value, "item") else value
    elif hasattr(value, "numpy"):
        try:
            value = value.numpy()
        except (AttributeError, NotImplementedError):
            return None
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else None
