"""The one readable function: sources, analysis, plan, rewrite, check."""

from __future__ import annotations

import posixpath
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field

import libcst as cst

from tfmigrate.analysis.facts import Facts
from tfmigrate.analysis.growth import growth
from tfmigrate.analysis.interpreter import Interpreter
from tfmigrate.analysis.legacy_usage import legacy_usage
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.refusal import Refusal
from tfmigrate.deep import deeply
from tfmigrate.model import (
    Conversion,
    FileResult,
    Finding,
    Options,
    Place,
    Program,
    Severity,
    SignatureChange,
    SourceFile,
    SourceTree,
    Status,
    Support,
)
from tfmigrate.plan.attributes import localize
from tfmigrate.plan.chosen_by_callers import choose_by_callers
from tfmigrate.plan.chosen_in_loops import choose_in_loops
from tfmigrate.plan.feeds import name_feeds
from tfmigrate.plan.gradient_targets import name_targets
from tfmigrate.plan.host_attributes import name_attributes
from tfmigrate.plan.inlining import inline
from tfmigrate.plan.iterator_sessions import check_sessions
from tfmigrate.plan.keeping import refuse_kept
from tfmigrate.plan.own_collections import make_lists
from tfmigrate.plan.parallel import set_apart
from tfmigrate.plan.planner import Planner
from tfmigrate.plan.programs import Component, components, mentions_tensorflow
from tfmigrate.plan.queues.rounds import InputQueues
from tfmigrate.plan.split_names import split_names
from tfmigrate.rewrite.invariants import violations
from tfmigrate.rewrite.sites_found import run_sites, variable_pairs
from tfmigrate.rewrite.templates import render
from tfmigrate.rewrite.writer import Writer

ROUNDS = 24
ENOUGH = 6  # entries of one component that are looked at once it is known to be refused


@dataclass
class _Outcome:
    """What became of one component of connected files."""

    status: Status
    findings: list[Finding] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    support: dict[tuple[str, str, str], set[str]] = field(default_factory=dict)  # (folder, file, template) -> parts
    programs: list[Program] = field(default_factory=list)
    signatures: list[SignatureChange] = field(default_factory=list)


def convert(tree: SourceTree, options: Options, progress: Callable[[str], None] | None = None) -> Conversion:
    """Convert a tree: each program natively or not at all; the sources are never touched."""
    return deeply(lambda: _convert(tree, options, progress))


def _convert(tree: SourceTree, options: Options, progress: Callable[[str], None] | None) -> Conversion:
    project = Project(tree)
    results: dict[str, FileResult] = {f.path: _untouched(f) for f in tree.files}
    programs: list[Program] = []
    support: dict[tuple[str, str, str], set[str]] = {}
    signatures: list[SignatureChange] = []
    for component in components(tree, project):
        if progress is not None:
            progress(component.files[0])
        outcome = _component(component, project, options)
        programs.extend(outcome.programs)
        if outcome.status is Status.NATIVE:
            signatures.extend(outcome.signatures)
        for key, parts in outcome.support.items():
            support.setdefault(key, set()).update(parts)
        for path in component.files:
            results[path] = _result(tree, path, outcome, component)
        if outcome.status is Status.NATIVE:
            results.update((path, _library(tree, path, results[path])) for path in component.libraries)
        project.forget(component.files)
    return Conversion(
        tree,
        options,
        tuple(results[f.path] for f in tree.files),
        tuple(programs),
        tuple(
            Support(posixpath.join(folder, name + ".py"), render(template, parts))
            for (folder, name, template), parts in sorted(support.items())
        ),
        tuple(signatures),
    )


def check(tree: SourceTree) -> tuple[Finding, ...]:
    """What is TensorFlow 1, and what grows the graph; nothing is written."""
    return deeply(lambda: _check(tree))


