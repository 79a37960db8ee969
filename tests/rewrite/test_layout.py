"""How converted text is laid out: scope blocks, groups of definitions, blank lines, literals, imports."""

from __future__ import annotations

from pathlib import Path

import libcst as cst

from tfmigrate.model import Options, SourceFile, SourceTree, Status, Strategy
from tfmigrate.pipeline import convert
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.constants import inlined
from tfmigrate.rewrite.layout import empty, one_a_line, written_out
from tfmigrate.rewrite.shared_calls import returned

PROGRAM = '''"""A program."""
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
W = tf.Variable(tf.zeros([3, 2]))
# what it should be
y = tf.placeholder(tf.float32, [None, 2])
RATE = 0.1
b = tf.Variable(tf.zeros([2]))
logits = tf.matmul(x, W) + b
loss = tf.reduce_mean(tf.square(logits - y))
train = tf.train.AdamOptimizer(RATE).minimize(loss)
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1)), tf.float32))
sess = tf.Session()
sess.run(tf.global_variables_initializer())
X, Y = np.ones((4, 3)), np.ones((4, 2))
for step in range(3):
    sess.run(train, {x: X, y: Y})
print(sess.run(accuracy, {x: X, y: Y}))
'''


def converted(source: str, strategy: Strategy = Strategy.DEFAULT) -> str:
    tree = SourceTree(Path(), (SourceFile("program.py", source),), single=True)
    result = convert(tree, Options(strategy=strategy)).files[0]
    assert result.status is Status.NATIVE, result.findings
    assert result.output is not None
    return result.output


def test_specs_and_constants_go_before_one_scope_block() -> None:
    text = converted(PROGRAM)
    assert text.count("with strategy.scope():") == 1
    before, _, block = text.partition("strategy = tf.distribute.get_strategy()\nwith strategy.scope():\n")
    assert before.index("x_spec") < before.index("# what it should be\ny_spec") < before.index("RATE = 0.1")
    assert block.index("    W = ") < block.index("    b = ") < block.index("    optimizer = Adam(RATE)")


def test_definitions_stand_together_and_concrete_functions_after_them() -> None:
    text = converted(PROGRAM)
    concrete = [f"{name} = {name}.get_concrete_function()\n" for name in ("train_step", "compute_accuracy")]
    assert "\n\n\n" + "".join(concrete) in text
    assert text.index("def forward(x)") < text.index("def train_step(x, y)") < text.index("def compute_accuracy(x, y)")


def test_two_blank_lines_around_definitions_of_a_module() -> None:
    lines = converted(PROGRAM).split("\n")
    for index, line in enumerate(lines):
        if line.startswith("@tf.function") or (line.startswith("def ") and not lines[index - 1].startswith("@")):
            assert lines[index - 2 : index] == ["", ""]
            assert lines[index - 3] != ""


def test_one_blank_line_around_definitions_of_a_function() -> None:
    head, _, body = PROGRAM.partition("x = tf.placeholder")
    inner = "\n".join("    " + line for line in ("x = tf.placeholder" + body).splitlines())
    text = converted(f"{head}def main():\n{inner}\n\n\nmain()\n")
    main = text[text.index("def main():") : text.index("\n\n\nmain()")]
    assert "\n\n\n" not in main
    assert "\n\n    def forward(x):\n" in main
    assert "\n\n    @tf.function(" in main


def test_local_imports_are_a_group_of_their_own() -> None:
    assert "import tensorflow as tf\n\nfrom fused_optimizers import Adam\n\nx_spec" in converted(PROGRAM)


def test_without_a_strategy_nothing_moves() -> None:
    text = converted(PROGRAM, Strategy.NONE)
    assert text.index("\nW = ") < text.index("\ny_spec") < text.index("\nb = ")


