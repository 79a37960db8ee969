"""Plans how training steps run on several replicas: which results are means, sums or rows, and what must be refused.

Only steps that train go through `strategy.run`; what evaluates stays a function of the whole batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Facts, Statement
from tfmigrate.analysis.recurrent_cells import Cell
from tfmigrate.analysis.values import (
    Function,
    Gradients,
    Graphlike,
    Host,
    Iterator_,
    Layer,
    Mapping,
    Operation,
    Optimizer,
    Placeholder,
    Sequence,
    Summary,
    Tensor,
    Value,
    Variable,
    leaves,
)
from tfmigrate.model import Strategy
from tfmigrate.plan.program import Plan, Replication, StepFunction
from tfmigrate.plan.refusing import refuse
from tfmigrate.plan.replication.kinds import (
    Kind,
    Operands,
    Share,
    added,
    divided,
    elementwise,
    first_unknown,
    multiplied,
)
from tfmigrate.plan.replication.ops import meaning
from tfmigrate.plan.replication.recurrent import recurrent
from tfmigrate.plan.replication.tables import PARTS, TWICE

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner

DISTRIBUTED = frozenset({Strategy.MIRRORED, Strategy.MULTIWORKER, Strategy.TPU})
REDUCTIONS = {Kind.MEAN: "MEAN", Kind.SUM: "SUM", Kind.COUNT: "SUM", Kind.BATCH: "GATHER", Kind.SAME: "SAME"}
ASSIGNED = {Kind.SAME: "ONLY_FIRST_REPLICA", Kind.MEAN: "MEAN"}


def replicate(planner: Planner) -> None:
    """Plan the replicas' part of every training step of a program, or refuse what cannot be shared out."""
    if planner.options.strategy not in DISTRIBUTED:
        return
    for step in planner.plan.steps:
        if step.trains and step.kept:
            message = "a training step takes tensors from an object: how replicas share them out is not followed"
            refuse(planner.plan, "TFM152", step.runs[0].call, message)
        elif step.trains:
            planner.plan.replicated[step] = _Step(planner, step).plan()


