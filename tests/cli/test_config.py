"""[tool.tfmigrate]: the nearest one holds, and what is wrong in it is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfmigrate.config import Config, load
from tfmigrate.errors import InputError
from tfmigrate.model import Optimizers, Strategy


def test_the_nearest_table_holds(tmp_path: Path) -> None:
    inner = tmp_path / "a/b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.tfmigrate]\nexclude = ["third_party"]\nout = "made"\nmax-steps = 9\n'
    )
    (tmp_path / "a/pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert load(inner) == Config(exclude=("third_party",), out=tmp_path / "made", max_steps=9)
    (inner / "pyproject.toml").write_text(
        '[tool.tfmigrate]\nstrategy = "mirrored"\noptimizers = "keras"\ntime-limit = 2.5\n'
    )
    assert load(inner) == Config(strategy=Strategy.MIRRORED, optimizers=Optimizers.KERAS, time_limit=2.5)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[tool.tfmigrate]\nexcludes = []\n", "no 'excludes'; it has before, exclude"),
        ("[tool.tfmigrate]\nexclude = 'a'\n", "must be a list of patterns"),
        ("[tool.tfmigrate]\nstrategy = 'horovod'\n", "must be one of none, default"),
        ("[tool.tfmigrate]\nmax-steps = true\n", "whole number"),
        ("[tool.tfmigrate]\ntime-limit = 0\n", "seconds above zero"),
        ("[tool.tfmigrate]\nbefore = 'tf3'\n", "one of auto, tf1"),
        ("[tool]\ntfmigrate = 3\n", "must be a table"),
        ("[tool.tfmigrate\n", "pyproject.toml"),
        ("tool = 3\n", "pyproject.toml"),
        ("x = '\udcff'\n", "pyproject.toml"),
    ],
)
def test_what_is_wrong_is_named_with_its_file(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text, errors="surrogateescape")
    with pytest.raises(InputError, match=why) as caught:
        load(tmp_path)
    assert str(tmp_path / "pyproject.toml") in str(caught.value)
