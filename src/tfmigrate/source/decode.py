"""Bytes to text and back, as Python does it: a byte order mark or a PEP 263 comment, else UTF-8.

Line ends and tabs are kept: nothing is translated, so that an untouched line comes out byte for byte.
"""

from __future__ import annotations

import io
import tokenize

from tfmigrate.model import Finding, Place, Severity, SourceFile

BOM = b"\xef\xbb\xbf"


def decode(path: str, data: bytes) -> SourceFile:
    """The file's text, or the problem that stands in the way."""
    if (at := data.find(b"\0")) >= 0:
        return SourceFile(path, None, problem=_problem("TFM001", path, data, at, "holds NUL bytes: not Python source"))
    bom = data.startswith(BOM)
    try:
        declared, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        return SourceFile(path, None, bom=bom, problem=_undeclared(path, data, str(error)))
    encoding = "utf-8" if declared == "utf-8-sig" else declared
    body = data[len(BOM) :] if bom else data
    try:
        text = body.decode(encoding)
        faithful = text.encode(encoding) == body
    except UnicodeDecodeError as error:
        at = error.start + len(data) - len(body)
        message = f"byte 0x{data[at]:02x} is not {encoding}"
        return SourceFile(path, None, encoding, bom, _problem("TFM002", path, data, at, message))
    except (UnicodeError, LookupError) as error:
        return SourceFile(path, None, encoding, bom, _problem("TFM002", path, data, 0, f"{encoding}: {error}"))
    if not faithful:
        message = f"{encoding} does not give the same bytes back"
        return SourceFile(path, None, encoding, bom, _problem("TFM002", path, data, 0, message))
    return SourceFile(path, text, encoding, bom)


def encode(text: str, file: SourceFile) -> bytes:
    """The text in the file's own encoding, with its byte order mark.

    Raises UnicodeEncodeError where the text holds a character that the encoding has not.
    """
    return (BOM if file.bom else b"") + text.encode(file.encoding)


def _undeclared(path: str, data: bytes, message: str) -> Finding:
    # detect_encoding raises for an unknown encoding and for a first line that is not UTF-8.
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if "unknown encoding" not in message:
            return _problem("TFM002", path, data, error.start, f"byte 0x{data[error.start]:02x} is not utf-8")
    return _problem("TFM002", path, data, 0, message)


def _problem(code: str, path: str, data: bytes, at: int, message: str) -> Finding:
    before = data[:at].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    line = before.count(b"\n") + 1
    column = len(before) - (before.rfind(b"\n") + 1) + 1
    return Finding(code, Severity.ERROR, Place(path, line, column), message)
