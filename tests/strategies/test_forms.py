"""Where the strategy is made, and what each form of --strategy leaves as it is."""

from __future__ import annotations

import ast
import textwrap

import pytest
from strategies.running import HERE, converted

from tfmigrate.model import Status, Strategy

PROGRAMS = sorted(path.stem for path in (HERE / "programs").glob("*.py"))


def output(name: str, strategy: Strategy) -> str:
    result = converted((HERE / "programs" / f"{name}.py").read_text(encoding="utf-8"), strategy)
    assert result.status is Status.NATIVE, result.findings
    assert result.output is not None
    ast.parse(result.output)
    return result.output


@pytest.mark.parametrize("name", PROGRAMS)
def test_none_has_no_strategy(name: str) -> None:
    text = output(name, Strategy.NONE)
    assert "strategy" not in text
    assert "scope()" not in text


@pytest.mark.parametrize("name", PROGRAMS)
def test_default_calls_steps_directly(name: str) -> None:
    text = output(name, Strategy.DEFAULT)
    assert "strategy = tf.distribute.get_strategy()\n" in text
    assert "strategy.run" not in text
    assert "get_concrete_function" in text


@pytest.mark.parametrize("strategy", [Strategy.MIRRORED, Strategy.MULTIWORKER, Strategy.TPU])
@pytest.mark.parametrize("name", PROGRAMS)
def test_training_steps_run_on_replicas(name: str, strategy: Strategy) -> None:
    text = output(name, strategy)
    assert text.count("strategy.run(") == 1
    tree = ast.parse(text)
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert {"train_step", "replica_train_step", "distributed_train_step"} <= functions
    assert "train_step.get_concrete_function" not in text
    made = [i for i, line in enumerate(text.splitlines()) if line.lstrip().startswith("strategy = ")]
    scopes = [i for i, line in enumerate(text.splitlines()) if "strategy.scope()" in line]
    assert len(made) == 1
    assert made[0] < min(scopes)


@pytest.mark.parametrize("strategy", [Strategy.MULTIWORKER, Strategy.TPU])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_cluster_is_joined_before_anything_else(name: str, strategy: Strategy) -> None:
    """Only imports stand before; a TPU is connected and initialized first."""
    body = ast.parse(output(name, strategy)).body
    at = next(i for i, node in enumerate(body) if ast.unparse(node).startswith("strategy = "))
    before = [
        ast.unparse(n)
        for n in body[:at]
        if not isinstance(n, (ast.Import, ast.ImportFrom)) and ast.get_docstring(ast.Module([n], [])) is None
    ]
    if strategy is Strategy.MULTIWORKER:
        assert before == []
    else:
        assert [line.split("(")[0] for line in before] == [
            "resolver = tf.distribute.cluster_resolver.TPUClusterResolver",
            "tf.config.experimental_connect_to_cluster",
            "tf.tpu.experimental.initialize_tpu_system",
        ]


def test_only_workers_have_folders_of_their_own() -> None:
    assert output("saving", Strategy.MULTIWORKER).count("own_folder(strategy, ") == 2
    assert "own_folder" not in output("saving", Strategy.MIRRORED)


def test_names_of_the_program_are_left_alone() -> None:
    text = (HERE / "programs" / "softmax_regression.py").read_text(encoding="utf-8")
    text = text.replace("rng = np", "strategy, split, replica_train_step = 1, 2, 3\nrng = np").replace(
        '"loss %.6f" % l', '"loss %.6f %d" % (l, split)'
    )
    result = converted(text, Strategy.MIRRORED)
    assert result.output is not None
    assert "strategy, split, replica_train_step = 1, 2, 3" in result.output
    assert "strategy_1 = tf.distribute.MirroredStrategy()" in result.output
    assert "from replicas import split as split_of_replicas" in result.output
    assert "*split_of_replicas(strategy_1, [x_spec, y_spec], x, y)" in result.output
    assert "strategy_1.run(replica_train_step_1, args=(x, y))" in result.output


def test_two_functions_share_one_strategy() -> None:
    head, body = (HERE / "programs" / "softmax_regression.py").read_text(encoding="utf-8").split("\nx = ")
    function = textwrap.indent("x = " + body, "    ")
    calls = "".join(f"with tf.Graph().as_default():\n    {name}()\n" for name in ("one", "two"))
    result = converted(f"{head}\n\ndef one():\n{function}\n\ndef two():\n{function}\n\n{calls}", Strategy.MIRRORED)
    assert result.status is Status.NATIVE, result.findings
    assert (result.output or "").count("strategy = tf.distribute.MirroredStrategy()") == 1
    assert "\nstrategy = tf.distribute.MirroredStrategy()" in (result.output or "")
