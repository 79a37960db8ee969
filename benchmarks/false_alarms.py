"""How often a right conversion is called anything but verified: each sample verified again and again.

    python benchmarks/false_alarms.py [--repeats N] [--only WORD] [--fresh] [--out FILE]

By default each sample's legacy run is recorded once and every repeat runs the converted program anew against it; with
`--fresh` every repeat runs the legacy program anew, too. Exit code 1 where any verdict is not "verified". The bound is
the upper end of the one-sided 95 % interval (0 alarms in n: 1 - 0.05 ** (1 / n)).
"""

from __future__ import annotations

import argparse
import collections
import sys
import tempfile
import time
from pathlib import Path

from tfmigrate import pipeline
from tfmigrate.cli.inputs import read_all
from tfmigrate.model import Options, Status
from tfmigrate.source import output
from tfmigrate.verify.results import Verdict
from tfmigrate.verify.verification import verify_pair

LEGACY = Path(__file__).resolve().parents[1] / "samples" / "legacy"


def main() -> int:
    """Verify each sample `--repeats` times and count the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--repeats", type=int, default=50)
    parser.add_argument("--only", default="", help="samples whose name has this word")
    parser.add_argument("--fresh", action="store_true", help="run the legacy program for each repeat, too")
    parser.add_argument("--out", type=Path, help="a file to write each verdict to as it comes")
    options = parser.parse_args()
    (tree,) = read_all([LEGACY])
    conversion = pipeline.convert(tree, Options())
    alarms = total = 0
    with tempfile.TemporaryDirectory(prefix="false-alarms-") as scratch:
        after = Path(scratch, "after")
        output.write(conversion, after)
        for program in conversion.programs:
            if program.status is not Status.NATIVE or options.only not in program.entry:
                continue
            golden = Path(scratch, Path(program.entry).stem + ".zip")
            verdicts: collections.Counter[str] = collections.Counter()
            begun = time.monotonic()
            for number in range(1, options.repeats + 1):
                kept = golden if golden.is_file() and not options.fresh else None
                report = verify_pair(
                    None if kept else LEGACY,
                    after,
                    program.entry,
                    conversion=program,
                    timing=False,
                    golden=kept,
                    record=None if kept else golden,
                )
                verdicts[report.verdict.value] += 1
                if report.verdict is not Verdict.VERIFIED:
                    print(f"{program.entry}, repeat {number}: {report.verdict.value}: {report.reason}", flush=True)
                if options.out is not None:
                    with options.out.open("a", encoding="utf-8") as stream:
                        stream.write(f"{program.entry}\t{number}\t{report.verdict.value}\t{report.reason}\n")
            counts = ", ".join(f"{count} {word}" for word, count in sorted(verdicts.items()))
            print(f"{program.entry}: {counts}; {(time.monotonic() - begun) / options.repeats:.1f} s each", flush=True)
            total += options.repeats
            alarms += options.repeats - verdicts[Verdict.VERIFIED.value]
    bound = f"; below {1 - 0.05 ** (1 / total):.2%} with 95 % confidence" if total and not alarms else ""
    print(f"{alarms} of {total} verifications of right conversions were not verified{bound}")
    return int(alarms > 0)


if __name__ == "__main__":
    sys.exit(main())
