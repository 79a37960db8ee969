"""Lookup tables: of a vocabulary, or of an initializer."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import call, fill, is_none, literal

_REFUSED = "TFM204"


class FillTablesByVocabulary(Rule):
    """Fills a static table with a vocabulary: a named or written-out list, or a file; buckets take other words.

    before  tf.contrib.lookup.index_table_from_tensor(keys)
    after   tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, tf.range(tf.size(keys, tf.int64))), -1)

    Source: tensorflow/python/ops/lookup_ops.py (1.15), `index_table_from_tensor`, `index_table_from_file` and their
    likes.
    """

    symbols = (
        "contrib.lookup.index_table_from_tensor",
        "contrib.lookup.index_to_string_table_from_tensor",
        "contrib.lookup.index_table_from_file",
        "contrib.lookup.index_to_string_table_from_file",
    )

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        keyed = "index_to_string" not in call_.symbol
        if call_.symbol.endswith("from_file"):
            initializer = _of_file(call_, context, keyed)
        else:
            initializer = _of_words(call_, context, keyed)
        return initializer if isinstance(initializer, Refused) else _table(call_, context, initializer, keyed)


class FillTablesByInitializer(Rule):
    """A hash table of TensorFlow 1 is static: `tf.lookup.StaticHashTable`.

    before  tf.contrib.lookup.HashTable(initializer, -1)
    after   tf.lookup.StaticHashTable(initializer, -1)

    Source: tensorflow/python/ops/lookup_ops.py (1.15), `StaticHashTableV1`.
    """

    symbols = (
        "contrib.lookup.HashTable",
        "lookup.StaticHashTable",
        "lookup.KeyValueTensorInitializer",
    )

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        given = {name: value for name, value in call_.arguments.items() if name not in ("name", "shared_name")}
        if call_.symbol.endswith("KeyValueTensorInitializer"):
            positional = [given.pop(name) for name in ("keys", "values") if name in given]
            return Rewritten(call(f"{context.tf}.lookup.KeyValueTensorInitializer", *positional, **given))
        if set(given) != {"initializer", "default_value"}:
            return Refused(_REFUSED, f"tf.{call_.symbol} in this form")
        made = call(f"{context.tf}.lookup.StaticHashTable", given["initializer"], given["default_value"])
        return Rewritten(made)


def _of_words(call_: BoundCall, context: Context, keyed: bool) -> cst.BaseExpression | Refused:
    words = call_.get("mapping") or call_.get("vocabulary_list")
    if words is None or any(name in call_.arguments for name in ("hasher_spec", "dtype")):
        return Refused(_REFUSED, f"tf.{call_.symbol} with a hash or a dtype of its own")
    numbers = _numbers(words, context)
    if numbers is None:
        return Refused(_REFUSED, f"tf.{call_.symbol} with a vocabulary that is computed in the call")
    pair = (words, numbers) if keyed else (numbers, words)
    return call(f"{context.tf}.lookup.KeyValueTensorInitializer", *pair)


def _of_file(call_: BoundCall, context: Context, keyed: bool) -> cst.BaseExpression | Refused:
    known = {"vocabulary_file", "num_oov_buckets", "vocab_size", "default_value", "name"}
    if set(call_.arguments) - known or "vocabulary_file" not in call_.arguments:
        return Refused(_REFUSED, f"tf.{call_.symbol} with columns, a hash or a dtype of its own")
    word = [fill(text, TF=context.tf) for text in ("TF.string", "TF.lookup.TextFileIndex.WHOLE_LINE")]
    number = [fill(text, TF=context.tf) for text in ("TF.int64", "TF.lookup.TextFileIndex.LINE_NUMBER")]
    size = call_.get("vocab_size")
    return call(
        f"{context.tf}.lookup.TextFileInitializer",
        call_.arguments["vocabulary_file"],
        *(word + number if keyed else number + word),
        vocab_size=None if is_none(size) else size,
    )


def _table(call_: BoundCall, context: Context, initializer: cst.BaseExpression, keyed: bool) -> Rewritten | Refused:
    """The table; with buckets TensorFlow 1 takes the default value as the sign of a word that it does not hold."""
    buckets, default = call_.get("num_oov_buckets"), call_.get("default_value")
    if buckets is not None and literal(buckets) != 0:
        if not isinstance(literal(buckets), int) or (default is not None and literal(default) != -1):
            return Refused(_REFUSED, f"tf.{call_.symbol} with buckets that are not written out, or with a default")
        return Rewritten(call(f"{context.tf}.lookup.StaticVocabularyTable", initializer, buckets))
    if default is None:
        default = cst.parse_expression("-1" if keyed else '"UNK"')
    return Rewritten(call(f"{context.tf}.lookup.StaticHashTable", initializer, default))


def _numbers(words: cst.BaseExpression, context: Context) -> cst.BaseExpression | None:
    """The numbers of the words; None where naming them would compute them twice."""
    if isinstance(words, (cst.List, cst.Tuple)) and not any(isinstance(e, cst.StarredElement) for e in words.elements):
        return fill("TF.range(COUNT, dtype=TF.int64)", TF=context.tf, COUNT=cst.Integer(str(len(words.elements))))
    if isinstance(words, (cst.Name, cst.Attribute)):
        return fill("TF.range(TF.size(WORDS, TF.int64))", TF=context.tf, WORDS=words)
    return None
