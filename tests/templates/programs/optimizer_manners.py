"""How the generated optimizers behave inside TensorFlow 2, run as a script with two virtual CPU devices.

optimizer_manners.py FOLDER      FOLDER holds the rendered fused_optimizers.py
"""

import sys
import tempfile
import warnings

import numpy as np
import tensorflow as tf

sys.path.insert(0, sys.argv[1])
import fused_optimizers as fused

cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)

MAKERS = {
    "GradientDescent": lambda rate: fused.GradientDescent(rate),
    "Momentum": lambda rate: fused.Momentum(rate, 0.9),
    "Adam": lambda rate: fused.Adam(rate),
    "RMSProp": lambda rate: fused.RMSProp(rate, momentum=0.5, centered=True),
    "Adagrad": lambda rate: fused.Adagrad(rate),
    "Adadelta": lambda rate: fused.Adadelta(rate),
    "Ftrl": lambda rate: fused.Ftrl(rate),
}
START = np.random.RandomState(0).randn(6, 3).astype("float32")
IDS = np.array([[0, 2, 2, 5], [1, 1, 3, 0], [4, 5, 5, 5], [0, 0, 2, 3]])


def train(make, strategy, variable, steps=4, optimizer=None):
    """Losses on rows picked by ids (a sparse gradient) and on all rows (a dense one); two parts of every batch."""
    replicas = strategy.num_replicas_in_sync
    with strategy.scope():
        table, dense = variable("table"), variable("dense")
        optimizer = make(0.1)
        optimizer.build([table, dense])

    def replica_step(ids):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.gather(table, ids) - 1.0)) + tf.reduce_sum(tf.square(dense)) / 7.0
            loss /= replicas
        gradients = tape.gradient(loss, [table, dense])
        assert isinstance(gradients[0], tf.IndexedSlices)
        optimizer.apply_gradients(zip(gradients, [table, dense]))
        return loss

    @tf.function
    def step(ids):
        return strategy.reduce(tf.distribute.ReduceOp.SUM, strategy.run(replica_step, args=(ids,)), axis=None)

    losses = []
    for number in range(steps):
        parts = np.split(IDS[number], replicas)
        ids = strategy.experimental_distribute_values_from_function(
            lambda context: tf.constant(parts[context.replica_id_in_sync_group])
        )
        losses.append(float(step(ids)))
    return losses, table.numpy(), dense.numpy(), int(optimizer.iterations.numpy())


def tf_variable(name):
    return tf.Variable(START, name=name)


def keras_variable(name):
    return tf.keras.Variable(START, name=name)


def check_strategies():
    """One device, two mirrored devices; tf.Variable and Keras variables: all the same numbers."""
    for name, make in MAKERS.items():
        expected = train(make, tf.distribute.get_strategy(), tf_variable)
        assert expected[3] == 4 and not np.allclose(expected[1], START), name
        for strategy in (tf.distribute.get_strategy(), tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])):
            for variable in (tf_variable, keras_variable):
                result = train(make, strategy, variable)
                for one, other in zip(expected, result):
                    np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-6, err_msg=name)


def check_rates():
    """A schedule and the same rates assigned give the same; whole numbers and NumPy numbers are rates too."""
    schedule = tf.keras.optimizers.schedules.ExponentialDecay(0.2, 1, 0.5)
    results = []
    for rate in (schedule, 0.2):
        variable = tf.Variable(START)
        optimizer = fused.Momentum(rate, 0.9)
        for step in range(4):
            if rate is not schedule:
                optimizer.learning_rate.assign(0.2 * 0.5**step)
            optimizer.apply_gradients([(tf.ones_like(START), variable)])
        results.append(variable.numpy())
    np.testing.assert_allclose(*results, rtol=1e-6)
    assert fused.Adam(1).learning_rate.numpy() == 1 and fused.Adam(np.float32(0.5)).learning_rate.numpy() == 0.5


def check_missing_gradients():
    """A gradient that is None is skipped without a word; where all are None an error is raised, as in TensorFlow 1."""
    for make in MAKERS.values():
        used, unused = tf.Variable(START, name="used"), tf.Variable(START, name="unused")
        optimizer = make(0.1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            optimizer.apply_gradients([(None, unused), (tf.ones_like(START), used)])
            optimizer.apply_gradients([(tf.ones_like(START), unused), (tf.ones_like(START), used)])
        assert optimizer.iterations.numpy() == 2
        try:
            optimizer.apply_gradients([(None, unused), (None, used)])
        except ValueError as error:
            assert "No gradients provided for any variable" in str(error) and "used" in str(error)
        else:
            raise AssertionError("gradients that are all None must raise")


def check_checkpoints():
    """Training continued from a checkpoint equals training without a stop."""
    gradients = np.random.RandomState(1).randn(6, 6, 3).astype("float32")
    for name, make in MAKERS.items():

        def fresh():
            variable = tf.Variable(START)
            optimizer = make(0.1)
            optimizer.build([variable])
            return variable, optimizer, tf.train.Checkpoint(variable=variable, optimizer=optimizer)

        variable, optimizer, checkpoint = fresh()
        for step in range(6):
            if step == 3:
                path = checkpoint.write(tempfile.mkdtemp() + "/model")
            optimizer.apply_gradients([(gradients[step], variable)])
        again, optimizer, checkpoint = fresh()
        checkpoint.read(path).assert_consumed()
        assert optimizer.iterations.numpy() == 3
        for step in range(3, 6):
            optimizer.apply_gradients([(gradients[step], again)])
        np.testing.assert_array_equal(variable.numpy(), again.numpy(), err_msg=name)


def check_reset():
    """After a reset, training repeats itself, in mixed types too."""
    for name, make in MAKERS.items():
        for dtype in ("float32", "float64"):
            variable, results = tf.Variable(START.astype(dtype)), []
            optimizer = make(0.1)
            optimizer.build([variable])
            for _ in range(2):
                optimizer.reset()
                variable.assign(START.astype(dtype))
                for _ in range(3):
                    optimizer.apply_gradients([(tf.ones_like(variable), variable)])
                results.append(variable.numpy())
                assert optimizer.iterations.numpy() == 3
            np.testing.assert_array_equal(*results, err_msg=name)
            fresh = tf.Variable(START.astype(dtype))
            optimizer = make(0.1)
            for _ in range(3):
                optimizer.apply_gradients([(tf.ones_like(fresh), fresh)])
            np.testing.assert_array_equal(results[0], fresh.numpy(), err_msg=name)


def check_mixed_types():
    """Variables of several types in one optimizer."""
    variables = [tf.Variable(START.astype(dtype)) for dtype in ("float16", "float32", "float64")]
    for make in MAKERS.values():
        optimizer = make(0.1)
        optimizer.apply_gradients([(tf.ones_like(v), v) for v in variables])


for check in (
    check_strategies,
    check_rates,
    check_missing_gradients,
    check_checkpoints,
    check_reset,
    check_mixed_types,
):
    check()
print("passed")
