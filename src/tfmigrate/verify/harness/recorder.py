"""Writes events and values as they happen, so that a run that is killed leaves all it did until then."""

import hashlib
import io
import json
import os
import threading
import time
from typing import Any, Dict, List, Optional

WHOLE = 4096  # elements up to which an array is kept whole
SAMPLE = 1024  # elements kept of a larger one
TEXT = 20000  # characters kept of a string value
BUDGET = 1 << 30  # bytes of values in all; beyond, only norms and hashes


class Clock(object):
    """Seconds of the program: the time that recording takes is left out."""

    def __init__(self) -> None:
        self.origin = time.perf_counter()
        self.paused = 0.0

    def now(self) -> float:
        return time.perf_counter() - self.origin - self.paused

    def since(self, moment: float) -> None:
        """Leaves out the time from `moment` (a perf_counter) until now."""
        self.paused += time.perf_counter() - moment


class Recorder(object):
    """The child's side of a trace: `events.jsonl` (one record a line) and `values.bin` (arrays in .npy form, one after
    the other).
    """

    def __init__(self, folder: str) -> None:
        self.clock = Clock()
        self.lock = threading.RLock()
        self.index = 0
        self._process = os.getpid()
        self._lines = open(os.path.join(folder, "events.jsonl"), "w")
        self._values = open(os.path.join(folder, "values.bin"), "wb")
        self._offset = 0
        self._keys = 0

    def write(self, kind: str, **record: Any) -> None:
        """Appends one record and flushes it."""
        if os.getpid() != self._process:
            return  # a forked child's runs are no steps of the program
        record["kind"] = kind
        with self.lock:
            self._values.flush()
            self._lines.write(json.dumps(record) + "\n")
            self._lines.flush()

    def event(self, **record: Any) -> None:
        """Appends one event; its index is given here."""
        with self.lock:
            self.write("event", index=self.index, **record)
            self.index += 1

    def value(self, value: Any, whole: bool = False, summary: bool = False) -> Dict[str, Any]:
        """A trace.Value as a dict; the array goes to values.bin. `whole`: never sampled."""
        import numpy as np

        array = np.asarray(value)
        if array.dtype.kind in "OSUV" and array.dtype.names is None and not _is_numeric(array):
            return _text_value(array, summary)
        if array.dtype.kind == "V" or array.dtype.kind == "O":
            array = array.astype("float32")  # bfloat16 and its like
        flat = np.ascontiguousarray(array).reshape(-1)
        with np.errstate(all="ignore"):
            norm = (
                float(np.linalg.norm(flat.astype("complex128" if array.dtype.kind == "c" else "float64")))
                if flat.size
                else 0.0
            )
        kept, sampled = flat, False
        if not whole and flat.size > WHOLE:
            kept, sampled = flat[:: -(-flat.size // SAMPLE)], True
        return {
            "key": self._store(np, kept if sampled else flat.reshape(array.shape)),
            "shape": list(array.shape),
            "dtype": str(array.dtype),
            "norm": norm,
            "digest": hashlib.blake2b(flat.tobytes(), digest_size=8).hexdigest(),
            "sampled": sampled,
            "text": None,
            "summary": summary,
        }

    def _store(self, np: Any, array: Any) -> Optional[str]:
        stream = io.BytesIO()
        np.save(stream, array, allow_pickle=False)
        data = stream.getvalue()
        with self.lock:
            if self._offset + len(data) > BUDGET or os.getpid() != self._process:
                return None
            key = "v%d" % self._keys
            self._keys += 1
            self._lines.write(
                json.dumps({"kind": "array", "key": key, "offset": self._offset, "size": len(data)}) + "\n"
            )
            self._values.write(data)
            self._offset += len(data)
        return key

    def close(self) -> None:
        with self.lock:
            self._values.flush()
            self._lines.flush()


def _is_numeric(array: Any) -> bool:
    """Whether an array of NumPy's kind V or O holds numbers (bfloat16 is of kind V)."""
    return bool(array.dtype.kind == "V" and array.dtype.itemsize <= 2)


def _text_value(array: Any, summary: bool) -> Dict[str, Any]:
    parts: List[str] = []
    length = 0
    for item in array.reshape(-1):
        text = item.decode("utf-8", "backslashreplace") if isinstance(item, bytes) else str(item)
        parts.append(text)
        length += len(text)
        if length > TEXT:
            break
    digest = hashlib.blake2b(repr(array.tolist()).encode("utf-8", "replace"), digest_size=8).hexdigest()
    text = "" if summary else "\n".join(parts)[:TEXT]
    return {
        "key": None,
        "shape": list(array.shape),
        "dtype": "string",
        "norm": None,
        "digest": digest,
        "sampled": False,
        "text": text,
        "summary": summary,
    }
