"""Steps of batch normalization, by TensorFlow 1.15's layers or by the generated legacy_layers.py.

    batch_normalization_steps.py GENERATED OUTPUT.npz

Each case: five runs with training on (with or without the update ops): outputs, gradients and moving averages; then the
outputs with training off.
"""

import sys

import numpy as np
import tensorflow as tf

sys.path.insert(0, sys.argv[1])

# name, shape of the inputs, TensorFlow 1's layer, its settings, the generated layer's, flag fed?, update ops run?
CASES = [
    ("dense", (6, 3), "layers", {}, {}, True, True),
    (
        "dense_settings",
        (6, 3),
        "layers",
        {"momentum": 0.5, "epsilon": 1e-6},
        {"momentum": 0.5, "epsilon": 1e-6},
        False,
        True,
    ),
    ("image", (2, 3, 2, 3), "layers", {"momentum": 0.7}, {"momentum": 0.7}, True, True),
    ("image_constant", (2, 3, 2, 3), "layers", {"momentum": 0.7}, {"momentum": 0.7}, False, True),
    ("image_small_epsilon", (2, 1, 2, 3), "layers", {"epsilon": 1e-6}, {"epsilon": 1e-6}, False, True),
    ("image_no_updates", (2, 3, 2, 3), "layers", {}, {}, True, False),
    ("image_not_fused", (2, 3, 2, 3), "layers", {"fused": False}, {"fused": False}, True, True),
    ("image_axis_2", (2, 3, 4, 3), "layers", {"axis": 2, "scale": False}, {"axis": 2, "scale": False}, True, True),
    ("sequence", (2, 5, 3), "layers", {"center": False}, {"center": False}, True, True),
    ("contrib_dense", (6, 3), "contrib", {"decay": 0.8}, {"momentum": 0.8, "scale": False, "fused": True}, True, True),
    (
        "contrib_image",
        (2, 3, 2, 3),
        "contrib",
        {"scale": True, "decay": 0.8},
        {"momentum": 0.8, "fused": True},
        False,
        True,
    ),
    (
        "contrib_not_fused",
        (6, 3),
        "contrib",
        {"fused": False},
        {"momentum": 0.999, "scale": False, "fused": False},
        True,
        True,
    ),
]


def batches(shape):
    return 1.0 + 3.0 * np.random.RandomState(5).randn(5, *shape).astype("float32")


def run_legacy(shape, kind, settings, fed, updated):
    results = {}
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, (None,) + shape[1:])
        flag = tf.placeholder(tf.bool, [])
        training = flag if fed else True
        with tf.variable_scope("layer"):
            if kind == "layers":
                y = tf.layers.batch_normalization(x, training=training, **settings)
            else:
                y = tf.contrib.layers.batch_norm(x, is_training=training, **settings)
        gradient = tf.gradients(tf.reduce_sum(tf.pow(y, 3)), x)[0]
        moving = [v for v in tf.global_variables() if "moving" in v.name]
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS) if updated else []
        session.run(tf.global_variables_initializer())
        for step, batch in enumerate(batches(shape)):
            outputs, gradients, _ = session.run([y, gradient, updates], {x: batch, flag: True})
            averages = session.run(moving)
            results.update({"outputs%d" % step: outputs, "gradient%d" % step: gradients})
            results.update({"mean%d" % step: averages[0], "variance%d" % step: averages[1]})
        if fed:
            results["inference"] = session.run([y, updates], {x: batches(shape)[0], flag: False})[0]
            results["mean_after"], results["variance_after"] = session.run(moving)
    return results


def run_converted(shape, settings, fed, updated):
    from legacy_layers import BatchNormalization

    layer, results = BatchNormalization(name="layer", **settings), {}
    x_spec = tf.TensorSpec((None,) + shape[1:], tf.float32)
    layer.build(x_spec.shape)

    @tf.function(input_signature=[x_spec, tf.TensorSpec([], tf.bool)])
    def step_once(x, training):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = layer(x, training=training if fed else True, updates=updated)
            loss = tf.reduce_sum(tf.pow(y, 3))
        return y, tape.gradient(loss, x)

    step_once = step_once.get_concrete_function()
    for step, batch in enumerate(batches(shape)):
        outputs, gradients = step_once(batch, True)
        results.update({"outputs%d" % step: outputs.numpy(), "gradient%d" % step: gradients.numpy()})
        results.update({"mean%d" % step: layer.moving_mean.numpy(), "variance%d" % step: layer.moving_variance.numpy()})
    if fed:
        results["inference"] = step_once(batches(shape)[0], False)[0].numpy()
        np.testing.assert_allclose(layer(batches(shape)[0], training=False), results["inference"], rtol=1e-5, atol=1e-5)
        results["mean_after"], results["variance_after"] = layer.moving_mean.numpy(), layer.moving_variance.numpy()
    return results


results = {}
for case, shape, kind, old, new, fed, updated in CASES:
    if tf.__version__.startswith("1."):
        values = run_legacy(shape, kind, old, fed, updated)
    else:
        values = run_converted(shape, new, fed, updated)
    results.update({"%s/%s" % (case, name): value for name, value in values.items()})
np.savez(sys.argv[2], **results)
