"""What queues of file names and the readers on them become: tf.data datasets, and the next elements of these.

    queue = tf.train.string_input_producer(["a.csv"])    dataset = tf.data.TextLineDataset(["a.csv"]).repeat()
    reader = tf.TextLineReader()                      ->  line = dataset.make_one_shot_iterator().get_next()
    key, line = reader.read(queue)

A queue that several places read, whose order is decided while the program runs, or that is an attribute stays what it
is and is refused.
"""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.api_queues import FILES, PRODUCERS, QueueCall
from tfmigrate.analysis.facts import Facts, Statement
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import Graphlike, Placeholder, Sequence, Variable, is_step, leaves
from tfmigrate.plan.queues.names import NEXT, QueueNames, Unsuited, line, literal, prefix
from tfmigrate.plan.statement_edits import Edits
from tfmigrate.rules.expressions import code

_RECORDS = {"TextLineReader": "TextLineDataset", "TFRecordReader": "TFRecordDataset"}
_IGNORED = frozenset({"capacity", "shared_name", "name", "summary_name"})


class QueueSources:
    """The queues' sources of one round, over all files."""

    def __init__(self, project: Project, facts: Facts, names: QueueNames, edits: dict[str, Edits]) -> None:
        self.project, self.facts, self.names, self.edits = project, facts, names, edits
        self.merged: set[QueueCall] = set()  # queues whose dataset of names is a part of their reader's

    def write(self, call: QueueCall) -> None:
        """Put the dataset in the place of the call; Unsuited where there is none."""
        if call.looped:
            raise Unsuited(call.call, "it is made in a loop")
        if call.symbol == FILES:
            pattern = call.args["pattern"]
            found = cst.Call(cst.parse_expression(f"{prefix(call)}matching_files"), [cst.Arg(pattern)])
            self._edit(call.statement).expressions[call.call] = found
        elif call.symbol in PRODUCERS:
            self._queue(call)
        elif call.symbol == "train.slice_input_producer":
            self._slices(call)
        elif call.symbol == "Queue.dequeue":
            self._dequeue(call)
        else:
            self._read(call)

    def _edit(self, statement: Statement) -> Edits:
        path = statement.scope.path
        return self.edits.setdefault(path, Edits(self.project, path))

    def _assigned(self, call: QueueCall) -> cst.BaseExpression:
        """The target of the statement whose value the call is."""
        node = call.statement.node
        small = node.body[0] if isinstance(node, cst.SimpleStatementLine) else None
        if not isinstance(small, cst.Assign) or len(small.targets) > 1 or small.value is not call.call:
            raise Unsuited(call.call, "what it gives is not bound to names at once")
        target = small.targets[0].target
        elements = [e.value for e in target.elements] if isinstance(target, (cst.Tuple, cst.List)) else [target]
        if not all(isinstance(e, cst.Name) for e in elements):
            raise Unsuited(call.call, "what it gives is not bound to plain names")
        return target

    def _given(self, node: cst.BaseExpression) -> None:
        value = self.facts.values.get(node)
        if is_step(value) or any(isinstance(v, (Variable, Placeholder)) for v in leaves(value)):
            raise Unsuited(node, "what fills it is only known in a step")

    def _replace(self, statement: Statement, texts: list[str]) -> None:
        """Statements in the place of one, with its comments and those of the queue that became a part of it."""
        made = [line(text) for text in texts]
        node = statement.node
        assert isinstance(node, cst.SimpleStatementLine)
        above = [c for q in self.merged if q.statement is not statement for c in self._comments(q, statement)]
        made[0] = made[0].with_changes(leading_lines=[*above, *node.leading_lines])
        edit = self._edit(statement)
        for each in made:
            self.project.moved(edit.path, node, each)
        edit.instead[node] = list(made)

    def _comments(self, queue: QueueCall, taker: Statement) -> list[cst.EmptyLine]:
        node = queue.statement.node
        used = any(queue.statement in defs for defs in taker.uses.values())
        return list(node.leading_lines) if used and isinstance(node, cst.SimpleStatementLine) else []

    # queues of names

    def _queue(self, call: QueueCall) -> None:
        if call in self.merged:
            return
        target = self._assigned(call)
        if not isinstance(target, cst.Name):
            raise Unsuited(call.call, "the queue is not bound to one name")
        before, text, _ = self.dataset(call)
        self._replace(call.statement, [*before, f"{target.value} = {text}"])

    def dataset(self, call: QueueCall) -> tuple[list[str], str, bool]:
        """Lines before it, the dataset of the queue's elements, and whether their order is the given one."""
        args, tf = call.args, prefix(call)
        first = {"train.string_input_producer": "string_tensor", "train.input_producer": "input_tensor"}.get(
            call.symbol, "limit"
        )
        self._known(call, {first, "num_epochs", "shuffle", "seed", "element_shape"})
        given = args[first]
        self._given(given)
        before: list[str] = []
        text = code(given)
        if call.symbol == "train.range_input_producer":
            made, length = f"{tf}data.Dataset.from_tensor_slices({tf}range({text}))", text
        else:
            single = isinstance(given, (cst.List, cst.Tuple)) and len(given.elements) == 1
            shuffled = literal(self.facts, call, args.get("shuffle"), True) and not single
            if shuffled and not isinstance(given, cst.Name):
                name = self.names.fresh(call.statement.scope, "filenames")
                before, text = [f"{name} = {text}"], name
            made, length = f"{tf}data.Dataset.from_tensor_slices({text})", f"len({text})"
        ordered = not self._shuffled(call, given)
        if not ordered:
            made += f".shuffle({length}{self._seed(args)})"
        return before, f"{made}.repeat({self._epochs(args)})", ordered

    def _shuffled(self, call: QueueCall, given: cst.BaseExpression) -> bool:
        single = isinstance(given, (cst.List, cst.Tuple)) and len(given.elements) == 1
        return bool(literal(self.facts, call, call.args.get("shuffle"), True)) and not single

    def _seed(self, args: dict[str, cst.BaseExpression]) -> str:
        seed = args.get("seed")
        return f", seed={code(seed)}" if seed is not None and code(seed) != "None" else ""

    def _epochs(self, args: dict[str, cst.BaseExpression]) -> str:
        epochs = args.get("num_epochs")
        return code(epochs) if epochs is not None and code(epochs) != "None" else ""

    def _known(self, call: QueueCall, names: set[str]) -> None:
        other = sorted(set(call.args) - names - _IGNORED)
        if other:
            raise Unsuited(call.call, f"{other[0]} is given")

    # what gives elements

    def _slices(self, call: QueueCall) -> None:
        args, tf = call.args, prefix(call)
        self._known(call, {"tensor_list", "num_epochs", "shuffle", "seed"})
        given = args["tensor_list"]
        self._given(given)
        value = self.facts.values.get(given)
        name = self.names.dataset(call.statement.scope)
        after: list[str] = []
        if isinstance(given, (cst.List, cst.Tuple)) and len(given.elements) == 1:
            text = code(given.elements[0].value)
            target, after = self._only(call)
        elif isinstance(given, (cst.List, cst.Tuple)) and given.elements:
            text = f"({', '.join(code(e.value) for e in given.elements)})"
            target = code(self._assigned(call))
        elif isinstance(given, cst.Name) and isinstance(value, Sequence) and len(value.items) > 1:
            text, target = f"tuple({given.value})", code(self._assigned(call))
        else:
            raise Unsuited(given, "the tensors are not listed")
        made = f"{tf}data.Dataset.from_tensor_slices({text})"
        rows, order = "", ""
        if literal(self.facts, call, args.get("shuffle"), True):
            first = text.strip("(").split(",")[0]
            length = f"len({first})" if first.isidentifier() else f"{name}.cardinality()"
            rows = "" if first.isidentifier() else f"{name} = {made}"
            order = f".shuffle({length}{self._seed(args)})"
        self.names.mark(call.statement.scope, name, several=text.startswith(("(", "tuple(")))
        dataset = f"{name} = {name if rows else made}{order}.repeat({self._epochs(args)})"
        self._replace(call.statement, [*([rows] if rows else []), dataset, f"{target} = {name}{NEXT}", *after])

    def _only(self, call: QueueCall) -> tuple[str, list[str]]:
        """What the one element of a list of one is bound to, and a line that makes the list where it has a name."""
        node = call.statement.node
        small = node.body[0] if isinstance(node, cst.SimpleStatementLine) else None
        if isinstance(small, cst.Assign) and isinstance(small.value, cst.Subscript) and len(small.targets) == 1:
            named = small.targets[0].target
            if isinstance(named, cst.Name) and code(small.value) == f"{code(call.call)}[0]":
                return named.value, []
        target = self._assigned(call)
        if isinstance(target, (cst.Tuple, cst.List)):
            return code(target.elements[0].value), []
        name = self.names.fresh(call.statement.scope, "element")
        return name, [f"{code(target)} = [{name}]"]

    def _dequeue(self, call: QueueCall) -> None:
        target = self._assigned(call)
        assert isinstance(call.call.func, cst.Attribute)
        queue = call.call.func.value
        if not isinstance(target, cst.Name) or not isinstance(queue, cst.Name):
            raise Unsuited(call.call, "the queue or its element has no name")
        self.names.datasets.add((call.statement.scope.place, queue.value))
        self.names.mark(call.statement.scope, queue.value, several=False)
        self._replace(call.statement, [f"{target.value} = {queue.value}{NEXT}"])

    def _read(self, call: QueueCall) -> None:
        target, reader = self._assigned(call), call.reader
        assert reader is not None
        if not isinstance(target, cst.Tuple) or len(target.elements) != 2:
            raise Unsuited(call.call, "key and value are not bound to two names")
        if reader.call is None or reader.statement is None or reader.scope is not call.statement.scope:
            raise Unsuited(call.call, "the reader is made elsewhere")
        key, value = (e.value.value for e in target.elements if isinstance(e.value, cst.Name))
        maker = QueueCall(reader.call, reader.symbol, reader.statement, {})
        wanted = self._used(call.statement, key)
        if wanted and reader.symbol != "WholeFileReader":
            raise Unsuited(call.call, f"the keys of a {reader.symbol} are used")
        if maker.statement is not call.statement:
            self._forget(reader, maker.statement)
        before, records = self._records(call, maker, wanted)
        if call.symbol == "Reader.read_up_to":
            records += f".batch({code(call.args['num_records'])})"
        name = self.names.dataset(call.statement.scope)
        self.names.mark(call.statement.scope, name, several=wanted)
        pair = f"{key}, {value}" if wanted else value
        self._replace(call.statement, [*before, f"{name} = {records}", f"{pair} = {name}{NEXT}"])

    def _used(self, statement: Statement, name: str) -> bool:
        return any(
            statement in defs
            for other in self.facts.statements.values()
            for (owner, used), defs in other.uses.items()
            if used == name and owner is statement.scope
        )

    def _forget(self, reader: Graphlike, statement: Statement) -> None:
        """The reader's statement goes with its last read."""
        reads = {c.call for c in self.facts.queues.values() if c.reader is reader}
        users = [
            s
            for s in self.facts.statements.values()
            if any(statement in defs for defs in s.uses.values()) and s.parent is statement.parent
        ]
        if len(reads) > 1 or len(users) > 1:
            raise Unsuited(statement.node, "the reader reads at several places")
        if isinstance(statement.node, cst.SimpleStatementLine):
            self._edit(statement).instead[statement.node] = []

    def _records(self, call: QueueCall, maker: QueueCall, keyed: bool) -> tuple[list[str], str]:
        """Lines before it, and the dataset of the records in the files that the queue names."""
        tf, args = prefix(maker), arguments(maker.symbol, maker.call)
        before: list[str] = []
        queue, ordered = self._files(call)
        symbol = maker.symbol
        if symbol == "WholeFileReader":
            _, text = self._queue_text(call)
            read = f"lambda filename: (filename, {tf}read_file(filename))" if keyed else f"{tf}read_file"
            return before, f"{text}.map({read})"
        if symbol == "FixedLengthRecordReader":
            kind, more = "FixedLengthRecordDataset", self._lengths(maker, args)
        else:
            kind, more = _RECORDS[symbol], self._compression(maker, args)
        skipped = code(args["skip_header_lines"]) if "skip_header_lines" in args else "None"
        made = f"{tf}data.{kind}"
        if ordered is not None and skipped in ("None", "0"):
            files, epochs = ordered
            assert queue is not None
            self.merged.add(queue)
            self._edit(queue.statement).instead[queue.statement.node] = []
            return before, f"{made}({files}{more}).repeat({epochs})"
        lines, text = self._queue_text(call)
        if skipped not in ("None", "0"):
            return lines, f"{text}.flat_map(lambda filename: {made}(filename{more}).skip({skipped}))"
        return lines, f"{text}.flat_map({f'lambda filename: {made}(filename{more})' if more else made})"

    def _queue_text(self, call: QueueCall) -> tuple[list[str], str]:
        """The dataset of file names, as the reader's own code calls it."""
        node = call.args["queue"]
        inner = self.facts.queues.get(node) if isinstance(node, cst.Call) else None
        if inner is not None:
            self.merged.add(inner)
            before, text, _ = self.dataset(inner)
            return before, text
        if not isinstance(node, cst.Name):
            raise Unsuited(node, "the queue has no name")
        return [], node.value

    def _files(self, call: QueueCall) -> tuple[QueueCall | None, tuple[str, str] | None]:
        """The queue that is made beside the reader, with its files and epochs where it gives them in order."""
        node = call.args["queue"]
        if not isinstance(node, cst.Name):
            return None, None
        defs = next((d for (_, n), d in call.statement.uses.items() if n == node.value), set())
        made = [q for q in self.facts.queues.values() if q.statement in defs and q.symbol == PRODUCERS[0]]
        if len(made) != 1 or len(defs) != 1 or made[0].statement.scope is not call.statement.scope:
            return None, None
        queue = made[0]
        if queue.statement.parent is not call.statement.parent or queue.looped:
            return None, None
        users = [s for s in self.facts.statements.values() if any(queue.statement in d for d in s.uses.values())]
        if any(u is not call.statement and not call.statement.within(u) for u in users):
            return None, None
        self._known(queue, {"string_tensor", "num_epochs", "shuffle", "seed"})
        given = queue.args["string_tensor"]
        self._given(given)
        if self._shuffled(queue, given) or self._assigned(queue) is None:
            return None, None
        return queue, (code(given), self._epochs(queue.args))

    def _lengths(self, maker: QueueCall, args: dict[str, cst.BaseExpression]) -> str:
        if set(args) - {"record_bytes", "header_bytes", "footer_bytes", "name"}:
            raise Unsuited(maker.call, "records that overlap or are encoded")
        more = [code(args["record_bytes"])]
        more += [f"{k}={code(args[k])}" for k in ("header_bytes", "footer_bytes") if k in args]
        return ", " + ", ".join(more)

    def _compression(self, maker: QueueCall, args: dict[str, cst.BaseExpression]) -> str:
        if set(args) - {"options", "name", "skip_header_lines"}:
            raise Unsuited(maker.call, "an option that is not known")
        if "options" not in args or code(args["options"]) == "None":
            return ""
        text = code(args["options"])
        found = next((kind for kind in ("ZLIB", "GZIP") if text.endswith(f"TFRecordCompressionType.{kind})")), None)
        if found is None:
            raise Unsuited(maker.call, "the compression is not written with the reader")
        return f', compression_type="{found}"'
