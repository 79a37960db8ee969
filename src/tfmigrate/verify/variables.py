"""Pair the variables of both sides and compare shape, type, trainability, where they began and how they ended."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tfmigrate.model import VariablePair
from tfmigrate.verify.recorded import Recorded, distance, root_mean_square
from tfmigrate.verify.results import Comparison, VariableMatch
from tfmigrate.verify.starts import aligned, began
from tfmigrate.verify.tolerance import Tolerance, base
from tfmigrate.verify.trace import VariableState

_OPTIMIZERS = r"(?:Adam|Momentum|RMSProp|Adagrad|AdagradDA|Adadelta|Ftrl|ProximalAdagrad|AdaMax|Nadam|LazyAdam)"
_SLOT = re.compile(rf"^(?:.*/)?(.+?)/{_OPTIMIZERS}(?:_\d+)?$")
_POWER = re.compile(r"(?:^|/)beta[12]_power(?:_\d+)?$")
_OWN = re.compile(
    r"(?:^|/)(?:iterations?|iter|learning_rate|current_learning_rate|loss_scale|seed_generator_state)(?::0)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class MatchedVariable:
    """A legacy variable and its counterpart, None where there is none."""

    old: VariableState
    new: VariableState | None
    how: str


@dataclass(frozen=True)
class VariableResults:
    """`problems` are of the interface; `steps_unjudged` names variables beyond the horizon."""

    matches: tuple[VariableMatch, ...]
    comparisons: tuple[Comparison, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    matched: tuple[MatchedVariable, ...]


def is_slot(variable: VariableState, names: set[str]) -> bool:
    """Whether a variable is the optimizer's own: a slot beside its variable, a power of beta, a counter or a rate."""
    if variable.slot or _POWER.search(variable.name):
        return True
    if _SLOT.match(variable.name):
        return variable.name.rsplit("/", 1)[0] in names or not variable.trainable
    return False


def pair_variables(
    old: Sequence[VariableState], new: Sequence[VariableState], plan: Sequence[VariablePair]
) -> list[MatchedVariable]:
    """Pair by the conversion's map, then by name, then by order among equal shapes. Each new variable is used once."""
    names = {v.name for v in old}
    wanted = [v for v in old if not is_slot(v, names)]
    free = [v for v in new if not v.slot]
    chosen: dict[str, tuple[VariableState, str]] = {}
    planned = {p.legacy_name: p.object_path for p in plan}

    def take(how: str, fits: Callable[[VariableState, VariableState], bool]) -> None:
        for variable in wanted:
            if variable.name in chosen:
                continue
            found = next((v for v in free if fits(variable, v)), None)
            if found is not None:
                free.remove(found)
                chosen[variable.name] = (found, how)

    take(
        "plan",
        lambda o, n: (
            o.name in planned and n.name in (planned[o.name], planned[o.name].replace(".", "/")) and _fits(o, n)
        ),
    )
    take("name" if not plan else "plan", lambda o, n: o.name == n.name and _fits(o, n))
    take("name", lambda o, n: _plain(o.name) == _plain(n.name) and _fits(o, n))
    take("name", lambda o, n: o.name == n.name)
    take("order", lambda o, n: _last(o.name) == _last(n.name) and o.trainable == n.trainable and _fits(o, n))
    take("order", lambda o, n: o.trainable == n.trainable and _fits(o, n) and not _OWN.search(n.name))
    # A counter or a rate that the script kept in a variable may live in the optimizer now.
    free += [v for v in new if v.slot and v.shape == ()]
    take(
        "order",
        lambda o, n: (
            not o.trainable and o.shape == n.shape == () and _family(o.dtype) == _family(n.dtype) and _own_fits(o, n)
        ),
    )
    return [MatchedVariable(v, *chosen.get(v.name, (None, "unmatched"))) for v in wanted]


def _own_fits(old: VariableState, new: VariableState) -> bool:
    rate = "rate" in old.name.lower() or "lr" in _last(old.name).lower()
    if _family(old.dtype) == "int":
        return "step" in old.name.lower() and "iter" in new.name.lower()
    return rate and "rate" in new.name.lower()


