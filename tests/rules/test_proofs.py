"""What rules write is evaluated in TensorFlow 2 and compared with the original expression in the real 1.15."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import libcst as cst
import numpy as np
import pytest
from rules.proved_expressions import GRADIENTS, LAYERS, OPTIMIZERS, PLAIN, RANDOM, REFUSED, lines
from rules.rewriting import RefusedError, rewrite

from tfmigrate.rewrite.templates import support_files
from tfmigrate.rules import engine
from tfmigrate.rules.base import Context, LayerForm, OptimizerForm
from tfmigrate.rules.examples import parse_call, shown
from tfmigrate.rules.expressions import code

CHILD = Path(__file__).with_name("proof_child.py")
SUPPORT = ("fused_optimizers", "legacy_layers", "legacy_losses", "legacy_images")


def plain_case(line: str, kind: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The case for 1.15 and the one for TensorFlow 2."""
    expression, _, names = line.partition(" @ ")
    expression, _, meaning = expression.partition(" ~ ")
    new, _, imports = rewrite(expression)
    gradients = [name.strip() for name in names.split(",") if name]
    old = {"id": line, "kind": kind, "expression": meaning or expression, "gradients": gradients}
    return old, {**old, "expression": new, "imports": sorted(set(imports))}


def layer_case(line: str) -> tuple[dict[str, Any], dict[str, Any]]:
    symbol, call = parse_call(rewritten_arguments(line))
    form = engine.apply(symbol, call, Context())
    assert isinstance(form, LayerForm), shown(form)
    name = code(form.name).strip("\"'") if form.name is not None else form.base_name
    old = {"id": line, "kind": "layer", "expression": line, "updates": form.updates}
    return old, {
        **old,
        "constructor": code(form.constructor),
        "inputs": code(form.inputs),
        "keywords": {key: code(value) for key, value in form.keywords.items()},
        "weights": form.weights,
        "base": name,
        "activation": code(form.activation) if form.activation is not None else "",
        "imports": [f"from {entry.replace(':', ' import ')}" for entry in form.support],
    }


def rewritten_arguments(line: str) -> str:
    """The call with its arguments rewritten, as rules receive them."""
    node = cst.ensure_type(cst.parse_expression(line), cst.Call)
    arguments = [arg.with_changes(value=cst.parse_expression(rewrite(code(arg.value))[0])) for arg in node.args]
    return code(node.with_changes(args=arguments))


def optimizer_case(line: str) -> tuple[dict[str, Any], dict[str, Any]]:
    symbol, call = parse_call(line)
    form = engine.apply(symbol, call, Context())
    assert isinstance(form, OptimizerForm), shown(form)
    old = {"id": line, "kind": "optimizer", "expression": line}
    imports = [f"from {entry.replace(':', ' import ')}" for entry in form.support]
    return old, {**old, "expression": shown(form), "slots": form.slots, "imports": imports}


def cases() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    found = [plain_case(line, "plain") for line in lines(PLAIN)]
    found += [plain_case(line, "gradient") for line in lines(GRADIENTS)]
    found += [plain_case(line, "random") for line in lines(RANDOM)]
    found += [layer_case(line) for line in lines(LAYERS)]
    return found + [optimizer_case(line) for line in lines(OPTIMIZERS)]


def evaluated(python: Path, wanted: list[dict[str, Any]], folder: Path) -> Mapping[str, Any]:
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    child = subprocess.run(
        [str(python), "-W", "ignore", str(CHILD), str(folder)],
        input=json.dumps(wanted),
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert child.returncode == 0, child.stderr[-3000:]
    return json.loads(child.stdout.splitlines()[-1])  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def results(
    tf1_python: Path, tf2_python: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    folder = tmp_path_factory.mktemp("support")
    for file in support_files(SUPPORT):
        (folder / file.path).write_text(file.text, encoding="utf-8")
    pairs = cases()
    return evaluated(tf1_python, [old for old, _ in pairs], folder), evaluated(
        tf2_python, [new for _, new in pairs], folder
    )


ALL = [line for table in (PLAIN, GRADIENTS, RANDOM, LAYERS, OPTIMIZERS) for line in lines(table)]


@pytest.mark.tf
@pytest.mark.tf1
@pytest.mark.parametrize("line", ALL)
def test_rewritten_expression_gives_what_1_15_gives(
    line: str, results: tuple[Mapping[str, Any], Mapping[str, Any]]
) -> None:
    old, new = (result[line] for result in results)
    assert not isinstance(old, dict), f"1.15 fails: {old['error']}"
    assert not isinstance(new, dict), f"TensorFlow 2 fails: {new['error']}"
    assert [part[:2] for part in old] == [part[:2] for part in new], "dtypes and shapes"
    if line in lines(RANDOM):
        compare_moments(old[0][2], new[0][2])
        return
    for (dtype, _, before), (_, _, after) in zip(old, new, strict=True):
        if dtype.startswith(("float", "complex")):
            np.testing.assert_allclose(np.array(after), np.array(before), rtol=1e-5, atol=1e-6)
        else:
            assert after == before


def compare_moments(before: list[float], after: list[float]) -> None:
    """Mean, deviation and mean size by what 60,000 draws tell, the largest of them, and the share of zeros."""
    np.testing.assert_allclose(after[0], before[0], rtol=0.01, atol=0.02 * before[1])
    np.testing.assert_allclose(after[1:3], before[1:3], rtol=0.03)
    np.testing.assert_allclose(after[3], before[3], rtol=0.4)
    np.testing.assert_allclose(after[4], before[4], atol=0.01)


def test_tables_are_large_and_hold_no_line_twice() -> None:
    assert len(ALL) >= 400
    assert len(ALL) == len(set(ALL))


@pytest.mark.parametrize("line", lines(REFUSED))
def test_refusals_name_their_reason(line: str) -> None:
    expected, _, expression = line.partition(" ")
    symbol, call = parse_call(expression)
    result = engine.apply(symbol, call, Context())
    assert shown(result).startswith(f"{expected}: "), shown(result)


def test_refused_inside_an_expression_is_told() -> None:
    with pytest.raises(RefusedError, match="TFM206"):
        rewrite("tf.reduce_mean(tf.metrics.accuracy(a, b))")
