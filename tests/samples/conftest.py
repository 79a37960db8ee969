"""The samples, converted once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfmigrate import pipeline
from tfmigrate.cli.app import app
from tfmigrate.cli.inputs import read_all
from tfmigrate.model import Options, Program

LEGACY = Path(__file__).parents[2] / "samples" / "legacy"


@pytest.fixture(scope="session")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `tfmigrate convert samples/legacy` writes."""
    from typer.testing import CliRunner

    out = tmp_path_factory.mktemp("samples") / "converted"
    done = CliRunner().invoke(app, ["convert", str(LEGACY), "--out", str(out)])
    assert done.exit_code == 0, done.output
    return out


@pytest.fixture(scope="session")
def programs() -> dict[str, Program]:
    """The conversion's sites and variables, by script."""
    (tree,) = read_all([LEGACY], strict=True)
    return {program.entry: program for program in pipeline.convert(tree, Options()).programs}
