"""The README's example is what the tool gives, and its table of refusals names codes that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tfmigrate import pipeline
from tfmigrate.model import Options, SourceTree, Status
from tfmigrate.reasons import REASONS
from tfmigrate.source.decode import decode
from tfmigrate.source.parse import parsed

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_example_is_what_the_tool_gives() -> None:
    before, after = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    tree = SourceTree(Path("/nowhere"), (parsed(decode("train.py", before.encode())),), single=True)
    (result,) = pipeline.convert(tree, Options()).files
    assert result.status is Status.NATIVE, result.findings
    assert result.output is not None
    assert ast.unparse(ast.parse(result.output)) == ast.unparse(ast.parse(after)), result.output


def test_codes_exist() -> None:
    codes = set(re.findall(r"TFM\d+", README))
    assert len(codes) > 10
    assert codes <= set(REASONS)
