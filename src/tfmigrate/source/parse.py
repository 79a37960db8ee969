"""Whether a text is Python 3, and where not, why: Python 2, a syntax error, or nesting beyond the parser."""

from __future__ import annotations

import ast
import warnings
from dataclasses import replace

from tfmigrate.model import Finding, Place, Severity, SourceFile
from tfmigrate.source import python2
from tfmigrate.source.python3 import NotBrought, brought


def parsed(file: SourceFile) -> SourceFile:
    """The same file, brought to Python 3 where it is of Python 2, with a problem where that cannot be."""
    if file.text is None:
        return file
    found = _checked(file.path, file.text)
    if isinstance(found, Finding):
        return replace(file, problem=found)
    if found is None:
        return file
    line, column, what = found
    try:
        text = brought(file.text, line, column)
    except NotBrought as error:
        message = f"Python 2 ({what} in line {line}): {error.what}"
        return replace(
            file, problem=Finding("TFM004", Severity.ERROR, Place(file.path, error.line, error.column), message)
        )
    note = Finding("TFM009", Severity.INFO, Place(file.path, line, column), f"Python 2: {what}")
    return replace(file, text=text, python2=file.text, note=note)


def _checked(path: str, text: str) -> Finding | tuple[int, int, str] | None:
    """A problem, or the place and name of what only Python 2 has, or None."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a plain string is the author's matter
            return python2.builtin(ast.parse(text))
    except (RecursionError, MemoryError):
        return Finding("TFM008", Severity.ERROR, Place(path, 1, 1), "nested deeper than Python's parser goes")
    except SyntaxError as error:
        if (old := python2.construct(text, (error.lineno or 1) if isinstance(error, TabError) else 0)) is not None:
            return old
        place = Place(path, error.lineno or 1, max(error.offset or 1, 1))
        deep = "too many" in str(error.msg) and "nested" in str(error.msg)
        return Finding("TFM008" if deep else "TFM003", Severity.ERROR, place, str(error.msg))
    except ValueError as error:  # a lone surrogate, which an escape of some codecs yields
        return Finding("TFM003", Severity.ERROR, Place(path, 1, 1), str(error))
