"""The report as one self-contained HTML page: no network, no fonts, no images; it works without its script too.

A content security policy with the hashes of the page's own style and script keeps everything else from loading or
running, should a source text ever get past the escaping. Templates stand in `templates/report`.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import jinja2
from markupsafe import Markup

from tfmigrate.model import Conversion
from tfmigrate.report import shape
from tfmigrate.report.view import ProgramCard, SourcePair, View
from tfmigrate.report.visible import visible
from tfmigrate.rewrite.templates import template_folder
from tfmigrate.verify.results import ScriptReport

LARGEST = 950_000  # bytes a page may have before detail is left out, step by step
OPEN_DIFFS = 2  # with at most this many programs their diffs are open from the start
_LINE_START = re.compile(r"\n\s+")


@dataclass(frozen=True)
class Limits:
    """How much detail a page holds. `left_out` says in words what a smaller page does not have."""

    context: bool = True
    coloured: bool = True
    settled: bool = True  # diffs and tables of points of programs that are verified
    comparisons: int = 200
    variables: int = 200
    left_out: str = ""


_LEVELS = (
    Limits(),
    Limits(context=False, left_out="the unchanged lines of the sources"),
    Limits(False, False, True, 20, 20, "the unchanged lines of the sources, their colours, and long tables"),
    Limits(False, False, False, 8, 8, "the diffs of verified programs, tables of points, and long tables"),
)


def render(
    conversion: Conversion | None,
    reports: Sequence[ScriptReport],
    *,
    sources: Sequence[SourcePair] = (),
    title: str = "tfmigrate report",
) -> str:
    """The page. Where it would grow beyond `LARGEST` bytes, detail is left out and the page says so."""
    page = ""
    for limits in _LEVELS:
        view = shape.view(conversion, reports, sources=sources, title=title, coloured=limits.coloured)
        page = page_of(view, limits)
        if len(page.encode()) <= LARGEST:
            break
    return page


def page_of(view: View, limits: Limits) -> str:
    """The view laid out."""
    environment = _environment()
    style, script = _asset("style.css.j2"), _asset("script.js.j2")
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    )
    return environment.get_template("page.html.j2").render(
        view=view,
        limits=limits,
        omitted=limits.left_out,
        open_diffs=len(view.programs) <= OPEN_DIFFS,
        style=Markup(style),
        script=Markup(script),
        policy=policy,
        placed=view.placed if limits.settled else shape.placed(c for c in view.programs if not _settled(c)),
    )


def _settled(card: ProgramCard) -> bool:
    return card.verdict is not None and card.verdict.key == "verified"


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template_folder() / "report"),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    environment.filters["n"] = _number
    return environment


@lru_cache(maxsize=4)
def _asset(name: str) -> str:
    """A style sheet or script, with indentation and comments of whole lines taken off."""
    text = (template_folder() / "report" / name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("//")]
    return _LINE_START.sub("\n", "\n".join(lines)).strip()


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _number(value: float) -> str:
    """A coordinate with as many digits as a screen can show."""
    return f"{value:.1f}".removesuffix(".0")