class Shares:
    """The shares of the values of one step."""

    def __init__(self, facts: Facts, program: Plan, step: StepFunction) -> None:
        self.facts, self.program, self.step = facts, program, step
        self.fed = {p.fed for p in step.parameters if p.fed is not None}
        self.constant = {placeholder for _, placeholder, _ in step.constants}
        self.scalars = _scalars(facts) | {f.key for r in step.runs for f in r.feeds if _number(f.value)}
        self.known: dict[int, Share] = {}
        self.kept: list[Value] = []  # so that no id is used twice
        self.layers = False

    def of(self, value: Value) -> Share:
        """The share of a value."""
        if id(value) not in self.known:
            self.kept.append(value)
            self.known[id(value)] = Share(
                Kind.UNKNOWN, None, getattr(value, "expression", None), "a value that depends on itself"
            )
            self.known[id(value)] = self._of(value)
        return self.known[id(value)]

    def _of(self, value: Value) -> Share:
        if isinstance(value, Placeholder):
            return self._placeholder(value)
        if isinstance(value, Variable):
            return Share(Kind.SAME, None if value.shape is None else len(value.shape))
        if isinstance(value, Gradients):
            return self._gradients(value)
        if isinstance(value, Iterator_):
            return Share(
                Kind.UNKNOWN, None, value.expression, "each replica would take a batch of its own from the iterator"
            )
        if isinstance(value, Tensor):
            return self._tensor(value)
        if isinstance(value, Cell):
            self.layers = self.layers or (value.root or value) not in self.program.cell_builds
            return Share(Kind.SAME)
        if isinstance(value, (Sequence, Mapping)):
            return self._several([self.of(v) for v in leaves(value)])
        if isinstance(value, Graphlike):
            return Share(Kind.UNKNOWN, None, value.expression, "something that is no tensor")
        if isinstance(value, Host) and value.known and isinstance(value.literal, (int, float)):
            return Share(Kind.SAME, 0)
        return Share(Kind.SAME)

    @staticmethod
    def _several(shares: list[Share]) -> Share:
        unknown = first_unknown(shares)
        return unknown or next((Share(s.kind) for s in shares if s.kind is not Kind.SAME), Share(Kind.SAME))

    def _placeholder(self, value: Placeholder) -> Share:
        rank = None if value.shape is None else len(value.shape)
        if value in self.constant or value not in self.fed:
            return Share(Kind.SAME, rank)
        if value in self.scalars and value.shape is None:
            return Share(Kind.SAME, 0)
        shape = self.facts.values.get(value.shape_node) if value.shape_node is not None else None
        if isinstance(shape, Sequence) and not shape.open_:
            first = shape.items[0] if shape.items else None
            if first is None or (isinstance(first, Host) and isinstance(first.literal, int)):
                return Share(Kind.SAME, rank)
            if isinstance(first, Host) and first.literal is None:
                return Share(Kind.BATCH, rank)
        return Share(
            Kind.UNKNOWN,
            None,
            value.expression,
            f"the shape of the placeholder {value.name or ''} does not tell whether it holds examples",
        )

    def _gradients(self, value: Gradients) -> Share:
        """Gradients are summed over the replicas before anything else is done with them."""
        sources = list(leaves(value.sources)) if value.sources is not None else []
        if not all(isinstance(s, Variable) for s in sources):
            return Share(Kind.UNKNOWN, None, value.expression, "gradients for something that is no variable")
        kinds = [self.of(t) for t in value.targets]
        return first_unknown(kinds) or Share(Kind.SAME)

    def _tensor(self, value: Tensor) -> Share:
        if value in self.fed:
            return Share(
                Kind.UNKNOWN, None, value.expression, "a tensor is fed, and whether it holds examples is not known"
            )
        node = value.expression
        self.layers = self.layers or node in self.facts.layer_results
        shares = tuple(self.of(v) for v in value.inputs)
        symbol = self.facts.symbols.get(node.func, "") if isinstance(node, cst.Call) else ""
        if symbol in TWICE:
            return Share(Kind.UNKNOWN, None, node, f"tf.{symbol} would run once on each replica")
        if (unknown := first_unknown(shares)) is not None:
            return unknown
        if (run := recurrent(self.facts, value, shares)) is not None:
            return run
        if value.effect and value.inputs and isinstance(value.inputs[0], Variable):
            return Share(Kind.SAME)  # an assignment: the variable has one value on all replicas
        alike = not value.random and not symbol.endswith(("batch_normalization", "batch_norm", "dropout"))
        if alike and all(s.kind is Kind.SAME for s in shares):
            return Share(Kind.SAME, None if value.shape is None else len(value.shape))
        keywords: tuple[str | None, ...] = ()
        if isinstance(node, cst.Call):
            keywords = tuple(a.keyword.value if a.keyword is not None else None for a in node.args)
        made = Operands(symbol, node, shares, value.inputs, keywords, self.of)
        if isinstance(node, cst.Call) and symbol:
            found = meaning(symbol)
            if (
                found is None
                or any(a.star for a in node.args)
                or (any(isinstance(v, Function) for v in value.inputs) and "layers." not in symbol)
            ):
                return made.unknown(f"what tf.{symbol} makes of a part of the batch is not known")
            share = found(made)
            if share.kind is Kind.SAME and not alike:
                return made.unknown("each replica would draw numbers of its own")
            return share
        return self._operator(value, node, made)

    def _operator(self, value: Tensor, node: cst.BaseExpression | None, made: Operands) -> Share:
        shares = made.shares
        if node is None:
            return self._part(value, made)
        if isinstance(node, cst.BinaryOperation):
            if isinstance(node.operator, (cst.Add, cst.Subtract)):
                return added(made, shares)
            if isinstance(node.operator, cst.Multiply):
                return multiplied(made, shares)
            if isinstance(node.operator, cst.Divide):
                return divided(made, shares[0], shares[1])
            return (
                made.unknown("a matrix product over the examples")
                if isinstance(node.operator, cst.MatrixMultiply)
                else elementwise(made, shares)
            )
        if isinstance(node, cst.UnaryOperation):
            return shares[0]
        if isinstance(node, cst.Comparison):
            return elementwise(made, shares)
        if isinstance(node, cst.Subscript):
            return self._subscript(node, value, made)
        return made.unknown("an expression over the examples that is not followed")

    def _part(self, value: Tensor, made: Operands) -> Share:
        """A part of an unpacked tensor, or a name bound to several tensors on the way here."""
        if len(value.inputs) > 1:
            kinds = set(made.shares)
            return (
                made.shares[0]
                if len(kinds) == 1
                else made.unknown("a name that is bound to tensors of different kinds")
            )
        source = value.inputs[0] if value.inputs else None
        if isinstance(source, Tensor) and isinstance(source.expression, cst.Call):
            symbol = self.facts.symbols.get(source.expression.func, "")
            if symbol in PARTS or symbol in ("split", "unstack"):
                return made.shares[0]
        return made.unknown("the examples are unpacked one by one")

    @staticmethod
    def _subscript(node: cst.Subscript, value: Tensor, made: Operands) -> Share:
        base = made.shares[0]
        first = node.slice[0].slice
        if base.kind is Kind.SHAPE:
            index = value.inputs[1] if len(value.inputs) == 2 else None
            if isinstance(index, Host) and isinstance(index.literal, int):
                return Share(Kind.COUNT if index.literal == 0 else Kind.SAME, 0)
            return made.unknown("a part of a shape that is not known")
        whole = isinstance(first, cst.Slice) and first.lower is None and first.upper is None and first.step is None
        if base.kind is Kind.BATCH and whole and all(s.kind is Kind.SAME for s in made.shares[1:]):
            dropped = sum(
                isinstance(e.slice, cst.Index) and not isinstance(e.slice.value, cst.Ellipsis) for e in node.slice
            )
            return Share(Kind.BATCH, None if base.rank is None else base.rank - dropped)
        return made.unknown("some of the examples are picked by their place in the batch")


