"""The generated recurrent cells and networks against TensorFlow 1.15's own: forwards, backwards and trained."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

from tfmigrate.rewrite import templates

PROGRAMS = Path(__file__).parent / "programs"
NETWORKS = 32


@pytest.mark.slow
@pytest.mark.tf
@pytest.mark.tf1
def test_recurrent_networks_equal_tensorflow_1s(tf1_python: Path, tf2_python: Path, tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    (tmp_path / "legacy_rnn.py").write_text(templates.render("legacy_rnn"), encoding="utf-8")
    for side, python in (("before", tf1_python), ("after", tf2_python)):
        command = [python, PROGRAMS / "rnn_steps.py", tmp_path, tmp_path / f"{side}.npz"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stderr[-3000:]
    before, after = numpy.load(tmp_path / "before.npz"), numpy.load(tmp_path / "after.npz")
    assert sorted(before.files) == sorted(after.files)
    assert sum(name.endswith("/losses") for name in before.files) == NETWORKS
    for name in before.files:
        scale = numpy.abs(before[name]).max(initial=0.0)
        numpy.testing.assert_allclose(after[name], before[name], rtol=2e-5, atol=2e-6 * scale + 1e-7, err_msg=name)


@pytest.mark.parametrize("part", templates.parts_of("legacy_rnn"))
def test_each_part_brings_what_it_needs_and_no_more(part: str) -> None:
    tree = ast.parse(templates.render("legacy_rnn", [part]))
    defined = {n.name for n in tree.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
    defined |= {t.id for n in tree.body if isinstance(n, ast.Assign) for t in n.targets if isinstance(t, ast.Name)}
    imported = {a.asname or a.name for n in tree.body if isinstance(n, ast.Import) for a in n.names} - {"tf"}
    named = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name)]
    helpers = {name for name in defined | imported if name not in (part, "RNNCell")}
    assert part in defined
    own = {name for name in named if name[:1].isupper() or (name != "_" and name.startswith("_"))}
    assert own <= defined
    assert helpers <= set(named), "what is defined for another part is not needed here"
