"""What batches and shuffles the elements of a dataset from inside the graph becomes: stages of the dataset itself.

    line = dataset.make_one_shot_iterator().get_next()       def parse_line(line):
    a, b = tf.decode_csv(line, [[1.0], [1.0]])                   a, b = tf.decode_csv(line, [[1.0], [1.0]])
    batch = tf.train.batch([a], 2)                       ->      return a
                                                             dataset = dataset.map(parse_line)
                                                             dataset = dataset.batch(2, drop_remainder=True)
                                                             batch = dataset.make_one_shot_iterator().get_next()

The ops between are moved only where nothing but the batch uses them. A function that returns such elements returns the
dataset instead, and its callers take the elements.
"""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from tfmigrate.analysis.api_queues import QueueCall
from tfmigrate.analysis.facts import Facts, Scope, Statement
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.values import Mapping, Operation, Sequence, Variable, is_step, leaves
from tfmigrate.plan.queues.names import NEXT, QueueNames, Unsuited, line, literal
from tfmigrate.plan.queues.slices import Between, Element, Stage
from tfmigrate.plan.statement_edits import Edits
from tfmigrate.rules.expressions import code

_NAMES = (
    ("parse_single_sequence_example", "parse_example"),
    ("parse_single_example", "parse_example"),
    ("parse_example", "parse_examples"),
    ("decode_csv", "parse_line"),
    ("decode_jpeg", "read_image"),
    ("decode_png", "read_image"),
    ("decode_image", "read_image"),
    ("decode_raw", "decode_record"),
)


LONGEST = 110  # characters of a line that is joined with the one before


