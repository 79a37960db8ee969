"""Restoring and saving with the generated legacy_checkpoints.py, run as a script by TensorFlow 2.

checkpoint_reader.py GENERATED FOLDER     FOLDER is what legacy_checkpoint_writer.py wrote, or "" for the rest only
"""

import glob
import os
import re
import sys
import tempfile

import numpy as np
import tensorflow as tf

from training_settings import OPTIMIZERS, batch

sys.path.insert(0, sys.argv[1])
import fused_optimizers
from legacy_checkpoints import CheckpointManager, restore_checkpoint, save_checkpoint


class Training:
    """The converted form of legacy_checkpoint_writer.py."""

    def __init__(self, name):
        self.w, self.table = tf.Variable(tf.zeros([4, 2])), tf.Variable(tf.zeros([5, 2]))
        self.unused, self.global_step = tf.Variable([0.0, 0.0]), tf.Variable(0, trainable=False, dtype=tf.int64)
        self.trained = [self.w, self.table, self.unused]
        _, _, new, settings = OPTIMIZERS[name]
        self.optimizer = getattr(fused_optimizers, new)(0.05, **settings)
        self.optimizer.build(self.trained)
        self.checkpoint = tf.train.Checkpoint(
            layer_w=self.w, w=self.table, unused=self.unused, global_step=self.global_step, optimizer=self.optimizer
        )
        self.names = {"layer/w": self.w, "w": self.table, "unused": self.unused, "global_step": self.global_step}

    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32)])
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(tf.matmul(x, self.w) - tf.gather(self.table, [0, 3, 3])))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trained), self.trained))
        self.global_step.assign_add(1)


def raises(kind, text, function, *arguments):
    try:
        function(*arguments)
    except kind as error:
        assert re.search(text, str(error)), str(error)
    else:
        raise AssertionError("no %s" % kind.__name__)


def check_legacy(folder):
    """Training goes on from TensorFlow 1's checkpoint exactly as TensorFlow 1 went on, and again from our own."""
    expected = np.load(os.path.join(folder, "expected.npz"))
    for name in OPTIMIZERS:
        path = tf.train.latest_checkpoint(os.path.join(folder, name))
        assert path.endswith("model-4"), path
        training = Training(name)
        restore_checkpoint(training.checkpoint, path, training.names, [training.optimizer])
        assert training.global_step.numpy() == 4
        np.testing.assert_array_equal(training.w.numpy(), expected[name + "/saved"])
        own = None
        for step in range(4, 8):
            if step == 6:
                own = save_checkpoint(training.checkpoint, os.path.join(tempfile.mkdtemp(), "own"))
            training.step(batch(step))
        for key, variable in (("/w", training.w), ("/table", training.table)):
            np.testing.assert_allclose(variable.numpy(), expected[name + key], rtol=1e-5, atol=1e-6, err_msg=name + key)
        again = Training(name)
        restore_checkpoint(again.checkpoint, own, again.names, [again.optimizer])
        for step in range(6, 8):
            again.step(batch(step))
        np.testing.assert_array_equal(again.w.numpy(), training.w.numpy(), err_msg=name)
    check_legacy_errors(tf.train.latest_checkpoint(os.path.join(folder, "adam")))
    plain = Training("adam")
    path = tf.train.latest_checkpoint(os.path.join(folder, "gradient_descent"))
    raises(
        tf.errors.NotFoundError,
        "layer/w/Adam not found",
        restore_checkpoint,
        plain.checkpoint,
        path,
        plain.names,
        [plain.optimizer],
    )


def check_legacy_errors(path):
    training = Training("adam")
    names = dict(training.names, missing=training.unused)
    raises(
        tf.errors.NotFoundError,
        "Key missing not found in checkpoint",
        restore_checkpoint,
        training.checkpoint,
        path,
        names,
    )
    names = dict(training.names, unused=tf.Variable(tf.zeros([3])))
    raises(
        ValueError,
        r"unused has shape \[2\] in checkpoint .*, and \[3\] here",
        restore_checkpoint,
        training.checkpoint,
        path,
        names,
    )
    assert not training.w.numpy().any(), "a failed restore changed a variable"
    raises(ValueError, "not a valid checkpoint", restore_checkpoint, training.checkpoint, path + "0", names)
    raises(ValueError, "None", restore_checkpoint, training.checkpoint, None, names)


def check_missing_object():
    """A variable that an object-based checkpoint does not hold is an error, not a silent zero."""
    folder = tempfile.mkdtemp()
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    path = save_checkpoint(tf.train.Checkpoint(a=a), os.path.join(folder, "model"))
    raises(
        tf.errors.NotFoundError,
        "in checkpoint",
        restore_checkpoint,
        tf.train.Checkpoint(a=a, b=b),
        path,
        {"a": a, "b": b},
    )
    a.assign(5.0)
    checkpoint = tf.train.Checkpoint(a=a)
    restore_checkpoint(checkpoint, path, {"a": a})
    assert a.numpy() == 1.0
    manager = CheckpointManager(checkpoint, folder, checkpoint_name="numbered")
    numbered = manager.save(checkpoint_number=7)
    a.assign(6.0)
    restore_checkpoint(checkpoint, path, {"a": a})
    restore_checkpoint(checkpoint, numbered, {"a": a})
    assert a.numpy() == 1.0


