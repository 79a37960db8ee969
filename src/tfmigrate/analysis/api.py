"""What calls of the TensorFlow 1 API denote. Anything without a meaning of its own here is a tensor computed from its
arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.callbacks import invoke_callbacks
from tfmigrate.analysis.calls import call_with_unknown
from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import (
    Config,
    Context,
    Dataset,
    Function,
    Graph,
    Host,
    Initializer,
    Operation,
    Placeholder,
    Sequence,
    Session,
    Tensor,
    Value,
    Variable,
    is_graph,
    is_step,
)

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter

Handler = Callable[["Interpreter", str, cst.Call, dict[str, cst.BaseExpression]], Value]
HANDLERS: dict[str, Handler] = {}

HOST_PREFIXES = (
    "gfile.",
    "logging.",
    "app.",
    "flags.",
    "errors.",
    "test.",
    "python_io.",
    "compat.as_",
    "resource_loader.",
    "train.latest_checkpoint",
    "train.get_checkpoint_state",
    "train.checkpoint_exists",
    "train.list_variables",
    "train.load_checkpoint",
    "train.NewCheckpointReader",
    "io.gfile.",
    "TensorShape",
    "Dimension",
    "sysconfig.",
    "VERSION",
    "version.",
    "as_dtype",
    "OptimizerOptions",
    "GraphOptions",
    "examples.",
    "contrib.learn.datasets.",
    "contrib.learn.python.learn.datasets.mnist",
    "app.flags.",
    "train.Example",
    "train.Feature",
    "train.Features",
    "train.BytesList",
    "train.Int64List",
    "train.FloatList",
    "Summary",
    "keras.utils.",
    "keras.datasets.",
    "keras.preprocessing.",
    "python.platform.",
    "platform.",
    "executing_eagerly",
    "data.Options",
    "train.write_graph",
    "io.write_graph",
    "random.set_random_seed",
    "set_random_seed",
    "random.set_seed",
    "initializers.",
    "contrib.layers.xavier_initializer",
    "contrib.layers.variance_scaling_initializer",
    "contrib.layers.l2_regularizer",
    "contrib.layers.l1_regularizer",
    "contrib.training.HParams",
    "train.summary_iterator",
    "profiler.",
    "estimator.ModeKeys",
    "get_logger",
    "io.TFRecordWriter",
    "autograph.",
)
HOST_SUFFIXES = ("initializer", "_regularizer")
RANDOM = frozenset(
    {
        "random_normal",
        "random_uniform",
        "truncated_normal",
        "random_shuffle",
        "multinomial",
        "random_crop",
        "random_gamma",
        "random_poisson",
        "random.normal",
        "random.uniform",
        "random.truncated_normal",
        "random.shuffle",
        "random.multinomial",
        "random.categorical",
        "random.gamma",
        "random.poisson",
        "nn.dropout",
        "nn.nce_loss",
        "nn.sampled_softmax_loss",
        "nn.uniform_candidate_sampler",
        "nn.log_uniform_candidate_sampler",
        "nn.learned_unigram_candidate_sampler",
        "image.random_flip_left_right",
        "image.random_flip_up_down",
        "image.random_brightness",
        "image.random_contrast",
        "image.random_hue",
        "image.random_saturation",
        "layers.dropout",
        "contrib.layers.dropout",
        "image.random_crop",
    }
)
DECIDING = frozenset(
    {"cond", "case", "logical_and", "logical_or", "logical_not", "where", "equal", "cast", "to_float", "to_int32"}
)
READERS = frozenset(
    {
        "train.list_variables",
        "train.load_checkpoint",
        "train.load_variable",
        "train.NewCheckpointReader",
        "contrib.framework.list_variables",
        "contrib.framework.load_variable",
        "python.pywrap_tensorflow.NewCheckpointReader",
    }
)
REFUSED: dict[str, tuple[str, str]] = {
    "train.Coordinator": ("TFM118", "a Coordinator runs input queues"),
    "train.start_queue_runners": ("TFM118", "queue runners feed the graph"),
    "train.QueueRunner": ("TFM118", "queue runners feed the graph"),
    "train.string_input_producer": ("TFM118", "an input queue"),
    "train.slice_input_producer": ("TFM118", "an input queue"),
    "train.input_producer": ("TFM118", "an input queue"),
    "train.range_input_producer": ("TFM118", "an input queue"),
    "train.limit_epochs": ("TFM118", "an input queue"),
    "train.batch": ("TFM118", "an input queue"),
    "train.shuffle_batch": ("TFM118", "an input queue"),
    "train.batch_join": ("TFM118", "an input queue"),
    "train.shuffle_batch_join": ("TFM118", "an input queue"),
    "FIFOQueue": ("TFM118", "a queue in the graph"),
    "RandomShuffleQueue": ("TFM118", "a queue in the graph"),
    "PaddingFIFOQueue": ("TFM118", "a queue in the graph"),
    "PriorityQueue": ("TFM118", "a queue in the graph"),
    "train.Supervisor": ("TFM120", "a Supervisor runs the session"),
    "train.MonitoredTrainingSession": ("TFM120", "a monitored session with hooks"),
    "train.MonitoredSession": ("TFM120", "a monitored session with hooks"),
    "train.SingularMonitoredSession": ("TFM120", "a monitored session with hooks"),
    "train.ClusterSpec": ("TFM121", "a cluster of parameter servers"),
    "train.Server": ("TFM121", "a cluster of parameter servers"),
    "train.replica_device_setter": ("TFM121", "a cluster of parameter servers"),
    "train.SyncReplicasOptimizer": ("TFM121", "a cluster of parameter servers"),
    "import_graph_def": ("TFM117", "a graph is imported from its serialized form"),
    "GraphDef": ("TFM117", "a graph is read from its serialized form"),
    "train.import_meta_graph": ("TFM117", "a graph is imported from a file"),
    "train.export_meta_graph": ("TFM117", "a graph is exported to a file"),
    "saved_model.loader.load": ("TFM117", "a saved graph is loaded by its tags"),
    "saved_model.load": ("TFM117", "a saved graph is loaded by its tags"),
    "graph_util.convert_variables_to_constants": ("TFM117", "a graph is frozen"),
    "saved_model.builder.SavedModelBuilder": ("TFM117", "a SavedModel is written by hand"),
    "saved_model.simple_save": ("TFM117", "a SavedModel is written from a session"),
    "make_template": ("TFM103", "tf.make_template shares variables between calls"),
    "train.ExponentialMovingAverage": ("TFM130", "an ExponentialMovingAverage makes shadow variables"),
    "custom_gradient": ("TFM132", "a custom gradient"),
    "RegisterGradient": ("TFM132", "a custom gradient"),
    "Session.partial_run": ("TFM115", "partial_run evaluates a graph in pieces"),
    "nn.dynamic_rnn": ("TFM133", "a recurrent network"),
    "nn.static_rnn": ("TFM133", "a recurrent network"),
    "nn.bidirectional_dynamic_rnn": ("TFM133", "a recurrent network"),
    "nn.static_bidirectional_rnn": ("TFM133", "a recurrent network"),
    "nn.raw_rnn": ("TFM133", "a recurrent network"),
    "summary.FileWriterCache": ("TFM125", "a cached writer"),
}
REFUSED_PREFIXES = {
    "estimator.": ("TFM119", "an Estimator runs the graph"),
    "contrib.learn.": ("TFM119", "contrib.learn runs the graph"),
    "contrib.tpu.": ("TFM121", "a TPU program"),
    "contrib.estimator.": ("TFM119", "an Estimator runs the graph"),
    "nn.rnn_cell.": ("TFM133", "a recurrent network"),
    "contrib.rnn.": ("TFM133", "a recurrent network"),
    "contrib.seq2seq.": ("TFM133", "a sequence-to-sequence network"),
    "contrib.legacy_seq2seq.": ("TFM133", "a sequence-to-sequence network"),
    "contrib.slim.": ("TFM134", "tf.contrib.slim"),
    "python.": ("TFM135", "an internal module of TensorFlow"),
    "feature_column.": ("TFM119", "feature columns"),
    "keras.layers.": ("TFM136", "Keras layers in a session's graph"),
    "keras.models.": ("TFM136", "Keras models in a session's graph"),
    "keras.Model": ("TFM136", "Keras models in a session's graph"),
    "keras.Sequential": ("TFM136", "Keras models in a session's graph"),
    "keras.backend.": ("TFM136", "Keras' backend functions on a session"),
    "lookup.": ("TFM137", "lookup tables"),
    "contrib.lookup.": ("TFM137", "lookup tables"),
    "metrics.": ("TFM138", "streaming metrics with local variables"),
    "contrib.metrics.": ("TFM138", "streaming metrics with local variables"),
    "contrib.opt.": ("TFM131", "an optimizer of tf.contrib.opt"),
    "contrib.distribute": ("TFM121", "tf.contrib.distribute"),
    "distributions.": ("TFM139", "tf.distributions"),
    "contrib.distributions.": ("TFM139", "tf.contrib.distributions"),
}


def handles(*symbols: str) -> Callable[[Handler], Handler]:
    """Register what calls of these symbols denote."""

    def register(handler: Handler) -> Handler:
        for symbol in symbols:
            HANDLERS[symbol] = handler
        return handler

    return register


def call(interp: Interpreter, symbol: str, node: cst.Call) -> Value:
    """The value of a call of `symbol`."""
    handler = HANDLERS.get(symbol)
    if handler is not None:
        interp.facts.symbols.setdefault(node.func, symbol)
        return handler(interp, symbol, node, arguments(symbol, node))
    mnist = symbol.startswith("contrib.learn.python.learn.datasets.")
    refused = (
        None
        if mnist
        else REFUSED.get(symbol) or next((r for p, r in REFUSED_PREFIXES.items() if (symbol + ".").startswith(p)), None)
    )
    values = [interp.eval(a.value) for a in node.args]
    if refused is not None and symbol != "estimator.ModeKeys":
        interp.refuse(refused[0], node, f"{refused[1]} (tf.{symbol})")
    if symbol in READERS:
        interp.facts.checkpoint_reads.append(node)
    if symbol.lower().endswith(HOST_SUFFIXES):
        return Initializer(random=True)
    if symbol.startswith(HOST_PREFIXES):
        return Host(random=True)
    return operation(interp, symbol, node, values)


def operation(interp: Interpreter, symbol: str, node: cst.Call, values: list[Value]) -> Value:
    """An op without a meaning of its own here: a tensor of its arguments."""
    inner = invoke_callbacks(interp, values)
    everything = [*values, *inner]
    step = any(is_step(v) or _reads(v) for v in everything) or symbol in RANDOM
    if symbol in DECIDING:
        for value in values:
            if isinstance(value, Placeholder):
                value.decides = True
    tensor = Tensor(step=step, random=symbol in RANDOM, inputs=tuple(everything))
    tensor.effect = symbol in ("Print", "Assert", "py_func", "numpy_function") or any(
        isinstance(v, Tensor) and v.effect for v in inner
    )
    interp.made(tensor, node)
    if tensor.effect and symbol not in ("py_func", "numpy_function"):
        interp.statement.effect = True
    _name(interp, tensor, node)
    if symbol in ("split", "unstack", "unpack"):
        interp.facts.values[node] = tensor
    return tensor


def _name(interp: Interpreter, value: Tensor | Placeholder, node: cst.Call) -> None:
    for argument in node.args:
        if argument.keyword is not None and argument.keyword.value == "name":
            name = interp.facts.values.get(argument.value)
            prefix = interp.naming.name_prefix()
            if isinstance(name, Host) and isinstance(name.literal, str) and prefix is not None:
                value.legacy_name = interp.naming.unique(prefix + name.literal)
                interp.named[value.legacy_name] = value


def _reads(value: Value) -> bool:
    """Whether an op over the value reads a variable."""
    if isinstance(value, (Variable, Placeholder)):
        return True
    if isinstance(value, Sequence):
        return any(_reads(item) for item in value.items)
    if isinstance(value, Function):
        return False
    return False


def register_name(interp: Interpreter, value: Tensor | Placeholder, node: cst.Call) -> None:
    """Remember a tensor by the name it was given."""
    _name(interp, value, node)


@handles("constant", "convert_to_tensor")
def constant(interp: Interpreter, symbol: str, node: cst.Call, args: dict[str, cst.BaseExpression]) -> Value:
    """tf.constant: a tensor of its own where the value is the host's."""
    return operation(interp, symbol, node, [interp.eval(a.value) for a in node.args])