def _fits(old: VariableState, new: VariableState) -> bool:
    return old.shape == new.shape and _family(old.dtype) == _family(new.dtype)


def _plain(name: str) -> str:
    return re.sub(r"_\d+(?=/|$)", "", name.removesuffix(":0")).lower()


def _last(name: str) -> str:
    return re.sub(r"_\d+$", "", name.removesuffix(":0").rsplit("/", 1)[-1])


def _family(dtype: str) -> str:
    return "int" if dtype.startswith(("int", "uint")) else "float" if dtype.startswith(("float", "bfloat")) else dtype


def _bits(dtype: str) -> int:
    return int(re.sub(r"\D", "", dtype))


def compare_variables(
    before: Recorded, after: Recorded, plan: Sequence[VariablePair], tolerance: Tolerance, steps: int
) -> VariableResults:
    """Compare all variables after `steps` paired runs."""
    matched = pair_variables(before.trace.variables, after.trace.variables, plan)
    matches: list[VariableMatch] = []
    comparisons: list[Comparison] = []
    problems: list[str] = []
    notes: list[str] = []
    alike = any(p.new is not None and aligned(p.old, p.new, before, after) for p in matched)
    for pair in matched:
        problem, note = _interface(pair, before)
        if problem:
            problems.append(problem)
        elif note:
            notes.append(note)
        matches.append(
            VariableMatch(pair.old.name, pair.new.name if pair.new else "", pair.how, not problem, problem or note)
        )
        if pair.new is not None and pair.old.shape == pair.new.shape:
            comparisons += _values(pair.old, pair.new, before, after, tolerance, steps, alike)
    used = {id(m.new) for m in matched}
    for variable in after.trace.variables:
        if id(variable) in used or variable.slot:
            continue
        if variable.trainable and not _OWN.search(variable.name):
            problems.append(f"the trainable variable {variable.name} {list(variable.shape)} has no counterpart before")
            matches.append(VariableMatch("", variable.name, "unmatched", False, "new"))
    return VariableResults(tuple(matches), tuple(comparisons), tuple(problems), tuple(notes), tuple(matched))


def _interface(pair: MatchedVariable, before: Recorded) -> tuple[str, str]:
    """A problem, or a remark, about how the two are declared."""
    old, new = pair.old, pair.new
    if new is None:
        begin, end = before.array(old.initial), before.array(old.final)
        constant = (
            begin is not None
            and end is not None
            and begin.size == end.size
            and bool(np.array_equal(begin, end, equal_nan=True))
        )
        if constant and not old.trainable:
            return "", f"{old.name} never changes and has no counterpart after"
        return f"the variable {old.name} {list(old.shape)} has no counterpart after", ""
    if old.shape != new.shape:
        return f"{old.name} has shape {list(old.shape)} before, {list(new.shape)} after", ""
    if old.dtype != new.dtype:
        if (
            _family(old.dtype) == _family(new.dtype) == "int"
            and old.shape == ()
            and _bits(old.dtype) < _bits(new.dtype)
        ):
            return "", f"{old.name} is {old.dtype} before, {new.dtype} after"
        return f"{old.name} is {old.dtype} before, {new.dtype} after", ""
    if old.trainable != new.trainable:
        words = {True: "trainable", False: "not trainable"}
        return f"{old.name} is {words[old.trainable]} before, {words[new.trainable]} after", ""
    return "", ""


def _values(
    old: VariableState,
    new: VariableState,
    before: Recorded,
    after: Recorded,
    tolerance: Tolerance,
    steps: int,
    alike: bool,
) -> list[Comparison]:
    result = [
        c
        for c in (began(old, new, before, after, alike), _ended(old, new, before, after, tolerance, steps))
        if c is not None
    ]
    change = _changed(old, new, before, after, tolerance, steps)
    return [*result, change] if change is not None else result


