"""The bytes that a conversion writes."""

from __future__ import annotations

from dataclasses import dataclass

from tfmigrate.errors import InternalError
from tfmigrate.model import Conversion, SourceFile
from tfmigrate.source.decode import encode


@dataclass(frozen=True)
class Content:
    """One Python file of the output. `before` is the input's text, None where there is no such input file."""

    path: str
    before: str | None
    after: str
    data: bytes
    encoding: str = "utf-8"


def changed(conversion: Conversion) -> tuple[Content, ...]:
    """The input files whose text changes and the support files beside them, in the order of their paths."""
    sources = {file.path: file for file in conversion.tree.files}
    found = [
        _content(sources[result.path], result.output)
        for result in conversion.files
        if result.output is not None and result.output != sources[result.path].as_read
    ]
    taken = set(sources) | set(conversion.tree.others)
    for support in conversion.support:
        if support.path in taken:
            raise InternalError(f"{support.path}: a generated file would replace one of the input's")
        found.append(Content(support.path, None, support.text, support.text.encode()))
    return tuple(sorted(found, key=lambda c: c.path))


def _content(file: SourceFile, text: str) -> Content:
    try:
        return Content(file.path, file.as_read, text, encode(text, file), file.encoding)
    except UnicodeEncodeError as error:
        raise InternalError(f"{file.path}: the new text does not fit the file's encoding {file.encoding}") from error
