# ruff: noqa: B905, TID252  (runs before Python 3.10, in a package of another name)
"""What a fetch stands for: its tensors, what running it changes, whether it is a step of the program or a mere read."""

from typing import Any, Dict, FrozenSet, Iterator, List, NamedTuple, Set, Tuple

Fetched = NamedTuple(
    "Fetched",
    [
        ("names", Tuple[str, ...]),  # fetched tensors and operations, in structure order
        ("effects", Tuple[str, ...]),
        ("initializer", bool),  # variables get their initial values
        (
            "step",
            bool,
        ),  # draws, is fed, trains, takes a batch: has a call as its partner; else a read, a save, an initializer
        ("random", Tuple[int, ...]),  # numbers of the aligned random ops behind it, in order of creation
    ],
)

UPDATES = (
    "Assign",
    "Apply",
    "Scatter",
    "ResourceApply",
    "ResourceScatter",
    "ResourceSparseApply",
    "SparseApply",
    "AssignVariableOp",
    "AssignAddVariableOp",
    "AssignSubVariableOp",
)
DRAWS = (
    "Random",
    "StatelessRandom",
    "StatelessTruncated",
    "StatelessMultinomial",
    "TruncatedNormal",
    "Multinomial",
    "ParameterizedTruncated",
)
SUMMARIES = (
    "MergeSummary",
    "ScalarSummary",
    "HistogramSummary",
    "ImageSummary",
    "ImageSummaryV2",
    "AudioSummary",
    "AudioSummaryV2",
    "TensorSummary",
    "TensorSummaryV2",
)
UNTOLD = ("Placeholder", "PyFunc", "EagerPyFunc", "Iterator", "Queue", "ReadFile", "Restore", "If", "PartitionedCall")
READS = ("Const", "Identity", "ReadVariableOp", "VarHandleOp", "Variable", "VariableV2")
NEXT = ("IteratorGetNext", "IteratorGetNextSync", "QueueDequeueV2", "QueueDequeueManyV2", "QueueDequeueUpToV2")


