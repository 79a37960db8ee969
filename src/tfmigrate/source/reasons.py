"""The findings that this stage emits."""

from __future__ import annotations

from tfmigrate.model import Reason, Severity

SOURCE_REASONS: tuple[Reason, ...] = (
    Reason(
        code="TFM001",
        title="Not text",
        severity=Severity.ERROR,
        sentence="The file is named .py, but holds NUL bytes, which no Python source may.",
        example="model.py that is really a pickle, or a text saved as UTF-16",
        advice="Rename it if it is data; save it as UTF-8 if it is a program. It is copied as it is.",
        source="https://docs.python.org/3/reference/lexical_analysis.html",
    ),
    Reason(
        code="TFM002",
        title="Cannot be decoded",
        severity=Severity.ERROR,
        sentence="The bytes do not fit the encoding that the file declares (UTF-8 where it declares none).",
        example="# -*- coding: ascii -*- above a line with an é",
        advice="Declare the encoding in the first or second line, or save the file as UTF-8. It is copied as it is.",
        source="PEP 263",
    ),
    Reason(
        code="TFM003",
        title="Syntax error",
        severity=Severity.ERROR,
        sentence="Python cannot parse the file.",
        example="def train(:",
        advice="Mend the line that is named. The file is copied as it is.",
    ),
    Reason(
        code="TFM004",
        title="Python 2",
        severity=Severity.ERROR,
        sentence="The file is written for Python 2, and what is named would mean something else in Python 3.",
        example='print "share of", right / count',
        advice=(
            "Change the line so that both mean the same (`//` or `float(count)`, a name of its own, the import that is "
            "named), then convert: the rest is brought to Python 3 by itself. The file is copied as it is."
        ),
        source="https://docs.python.org/3/howto/pyporting.html",
    ),
    Reason(
        code="TFM005",
        title="Cannot be read",
        severity=Severity.ERROR,
        sentence="The file or folder could not be read, so it is missing in the output.",
        example="a folder that belongs to another user",
        advice="Allow reading it, or name a part of the tree that can be read. The command ends with exit code 2.",
    ),
    Reason(
        code="TFM006",
        title="Symbolic link kept as a link",
        severity=Severity.INFO,
        sentence="Symbolic links are not followed: the output has a link to the same target.",
        example="data -> /mnt/mnist",
        advice="Nothing, unless the link names a program: then name its target too.",
    ),
    Reason(
        code="TFM007",
        title="Special file left out",
        severity=Severity.INFO,
        sentence="A pipe, socket or device is no part of a program, and is missing in the output.",
        example="a named pipe",
        advice="Make it again in the output where a program needs it.",
    ),
    Reason(
        code="TFM008",
        title="Nested too deeply",
        severity=Severity.ERROR,
        sentence="The file nests expressions or blocks deeper than Python's own parser goes.",
        example="a generated list of lists a thousand levels deep",
        advice="Read such data from a file. The file is copied as it is.",
    ),
    Reason(
        code="TFM009",
        title="Brought from Python 2 to 3",
        severity=Severity.INFO,
        sentence=(
            "The file is written for Python 2. The output is Python 3, and when the legacy program is verified it is "
            "run as Python 3 too."
        ),
        example='print "loss", loss',
        advice=(
            "Look at what a parser cannot see: text and bytes (files opened for writing, pickles, sockets), `round` of "
            "a half, `int(a / b)` of negative integers, and random draws of Python's own module differ between the two."
        ),
        source="https://docs.python.org/3/howto/pyporting.html",
    ),
)
