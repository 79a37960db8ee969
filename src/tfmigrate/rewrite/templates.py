"""The files that converted programs import, rendered from `templates/code` with just the parts that a program needs.

A first line `{# parts: Adam, Ftrl #}` names a template's parts. A wheel install has the templates inside the package,
an editable one at the root of the repository.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import lru_cache
from pathlib import Path

import jinja2

from tfmigrate.errors import InternalError
from tfmigrate.model import Strategy, Support

PACKAGE = Path(__file__).resolve().parents[1]
_PARTS = re.compile(r"\{# parts:([\w, ]*)#\}\n")

_STRATEGY_LINES = {
    Strategy.NONE: (),
    Strategy.DEFAULT: ("strategy = {tf}.distribute.get_strategy()",),
    Strategy.MIRRORED: ("strategy = {tf}.distribute.MirroredStrategy()",),
    Strategy.MULTIWORKER: (
        "strategy = {tf}.distribute.MultiWorkerMirroredStrategy()  # reads TF_CONFIG; must be made before any op runs",
    ),
    Strategy.TPU: (
        'resolver = {tf}.distribute.cluster_resolver.TPUClusterResolver("")  # address in TPU_NAME, or a local TPU',
        "{tf}.config.experimental_connect_to_cluster(resolver)",
        "{tf}.tpu.experimental.initialize_tpu_system(resolver)",
        "strategy = {tf}.distribute.TPUStrategy(resolver)",
    ),
}


def template_folder(package: Path = PACKAGE) -> Path:
    """The folder `templates`: inside the package (wheel), else at the repository's root (editable install)."""
    for folder in (package / "templates", package.parents[1] / "templates"):
        if (folder / "code").is_dir():
            return folder
    raise InternalError(f"the templates of tfmigrate are missing: neither in {package} nor beside its source")


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(template_folder() / "code"),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # the output is Python, not HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


@lru_cache(maxsize=64)
def _source(name: str) -> str:
    environment = _environment()
    assert environment.loader is not None
    try:
        return environment.loader.get_source(environment, f"{name}.py.j2")[0]
    except jinja2.TemplateNotFound:
        raise InternalError(f"there is no template {name}.py.j2") from None


def parts_of(name: str) -> tuple[str, ...]:
    """The parts that the template `name` ("fused_optimizers") can give, in its order."""
    match = _PARTS.match(_source(name))
    if match is None:
        raise InternalError(f"the template {name}.py.j2 does not name its parts in its first line")
    return tuple(part.strip() for part in match[1].split(",") if part.strip())


def names() -> tuple[str, ...]:
    """The names of all templates."""
    return tuple(sorted(path.name.removesuffix(".py.j2") for path in (template_folder() / "code").glob("*.py.j2")))


def render(name: str, parts: Collection[str] = ()) -> str:
    """The Python source of the support file `name` with these parts (all where none are given).

    Raises:
        InternalError: There is no such template, or it has no such part.
    """
    known = parts_of(name)
    if unknown := sorted(set(parts) - set(known)):
        raise InternalError(f"the template {name}.py.j2 has no part {', '.join(unknown)}")
    return _environment().get_template(f"{name}.py.j2").render(parts=frozenset(parts or known)).lstrip("\n")


def support_files(requests: Iterable[str], folder: str = "") -> tuple[Support, ...]:
    """The files that rules and the engine asked for, as "fused_optimizers:Adam" or "input_data", each once.

    `folder` is the relative folder of the program that imports them ("" or "pkg/models").
    """
    wanted: defaultdict[str, set[str]] = defaultdict(set)
    for request in requests:
        name, _, part = request.partition(":")
        wanted[name].update({part} if part else parts_of(name))
    prefix = f"{folder.strip('/')}/" if folder.strip("/") else ""
    return tuple(Support(f"{prefix}{name}.py", render(name, parts)) for name, parts in sorted(wanted.items()))


def strategy_lines(strategy: Strategy, tf: str = "tf") -> tuple[str, ...]:
    """The statements that make `strategy` in a converted program; none for Strategy.NONE. `tf` names the module."""
    return tuple(line.format(tf=tf) for line in _STRATEGY_LINES[strategy])