def test_a_constant_that_a_variable_is_made_of_stays_after_what_it_needs() -> None:
    text = converted(
        PROGRAM.replace(
            "RATE = 0.1\nb = tf.Variable(tf.zeros([2]))", "START = W\nb = tf.Variable(tf.zeros([2]))"
        ).replace("AdamOptimizer(RATE)", "AdamOptimizer(0.1)")
    )
    assert text.index("W = tf.Variable") < text.index("START = W") < text.index("b = tf.Variable")


def test_rebinding_what_a_step_reads_keeps_the_step_before_it() -> None:
    text = converted(
        PROGRAM.replace("logits = tf", "SCALE = 1.0\nshown = SCALE * tf.reduce_sum(x)\nlogits = tf")
        .replace("train = tf.train", "SCALE = 2.0\ntrain = tf.train")
        .replace("step in range(3):", "step in range(int(SCALE)):")
        .replace("print(sess", "print(sess.run(shown, {x: X}))\nprint(sess")
    )
    assert (
        text.index("SCALE = 1.0")
        < text.index("def compute_shown")
        < text.index("SCALE = 2.0")
        < text.index("def train_step")
    )


def _block(text: str) -> list[cst.BaseStatement]:
    return nodes.statements(text)


def _text(body: list[cst.BaseStatement]) -> str:
    return "".join(nodes.code(s) for s in body)


def test_a_literal_read_once_stands_where_it_is_read() -> None:
    assert (
        _text(inlined(_block("training = True\nh = layer(x, training=training)\n"), ["training"]))
        == "h = layer(x, training=True)\n"
    )


def test_a_literal_read_twice_keeps_its_name() -> None:
    text = "keep = 0.5\nh = drop(x, keep)\nh = drop(h, keep)\n"
    assert _text(inlined(_block(text), ["keep"])) == text


def test_a_literal_is_not_put_before_a_dot() -> None:
    text = "keep = 1\nh = keep.real\n"
    assert _text(inlined(_block(text), ["keep"])) == text


def test_a_name_bound_only_to_be_returned_is_not_bound() -> None:
    assert (
        _text(returned(_block("a = f(x)\n# the result\nb = a + 1\nreturn b\n")))
        == "a = f(x)\n# the result\nreturn a + 1\n"
    )
    kept = "b = a + 1\nreturn b, a\n"
    assert _text(returned(_block(kept))) == kept


def test_long_lists_take_a_line_for_each_element() -> None:
    names = ", ".join(f"weights['layer_{i}']" for i in range(6))
    text = _text([nodes.assign("trained", one_a_line(nodes.expression(f"[{names}]")))])
    assert text.count("\n") == 8
    assert text.endswith("    weights['layer_5'],\n]\n")
    short = nodes.expression("[a, b]")
    assert one_a_line(short) is short


def test_what_is_written_out_calls_nothing() -> None:
    assert written_out(nodes.expression("[1, -2.0, (name, 'text')]"))
    assert not written_out(nodes.expression("[load()]"))


def test_binding_a_name_to_itself_is_empty() -> None:
    assert empty(_block("flags = flags\n")[0])
    assert not empty(_block("flags = other\n")[0])


def test_the_last_comments_of_dissolved_blocks_stay() -> None:
    """They go before what follows, or to the end of the block around."""
    text = converted(
        "import tensorflow as tf\n"
        "a = tf.constant(1.0)\n"
        "with tf.Session() as sess:\n"
        "    print(sess.run(a))\n"
        "    # before the next line\n"
        "print('next')\n"
        "def show():\n"
        "    with tf.Graph().as_default():\n"
        "        with tf.Session() as other:\n"
        "            print(other.run(tf.constant(2.0)))\n"
        "            # inner\n"
        "        # outer\n"
        "show()\n"
    )
    lines = text.split("\n")
    assert lines[lines.index("# before the next line") + 1] == "print('next')"
    inner = lines.index("    # inner")
    assert lines[inner + 1 : inner + 3] == ["    # outer", "show()"]
