"""However a program ends, a trace is left and it says why."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tfmigrate.verify.runner import RunRequest, run, stop_of
from tfmigrate.verify.trace import Trace

HEAD = """
import os, sys, threading, time
import tensorflow as tf
v = tf.Variable(1.0, name="v")
step = tf.assign_add(v, 1.0)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""

pytestmark = [pytest.mark.tf, pytest.mark.slow]
Start = Callable[..., Trace]


@pytest.fixture
def start(tf2_python: Path, tmp_path: Path) -> Start:
    """Runs a program text under the compat oracle."""

    def go(body: str, head: str = HEAD, **options: Any) -> Trace:
        root = tmp_path / "tree"
        root.mkdir(exist_ok=True)
        (root / "main.py").write_text(head + body)
        side = options.pop("side", "before")
        oracle = "compat" if side == "before" else "tf2"
        return run(RunRequest(root, "main.py", side, oracle, Path(tf2_python), workdir=tmp_path / "work", **options))

    return go


def test_an_exception_is_told_and_keeps_what_was_recorded(start: Start) -> None:
    trace = start("sess.run(step)\nopen('missing.csv')\n")
    assert trace.exit == 1
    assert trace.reason is not None
    assert trace.reason.startswith("FileNotFoundError")
    assert "main.py" in trace.stderr
    assert "_tfmigrate_harness" not in trace.stderr
    assert len(trace.events) == 2
    assert trace.variables[0].final is not None


@pytest.mark.parametrize(("ending", "code"), [("sys.exit(3)", 3), ("os._exit(4)", 4), ("sys.exit('bad')", 1)])
def test_exits_keep_their_code_and_the_records(start: Start, ending: str, code: int) -> None:
    trace = start(f"sess.run(step)\n{ending}\n")
    assert trace.exit == code
    assert trace.variables[0].final is not None
    assert trace.environment["counted"] == 1


def test_user_code_cannot_swallow_the_stop(start: Start) -> None:
    body = "while True:\n    try:\n        sess.run(step)\n    except:\n        pass\n"
    trace = start(body, max_steps=7)
    assert trace.exit == 0
    assert trace.reason == "step limit"
    assert trace.stopped_at == {"main.py:10": 7}
    assert stop_of(trace) == {"runs": 7}


def test_finally_blocks_still_run_after_the_stop(start: Start) -> None:
    body = "try:\n    while True:\n        sess.run(step)\nfinally:\n    print('closed')\n"
    trace = start(body, max_steps=3)
    assert trace.stdout == "closed\n"
    assert trace.exit == 0


def test_a_stop_in_a_thread_ends_the_program(start: Start) -> None:
    body = (
        "def work():\n    while True:\n        sess.run(step)\nt = threading.Thread(target=work)\nt.start()\nt.join()\n"
    )
    trace = start(body, max_steps=4)
    assert trace.exit == 0
    assert trace.reason == "step limit"


def test_a_loop_of_short_runs_goes_on_until_the_other_loop_site_was_reached(start: Start) -> None:
    body = "for i in range(200):\n    sess.run(step)\n    if i > 20:\n        sess.run(tf.assign(v, 0.))\n"
    trace = start(
        body, max_steps=5, counted_sites=(("main.py", 9), ("main.py", 11)), loop_sites=(("main.py", 9), ("main.py", 11))
    )
    assert trace.stopped_at == {"main.py:9": 23}


def test_a_hang_is_ended_by_the_time_limit(start: Start) -> None:
    begun = time.monotonic()
    trace = start("sess.run(step)\nprint('sleeping')\ntime.sleep(600)\n", time_limit=25.0)
    assert time.monotonic() - begun < 90
    assert trace.reason == "time limit of 25 s"
    assert trace.exit != 0
    assert trace.stdout == "sleeping\n"
    assert len(trace.events) == 2


def test_slow_steps_stop_cleanly_before_the_time_limit(start: Start) -> None:
    trace = start("while True:\n    sess.run(step)\n    time.sleep(0.5)\n", time_limit=30.0)
    assert trace.exit == 0
    assert trace.reason == "time limit of steps"
    assert stop_of(trace)["runs"] >= 2


def test_memory_is_watched(start: Start) -> None:
    trace = start("block = bytearray(3 << 30)\ntime.sleep(60)\n", memory_limit=2 << 30)
    assert trace.reason == "memory limit of 2048 MB"
    assert trace.peak_bytes > 2 << 30


def test_input_is_closed_and_arguments_arrive(start: Start) -> None:
    trace = start("print(sys.argv)\ninput()\n", args=("--rate", "0.1"))
    assert trace.stdout.startswith("['main.py', '--rate', '0.1']\n")
    assert trace.reason is not None
    assert trace.reason.startswith("EOFError")