def check_names():
    """A checkpoint of another program, whose attributes have other names, is restored by the variables' names."""
    kernel, bias = tf.Variable([[1.0, 2.0]], name="layer/kernel"), tf.Variable([3.0], name="bias")
    twins = [tf.Variable([4.0], name="twin"), tf.Variable([5.0], name="twin")]
    written = tf.train.Checkpoint(a=kernel, b=bias, twins=twins, optimizer=fused_optimizers.Adam(0.5))
    path = save_checkpoint(written, os.path.join(tempfile.mkdtemp(), "model"))
    weights, offset = tf.Variable([[0.0, 0.0]]), tf.Variable([0.0])
    restore_checkpoint(
        tf.train.Checkpoint(weights=weights, offset=offset), path, {"layer/kernel": weights, "bias": offset}
    )
    assert weights.numpy().tolist() == [[1.0, 2.0]]
    assert offset.numpy().tolist() == [3.0]
    raises(
        tf.errors.NotFoundError,
        "Key twin not found in checkpoint",
        restore_checkpoint,
        tf.train.Checkpoint(offset=offset),
        path,
        {"twin": offset},
    )


def files(folder):
    return sorted(
        os.path.basename(path)[: -len(".index")] for path in glob.glob(os.path.join(glob.escape(folder), "*.index"))
    )


def check_restart():
    """Of its own run a manager keeps the last ones; of an earlier run it deletes nothing."""
    folder, variable = tempfile.mkdtemp(), tf.Variable(1.0)
    for first in (0, 10):
        manager = CheckpointManager(tf.train.Checkpoint(a=variable), folder, max_to_keep=2, checkpoint_name="model")
        assert (manager.latest_checkpoint is None) == (first == 0)
        for step in range(first, first + 4):
            assert manager.save(checkpoint_number=step) == os.path.join(folder, "model-%d" % step)
    assert files(folder) == ["model-12", "model-13", "model-2", "model-3"]
    assert tf.train.latest_checkpoint(folder).endswith("model-13")
    manager = CheckpointManager(tf.train.Checkpoint(a=variable), folder, max_to_keep=0, checkpoint_name="all")
    for step in range(8):
        manager.save(checkpoint_number=step)
    assert len(files(folder)) == 12


def check_paths_at_run_time():
    """Prefixes made up while the program runs, in several folders, odd characters among them."""
    base, variable = os.path.join(tempfile.mkdtemp(), 'a (b) "c" ü'), tf.Variable(1.0)
    checkpoint, kept = tf.train.Checkpoint(a=variable), []
    os.mkdir(base)
    save_checkpoint(checkpoint, os.path.join(base, "b"))  # no list: never deleted
    for number in range(4):
        variable.assign(number)
        path = os.path.join(base, "run%d" % (number % 2), "model-%d" % number)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        assert save_checkpoint(checkpoint, path, kept, max_to_keep=3) == path
    assert [files(os.path.join(base, name)) for name in (".", "run0", "run1")] == [
        ["b"],
        ["model-2"],
        ["model-1", "model-3"],
    ]
    assert tf.train.latest_checkpoint(os.path.join(base, "run0")).endswith("model-2")
    state = tf.train.get_checkpoint_state(os.path.join(base, "run1"))
    assert os.path.normpath(state.model_checkpoint_path) == path
    assert [os.path.basename(p) for p in state.all_model_checkpoint_paths] == ["model-1", "model-2", "model-3"]
    os.chdir(base)
    for path in ("here", "run0/there"):
        variable.assign(41.0)
        assert save_checkpoint(checkpoint, path) == path
        variable.assign(0.0)
        restore_checkpoint(checkpoint, tf.train.latest_checkpoint(os.path.dirname(path) or "."), {"a": variable})
        assert variable.numpy() == 41.0
        manager = CheckpointManager(checkpoint, os.path.dirname(path), 2, checkpoint_name=os.path.basename(path))
        manager.save(checkpoint_number=np.int64(3))
        assert os.path.exists(path + "-3.index")
    for path in ("same", "same", "other"):
        save_checkpoint(checkpoint, path, kept, max_to_keep=2)
    assert [os.path.basename(p) for p in kept] == ["same", "other"]
    kept = []
    for path in ("x1", "x[1]", "y"):  # a pattern that matches another file deletes just its own
        save_checkpoint(checkpoint, path, kept if path != "x1" else None, max_to_keep=1)
    assert [name for name in files(".") if name[0] in "xy"] == ["x1", "y"]


if sys.argv[2]:
    check_legacy(sys.argv[2])
else:
    check_missing_object()
    check_names()
    check_restart()
    check_paths_at_run_time()
print("passed")
