"""Parameter names, in order, of the calls that the engine itself understands (TensorFlow 1.15)."""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.refusal import Refusal

_OPTIMIZE = "loss global_step var_list gate_gradients aggregation_method colocate_gradients_with_ops name grad_loss"

SIGNATURES: dict[str, str] = {
    "placeholder": "dtype shape name",
    "sparse_placeholder": "dtype shape name",
    "placeholder_with_default": "input shape name",
    "Variable": "initial_value trainable collections validate_shape caching_device name variable_def dtype "
    "expected_shape "
    "import_scope constraint use_resource synchronization aggregation shape",
    "get_variable": "name shape dtype initializer regularizer trainable collections caching_device partitioner "
    "validate_shape "
    "use_resource custom_getter constraint synchronization aggregation",
    "variable_scope": "name_or_scope default_name values initializer regularizer caching_device partitioner "
    "custom_getter reuse dtype "
    "use_resource constraint auxiliary_name_scope",
    "name_scope": "name default_name values",
    "Session": "target graph config",
    "InteractiveSession": "target graph config",
    "assign": "ref value validate_shape use_locking name",
    "assign_add": "ref value use_locking name",
    "assign_sub": "ref value use_locking name",
    "scatter_update": "ref indices updates use_locking name",
    "scatter_add": "ref indices updates use_locking name",
    "scatter_sub": "ref indices updates use_locking name",
    "gradients": "ys xs grad_ys name colocate_gradients_with_ops gate_gradients aggregation_method stop_gradients "
    "unconnected_gradients",
    "train.Saver": "var_list reshape sharded max_to_keep keep_checkpoint_every_n_hours name restore_sequentially "
    "saver_def builder "
    "defer_build allow_empty write_version pad_step_number save_relative_paths filename",
    "summary.scalar": "name tensor collections family",
    "summary.histogram": "name values collections family",
    "summary.image": "name tensor max_outputs collections family",
    "summary.audio": "name tensor sample_rate max_outputs collections family",
    "summary.text": "name tensor collections",
    "summary.merge": "inputs collections name",
    "summary.merge_all": "key scope name",
    "merge_summary": "inputs collections name",
    "train.SummaryWriter": "logdir graph max_queue flush_secs graph_def",
    "summary.FileWriter": "logdir graph max_queue flush_secs graph_def filename_suffix session",
    "get_collection": "key scope",
    "add_to_collection": "name value",
    "get_collection_ref": "key",
    "local_variables": "scope",
    "model_variables": "scope",
    "moving_average_variables": "scope",
    "losses.add_loss": "loss loss_collection",
    "losses.get_losses": "scope loss_collection",
    "losses.get_regularization_losses": "scope",
    "losses.get_regularization_loss": "scope name",
    "losses.get_total_loss": "add_regularization_losses name scope",
    "control_dependencies": "control_inputs",
    "device": "device_name_or_function",
    "trainable_variables": "scope",
    "global_variables": "scope",
    "all_variables": "scope",
    "train.create_global_step": "graph",
    "train.get_global_step": "graph",
    "train.get_or_create_global_step": "graph",
    "contrib.framework.get_or_create_global_step": "graph",
    "train.global_step": "sess global_step_tensor",
    "ConfigProto": "",
    "GPUOptions": "",
    "session.run": "fetches feed_dict options run_metadata",
    "tensor.eval": "feed_dict session",
    "operation.run": "feed_dict session",
    "saver.save": "sess save_path global_step latest_filename meta_graph_suffix write_meta_graph write_state "
    "strip_default_attrs",
    "saver.restore": "sess save_path",
    "writer.add_summary": "summary global_step",
    "writer.add_graph": "graph global_step graph_def",
    "optimizer.minimize": _OPTIMIZE,
    "optimizer.compute_gradients": "loss var_list gate_gradients aggregation_method colocate_gradients_with_ops "
    "grad_loss",
    "optimizer.apply_gradients": "grads_and_vars global_step name",
    "variable.assign": "value use_locking name read_value",
    "variable.eval": "session",
    "variable.load": "value session",
    "train.ExponentialMovingAverage": "decay num_updates zero_debias name",
    "iterator.get_next": "name",
    "dataset.make_initializable_iterator": "shared_name",
    "dataset.make_one_shot_iterator": "",
    "data.Iterator.from_structure": "output_types output_shapes shared_name output_classes",
    "initialize_variables": "var_list name",
    "variables_initializer": "var_list name",
    "train.string_input_producer": "string_tensor num_epochs shuffle seed capacity shared_name name cancel_op",
    "train.input_producer": "input_tensor element_shape num_epochs shuffle seed capacity shared_name summary_name name "
    "cancel_op",
    "train.range_input_producer": "limit num_epochs shuffle seed capacity shared_name name",
    "train.slice_input_producer": "tensor_list num_epochs shuffle seed capacity shared_name name",
    "train.batch": "tensors batch_size num_threads capacity enqueue_many shapes dynamic_pad allow_smaller_final_batch "
    "shared_name name",
    "train.shuffle_batch": "tensors batch_size capacity min_after_dequeue num_threads seed enqueue_many shapes "
    "allow_smaller_final_batch shared_name name",
    "train.start_queue_runners": "sess coord daemon start collection",
    "train.match_filenames_once": "pattern name",
    "TextLineReader": "skip_header_lines name",
    "WholeFileReader": "name",
    "TFRecordReader": "name options",
    "FixedLengthRecordReader": "record_bytes header_bytes footer_bytes hop_bytes name encoding",
}

NUMBERED = {name: tuple(text.split()) for name, text in SIGNATURES.items()}


class Arguments(dict[str, cst.BaseExpression]):
    """The argument expressions of a call by parameter name; asking for one that is not given refuses the call
    (TFM203).
    """

    def __init__(self, call: cst.Call) -> None:
        super().__init__()
        self.call = call

    def __missing__(self, name: str) -> cst.BaseExpression:
        raise Refusal("TFM203", self.call, f"this call does not say what {name} is")


def arguments(signature: str, call: cst.Call) -> dict[str, cst.BaseExpression]:
    """The call's argument expressions by parameter name; keywords that the signature lacks stand under their own
    name.
    """
    names = NUMBERED.get(signature, ())
    found = Arguments(call)
    index = 0
    for argument in call.args:
        if argument.star == "**":
            found["**"] = argument.value
        elif argument.star == "*":
            found["*"] = argument.value
        elif argument.keyword is not None:
            found[argument.keyword.value] = argument.value
        elif index < len(names):
            found[names[index]] = argument.value
            index += 1
        else:
            found[f"*{index}"] = argument.value
            index += 1
    return found
