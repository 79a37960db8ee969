"""TensorFlow symbols that cannot be converted, with the reason's code and particulars."""

from __future__ import annotations

_DATASETS = "contrib.learn.python.learn.datasets."  # functions of the host inside refused modules
_SYMBOLS: dict[str, tuple[str, str]] = {
    "train.start_queue_runners": ("TFM118", "queue runners feed the graph"),
    "train.QueueRunner": ("TFM118", "queue runners feed the graph"),
    "train.string_input_producer": ("TFM118", "an input queue"),
    "train.slice_input_producer": ("TFM118", "an input queue"),
    "train.input_producer": ("TFM118", "an input queue"),
    "train.range_input_producer": ("TFM118", "an input queue"),
    "train.limit_epochs": ("TFM118", "an input queue"),
    "train.batch": ("TFM118", "an input queue"),
    "train.shuffle_batch": ("TFM118", "an input queue"),
    "train.maybe_batch": ("TFM118", "an input queue"),
    "train.maybe_shuffle_batch": ("TFM118", "an input queue"),
    "train.batch_join": ("TFM118", "an input queue"),
    "train.shuffle_batch_join": ("TFM118", "an input queue"),
    "FIFOQueue": ("TFM118", "a queue in the graph"),
    "RandomShuffleQueue": ("TFM118", "a queue in the graph"),
    "PaddingFIFOQueue": ("TFM118", "a queue in the graph"),
    "PriorityQueue": ("TFM118", "a queue in the graph"),
    "train.add_queue_runner": ("TFM118", "queue runners feed the graph"),
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
    "train.write_graph": ("TFM117", "the graph is written to a file"),
    "io.write_graph": ("TFM117", "the graph is written to a file"),
    "train.import_meta_graph": ("TFM117", "a graph is imported from a file"),
    "train.export_meta_graph": ("TFM117", "a graph is exported to a file"),
    "saved_model.loader.load": ("TFM117", "a saved graph is loaded by its tags"),
    "saved_model.load": ("TFM117", "a saved graph is loaded by its tags"),
    "graph_util.convert_variables_to_constants": ("TFM117", "a graph is frozen"),
    "saved_model.builder.SavedModelBuilder": ("TFM117", "a SavedModel is written by hand"),
    "saved_model.simple_save": ("TFM117", "a SavedModel is written from a session"),
    "make_template": ("TFM103", "tf.make_template shares variables between calls"),
    "custom_gradient": ("TFM132", "a custom gradient"),
    "RegisterGradient": ("TFM132", "a custom gradient"),
    "Session.partial_run": ("TFM115", "partial_run evaluates a graph in pieces"),
    "nn.raw_rnn": ("TFM133", "a loop that a function of the program's own drives"),
    "summary.FileWriterCache": ("TFM125", "a cached writer"),
}
_PREFIXES = {
    "estimator.": ("TFM119", "an Estimator runs the graph"),
    "contrib.learn.": ("TFM119", "contrib.learn runs the graph"),
    "contrib.tpu.": ("TFM121", "a TPU program"),
    "contrib.estimator.": ("TFM119", "an Estimator runs the graph"),
    "nn.rnn_cell.": ("TFM133", "a recurrent cell that is not converted"),
    "contrib.rnn.": ("TFM133", "a recurrent cell or network that is not converted"),
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


def refused(symbol: str) -> tuple[str, str] | None:
    """Code and particulars of the reason why calls of the symbol are refused, or None."""
    if symbol.startswith(_DATASETS) or symbol == "estimator.ModeKeys":
        return None
    found = _SYMBOLS.get(symbol)
    if found is not None:
        return found
    return next((reason for prefix, reason in _PREFIXES.items() if f"{symbol}.".startswith(prefix)), None)