class QueueStages:
    """The stages of one round, over all files."""

    def __init__(self, project: Project, facts: Facts, names: QueueNames, edits: dict[str, Edits]) -> None:
        self.project, self.facts, self.names, self.edits = project, facts, names, edits
        self.between = Between(facts, names)
        self.above: dict[Statement, list[cst.EmptyLine]] = {}  # comments of what was joined with the line after it

    def batch(self, call: QueueCall) -> None:
        """A batch of elements; Unsuited where it cannot be a stage."""
        if call.looped:
            raise Unsuited(call.call, "it is made in a loop")
        statement, tensors = call.statement, call.args["tensors"]
        target = self._target(call)
        element = self.between.source(statement, tensors)
        if element is None:
            self._constant(call, tensors, target)
            return
        after = self._stages(call)
        stage = self.between.stage(element, [statement], tensors)
        made = self._mapped(element, stage, tensors, call)
        name = element.dataset
        text = f"{name} = {name}{made.text}{''.join(after)}"
        chained = line(text) if made.function else self._chained(statement.scope, name, element.statement, text)
        lines: list[cst.BaseStatement] = [*made.function, chained, line(f"{target}{name}{NEXT}")]
        self._write(element, stage, statement, lines)
        self._mark(statement.scope, name, tensors)

    def chosen(self, first: QueueCall, second: QueueCall) -> None:
        """Batches of the same elements in both branches of a condition: each gives the dataset its own last stages."""
        target, tensors = self._target(first), first.args["tensors"]
        alike = target == self._target(second) and code(tensors) == code(second.args["tensors"])
        element = self.between.source(first.statement, tensors)
        branch = first.statement.parent
        assert branch is not None
        if not alike or target == "return " or element is None or first.looped:
            raise Unsuited(first.call, "the branches of a condition put different elements into their queues")
        names = {n for call in (first, second) for n in call.statement.defines}
        for s in first.statement.scope.statements:
            if s.within(branch) and any(
                n in names and {first.statement, second.statement} & d for (_, n), d in s.uses.items()
            ):
                raise Unsuited(s.node, "a batch is used in the branch that makes it")
        stages = [self._stages(call) for call in (first, second)]
        stage = self.between.stage(element, [first.statement, second.statement], tensors)
        made = self._mapped(element, stage, tensors, first)
        name = element.dataset
        edit = self._edit(branch)
        blank = [cst.EmptyLine(indent=False)]
        mapped = line(f"{name} = {name}{made.text}").with_changes(leading_lines=blank)
        before = [*made.function, mapped] if made.text else []
        for each in before:
            self.project.moved(edit.path, branch.node, each)
        edit.before[branch.node] = before
        edit.after[branch.node] = [line(f"{target}{name}{NEXT}")]
        self._gone(edit, element, stage)
        for call, after in zip((first, second), stages, strict=True):
            self._instead(call.statement, [line(f"{name} = {name}{''.join(after)}")])
        self._mark(branch.scope, name, tensors)

    def _target(self, call: QueueCall) -> str:
        node = call.statement.node
        small = node.body[0] if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1 else None
        if isinstance(small, cst.Return) and small.value is call.call:
            return "return "
        if isinstance(small, cst.Assign) and len(small.targets) == 1 and small.value is call.call:
            return f"{code(small.targets[0].target)} = "
        raise Unsuited(call.call, "what it gives is not bound to names at once")

    def _stages(self, call: QueueCall) -> list[str]:
        """The stages that the queue's own arguments ask for."""
        args = call.args
        if "shapes" in args or any(name.startswith("*") for name in args):
            raise Unsuited(call.call, "shapes are given to it")
        made: list[str] = []
        if literal(self.facts, call, args.get("enqueue_many"), False):
            made.append(".unbatch()")
        if call.symbol == "train.shuffle_batch":
            seed = args.get("seed")
            seeded = f", seed={code(seed)}" if seed is not None and code(seed) != "None" else ""
            made.append(f".shuffle({code(args['capacity'])}{seeded})")
        partial = literal(self.facts, call, args.get("allow_smaller_final_batch"), False)
        rest = "" if partial else ", drop_remainder=True"
        padded = "padded_" if literal(self.facts, call, args.get("dynamic_pad"), False) else ""
        return [*made, f".{padded}batch({code(args['batch_size'])}{rest})", ".prefetch(1)"]

    def _constant(self, call: QueueCall, tensors: cst.BaseExpression, target: str) -> None:
        """What is batched is the same at each time: all of it (`enqueue_many`), or one element over and over."""
        value = self.facts.values.get(tensors)
        if is_step(value) or any(isinstance(v, Variable) for v in leaves(value)):
            raise Unsuited(call.call, "what it batches does not come from one reader or queue alone")
        parts = self._parts(tensors)
        whole = f"({', '.join(parts)})" if len(parts) > 1 else parts[0]
        text = code(call.call.func)
        if not text.endswith("." + call.symbol):
            raise Unsuited(call.call, "the function is imported by its own name")
        tf = text.removesuffix(call.symbol)
        first, *rest = self._stages(call)
        many = first == ".unbatch()"
        start = f"{tf}data.Dataset.{'from_tensor_slices' if many else 'from_tensors'}({whole}).repeat()"
        chain = "".join(rest if many else [first, *rest])
        name = self.names.dataset(call.statement.scope)
        self._instead(call.statement, [line(f"{name} = {start}{chain}"), line(f"{target}{name}{NEXT}")])
        self._mark(call.statement.scope, name, tensors)

    def _mark(self, scope: Scope, dataset: str, given: cst.BaseExpression) -> None:
        """Remember whether the dataset's elements have several parts, and that these are plain tensors."""
        value = self.facts.values.get(given)
        self.names.mark(scope, dataset, isinstance(value, Sequence) and len(value.items) > 1, value)

    # functions that return elements

    def returned(self, scope: Scope) -> bool:
        """A function that returns elements returns their dataset; whether it was changed."""
        node = scope.node
        if not isinstance(node, cst.FunctionDef) or any(s.runs for s in scope.statements):
            return False
        returns = [s for s in scope.statements if s.escapes and self._returned(s) is not None]
        sites = self._sites(node)
        if len(returns) != 1 or not sites:
            return False
        statement = returns[0]
        value = self._returned(statement)
        assert value is not None
        text = code(value)
        dataset = text.removesuffix(NEXT)
        if dataset != text and (scope.place, dataset) in self.names.datasets:
            key = scope.place, dataset
            several, plain = key in self.names.several, key in self.names.plain
            self._instead(statement, [self._chained(scope, dataset, statement, f"return {dataset}")])
        else:
            element = self.between.source(statement, value)
            if element is None or not self._all_elements(value):
                return False
            stage = self.between.stage(element, [statement], value)
            made = self._mapped(element, stage, value, None)
            found = self.facts.values.get(value)
            several, plain = isinstance(found, Sequence) and len(found.items) > 1, not isinstance(found, Mapping)
            text = f"return {element.dataset}{made.text}"
            chained = line(text) if made.function else self._chained(scope, element.dataset, element.statement, text)
            self._write(element, stage, statement, [*made.function, chained])
        for at, target, call in sites:
            name = self.names.dataset(at.scope)
            self.names.mark(at.scope, name, several, None if plain else Mapping())
            taken = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(name))], call)])
            self._instead(at, [taken, line(f"{target} = {name}{NEXT}")])
        return True

    def _all_elements(self, value: cst.BaseExpression) -> bool:
        """Whether nothing but elements is returned, in a structure that a dataset may have."""
        found = self.facts.values.get(value)
        parts = found.items if isinstance(found, Sequence) else [found]
        return all(is_step(p) and not isinstance(p, (Sequence, Operation)) for p in parts)

    def _returned(self, statement: Statement) -> cst.BaseExpression | None:
        node = statement.node
        small = node.body[0] if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1 else None
        return small.value if isinstance(small, cst.Return) else None

    def _sites(self, node: cst.CSTNode) -> list[tuple[Statement, str, cst.Call]]:
        """Where the function's elements are bound to names: statement, targets and call."""
        found: list[tuple[Statement, str, cst.Call]] = []
        for fact in {f.call: f for f in self.facts.functions.get(node, [])}.values():
            line_ = fact.statement.node
            small = line_.body[0] if isinstance(line_, cst.SimpleStatementLine) and len(line_.body) == 1 else None
            if isinstance(small, cst.Return) and small.value is fact.call:
                found.extend(self._sites(fact.statement.scope.node))
            elif isinstance(small, cst.Assign) and len(small.targets) == 1 and small.value is fact.call:
                found.append((fact.statement, code(small.targets[0].target), fact.call))
            else:
                raise Unsuited(fact.call, "the elements that a function gives are not bound to names at once")
        return found

    # what is written

    @dataclass
    class _Map:
        function: list[cst.BaseStatement]
        text: str

    def _mapped(self, element: Element, stage: Stage, given: cst.BaseExpression, call: QueueCall | None) -> _Map:
        """The function of the ops between, and the stage that maps it."""
        parts = self._parts(given)
        names = element.names
        whole = isinstance(element.target, cst.Name) and parts == [element.target.value]
        if not stage.units and (whole or parts == names):
            return self._Map([], "")
        scope = element.statement.scope
        text = " ".join(code(u.node) for u in stage.units) + code(given)
        wanted = next((name for op, name in _NAMES if op in text), "preprocess")
        function = self.names.fresh(scope, wanted)
        several = isinstance(element.target, cst.Name) and self._several(element)
        parameters = f"*{names[0]}" if several else ", ".join(names)
        made = cst.parse_statement(f"def {function}({parameters}):\n    return {', '.join(parts)}\n")
        assert isinstance(made, cst.FunctionDef)
        result = made.body.body[0]
        assert isinstance(result, cst.SimpleStatementLine)
        body = [self._led(u.node, i == 0) for i, u in enumerate(stage.units)]
        blank = [cst.EmptyLine(indent=False)] * (2 if scope.is_module else 1)
        made = made.with_changes(body=made.body.with_changes(body=[*body, result]), leading_lines=blank)
        threads = code(call.args["num_threads"]) if call is not None and "num_threads" in call.args else "1"
        parallel = f", num_parallel_calls={threads}" if threads not in ("1", "None") else ""
        return self._Map([made], f".map({function}{parallel})")

    def _several(self, element: Element) -> bool:
        """Whether the element, bound to one name, has several parts."""
        return (element.statement.scope.place, element.dataset) in self.names.several

    def _led(self, node: cst.CSTNode, first: bool) -> cst.BaseStatement:
        """A statement with its comments, without blank lines before the first."""
        assert isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
        lines = list(getattr(node, "leading_lines", ()))
        while first and lines and lines[0].comment is None:
            lines.pop(0)
        return node.with_changes(leading_lines=lines)

    def _parts(self, given: cst.BaseExpression) -> list[str]:
        """The texts of the tensors that are given: a tuple's, where there are several."""
        value = self.facts.values.get(given)
        if isinstance(given, (cst.List, cst.Tuple)):
            if any(isinstance(e, cst.StarredElement) for e in given.elements):
                raise Unsuited(given, "the tensors are not listed")
            if any(isinstance(self.facts.values.get(e.value), (Sequence, Mapping)) for e in given.elements):
                raise Unsuited(given, "the tensors are nested")
            return [code(e.value) for e in given.elements]
        if isinstance(value, Sequence):
            if value.open_:
                raise Unsuited(given, "how many tensors there are is not known")
            return [f"tuple({code(given)})"] if len(value.items) > 1 else [f"{code(given)}[0]"]
        return [code(given)]

    def _chained(self, scope: Scope, dataset: str, after: Statement, text: str) -> cst.SimpleStatementLine:
        """The line, with the dataset's own expression in it where that is what the line before says."""
        block = [s for s in scope.statements if s.parent is after.parent and s.block == after.block]
        block.sort(key=lambda s: s.order)
        before = block[block.index(after) - 1] if after in block[1:] else None
        made = line(text)
        node = before.node if before is not None else None
        small = node.body[0] if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1 else None
        if before is None or not isinstance(small, cst.Assign) or before.defines != {dataset}:
            return made
        own = code(small.value)
        if "\n" in own or len(own) + len(text) > LONGEST:
            return made
        base = made.body[0].value if isinstance(made.body[0], (cst.Assign, cst.Return)) else None
        while isinstance(base, (cst.Call, cst.Attribute)):
            base = base.func if isinstance(base, cst.Call) else base.value
        assert isinstance(node, cst.SimpleStatementLine)
        assert isinstance(base, cst.Name)
        joined = made.deep_replace(base, small.value)
        assert isinstance(joined, cst.SimpleStatementLine)
        self._edit(before).instead[node] = []
        self.above[after] = list(node.leading_lines)
        return joined

    def _write(self, element: Element, stage: Stage, taker: Statement, lines: list[cst.BaseStatement]) -> None:
        edit = self._edit(taker)
        self._gone(edit, element, stage)
        self._instead(taker, lines)

    def _gone(self, edit: Edits, element: Element, stage: Stage) -> None:
        """The statements that moved or have no use leave their place; a print of an op is told."""
        for gone in [element.statement, *stage.units, *stage.dead]:
            edit.instead[gone.node] = []
        for dead in stage.dead:
            if not dead.defines:
                self.names.left_out.append(self.project.place(edit.path, dead.node))

    def _instead(self, statement: Statement, lines: list[cst.BaseStatement]) -> None:
        node = statement.node
        edit = self._edit(statement)
        assert isinstance(node, cst.SimpleStatementLine)
        comments = [each for each in node.leading_lines if each.comment is not None]
        first = lines[0]
        if isinstance(first, cst.FunctionDef):
            blank = [cst.EmptyLine(indent=False)] * (2 if statement.scope.is_module else 1)
            lines[1] = lines[1].with_changes(leading_lines=[*blank, *comments])
        else:
            lines[0] = first.with_changes(leading_lines=[*self.above.get(statement, ()), *node.leading_lines])
        for each in lines:
            self.project.moved(edit.path, node, each)
        edit.instead[node] = list(lines)

    def _edit(self, statement: Statement) -> Edits:
        path = statement.scope.path
        return self.edits.setdefault(path, Edits(self.project, path))
