"""Evaluates expressions in TensorFlow 1.15 or 2: run as a child's main program by both interpreters, Python 3.7 on.

Standard input: a JSON list of {"id", "kind", "expression", …}; the last line of standard output: {"id": result},
where a result is a list of arrays [dtype, shape, values] or {"error": text}.
"""

import json
import sys
import traceback

import numpy as np
import tensorflow as tf

OLD = tf.__version__.startswith("1.")
V1 = tf.compat.v1

INPUTS = """
x = tf.constant(np.linspace(0.3, 2.6, 12).reshape(3, 4).astype("float32"))
y = tf.constant(np.linspace(2.0, 0.5, 12).reshape(3, 4).astype("float32"))
s = tf.constant(np.linspace(-2.5, 2.0, 12).reshape(3, 4).astype("float32"))
v = tf.constant(np.array([0.5, 1.5, -2.0, 3.25], "float32"))
d = tf.constant(np.linspace(-1.0, 2.0, 6).reshape(2, 3))
n = tf.constant(np.array([[7, -3, 5], [2, 9, -8]], "int32"))
m = tf.constant(np.array([[2, 2, 3], [1, 4, 3]], "int32"))
k = tf.constant(np.array([2, 0, 1, 2], "int64"))
t = tf.constant(np.array([[True, False, True], [False, False, True]]))
rows = tf.constant(np.array([True, False, True]))
z = tf.constant(np.array([[1.0, -2.0, 0.5], [0.1, 0.2, 3.0], [-1.0, 0.0, 1.0], [2.0, 2.0, -4.0]], "float32"))
q = tf.constant(np.array([[0.2, 0.5, 0.3], [1.0, 0.0, 0.0], [0.0, 0.9, 0.1], [0.3, 0.3, 0.4]], "float32"))
w = tf.constant(np.array([[1.0], [0.0], [2.0], [0.5]], "float32"))
w4 = tf.constant(np.array([1.0, 0.0, 2.0, 0.5], "float32"))
image = tf.constant(np.random.RandomState(0).rand(2, 6, 5, 3).astype("float32"))
line = tf.constant(np.random.RandomState(1).rand(2, 7, 3).astype("float32"))
cube = tf.constant(np.random.RandomState(2).rand(1, 4, 4, 4, 2).astype("float32"))
photo = tf.constant(np.random.RandomState(3).randint(0, 255, (6, 5, 3)).astype("uint8"))
kernel = tf.constant(np.random.RandomState(4).randn(3, 3, 3, 4).astype("float32"))
kernel1 = tf.constant(np.random.RandomState(5).randn(2, 3, 4).astype("float32"))
kernel3 = tf.constant(np.random.RandomState(6).randn(2, 2, 2, 2, 3).astype("float32"))
back = tf.constant(np.random.RandomState(7).randn(3, 3, 5, 3).astype("float32"))
depth = tf.constant(np.random.RandomState(8).randn(3, 3, 3, 2).astype("float32"))
point = tf.constant(np.random.RandomState(9).randn(1, 1, 6, 4).astype("float32"))
square = tf.constant((np.random.RandomState(10).randn(3, 3) + 4 * np.eye(3)).astype("float32"))
spd = tf.constant((np.array([[4.0, 1.0], [1.0, 3.0]])).astype("float32"))
table = tf.constant(np.random.RandomState(11).randn(5, 3).astype("float32"))
words = tf.constant(["a b  c", "", "d,e f"])
numbers = tf.train.Feature(float_list=tf.train.FloatList(value=[1.5, 2.5]))
example = tf.constant(tf.train.Example(features=tf.train.Features(feature={"a": numbers})).SerializeToString())
step = tf.constant(7)
long_step = tf.constant(np.array(23, "int64"))
sp = tf.SparseTensor(indices=[[0, 1], [2, 0]], values=tf.constant([1.5, -2.0]), dense_shape=[3, 3])
ids = tf.SparseTensor(indices=[[0, 0], [0, 1], [1, 0]], values=tf.constant([1, 3, 0], tf.int64), dense_shape=[2, 2])
"""


def scope(text):
    names = {"tf": tf, "np": np}
    exec(INPUTS, names)
    exec(text, names)
    return names


def arrays(value):
    flat = tf.nest.flatten(value, expand_composites=True)
    result = []
    for item in flat:
        array = np.asarray(item)
        if array.dtype.kind in "OS":
            array = array.astype("S")
            result.append(["string", list(array.shape), [v.decode("latin-1") for v in array.ravel().tolist()]])
        elif array.dtype.kind == "c":
            result.append(
                [
                    str(array.dtype),
                    list(array.shape),
                    array.ravel().view("float64" if array.itemsize == 16 else "float32").tolist(),
                ]
            )
        else:
            name = str(array.dtype)
            plain = array.astype("float32") if name == "bfloat16" else array
            result.append([name, list(array.shape), plain.ravel().tolist()])
    return result


def summarized(value):
    """A large random array by its moments and range, rounded to what a sample tells."""
    array = np.asarray(tf.nest.flatten(value)[0], dtype="float64")
    figures = [array.mean(), array.std(), np.abs(array).mean(), np.abs(array).max(), (array == 0).mean()]
    return [["float64", [5], figures], [str(np.asarray(tf.nest.flatten(value)[0]).dtype), list(array.shape), []]]


