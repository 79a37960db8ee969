"""The one readable function: sources, analysis, plan, rewrite, check."""

from __future__ import annotations

import re
from collections.abc import Callable

from tfmigrate.model import Conversion, FileResult, Finding, Options, Place, Severity, SourceFile, SourceTree, Status

_TENSORFLOW = re.compile(r"^[ \t]*(?:import|from)[ \t]+tensorflow\b", re.MULTILINE)


def convert(tree: SourceTree, options: Options, progress: Callable[[str], None] | None = None) -> Conversion:
    """Convert a tree: files that import TensorFlow are refused, all others stay."""
    results = []
    for file in tree.files:
        if progress is not None:
            progress(file.path)
        results.append(_result(file))
    return Conversion(tree, options, tuple(results))


def check(tree: SourceTree) -> tuple[Finding, ...]:
    """The places where TensorFlow is imported."""
    return tuple(finding for file in tree.files for finding in _result(file).findings)


def _result(file: SourceFile) -> FileResult:
    if file.text is None or file.problem is not None:
        return FileResult(file.path, Status.REFUSED, findings=(file.problem,) if file.problem else ())
    match = _TENSORFLOW.search(file.text)
    if match is None:
        return FileResult(file.path, Status.UNCHANGED)
    line = file.text.count("\n", 0, match.start()) + 1
    found = Finding("TFM201", Severity.ERROR, Place(file.path, line, 1), "imports tensorflow")
    return FileResult(file.path, Status.REFUSED, findings=(found,))