@handles("Session", "InteractiveSession", "train.Session")
def session(interp: Interpreter, symbol: str, node: cst.Call, args: dict[str, cst.BaseExpression]) -> Value:
    """A session."""
    target = interp.eval(args["target"]) if "target" in args else None
    for name, argument in args.items():
        if name != "target":
            interp.eval(argument)
    if target is not None and not (isinstance(target, Host) and target.literal in ("", None)):
        interp.refuse("TFM121", node, "a session on a remote server")
    made = Session(legacy_name=symbol)
    interp.made(made, node)
    if symbol == "InteractiveSession":
        interp.interactive = made
    return made


@handles("get_default_session")
def default_session(interp: Interpreter, symbol: str, node: cst.Call, args: dict[str, cst.BaseExpression]) -> Value:
    """The session that is entered now."""
    if interp.sessions:
        return interp.sessions[-1]
    return interp.interactive if interp.interactive is not None else Session()


@handles("Graph", "get_default_graph", "reset_default_graph")
def graph(interp: Interpreter, symbol: str, node: cst.Call, args: dict[str, cst.BaseExpression]) -> Value:
    """A graph. A fresh one begins with fresh names."""
    if symbol == "reset_default_graph":
        interp.fresh_graph()
        return Operation(kind="no_op")
    made = Graph(default=symbol == "get_default_graph")
    interp.made(made, node)
    return made


