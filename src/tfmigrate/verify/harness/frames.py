"""Finds the user's line that asked for a run: the first frame outward that lies in the project's folder."""

import ast
import os
import sys
from typing import Any, Dict, List, Optional, Tuple

OLD_LINES = tuple(sys.version_info[:2]) < (3, 8)


class Frames(object):
    """Places relative to the root of the copied tree."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root) + os.sep
        self._relative: Dict[str, Optional[str]] = {}
        self._calls: Dict[str, List[Tuple[int, int]]] = {}

    def relative(self, filename: str) -> Optional[str]:
        """The path below the root with forward slashes, or None for a file elsewhere."""
        if filename not in self._relative:
            path = os.path.realpath(filename)
            inside = path.startswith(self.root) and "site-packages" not in path
            self._relative[filename] = path[len(self.root) :].replace(os.sep, "/") if inside else None
        return self._relative[filename]

    def user(self, depth: int = 1) -> Tuple[str, int]:
        """(path, line where the call starts) of the innermost user frame, ("", 0) where none is."""
        frame: Any = sys._getframe(depth)
        while frame is not None:
            path = self.relative(frame.f_code.co_filename)
            if path is not None:
                return path, self.call_start(frame.f_code.co_filename, frame.f_lineno)
            frame = frame.f_back
        return "", 0

    def call_start(self, filename: str, line: int) -> int:
        """The first line of the call that spans `line`: before Python 3.8 a frame shows the last argument's."""
        if not OLD_LINES:
            return line
        if filename not in self._calls:
            self._calls[filename] = _calls(filename)
        return min([start for start, end in self._calls[filename] if start <= line <= end], default=line)


def _calls(filename: str) -> List[Tuple[int, int]]:
    """(first line, last line) of every call of a method or function named like a run."""
    try:
        with open(filename, "rb") as stream:
            tree = ast.parse(stream.read())
    except (OSError, SyntaxError, ValueError):
        return []
    spans = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in RUNS:
                last = max((getattr(child, "lineno", 0) for child in ast.walk(node)), default=node.lineno)
                spans.append((node.lineno, last))
    return spans


RUNS = frozenset(["run", "eval", "partial_run", "partial_run_setup", "save", "restore", "load", "minimize"])