class _Step:
    """Plans one training step."""

    def __init__(self, planner: Planner, step: StepFunction) -> None:
        self.facts, self.bindings, self.program, self.step = planner.facts, planner.bindings, planner.plan, step
        self.shares = Shares(planner.facts, planner.plan, step)
        self.result = Replication()

    def plan(self) -> Replication:
        """The step's part on a replica."""
        for unit in self.step.units:
            for statement in self.bindings.descendants(unit.statement):
                self._statement(statement)
        for leaf in self.step.returns:
            self.result.reductions[leaf] = [self._reduction(value, leaf.node) for value in _members(leaf.value)]
        self.result.layers = self.shares.layers
        return self.result

    def _refuse(self, code: str, share: Share, fallback: cst.CSTNode | None, what: str) -> None:
        refuse(self.program, code, share.node or fallback or self.step.runs[0].call, f"{what}: {share.why}")

    def _statement(self, statement: Statement) -> None:
        for made in statement.made:
            if isinstance(made, Operation) and made.kind == "minimize":
                self._differentiated(made, [made.loss] if made.loss is not None else [], made.expression)
                self._rate(made)
            elif isinstance(made, Gradients):
                self._differentiated(made, list(made.targets), made.expression)
                share = self.shares.of(made)
                if not share.known:
                    self._refuse("TFM152", share, made.expression, "these gradients cannot be summed over replicas")
            elif isinstance(made, Operation) and made.kind == "apply":
                self._applied(made)
            elif isinstance(made, Tensor) and made.effect:
                self._effect(made)
            if isinstance(made, Operation) and made.global_step is not None:
                self._aggregated(made.global_step, "ONLY_FIRST_REPLICA", made.expression)

    def _differentiated(self, made: Graphlike, targets: list[Value], node: cst.CSTNode | None) -> None:
        """A mean's gradients are divided by the number of replicas, for they are summed; a sum's are not."""
        shares = [self.shares.of(t) for t in targets]
        if (unknown := first_unknown(shares)) is not None:
            self._refuse(
                "TFM152", unknown, node, "the loss is neither a mean nor a sum over the examples, as far as can be told"
            )
            return
        means = {s.kind in (Kind.MEAN, Kind.SAME) for s in shares}
        if len(means) > 1:
            self._refuse(
                "TFM152",
                Share(Kind.UNKNOWN, None, node, "means and sums are differentiated together"),
                node,
                "the losses differ",
            )
        self.result.means[made] = means == {True}

    def _rate(self, made: Operation) -> None:
        rate = made.optimizer.rate if made.optimizer is not None else None
        if isinstance(rate, Graphlike):
            share = self.shares.of(rate)
            if share.kind is not Kind.SAME:
                self._refuse("TFM152", share, made.expression, "the learning rate depends on the batch")

    def _applied(self, made: Operation) -> None:
        self._rate(made)
        for value in leaves(made.variables):
            share = self.shares.of(value)
            if share.kind is not Kind.SAME:
                self._refuse("TFM152", share, made.expression, "what is applied as a gradient differs between replicas")

    def _effect(self, made: Tensor) -> None:
        target = made.inputs[0] if made.inputs else None
        symbol = self.facts.symbols.get(made.expression.func, "") if isinstance(made.expression, cst.Call) else ""
        name = symbol or (
            made.expression.func.attr.value
            if isinstance(made.expression, cst.Call) and isinstance(made.expression.func, cst.Attribute)
            else ""
        )
        share = self.shares.of(made)
        if not isinstance(target, Variable) or "scatter" in name or isinstance(target.layer, Layer):
            self._refuse("TFM153", share, made.expression, "this would happen once on each replica")
            return
        value = self.shares.of(made.inputs[1]) if len(made.inputs) > 1 else Share(Kind.SAME)
        if value.kind not in ASSIGNED:
            self._refuse("TFM153", value, made.expression, "what is assigned differs between replicas")
            return
        self._aggregated(target, ASSIGNED[value.kind], made.expression)

    def _aggregated(self, variable: Variable, how: str, node: cst.CSTNode | None) -> None:
        before = self.program.aggregations.setdefault(variable, how)
        if before != how:
            refuse(
                self.program,
                "TFM153",
                node or self.step.runs[0].call,
                "a variable is assigned a mean over the examples in one place, not so in another",
            )

    def _reduction(self, value: Value, node: cst.CSTNode | None) -> str:
        share = self.shares.of(value)
        if share.kind not in REDUCTIONS:
            why = share if not share.known else Share(Kind.UNKNOWN, None, node, "it is the shape of a replica's part")
            self._refuse("TFM152", why, node, "how to put this result together from the replicas' is not known")
            return "SAME"
        return REDUCTIONS[share.kind]