@handles("control_dependencies")
def control_dependencies(
    interp: Interpreter, symbol: str, node: cst.Call, args: dict[str, cst.BaseExpression]
) -> Value:
    """`with tf.control_dependencies(...)`."""
    value = interp.eval(args["control_inputs"]) if "control_inputs" in args else Host()
    items = tuple(value.items) if isinstance(value, Sequence) else ((value,) if is_graph(value) else ())
    return Context("control", controls=items, node=args.get("control_inputs"))


@handles("device")
def device(interp: Interpreter, symbol: str, node: cst.Call, args: dict[str, cst.BaseExpression]) -> Value:
    """`with tf.device(...)`: placement is left to TensorFlow."""
    for argument in node.args:
        interp.eval(argument.value)
    return Context("device", node=args.get("device_name_or_function"))


@handles("ConfigProto", "GPUOptions")
def config(interp: Interpreter, symbol: str, node: cst.Call, args: dict[str, cst.BaseExpression]) -> Value:
    """Options of a session."""
    made = Config()
    for name, argument in args.items():
        value = interp.eval(argument)
        if isinstance(value, Config):
            made.settings.update({f"gpu_options.{key}": setting for key, setting in value.settings.items()})
        else:
            made.settings[name] = argument
    interp.made(made, node)
    return made