def _check(tree: SourceTree) -> tuple[Finding, ...]:
    project = Project(tree)
    found: dict[tuple[str, str], Finding] = {}
    for file in tree.files:
        if file.problem is not None:
            found[(file.problem.code, str(file.problem.place))] = file.problem
        elif file.text is not None:
            found.update(((f.code, str(f.place)), f) for f in legacy_usage(file.path, file.text))
            if file.note is not None and mentions_tensorflow(file.text):
                found[(file.note.code, str(file.note.place))] = file.note
    for component in components(tree, project):
        for entry in component.entries:
            for finding in _checked(project, entry):
                found.setdefault((finding.code, str(finding.place)), finding)
        project.forget(component.files)
    return tuple(sorted(found.values(), key=lambda f: (f.place.path, f.place.line, f.place.column)))


def _checked(project: Project, entry: str) -> list[Finding]:
    try:
        facts = Interpreter(project).run(entry)
        return [*growth(facts, project), *facts.refusals]
    except (RecursionError, MemoryError, cst.ParserSyntaxError):
        return [_too_deep(entry)]
    except Refusal as refusal:
        place = project.locate(refusal.node) or Place(entry, 1, 1)
        return [Finding(refusal.code, Severity.ERROR, place, refusal.message)]
    except Exception as error:  # our own fault: reported as such, the other programs go on
        return [_internal(entry, error)]


def _untouched(file: SourceFile) -> FileResult:
    if file.problem is not None:
        return FileResult(file.path, Status.REFUSED, findings=(file.problem,))
    return FileResult(file.path, Status.UNCHANGED)


def _library(tree: SourceTree, path: str, result: FileResult) -> FileResult:
    """A file that a converted program imports: in Python 3, as the program is, else as it was."""
    source = tree.file(path)
    if source is None or source.note is None:
        return result
    return FileResult(path, Status.NATIVE, source.text, result.program, (source.note,))


def _result(tree: SourceTree, path: str, outcome: _Outcome, component: Component) -> FileResult:
    findings = tuple(f for f in outcome.findings if f.place.path == path)
    text = outcome.texts.get(path)
    source = tree.file(path)
    assert source is not None
    assert source.text is not None
    if outcome.status is Status.NATIVE and source.note is not None:
        return FileResult(
            path, Status.NATIVE, source.text if text is None else text, component.id, (source.note, *findings)
        )
    if outcome.status is Status.NATIVE and text == source.text and not mentions_tensorflow(source.text):
        return FileResult(path, Status.UNCHANGED, program=component.id)
    if outcome.status is not Status.NATIVE and not findings:
        first = next((f for f in outcome.findings if f.severity is Severity.ERROR), None)
        if not mentions_tensorflow(source.text):
            return FileResult(path, Status.UNCHANGED, program=component.id)
        if first is not None:
            findings = (
                Finding(first.code, first.severity, Place(path, 1, 1), f"connected to {first.place}: {first.message}"),
            )
    return FileResult(path, outcome.status, text if outcome.status is Status.NATIVE else None, component.id, findings)


def _component(component: Component, project: Project, options: Options) -> _Outcome:
    outcome = _Outcome(Status.NATIVE)
    try:
        for count, entry in enumerate(component.entries):
            if count >= ENOUGH and any(f.severity is Severity.ERROR for f in outcome.findings):
                break  # refused already: dozens of further entries of one tangle would only add to its reasons
            _entry(component, entry, project, options, outcome)
    except (RecursionError, MemoryError, cst.ParserSyntaxError):
        return _Outcome(Status.REFUSED, [_too_deep(entry)])
    except Refusal as refusal:
        place = project.locate(refusal.node) or Place(entry, 1, 1)
        return _Outcome(Status.REFUSED, [Finding(refusal.code, Severity.ERROR, place, refusal.message)])
    except Exception as error:  # our own fault: the files are copied unchanged and the user is told
        return _Outcome(Status.FAILED, [_internal(component.entries[0], error)])
    if any(f.severity is Severity.ERROR for f in outcome.findings):
        outcome.status = Status.REFUSED
        outcome.support = {}
    outcome.programs = [_with_status(p, outcome.status) for p in outcome.programs]
    return outcome