def evaluate_old(case):
    with tf.Graph().as_default(), tf.Session() as session:
        names = scope(case.get("setup", ""))
        result = eval(case["expression"], names)
        if case["kind"] == "gradient":
            result = tf.gradients(result, [names[n] for n in case["gradients"]])
            result = [tf.zeros([0]) if g is None else g for g in result]
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        result = tf.nest.map_structure(
            lambda r: tf.constant(r) if not tf.is_tensor(r) else r, result, expand_composites=True
        )
        value = session.run(tf.nest.flatten(result, expand_composites=True))
    return summarized(value) if case["kind"] == "random" else arrays(value)


def evaluate_new(case):
    names = scope(case.get("setup", ""))
    for statement in case.get("imports", ()):
        exec(statement, names)

    def compute():
        if case["kind"] == "gradient":
            wanted = [names[n] for n in case["gradients"]]
            with tf.GradientTape() as tape:
                tape.watch(wanted)
                result = eval(case["expression"], names)
            return [tf.zeros([0]) if g is None else g for g in tape.gradient(result, wanted)]
        return tf.nest.map_structure(tf.convert_to_tensor, eval(case["expression"], names), expand_composites=True)

    value = tf.function(compute, autograph=False)() if case.get("traced", True) else compute()
    value = [
        getattr(item, "numpy", lambda item=item: item)() for item in tf.nest.flatten(value, expand_composites=True)
    ]
    return summarized(value) if case["kind"] == "random" else arrays(value)


def filled(shape, number):
    count = int(np.prod(shape))
    return (
        (np.cos(np.arange(count) * 1.7 + number) * 0.4 + (1.0 if number == 3 else 0.0)).reshape(shape).astype("float32")
    )


def layer_old(case):
    """A layer's output with its variables filled in, the variables' names and the loss of its regularizers."""
    with tf.Graph().as_default(), tf.Session() as session:
        names = scope(case.get("setup", ""))
        result = eval(case["expression"], names)
        variables = tf.global_variables()
        for number, variable in enumerate(variables):
            variable.load(np.abs(filled(variable.shape.as_list(), number)), session)
        losses = tf.losses.get_regularization_losses()
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS) if case["updates"] else []
        value, _ = session.run([[result, tf.add_n(losses) if losses else tf.constant(0.0)], updates])
        shown = [v.op.name for v in variables] + [str(v in tf.trainable_variables()) for v in variables]
        after = session.run(variables)
    return arrays([*value, *after, np.array(shown)])


def layer_new(case):
    names = scope(case.get("setup", ""))
    for statement in case.get("imports", ()):
        exec(statement, names)
    layer = eval(case["constructor"], names)
    inputs = eval(case["inputs"], names)
    keywords = {name: eval(text, names) for name, text in case["keywords"].items()}
    if case["updates"]:
        keywords["updates"] = True
    layer(inputs, **{**keywords, **({"updates": False} if "updates" in keywords else {})})
    variables = [(suffix, getattr(layer, attribute), trainable) for suffix, attribute, trainable in case["weights"]]
    for number, (_, variable, _) in enumerate(variables):
        variable.assign(np.abs(filled(variable.shape, number)))
    result = layer(inputs, **keywords)
    if case.get("activation"):
        result = eval(case["activation"], names)(result)
    loss = sum([float(v) for v in layer.losses], 0.0)
    after = [np.asarray(v) for _, v, _ in variables]
    base = case["base"]
    shown = [base + "/" + suffix for suffix, _, _ in variables] + [str(trainable) for _, _, trainable in variables]
    assert [t for _, _, t in variables] == [bool(v.trainable) for _, v, _ in variables]
    return arrays([np.asarray(result), np.float32(loss), *after, np.array(shown)])


def optimizer_old(case):
    with tf.Graph().as_default(), tf.Session() as session:
        variable = tf.Variable(np.array([1.0, -2.0, 0.5], "float32"))
        loss = tf.reduce_sum(tf.square(variable) * [1.0, 0.1, 3.0])
        train = eval(case["expression"], {"tf": tf}).minimize(loss)
        session.run(tf.global_variables_initializer())
        trace = []
        for _ in range(8):
            session.run(train)
            trace.append(session.run(variable))
        slots = sorted(
            v.op.name.replace("Variable/", "") for v in tf.global_variables() if v.op.name.startswith("Variable/")
        )
    return arrays([np.stack(trace), np.array(slots or [""])])


def optimizer_new(case):
    names = {"tf": tf}
    for statement in case.get("imports", ()):
        exec(statement, names)
    optimizer = eval(case["expression"], names)
    variable = tf.Variable(np.array([1.0, -2.0, 0.5], "float32"))
    trace = []
    for _ in range(8):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(variable) * [1.0, 0.1, 3.0])
        optimizer.apply_gradients([(tape.gradient(loss, variable), variable)])
        trace.append(variable.numpy())
    return arrays([np.stack(trace), np.array(sorted(case["slots"]) or [""])])


def main():
    sys.path[:0] = sys.argv[1:]
    run = {"layer": layer_old if OLD else layer_new, "optimizer": optimizer_old if OLD else optimizer_new}
    default = evaluate_old if OLD else evaluate_new
    results = {}
    for case in json.load(sys.stdin):
        V1.set_random_seed(1)
        try:
            results[case["id"]] = run.get(case["kind"], default)(case)
        except Exception:
            results[case["id"]] = {"error": traceback.format_exc(limit=-4)[-1500:]}
    print(json.dumps(results))


if __name__ == "__main__":
    main()