@handles("RunOptions", "RunMetadata")
def run_options(interp: Interpreter, symbol: str, node: cst.Call, args: dict[str, cst.BaseExpression]) -> Value:
    """Options of a run: dropped with it."""
    made = Config()
    for argument in args.values():
        interp.eval(argument)
    interp.made(made, node)
    return made


@handles(
    "enable_eager_execution",
    "contrib.eager.enable_eager_execution",
    "disable_v2_behavior",
    "disable_eager_execution",
    "enable_v2_behavior",
    "enable_resource_variables",
)
def behaviour(interp: Interpreter, symbol: str, node: cst.Call, args: dict[str, cst.BaseExpression]) -> Value:
    """Switches between TensorFlow 1's and 2's behaviour: gone."""
    interp.facts.eager |= symbol.endswith("enable_eager_execution")
    return Operation(kind="no_op")


@handles("app.run")
def app_run(interp: Interpreter, symbol: str, node: cst.Call, args: dict[str, cst.BaseExpression]) -> Value:
    """tf.app.run(main): the program goes on in `main`."""
    values = [interp.eval(a.value) for a in node.args]
    main = next((v for v in values if isinstance(v, Function)), None)
    if main is None:
        named = interp.frame.module().names.get("main")
        main = named.value if named is not None and isinstance(named.value, Function) else None
    if main is not None:
        call_with_unknown(interp, main, node)
    return Host(None)


@handles("group", "no_op")
def group(interp: Interpreter, symbol: str, node: cst.Call, args: dict[str, cst.BaseExpression]) -> Value:
    """tf.group and tf.no_op: ops that only order others."""
    members: list[Value] = []
    for argument in node.args:
        value = interp.eval(argument.value)
        if argument.keyword is None:
            members.extend(value.items if isinstance(value, Sequence) else [value])
    made = Operation(kind="group" if symbol == "group" else "no_op", members=tuple(members), step=True)
    interp.made(made, node)
    return made


@handles("tuple")
def tuple_(interp: Interpreter, symbol: str, node: cst.Call, args: dict[str, cst.BaseExpression]) -> Value:
    """tf.tuple: its tensors, all evaluated."""
    values = [interp.eval(a.value) for a in node.args]
    return values[0] if values else Host()


@handles(
    "data.Dataset.from_tensor_slices",
    "data.Dataset.from_tensors",
    "data.Dataset.range",
    "data.Dataset.zip",
    "data.TFRecordDataset",
    "data.TextLineDataset",
    "data.Dataset.from_generator",
    "data.Dataset.list_files",
    "data.FixedLengthRecordDataset",
)
def dataset(interp: Interpreter, symbol: str, node: cst.Call, args: dict[str, cst.BaseExpression]) -> Value:
    """The beginning of a tf.data pipeline."""
    values = [interp.eval(a.value) for a in node.args]
    made = Dataset(fed=any(is_step(v) for v in values))
    interp.made(made, node)
    return made
