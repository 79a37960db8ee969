"""Input queues and their readers, which threads fill beside the steps; and the Coordinator of these threads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.api import Args, handles
from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.refused_symbols import refused
from tfmigrate.analysis.values import Graphlike, Host, Mapping, MappingEntry, Sequence, Tensor, Value

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter

READERS = ("TextLineReader", "WholeFileReader", "TFRecordReader", "FixedLengthRecordReader")
PRODUCERS = ("train.string_input_producer", "train.input_producer", "train.range_input_producer")
RUNNERS = "train.start_queue_runners"
FILES = "train.match_filenames_once"
BATCHES = ("train.batch", "train.shuffle_batch")


@dataclass(eq=False)
class Reader(Graphlike):
    """What reads the files whose names a queue gives; `call` made it."""

    symbol: str = ""
    call: cst.Call | None = None


@dataclass(eq=False)
class InputQueue(Graphlike):
    """A queue of file names or numbers, filled by a thread of its own; `takers` take elements: each call and the calls
    of the program's functions around it.
    """

    takers: set[tuple[cst.Call, tuple[cst.Call, ...]]] = field(default_factory=set)


@dataclass(eq=False)
class Coordinator(Host):
    """What starts and stops the threads that fill the queues."""


@dataclass(eq=False)
class QueueCall:
    """A call that makes a queue, reads from one or puts elements of one into another.

    `symbol` is the API's name, "Reader.read", "Reader.read_up_to" or "Queue.dequeue"; `sites` the calls of the
    program's functions around each time that it was come to.
    """

    call: cst.Call
    symbol: str
    statement: Statement
    args: Args
    reader: Reader | None = None
    sites: set[tuple[cst.Call, ...]] = field(default_factory=set)
    looped: bool = False
    uncalled: bool = False


def _record(interp: Interpreter, symbol: str, node: cst.Call, args: Args, reader: Reader | None = None) -> None:
    found = interp.facts.queues.setdefault(node, QueueCall(node, symbol, interp.statement, args, reader))
    found.sites.add(tuple(interp.call_sites))
    found.looped |= bool(interp.loop_stack)
    found.uncalled |= interp.uncalled


def _refuse(interp: Interpreter, symbol: str, node: cst.Call) -> None:
    reason = refused(symbol)
    if reason is not None:
        interp.refuse(reason[0], node, f"{reason[1]} (tf.{symbol})")


def _tensor(interp: Interpreter, node: cst.Call, inputs: tuple[Value, ...]) -> Tensor:
    made = Tensor(step=True, inputs=inputs)
    interp.made(made, node)
    return made


@handles(*PRODUCERS)
def producer(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A queue of file names, of rows or of numbers."""
    interp.eval_arguments(node)
    _record(interp, symbol, node, args)
    _refuse(interp, symbol, node)
    made = InputQueue()
    interp.made(made, node)
    return made


@handles(*READERS)
def reader(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """What reads records of files."""
    interp.eval_arguments(node)
    made = Reader(symbol=symbol, call=node)
    interp.made(made, node)
    return made


@handles("train.slice_input_producer")
def slices(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """One row of each of the given tensors."""
    values = interp.eval_arguments(node)
    _record(interp, symbol, node, args)
    _refuse(interp, symbol, node)
    given = values[0] if values else Host()
    if isinstance(given, Sequence) and not given.open_:
        return Sequence([_tensor(interp, node, (item,)) for item in given.items])
    return _tensor(interp, node, tuple(values))


@handles(*BATCHES)
def batch(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """Batches of the given tensors, in the structure in which they are given."""
    values = interp.eval_arguments(node)
    _record(interp, symbol, node, args)
    _refuse(interp, symbol, node)
    given = values[0] if values else Host()
    if isinstance(given, Sequence) and not given.open_ and len(given.items) > 1:
        return Sequence([_tensor(interp, node, (item,)) for item in given.items])
    if isinstance(given, Mapping) and not given.open_:
        return Mapping([MappingEntry(e.key, _tensor(interp, node, (e.value,)), None) for e in given.entries])
    return _tensor(interp, node, tuple(values))


@handles(FILES)
def files(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """The names of files, found once and kept in a local variable."""
    values = interp.eval_arguments(node)
    _record(interp, symbol, node, args)
    made = Tensor(inputs=tuple(values))
    interp.made(made, node)
    return made


@handles("train.Coordinator")
def coordinator(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A Coordinator: an object of the host."""
    interp.eval_arguments(node)
    return Coordinator(random=True)


@handles(RUNNERS)
def runners(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """The threads that fill the queues begin."""
    interp.eval_arguments(node)
    _record(interp, symbol, node, args)
    _refuse(interp, symbol, node)
    return Host(random=True)


def reader_method(interp: Interpreter, receiver: Reader, name: str, node: cst.Call) -> Value:
    """`reader.read(queue)`: key and value of the next record."""
    values = interp.eval_arguments(node)
    if name not in ("read", "read_up_to"):
        interp.refuse("TFM118", node, f"{receiver.symbol}.{name}")
        return Host()
    names = ("queue", "num_records")
    args = {
        argument.keyword.value if argument.keyword else names[i]: argument.value
        for i, argument in enumerate(node.args)
        if argument.keyword or i < len(names)
    }
    _record(interp, f"Reader.{name}", node, args, receiver)
    interp.refuse("TFM118", node, f"an input queue ({receiver.symbol}.{name})")
    for value in values:
        if isinstance(value, InputQueue):
            value.takers.add((node, tuple(interp.call_sites)))
    return Sequence([_tensor(interp, node, tuple(values)) for _ in ("key", "value")], tuple_=True)


def queue_method(interp: Interpreter, receiver: InputQueue, name: str, node: cst.Call) -> Value:
    """`queue.dequeue()`: the next element."""
    interp.eval_arguments(node)
    interp.refuse("TFM118", node, f"an input queue ({name})")
    if name == "dequeue" and not node.args:
        _record(interp, "Queue.dequeue", node, {})
        receiver.takers.add((node, tuple(interp.call_sites)))
    return _tensor(interp, node, (receiver,))
