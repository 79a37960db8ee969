"""Imports of the result: the name of tensorflow, what is gone, what is new."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.output import Output

LONGEST = 100  # characters of an import on one line


def alias(module: cst.Module) -> str | None:
    """The name that the module gives to tensorflow, None where it imports only parts of it."""
    finder = _Alias()
    module.visit(finder)
    return finder.name


class _Alias(cst.CSTVisitor):
    def __init__(self) -> None:
        super().__init__()
        self.name: str | None = None

    def visit_Import(self, node: cst.Import) -> None:
        for item in node.names:
            text = nodes.code(item.name)
            if text in ("tensorflow", "tensorflow.compat.v1"):
                if item.asname is not None and isinstance(item.asname.name, cst.Name):
                    self.name = self.name or item.asname.name.value
                elif text == "tensorflow":
                    self.name = self.name or "tensorflow"


def tidy(module: cst.Module, path: str, output: Output, tf: str) -> cst.Module:
    """Drop imports of what TensorFlow 2 lacks, add what the result needs."""
    visited = module.visit(_Tidy(path, output, tf))
    assert isinstance(visited, cst.Module)
    wanted = list(output.imports.get(path, {}))
    text = visited.code
    if alias(module) is None and (f"{tf}." in text):
        wanted.insert(0, "import tensorflow as tf")
    present = {nodes.code(s).strip() for s in visited.body}
    new = [w for w in _merged(wanted) if w not in present]
    if not new:
        return visited
    body: list[Any] = list(visited.body)
    index = _last_import(body)
    third = [
        w for w in new if not w.startswith(("from fused_", "from legacy_", "from replicas import", "import input_data"))
    ]
    local = [w for w in new if w not in third]
    made: list[Any] = [nodes.statements(w + "\n")[0] for w in third]
    follows = index > 0 and not third and "import input_data" in nodes.code(body[index - 1])
    for position, line in enumerate(local):
        statement = nodes.statements(line + "\n")[0]
        made.append(nodes.blank_lines(statement, 1) if position == 0 and not follows else statement)
    if made and index < len(body) and not body[index].leading_lines:
        body[index] = nodes.blank_lines(body[index], 1)
    body[index:index] = made
    return visited.with_changes(body=body)


def _merged(wanted: list[str]) -> list[str]:
    groups: dict[str, list[str]] = {}
    plain: list[str] = []
    for line in wanted:
        if line.startswith("from ") and " import " in line:
            module, _, name = line[5:].partition(" import ")
            groups.setdefault(module, []).append(name)
        else:
            plain.append(line)
    return plain + [_from(module, sorted(set(names))) for module, names in sorted(groups.items())]


def _from(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= LONGEST:
        return line
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in names) + ")"


def _last_import(body: Sequence[cst.CSTNode]) -> int:
    index, last = 0, 0
    for index, node in enumerate(body):
        if isinstance(node, cst.SimpleStatementLine) and any(
            isinstance(s, (cst.Import, cst.ImportFrom)) for s in node.body
        ):
            last = index + 1
        elif (
            isinstance(node, cst.SimpleStatementLine)
            and isinstance(node.body[0], cst.Expr)
            and isinstance(node.body[0].value, (cst.SimpleString, cst.ConcatenatedString))
        ):
            last = max(last, index + 1) if index == 0 else last
        elif last and isinstance(node, cst.BaseCompoundStatement):
            break
    return last


class _Tidy(cst.CSTTransformer):
    def __init__(self, path: str, output: Output, tf: str) -> None:
        super().__init__()
        self.path, self.output, self.tf = path, output, tf

    def leave_ImportFrom(
        self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom
    ) -> cst.BaseSmallStatement | cst.RemovalSentinel:
        module = nodes.code(updated_node.module) if updated_node.module is not None else ""
        if updated_node.relative or module.split(".")[0] != "tensorflow":
            return updated_node
        names = (
            [nodes.code(a.name) for a in updated_node.names]
            if not isinstance(updated_node.names, cst.ImportStar)
            else []
        )
        if "input_data" in names:
            self.output.support.setdefault("input_data", set()).add("")
            item = next(a for a in updated_node.names if nodes.code(a.name) == "input_data")  # type: ignore[union-attr]
            named = self.output.module("input_data")
            asname = (
                f" as {nodes.code(item.asname.name)}"
                if item.asname is not None
                else ("" if named == "input_data" else " as input_data")
            )
            return cst.parse_statement(f"import {named}{asname}\n").body[0]  # type: ignore[index]
        if module.endswith("learn.datasets.base") and set(names) <= {"Datasets"}:
            self.output.support.setdefault("input_data", set()).add("")
            return updated_node.with_changes(module=cst.Name(self.output.module("input_data")))
        if module.endswith(("datasets.mnist", "tutorials.mnist.input_data")) and set(names) <= {
            "read_data_sets",
            "DataSet",
        }:
            self.output.support.setdefault("input_data", set()).add("")
            return updated_node.with_changes(module=cst.Name(self.output.module("input_data")))
        return cst.RemovalSentinel.REMOVE

    def leave_Import(
        self, original_node: cst.Import, updated_node: cst.Import
    ) -> cst.BaseSmallStatement | cst.RemovalSentinel:
        kept: list[cst.ImportAlias] = []
        changed = False
        for item in updated_node.names:
            text = nodes.code(item.name)
            if text.startswith("tensorflow.examples.tutorials.mnist.input_data"):
                self.output.support.setdefault("input_data", set()).add("")
                kept.append(item.with_changes(name=cst.Name(self.output.module("input_data"))))
                changed = True
            elif text == "tensorflow.compat.v1":
                kept.append(item.with_changes(name=cst.Name("tensorflow")))
                changed = True
            elif text.startswith("tensorflow."):
                changed = True
            else:
                kept.append(item)
        if not changed:
            return updated_node
        if not kept:
            return cst.RemovalSentinel.REMOVE
        kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return updated_node.with_changes(names=kept)
