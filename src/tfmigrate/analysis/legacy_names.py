"""The names that TensorFlow 1 gives to variables: scopes, name scopes and the counters that make names unique.

Source: tensorflow/python/framework/ops.py (unique_name, name_scope), ops/variable_scope.py (variable_scope,
get_variable).
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Naming:
    """One graph's counters and the scopes entered now. A name is None where it is not known statically."""

    counters: dict[str, int] = field(default_factory=dict)
    name_scopes: list[str | None] = field(default_factory=list)
    variable_scopes: list[str | None] = field(default_factory=list)
    layer_counters: dict[tuple[str, str], int] = field(default_factory=dict)
    reuse: list[object] = field(default_factory=list)

    def copy(self) -> Naming:
        """The same counters and scopes, apart."""
        return Naming(
            dict(self.counters),
            list(self.name_scopes),
            list(self.variable_scopes),
            dict(self.layer_counters),
            list(self.reuse),
        )

    def join(self, other: Naming) -> None:
        """Names that either of two branches took are taken."""
        for mine, theirs in ((self.counters, other.counters), (self.layer_counters, other.layer_counters)):
            for key, count in theirs.items():
                mine[key] = max(count, mine.get(key, 0))  # type: ignore[index,arg-type]

    def unique(self, name: str) -> str:
        """The name, or name_1, name_2 … as TF1 gives."""
        key = name.lower()
        count = self.counters.get(key, 0)
        self.counters[key] = count + 1
        if not count:
            return name
        made = name
        while made.lower() in self.counters:
            made = f"{name}_{count}"
            count += 1
        self.counters[made.lower()] = 1
        self.counters[key] = count
        return made

    def _join(self, scopes: list[str | None], name: str | None) -> str | None:
        if name is None or any(s is None for s in scopes):
            return None
        return "/".join([*(s for s in scopes if s), name])

    def variable(self, name: str | None) -> str | None:
        """The full name of `tf.Variable(..., name=name)`; None where unknown."""
        full = self._join(self.name_scopes, name)
        return None if full is None else self.unique(full)

    def get_variable(self, name: str | None) -> str | None:
        """The full name of `tf.get_variable(name)`."""
        full = self._join(self.variable_scopes, name)
        if full is not None:
            self.counters.setdefault(full.lower(), 1)
        return full

    def enter_name_scope(self, name: str | None) -> None:
        """`with tf.name_scope(name)`: the last part is made unique within the scope around it."""
        if name is None or any(s is None for s in self.name_scopes):
            self.name_scopes.append(None)
            return
        around = "/".join(s for s in self.name_scopes if s)
        full = self.unique(f"{around}/{name}" if around else name)
        self.name_scopes.append(full[len(around) + 1 :] if around else full)

    def enter_variable_scope(self, name: str | None, reuse: object) -> None:
        """`with tf.variable_scope(name, reuse=reuse)`, which opens a name scope too."""
        self.variable_scopes.append(name)
        self.reuse.append(reuse if reuse is not None else (self.reuse[-1] if self.reuse else None))
        full = self._join(self.variable_scopes[:-1], name)
        if full is not None:  # unnamed layers are counted anew at each entry
            for key in [k for k in self.layer_counters if k[0] == full or k[0].startswith(full + "/")]:
                del self.layer_counters[key]
        self.enter_name_scope(name)

    def leave_name_scope(self) -> None:
        """The end of a `with tf.name_scope`."""
        self.name_scopes.pop()

    def leave_variable_scope(self) -> None:
        """The end of a `with tf.variable_scope`."""
        self.variable_scopes.pop()
        self.reuse.pop()
        self.leave_name_scope()

    def layer(self, base: str, name: str | None, given: bool) -> str | None:
        """The full scope of a layer: its given name, or the default one counted within the variable scope."""
        if given:
            return self._join(self.variable_scopes, name)
        if any(s is None for s in self.variable_scopes):
            return None
        around = "/".join(s for s in self.variable_scopes if s)
        count = self.layer_counters.get((around, base), 0)
        self.layer_counters[(around, base)] = count + 1
        made = base if not count else f"{base}_{count}"
        return f"{around}/{made}" if around else made

    def current(self) -> str | None:
        """The variable scope entered now."""
        return self._join(self.variable_scopes[:-1], self.variable_scopes[-1]) if self.variable_scopes else ""

    def name_prefix(self) -> str | None:
        """The name scope entered now, with a trailing slash, "" at the top, None where unknown."""
        if any(s is None for s in self.name_scopes):
            return None
        around = "/".join(s for s in self.name_scopes if s)
        return around + "/" if around else ""
