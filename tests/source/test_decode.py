"""Bytes to text and back: encodings, marks, line ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfmigrate.source.decode import BOM, decode, encode
from tfmigrate.source.parse import parsed


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"", "", "utf-8"),
        (b"x = 1\r\ny = 2\n", "x = 1\r\ny = 2\n", "utf-8"),
        (b"x = 1\ry = 2", "x = 1\ry = 2", "utf-8"),
        (b"if x:\n\ty\x0c\n", "if x:\n\ty\x0c\n", "utf-8"),
        ("s = 'é'\n".encode(), "s = 'é'\n", "utf-8"),
        (
            "# -*- coding: latin-1 -*-\ns = 'é'\n".encode("latin-1"),
            "# -*- coding: latin-1 -*-\ns = 'é'\n",
            "iso-8859-1",
        ),
        (
            "#!x\n# vim: set fileencoding=gbk :\ns = '汉'".encode("gbk"),
            "#!x\n# vim: set fileencoding=gbk :\ns = '汉'",
            "gbk",
        ),
        ("# coding: euc-kr\ns = '한'\n".encode("euc-kr"), "# coding: euc-kr\ns = '한'\n", "euc-kr"),
        (BOM + "s = 'é'".encode(), "s = 'é'", "utf-8"),
        (BOM + b"# coding: utf-8\n", "# coding: utf-8\n", "utf-8"),
    ],
)
def test_comes_back_byte_for_byte(data: bytes, text: str, encoding: str) -> None:
    file = decode("a.py", data)
    assert (file.text, file.encoding, file.bom, file.problem) == (text, encoding, data.startswith(BOM), None)
    assert encode(text, file) == data


@pytest.mark.parametrize(
    ("data", "code", "line", "column"),
    [
        (b"x = 1\n\x00\x01", "TFM001", 2, 1),
        ("x = 1\n".encode("utf-16"), "TFM001", 1, 4),
        (b"x = 1\r\ns = '\xe9'\r\n", "TFM002", 2, 6),
        (b"\n\n\n\n\xff\xfe", "TFM002", 5, 1),
        (b"# coding: ascii\n# \xc3\xa9\n", "TFM002", 2, 3),
        (b"# coding: no-such-thing\n", "TFM002", 1, 1),
        (b"# coding: no-such-thing\n\xff", "TFM002", 1, 1),
        (BOM + b"# coding: latin-1\n", "TFM002", 1, 1),
        (b"# coding: rot13\nx = 1\n", "TFM002", 1, 1),
    ],
)
def test_names_the_byte_that_does_not_fit(data: bytes, code: str, line: int, column: int) -> None:
    file = decode("d/a.py", data)
    assert file.text is None
    assert file.problem is not None
    assert (file.problem.code, file.problem.place.path) == (code, "d/a.py")
    assert (file.problem.place.line, file.problem.place.column) == (line, column)


@given(st.binary(max_size=200))
def test_any_bytes_come_back_or_are_a_problem(data: bytes) -> None:
    file = parsed(decode("a.py", data))
    assert (file.text is None) <= (file.problem is not None)
    if file.text is not None:
        assert encode(file.text, file) == data


@given(
    st.sampled_from(["utf-8", "latin-1", "cp1252", "utf-16", "utf-7", "hz", "koi8-r", "punycode"]), st.text(max_size=30)
)
def test_any_declared_encoding_comes_back_or_is_a_problem(encoding: str, text: str) -> None:
    data = f"# coding: {encoding}\n".encode() + text.encode(encoding, "replace")
    file = decode("a.py", data)
    if file.text is not None:
        assert encode(file.text, file) == data
