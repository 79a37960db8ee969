"""Break converted programs on purpose and count what the verification catches.

    python tests/mutation/run.py [--only WORD] [--kept FOLDER] [--out docs/mutation.md] [--jobs N]

Each legacy program is run once, under TensorFlow 1.15 where it is installed, and kept as a golden trace; each mutant is
verified against that trace with default settings. Exit code 1 where fewer than 95 % of the breaks are caught, or an
equivalent change or the unchanged conversion is not verified.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutation import table
from mutation.mutants import Mutant, Subject
from mutation.of_reports import SUBJECTS as OF_REPORTS
from mutation.of_samples import SUBJECTS as OF_SAMPLES
from mutation.outcome import Outcome

from tfmigrate import pipeline
from tfmigrate.cli.inputs import read_all
from tfmigrate.model import Options, Program, Status
from tfmigrate.verify.results import ScriptReport, Verdict
from tfmigrate.verify.verification import verify_pair

SUBJECTS = OF_REPORTS + OF_SAMPLES
ENOUGH = 0.95
UNCHANGED = Mutant("(unchanged)", "", "", equivalent="the conversion as it is")


@dataclass(frozen=True)
class Converted:
    """A program's conversion: its files by name and its analysis."""

    subject: Subject
    texts: dict[str, str]
    program: Program

    @property
    def entry(self) -> str:
        return self.subject.path.name


def convert(subject: Subject) -> Converted:
    """Convert a program on its own."""
    (tree,) = read_all([subject.path])
    done = pipeline.convert(tree, Options())
    (program,) = done.programs
    assert program.status is Status.NATIVE, f"{subject.path.name} is not converted: {program.status.value}"
    texts = {file.path: file.output or "" for file in done.files} | {s.path: s.text for s in done.support}
    return Converted(subject, texts, program)


def trace(subject: Subject, folder: Path) -> Path:
    """Where the legacy run is kept: under the program's hash, so that no trace outlives a change of its program."""
    digest = hashlib.sha256(subject.path.read_bytes()).hexdigest()[:8]
    return folder / f"{subject.path.stem}-{digest}.zip"


def record(converted: Converted, folder: Path, python: Path | None = None) -> Path:
    """The legacy run, kept in `folder`; taken from there where it was kept before."""
    file = trace(converted.subject, folder)
    if not file.is_file():
        after = write(converted.texts, folder / f"{converted.subject.path.stem}-converted")
        report = verify_pair(
            converted.subject.path.parent,
            after,
            converted.entry,
            conversion=converted.program,
            timing=False,
            record=file,
            python=python,
        )
        assert report.verdict is Verdict.VERIFIED, f"{converted.entry}: {report.verdict.value}: {report.reason}"
    return file


def judge(converted: Converted, mutant: Mutant, golden: Path, python: Path | None = None) -> ScriptReport:
    """Verify the program with one break, by a kept legacy run."""
    texts = converted.texts if mutant is UNCHANGED else mutant.apply(converted.texts, converted.entry)
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        after = write(texts, Path(folder) / "after")
        return verify_pair(
            None, after, converted.entry, conversion=converted.program, timing=False, golden=golden, python=python
        )


def write(texts: dict[str, str], folder: Path) -> Path:
    """The files of a converted program in a new folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def outcomes(subject: Subject, kept: Path) -> list[Outcome]:
    """What the verification says of a program's conversion and of each of its mutants."""
    converted = convert(subject)
    for mutant in subject.mutants:
        mutant.apply(converted.texts, converted.entry)  # an anchor that is gone is told before anything runs
    golden = record(converted, kept)
    done = _Done(kept / f"{subject.path.stem}.json")
    found = []
    for mutant in (UNCHANGED, *subject.mutants):
        begun = time.monotonic()
        told = done.get(mutant)
        if told is None:
            report = judge(converted, mutant, golden)
            told = [report.verdict.value, report.reason, time.monotonic() - begun]
            done.put(mutant, told)
        one = Outcome(subject, mutant, Verdict(told[0]), told[1], told[2])
        print(
            f"{one.word:9} {one.seconds:5.1f} s  {subject.path.stem}: {mutant.kind}: {told[0]}: {one.reason}",
            flush=True,
        )
        found.append(one)
    return found


class _Done:
    """The verdicts of one program that an interrupted run came to."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._told: dict[str, Any] = json.loads(file.read_text()) if file.is_file() else {}

    def get(self, mutant: Mutant) -> Any:
        return self._told.get(mutant.words)

    def put(self, mutant: Mutant, told: Any) -> None:
        self._told[mutant.words] = told
        self._file.write_text(json.dumps(self._told, indent=1))


def main() -> int:
    """Run all of them and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", default="", help="programs whose name has this word")
    parser.add_argument("--kept", type=Path, help="a folder for legacy runs and verdicts: an interrupted run goes on")
    parser.add_argument("--out", type=Path, help="the table's file")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    chosen = [s for s in SUBJECTS if options.only in s.path.stem]
    with tempfile.TemporaryDirectory(prefix="mutation-") as scratch:
        kept = options.kept or Path(scratch)
        kept.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(options.jobs) as pool:
            found = [one for each in pool.map(lambda s: outcomes(s, kept), chosen) for one in each]
    if options.out is not None:
        options.out.write_text(table.render(found), encoding="utf-8")
    print(table.summary(found))
    caught, breaks = table.caught(found), table.breaks(found)
    alarms = [o for o in found if o.word == "alarm"]
    return int(caught < ENOUGH * breaks or bool(alarms))


if __name__ == "__main__":
    sys.exit(main())