def _ended(
    old: VariableState, new: VariableState, before: Recorded, after: Recorded, tolerance: Tolerance, steps: int
) -> Comparison | None:
    a, b = before.array(old.final), after.array(new.final)
    if a is None or b is None:
        return None
    name = f"variable {old.name}"
    if a.size != b.size:
        return Comparison(
            name,
            "",
            None,
            0,
            math.inf,
            math.inf,
            0.0,
            0.0,
            False,
            "behaviour",
            "variable",
            note="kept in different sizes",
        )
    allowance = tolerance.variable(old.name, steps, old.dtype)
    if not allowance.judged:
        return None
    begin = before.array(old.initial)
    scale = root_mean_square(begin) if begin is not None and begin.size else 0.0
    found = distance(a, b, scale, allowance.rtol, allowance.atol)
    return Comparison(
        name,
        "",
        None,
        found.count,
        found.absolute,
        found.relative,
        allowance.rtol,
        allowance.atol,
        found.excess <= 1.0,
        "behaviour",
        "variable",
        allowance.floor,
        "" if found.excess <= 1.0 else f"after {steps} paired runs",
    )


def _changed(
    old: VariableState, new: VariableState, before: Recorded, after: Recorded, tolerance: Tolerance, steps: int
) -> Comparison | None:
    """What training did to a variable: small steps on large weights hide in the weights' own tolerance, not in the
    change.
    """
    start, a, b = before.array(old.initial), before.array(old.final), after.array(new.final)
    if (
        start is None
        or a is None
        or b is None
        or start.dtype.kind != "f"
        or not (start.size == a.size == b.size)
        or not a.size
    ):
        return None
    begin = start.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        moved, other = a.astype(np.float64) - begin, b.astype(np.float64) - begin
    if not (np.isfinite(moved).all() and np.isfinite(other).all()):
        return None
    size, apart = float(np.linalg.norm(moved)), float(np.linalg.norm(moved - other))
    if size == 0.0 and apart == 0.0:
        return None
    allowance = tolerance.change(old.name, steps, old.dtype)
    if not allowance.judged:
        return None
    rounding = allowance.atol * float(np.linalg.norm(np.maximum(np.abs(begin), np.abs(a.astype(np.float64)))))
    _, least, _ = base(old.dtype)
    limit = allowance.rtol * size + rounding + 1e-4 * least * math.sqrt(a.size)
    return Comparison(
        f"change of {old.name}",
        "",
        None,
        int(a.size),
        apart,
        apart / size if size else math.inf,
        allowance.rtol,
        rounding,
        apart <= limit,
        "behaviour",
        "variable",
        allowance.floor,
        "by Euclidean norm, since the start",
    )


def measure_variables(reference: Recorded, other: Recorded) -> dict[str, tuple[float, float]]:
    """How far the variables of two legacy runs part: of each, the relative difference of its end and of its change
    since the start.
    """
    twins = {v.name: v for v in other.trace.variables}
    found: dict[str, tuple[float, float]] = {}
    for variable in reference.trace.variables:
        twin = twins.get(variable.name)
        if twin is None:
            continue
        start, a, b = reference.array(variable.initial), reference.array(variable.final), other.array(twin.final)
        if a is None or b is None or a.size != b.size or a.dtype.kind != "f":
            continue
        scale = root_mean_square(start) if start is not None else 0.0
        end = distance(a, b, scale, 0.0, base(variable.dtype)[1]).relative
        change = 0.0
        if start is not None and start.size == a.size:
            size = float(np.linalg.norm(a.astype(np.float64) - start))
            change = float(np.linalg.norm(a.astype(np.float64) - b)) / size if size else 0.0
        found[variable.name] = (end, change if math.isfinite(change) else 0.0)
    return found


def same_start(reference: Recorded, other: Recorded) -> bool:
    """Whether two legacy runs began from the same initial values, to a few units in the last place."""
    twins = {v.name: v for v in other.trace.variables}
    for variable in reference.trace.variables:
        twin = twins.get(variable.name)
        a = reference.array(variable.initial)
        b = other.array(twin.initial) if twin else None
        if a is None or b is None:
            continue
        if a.size != b.size or distance(a, b, 0.0, 2e-6, 1e-9).excess > 1.0:
            return False
    return True
