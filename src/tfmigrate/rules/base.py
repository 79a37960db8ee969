"""What a rule takes and gives. A rule rewrites one call (or a bare reference) of a TensorFlow 1 symbol.

Rules know nothing of graphs, sessions or scopes: the engine resolves the symbol, binds the arguments by TensorFlow
1.15's signature and places the result. Everything that makes variables, runs, saves or writes is the engine's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

import libcst as cst


@dataclass(frozen=True)
class Context:
    """Where the call stands: `tf` is the expression text that names the module tensorflow there (nearly always "tf").

    `fused` tells whether optimizers take the exact fused form (else plain Keras).
    """

    tf: str = "tf"
    fused: bool = True
    frozen: frozenset[str] = frozenset()  # source texts known to hold no variable: placeholders, constants


@dataclass(frozen=True)
class BoundCall:
    """A call of `symbol` ("nn.dropout", without "tensorflow."); `arguments` by 1.15's parameter names, in source order.

    Only passed arguments are there. Variadic positionals stand under their parameter's name as a cst.Tuple.
    """

    symbol: str
    arguments: Mapping[str, cst.BaseExpression]
    node: cst.Call

    def get(self, name: str) -> cst.BaseExpression | None:
        """The argument's expression, or None where it was not passed."""
        return self.arguments.get(name)


@dataclass(frozen=True)
class Rewritten:
    """A new expression. `notes` are (code, message) pairs for findings; `support` names generated files it needs."""

    expression: cst.BaseExpression
    notes: tuple[tuple[str, str], ...] = ()
    support: tuple[str, ...] = ()  # for instance ("fused_optimizers:Adam",)
    imports: tuple[str, ...] = ()  # statements, for instance ("from absl import flags",)


@dataclass(frozen=True)
class Refused:
    """The rule cannot keep the meaning: a code of `reasons` and the particulars."""

    code: str
    message: str


@dataclass(frozen=True)
class LayerForm:
    """A call that makes variables, split into the object made once and its call.

    `constructor` is the whole expression (`tf.keras.layers.Dense(10, name="fc")`); the layer is called with `inputs` by
    position and `keywords` by name. `base_name` is TF1's default scope name ("dense"), which TF1 makes unique;
    `name` the given name or scope. `weights` are (legacy suffix, attribute, trainable) in TF1's order of creation, for
    instance ("kernel", "kernel", True). `regularized` tells that a regularizer adds to the layer's losses;
    `activation` is an activation the engine wraps around the call where the constructor does not hold it.
    """

    constructor: cst.BaseExpression
    inputs: cst.BaseExpression
    base_name: str
    name: cst.BaseExpression | None = None
    keywords: Mapping[str, cst.BaseExpression] = field(default_factory=dict)
    weights: tuple[tuple[str, str, bool], ...] = ()
    updates: bool = False  # it has update ops (batch normalization), run only where the legacy program ran them
    regularized: bool = False
    activation: cst.BaseExpression | None = None
    support: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class OptimizerForm:
    """An optimizer: `class_text` ("Adam" of the generated fused_optimizers.py, or "tf.keras.optimizers.SGD"), its rate.

    The engine writes `class_text(learning_rate, **keywords)`: a rate that is a tensor of the step is assigned there.
    """

    class_text: str
    learning_rate: cst.BaseExpression
    keywords: Mapping[str, cst.BaseExpression] = field(default_factory=dict)
    support: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    slots: tuple[str, ...] = ()  # TF1's slot names, for instance ("Momentum",)


class Rule(ABC):
    """Base of all rules; a subclass in rules/<theme>/<verb_phrase>.py is found by walking the package.

    Its docstring says in a sentence what it does, shows before and after, and names the source of the semantics.
    """

    symbols: tuple[str, ...] = ()

    @abstractmethod
    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused | LayerForm | OptimizerForm:
        """The call's new form."""

    def reference(self, symbol: str, context: Context) -> Rewritten | Refused | None:
        """The new form of a bare reference (`activation=tf.nn.dropout`); None where the rule has none."""
        return None