class Graphs(object):
    """Descriptions of fetch sets, kept for each graph as long as it does not grow."""

    def __init__(self) -> None:
        self._cache: Dict[Any, Tuple[int, Fetched]] = {}
        self._variables: Dict[int, Tuple[int, List[Any], FrozenSet[Any], Any]] = {}
        self._slots: Dict[int, bool] = {}
        self.random: Dict[Tuple[int, str], int] = {}  # (id of the graph, op name) -> number of creation

    @staticmethod
    def size(graph: Any) -> int:
        """Operations in the graph (the newest operation's id, which nothing ever lowers)."""
        return int(graph.version)

    def variables(self, graph: Any) -> List[Any]:
        """Global and local variables in order of creation."""
        return self._known(graph)[1]

    def variable_count(self, graph: Any) -> int:
        return len(graph._collections.get("variables", ())) + len(graph._collections.get("local_variables", ()))

    def _known(self, graph: Any) -> Tuple[int, List[Any], FrozenSet[Any], Any]:
        count = self.variable_count(graph)
        known = self._variables.get(id(graph))
        if known is None or known[0] != count:
            seen: Set[str] = set()
            found: List[Any] = []
            for name in ("variables", "local_variables", "trainable_variables"):
                for variable in _components(graph.get_collection_ref(name) if name in graph._collections else ()):
                    if variable.op.name not in seen:
                        seen.add(variable.op.name)
                        found.append(variable)
            found.sort(key=lambda variable: variable.op._id)
            known = (count, found, frozenset(variable.initializer for variable in found), graph)
            self._variables[id(graph)] = known
        return known

    def is_slot(self, variable: Any) -> bool:
        """Whether an optimizer made it (a moving average's shadow, made by the same code, is none)."""
        if id(variable) not in self._slots:
            files = [str(frame[0]).replace("\\", "/") for frame in _traceback(variable.op)]
            made = any("/training/" in name and name.rsplit("/", 1)[1] in OPTIMIZERS for name in files)
            self._slots[id(variable)] = made and not any(name.endswith("moving_averages.py") for name in files)
        return self._slots[id(variable)]

    @staticmethod
    def is_drawn(variable: Any) -> Any:
        """Whether the initial value is drawn at random; None where the graph does not tell what it is."""
        initializer = getattr(variable, "initializer", None)
        if initializer is None:
            return None
        kinds = {operation.type for operation in _ancestors([initializer], frozenset())}
        if any(kind.startswith(DRAWS) for kind in kinds):
            return True
        return None if any(kind.startswith(UNTOLD) for kind in kinds) else False

    @staticmethod
    def is_summary(tensor: Any) -> bool:
        return tensor is not None and getattr(tensor, "op", tensor).type in SUMMARIES

    def describe(self, graph: Any, fetches: Any, feed_dict: Any, deep: bool) -> Fetched:
        """What the fetches stand for. `deep` follows their ancestors; else only what they are by themselves."""
        elements = [element for element in _elements(graph, fetches) if element is not None]
        fed = tuple(sorted(_fed_names(graph, feed_dict)))
        key = (id(graph), deep, tuple(element.name for element in elements), fed)
        version = self.size(graph)
        if key not in self._cache or self._cache[key][0] != version:
            self._cache[key] = (version, self._describe(graph, elements, frozenset(fed), deep))
        return self._cache[key][1]

    def _describe(self, graph: Any, elements: List[Any], fed: FrozenSet[str], deep: bool) -> Fetched:
        names = tuple(element.name for element in elements)
        operations = [getattr(element, "op", element) for element in elements]
        initializer = self._initializes(graph, operations)
        if not fed and elements and not initializer and (_reads(elements) or _constant(elements)):
            return Fetched(names, ("read",), False, not deep, ())
        if not deep:
            return Fetched(
                names, ("initializer",) if initializer else (), initializer, bool(elements) and not initializer, ()
            )
        ancestors = _ancestors([element for element in elements if element.name not in fed], fed)
        effects = ["initializer"] if initializer else []
        kinds = set()
        numbers = []
        for operation in ancestors:
            kind = operation.type
            kinds.add(kind)
            number = self.random.get((id(graph), operation.name))
            if number is not None:
                numbers.append(number)
            if not initializer and kind.startswith(UPDATES) and operation.inputs:
                effects.append("assign:" + operation.inputs[0].op.name)
        moves = {"save": "SaveV2", "restore": "RestoreV2", "iterator": "MakeIterator"}
        effects.extend(sorted(name for name, kind in moves.items() if kind in kinds))
        if any(kind in kinds for kind in NEXT):
            effects.append("next")
        maintenance = initializer or any(name in effects for name in moves)
        step = not maintenance and (
            bool(fed) or bool(effects) or bool(numbers) or any(kind.startswith(DRAWS) for kind in kinds)
        )
        return Fetched(names, tuple(sorted(set(effects))), initializer, step, tuple(sorted(numbers)))

    def _initializes(self, graph: Any, operations: List[Any]) -> bool:
        """Whether a fetched op is a variable's initializer or a group of such."""
        initializers = self._known(graph)[2]
        for operation in operations:
            if operation in initializers:
                return True
            if operation.type == "NoOp" and operation.control_inputs:
                pending, leaves = list(operation.control_inputs), []
                while pending:
                    other = pending.pop()
                    if other.type == "NoOp" and other.control_inputs:
                        pending.extend(other.control_inputs)
                    else:
                        leaves.append(other)
                if any(leaf in initializers for leaf in leaves) and all(
                    leaf in initializers or leaf.type == "NoOp" or "Table" in leaf.type for leaf in leaves
                ):
                    return True
        return False


OPTIMIZERS = (
    "slot_creator.py",
    "optimizer.py",
    "adam.py",
    "momentum.py",
    "rmsprop.py",
    "adagrad.py",
    "adadelta.py",
    "ftrl.py",
    "adagrad_da.py",
    "proximal_adagrad.py",
    "gradient_descent.py",
    "sync_replicas_optimizer.py",
)


def _traceback(operation: Any) -> Any:
    try:
        return operation.traceback or ()
    except AttributeError:
        return ()


def _components(variables: Any) -> Iterator[Any]:
    for variable in variables:
        if hasattr(variable, "initializer") and hasattr(variable, "op"):
            yield variable


