"""The loader: templates are found in both kinds of install, and every set of parts gives clean Python."""

from __future__ import annotations

import ast
import builtins
import itertools
import re
import symtable
from pathlib import Path

import pytest

from tfmigrate.errors import InternalError
from tfmigrate.rewrite import templates

CASES = [(name, ()) for name in templates.names()] + [
    (name, (part,)) for name in templates.names() for part in templates.parts_of(name)
]


def test_a_wheel_holds_the_templates_inside_the_package(tmp_path: Path) -> None:
    inside = tmp_path / "site-packages" / "tfmigrate"
    (inside / "templates" / "code").mkdir(parents=True)
    assert templates.template_folder(inside) == inside / "templates"


def test_an_editable_install_finds_them_at_the_root(tmp_path: Path) -> None:
    (tmp_path / "templates" / "code").mkdir(parents=True)
    package = tmp_path / "src" / "tfmigrate"
    assert templates.template_folder(package) == tmp_path / "templates"


def test_missing_templates_are_our_own_fault(tmp_path: Path) -> None:
    with pytest.raises(InternalError, match="missing"):
        templates.template_folder(tmp_path / "a" / "b")


@pytest.mark.parametrize(("name", "parts"), CASES)
def test_rendered_files_are_clean_python(name: str, parts: tuple[str, ...]) -> None:
    text = templates.render(name, parts)
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "a generated file says what it is"
    assert text.startswith('"""')
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert not re.search(r"\n{4,}|[ \t]\n|\{[%#{]", text), "blank lines or template marks are left over"
    assert max(map(len, text.splitlines())) <= 120
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    imported = {(alias.asname or alias.name).split(".")[0] for node in imports for alias in node.names}
    assert imported <= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}, "an import is not used"
    assert "tfmigrate" not in imported


@pytest.mark.parametrize(("name", "parts"), CASES)
def test_rendered_files_define_every_name_they_use(name: str, parts: tuple[str, ...]) -> None:
    table = symtable.symtable(templates.render(name, parts), name, "exec")
    defined = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}

    def free(scope: symtable.SymbolTable) -> set[str]:
        here = {s.get_name() for s in scope.get_symbols() if s.is_global() and s.is_referenced()}
        return here.union(*map(free, scope.get_children()))

    assert free(table) - defined - set(dir(builtins)) - {"__file__", "__name__"} == set()


def test_parts_are_left_out() -> None:
    text = templates.render("fused_optimizers", ["Adagrad"])
    classes = {node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef)}
    assert classes == {"FusedOptimizer", "Adagrad"}


def test_all_parts_together_hold_each_part_once() -> None:
    text = templates.render("fused_optimizers")
    classes = [node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    assert classes == ["FusedOptimizer", *templates.parts_of("fused_optimizers")]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InternalError, match=r"no part Lion"):
        templates.render("fused_optimizers", ["Adam", "Lion"])
    with pytest.raises(InternalError, match=r"no template nothing"):
        templates.render("nothing")


def test_requests_are_gathered_into_files() -> None:
    requests = ["fused_optimizers:Adam", "fused_optimizers:Ftrl", "fused_optimizers:Adam"]
    (support,) = templates.support_files(requests, "models/")
    assert support.path == "models/fused_optimizers.py"
    assert support.text == templates.render("fused_optimizers", ["Ftrl", "Adam"])
    assert templates.support_files(itertools.chain()) == ()