def _members(value: Value) -> list[Value]:
    """What is fetched; of summaries, the values that they show."""
    if isinstance(value, Summary):
        return [m.value for m in value.members or (value,) if m.value is not None]
    return [value]


def _number(value: Value) -> bool:
    return isinstance(value, Host) and value.known and isinstance(value.literal, (int, float))


def _scalars(facts: Facts) -> set[Graphlike]:
    """Placeholders that are fed one number, by what they are used for: a rate of learning or of dropout, a switch."""
    found: set[Graphlike] = set()
    for statement in facts.statements.values():
        for made in statement.made:
            if isinstance(made, Optimizer) and isinstance(made.rate, Placeholder):
                found.add(made.rate)
            if isinstance(made, Tensor) and isinstance(made.expression, cst.Call):
                symbol = facts.symbols.get(made.expression.func, "")
                for index, argument in enumerate(made.expression.args[: len(made.inputs)]):
                    keyword = argument.keyword.value if argument.keyword is not None else None
                    value = made.inputs[index]
                    if isinstance(value, Placeholder) and (
                        keyword in ("keep_prob", "rate", "training", "is_training")
                        or (
                            keyword is None
                            and ((symbol.endswith("dropout") and index == 1) or (symbol == "cond" and index == 0))
                        )
                    ):
                        found.add(value)
    return found