def _with_status(program: Program, status: Status) -> Program:
    return Program(program.id, program.entry, program.files, status, program.sites, program.variables, program.packages)


def _entry(component: Component, entry: str, project: Project, options: Options, outcome: _Outcome) -> None:
    """One program: interpreted, planned and, where nothing speaks against it, written."""
    project = project.fork()
    queues = InputQueues(project)
    for count in range(ROUNDS):
        interpreter = Interpreter(project)
        facts = interpreter.run(entry)
        if count < ROUNDS // 2 and (
            set_apart(project, facts)
            or localize(project, facts)
            or name_feeds(project, facts)
            or name_attributes(project, facts)
            or name_targets(project, facts)
            or choose_in_loops(project, facts)
            or choose_by_callers(project, facts)
        ):
            continue
        if queues.rewrite(facts, interpreter.modules):
            continue
        planner = Planner(facts, entry, _locator(project), options)
        plan = planner.run()
        inlined = bool(plan.unsplit) and inline(project, facts, interpreter.modules, plan.unsplit)
        if not inlined and not make_lists(project, facts) and not split_names(project, facts, plan.rebound):
            break
    refuse_kept(project, facts, planner)
    queues.tell(plan)
    check_sessions(plan, facts, planner.bindings)
    findings = [*plan.refusals, *growth(facts, project)]
    files = tuple(sorted({s.path for s in facts.scopes.values() if s.is_module}))
    texts: dict[str, str] = {}
    if not plan.refusals:
        writer = Writer(project, facts, planner, options)
        writer.output.taken = _modules_beside(project, entry)
        writer.write()
        outcome.signatures.extend(s for s in writer.output.signatures if s not in outcome.signatures)
        findings = [*plan.notes, *writer.output.refusals, *writer.output.notes, *growth(facts, project)]
        texts = writer.texts
        if not writer.output.refusals:
            findings += violations(project, texts, facts)
        for module, parts in writer.output.support.items():
            key = (posixpath.dirname(entry), writer.output.module(module), module)
            outcome.support.setdefault(key, set()).update(p for p in parts if p)
        packages = tuple(sorted(writer.output.packages))
    else:
        packages = ()
    for path, text in texts.items():
        if outcome.texts.get(path, text) != text:
            findings.append(
                Finding(
                    "TFM150",
                    Severity.ERROR,
                    Place(path, 1, 1),
                    "two programs share this file and need different forms of it",
                )
            )
        outcome.texts[path] = text
    outcome.findings = list(dict.fromkeys([*outcome.findings, *findings]))
    outcome.programs.append(
        Program(
            component.id,
            entry,
            files,
            Status.NATIVE,
            run_sites(facts, plan, project),
            variable_pairs(facts, plan),
            packages,
        )
    )


def _modules_beside(project: Project, entry: str) -> frozenset[str]:
    """The names of the tree's modules in the entry's folder."""
    folder = posixpath.dirname(entry)
    return frozenset(
        posixpath.basename(p)[:-3] for p in project.paths if posixpath.dirname(p) == folder and p.endswith(".py")
    )


def _locator(project: Project) -> Callable[[cst.CSTNode], Place]:
    def locate(node: cst.CSTNode) -> Place:
        return project.locate(node) or Place(next(iter(project.positions), ""), 1, 1)

    return locate


def _too_deep(path: str) -> Finding:
    return Finding("TFM008", Severity.ERROR, Place(path, 1, 1), "this program nests deeper than the conversion goes")


def _internal(path: str, error: Exception) -> Finding:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    name = frame.filename.rsplit("/", 1)[-1]
    return Finding(
        "TFM900",
        Severity.ERROR,
        Place(path, 1, 1),
        f"internal error: {type(error).__name__}: {error} ({name}:{frame.lineno})",
    )


__all__ = ["Facts", "check", "convert"]