def test_a_run_inside_load_is_one_event(start: Start) -> None:
    trace = start("v.load(3.0, sess)\nprint(v.eval(sess))\n")
    assert [event.line for event in trace.events] == [7, 8, 9]
    assert trace.environment["counted"] == 0  # an assignment by the host and a read


def test_callables_and_partial_runs_are_events(start: Start) -> None:
    body = (
        "x = tf.placeholder(tf.float32, name='x')\ny = x * v\nz = y + 1.\n"
        "f = sess.make_callable(y, [x])\nprint(f(2.0))\n"
        "h = sess.partial_run_setup([y, z], [x])\nprint(sess.partial_run(h, y, {x: 3.0}))\n"
    )
    trace = start(body)
    assert trace.stdout == "2.0\n3.0\n"
    assert [len(event.values) for event in trace.events] == [0, 1, 1]


def test_contrib_is_missing_with_an_import_error(start: Start) -> None:
    trace = start("from tensorflow.contrib import slim\n")
    assert trace.reason is not None
    assert "tensorflow.contrib" in trace.reason
    assert trace.exit == 1


def test_submodules_of_tensorflow_are_those_of_compat(start: Start) -> None:
    body = (
        "from tensorflow.keras.layers import Dense\nfrom tensorflow.python.framework import ops\n"
        "import tensorflow.nn as nn\n"
        "from tensorflow import layers, placeholder\nprint(nn.relu is tf.nn.relu, placeholder is tf.placeholder)\n"
        "print(layers.dense(placeholder(tf.float32, [None, 2]), 3).shape.as_list(), hasattr(tf, 'contrib'))\n"
    )
    trace = start(body)
    assert trace.stdout == "True True\n[None, 3] False\n", trace.stderr


def test_timing_runs_keep_no_values_and_change_no_op(start: Start) -> None:
    body = "y = tf.random_normal([2]) + v\nfor _ in range(5):\n    sess.run([y, step])\n"
    recorded, timed = start(body), start(body, record=False)
    assert len(recorded.events) == len(timed.events) == 6
    assert not any(event.values for event in timed.events)
    assert timed.recorded is False
    assert timed.variables == () or all(v.initial is None and v.final is None for v in timed.variables)
    assert timed.events[-1].ops < recorded.events[-1].ops


def test_the_original_folder_is_not_touched(start: Start, tmp_path: Path) -> None:
    trace = start("os.remove('main.py')\nos.makedirs('out')\nopen('out/a.txt', 'w').write('hello')\n")
    assert (tmp_path / "tree" / "main.py").is_file()
    assert not (tmp_path / "tree" / "out").exists()
    assert [(f.path, f.kind) for f in trace.files] == [("out/a.txt", "text")]
    assert trace.files[0].values["text"].text == "hello"


AFTER = """
import numpy as np
import tensorflow as tf
v = tf.Variable(1.0, name="v")
"""


def test_only_outermost_calls_of_user_functions_are_events(start: Start) -> None:
    body = (
        "@tf.function\ndef inner(x):\n    return x + v\n"
        "@tf.function\ndef outer(x):\n    return {'b': inner(x), 'a': (inner(x), None)}\n"
        "print(float(outer(tf.constant(1.0))['b']))\n"
        "concrete = outer.get_concrete_function(tf.TensorSpec([], tf.float32))\nconcrete(tf.constant(2.0))\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.predict(np.ones((2, 2)), verbose=0)\n"
        "tf.constant(1.0) + 1.0\n"
    )
    trace = start(body, head=AFTER, side="after")
    assert trace.exit == 0, trace.stderr
    assert [(event.name, len(event.values)) for event in trace.events] == [("outer", 2), ("outer", 2)]
    assert trace.events[-1].traces >= 1


def test_functions_that_only_write_summaries_are_no_steps(start: Start) -> None:
    body = (
        "writer = tf.summary.create_file_writer('logs')\n"
        "@tf.function\ndef write(value, step):\n    with writer.as_default(step=step):\n"
        "        tf.summary.scalar('loss', value)\n"
        "@tf.function\ndef step():\n    return v.assign_add(1.0)\n"
        "for i in range(4):\n    write(step(), tf.constant(i, tf.int64))\n"
    )
    trace = start(body, head=AFTER, side="after")
    assert trace.exit == 0, trace.stderr
    assert trace.environment["counted"] == 4
    assert [s.numbers for s in trace.summaries] == [(2.0,), (3.0,), (4.0,), (5.0,)]


def test_named_steps_are_counted_and_stop(start: Start) -> None:
    body = (
        "@tf.function\ndef step():\n    return v.assign_add(1.0)\n"
        "@tf.function\ndef show():\n    return v + 0.0\n"
        "for i in range(10):\n    step()\n    show()\n    print(i)\n"
    )
    trace = start(body, head=AFTER, side="after", step_names=("step",), stop_at={"runs": 4})
    assert trace.environment["counted"] == 4
    assert trace.stdout == "0\n1\n2\n3\n"
    assert trace.reason == "step limit"