def _ancestors(elements: List[Any], fed: FrozenSet[str]) -> Iterator[Any]:
    """All operations that computing the elements executes; fed tensors cut."""
    seen = set()
    pending = [getattr(element, "op", element) for element in elements]
    while pending:
        operation = pending.pop()
        if operation in seen:
            continue
        seen.add(operation)
        yield operation
        for tensor in operation.inputs:
            if tensor.name not in fed:
                pending.append(tensor.op)
        pending.extend(operation.control_inputs)


def _reads(elements: List[Any]) -> bool:
    """Whether the elements are values of variables or constants and nothing computed from them."""
    pending = list(elements)
    for _ in range(8 * len(elements)):
        if not pending:
            return True
        element = pending.pop()
        operation = getattr(element, "op", element)
        if operation is element or operation.type not in READS or operation.control_inputs:
            return False
        pending.extend(tensor for tensor in operation.inputs)
    return False


def _constant(elements: List[Any]) -> bool:
    """Whether the elements are computed from constants alone: known without a run, so that no step gives them."""
    if any(getattr(element, "op", element) is element for element in elements):
        return False
    changing = UNTOLD + DRAWS + ("Variable", "VarHandle")
    for operation in _ancestors(elements, frozenset()):
        definition = operation.op_def
        if operation.type.startswith(changing) or definition is None or definition.is_stateful:
            return False
    return True


def _fed_names(graph: Any, feed_dict: Any) -> Iterator[str]:
    for key in feed_dict or ():
        for part in _parts(key):
            try:
                yield graph.as_graph_element(part, allow_operation=False).name
            except (TypeError, ValueError, KeyError):
                continue


def _parts(leaf: Any) -> Tuple[Any, ...]:
    """The tensors of a sparse or ragged fetch or feed."""
    kind = type(leaf).__name__
    if kind == "SparseTensor":
        return (leaf.indices, leaf.values, leaf.dense_shape)
    if kind == "IndexedSlices":
        return tuple(part for part in (leaf.values, leaf.indices, leaf.dense_shape) if part is not None)
    if kind == "RaggedTensor":
        return (leaf.flat_values,) + tuple(leaf.nested_row_splits)
    if isinstance(leaf, tuple):
        return tuple(leaf)
    return (leaf,)


def _elements(graph: Any, fetches: Any) -> Iterator[Any]:
    """Graph elements of a fetch structure, in its order."""
    if isinstance(fetches, (list, tuple)):
        for item in fetches:
            for element in _elements(graph, item):
                yield element
    elif isinstance(fetches, dict):
        for item in fetches.values():
            for element in _elements(graph, item):
                yield element
    elif hasattr(type(fetches), "__attrs_attrs__"):
        for attribute in type(fetches).__attrs_attrs__:
            for element in _elements(graph, getattr(fetches, attribute.name)):
                yield element
    else:
        for part in _parts(fetches):
            try:
                yield graph.as_graph_element(part)
            except (TypeError, ValueError, KeyError):
                yield None


def flatten(graph: Any, fetches: Any, result: Any) -> Iterator[Tuple[Any, Any]]:
    """(value, fetched tensor or None) in structure order; ops give no value."""
    if isinstance(fetches, (list, tuple)) and isinstance(result, (list, tuple)):
        pairs: Any = zip(fetches, result)
    elif isinstance(fetches, dict):
        pairs = [(fetches[name], result[name]) for name in fetches]
    elif hasattr(type(fetches), "__attrs_attrs__"):
        pairs = [(getattr(fetches, a.name), getattr(result, a.name)) for a in type(fetches).__attrs_attrs__]
    else:
        if result is None:
            return
        kind = type(result).__name__
        if kind in ("SparseTensorValue", "IndexedSlicesValue"):
            for part in result:
                if part is not None:
                    yield part, None
        elif kind == "RaggedTensorValue":
            yield result.flat_values, None
            for part in result.nested_row_splits:
                yield part, None
        else:
            elements = list(_elements(graph, fetches))
            yield result, elements[0] if elements else None
        return
    for fetch, value in pairs:
        for item in flatten(graph, fetch, value):
            yield item
