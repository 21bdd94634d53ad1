#!/usr/bin/env python3
"""Build what some tests need, and run them with CTest, in a folder that is configured with tests.

Without options: this commit's tenth of the conformance matrix (sample.py) and all other tests. --all: the whole matrix, whose counts
go to docs/testing.md. --filter: the tests whose names the regular expression finds. Ends with CTest's summary and its exit status.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import record
from sample import LONG, PARTS, Case, part_of, run_of, sample

ROOT = Path(__file__).resolve().parents[2]
# Tests that do not say what they need (scripts) may need all of this.
FOR_SCRIPTS = "for_scripts"


def listed(build: Path) -> list[Case]:
    """All tests of a build folder, numbered as CTest numbers them."""
    command = ["ctest", "--test-dir", str(build), "--show-only=json-v1"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["tests"]
    tests = []
    for number, entry in enumerate(found, 1):
        said = {each["name"]: each["value"] for each in entry.get("properties", [])}
        tests.append(Case(entry["name"], number, tuple(said.get("LABELS", ())), tuple(said.get("REQUIRED_FILES", ()))))
    return tests


def targets(build: Path, tests: list[Case]) -> list[str]:
    """What to build: the files that the tests need, as the generator knows them."""
    wanted = {str(Path(file).relative_to(build)) for test in tests for file in test.files}
    if any(not test.files for test in tests):
        wanted.add(FOR_SCRIPTS)
    return sorted(wanted)


def pattern(text: str) -> re.Pattern[str]:
    """A regular expression of the command line."""
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"'{text}' is no regular expression: {error}") from error


def choose(tests: list[Case], options: argparse.Namespace) -> tuple[list[Case], str]:
    """The tests to run, and a sentence about them."""
    found = [test for test in tests if options.filter is None or options.filter.search(test.name)]
    if options.all:
        return found, f"All {len(found)} tests."
    if options.filter and options.sample is None:
        short = [test for test in found if LONG not in test.labels]
        return short, f"{len(short)} tests match."
    part, why = (options.sample % PARTS, "as asked") if options.sample is not None else part_of(ROOT)
    os.environ["MPICO_PART"] = str(part)  # tests/conftest.py
    names = {test.name for test in found}
    chosen = [test for test in sample(tests, part) if test.name in names]
    matrix = sum(run_of(test.name) is not None for test in chosen)
    whole = sum(run_of(test.name) is not None for test in tests)
    return chosen, (
        f"Sample {part} of 0 to {PARTS - 1} ({why}): {matrix} of {whole} conformance tests, and {len(chosen) - matrix} others. "
        f"The same again: make test SAMPLE={part}"
    )


def ctest(build: Path, tests: list[Case], jobs: int, *more: str) -> list[str]:
    """The command line that runs these tests and no others."""
    numbers = build / "Testing" / "chosen.txt"
    numbers.parent.mkdir(exist_ok=True)
    first, *others = [str(test.number) for test in tests]
    numbers.write_text(",".join([first, first, "1", *others]) + "\n")
    command = ["ctest", "--test-dir", str(build), "--output-on-failure", "--no-label-summary", "-j", str(jobs)]
    command += ["-I", str(numbers), *more]
    return [*command, "--progress"] if sys.stdout.isatty() else command


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="to build with")
    parser.add_argument(
        "--test-jobs", type=int, default=(os.cpu_count() or 1) + 2, help="many tests wait more than they compute"
    )
    parser.add_argument("--filter", type=pattern, help="a regular expression over the tests' names")
    parser.add_argument("--sample", type=int, help=f"this part of the matrix, 0 to {PARTS - 1}")
    parser.add_argument("--all", action="store_true", help="the whole matrix")
    options = parser.parse_args()
    build = options.build.resolve()
    tests, sentence = choose(listed(build), options)
    if not tests:
        print("No test has such a name; `ctest --test-dir build -N` lists them.", file=sys.stderr)
        return 2
    print(sentence, flush=True)
    made = subprocess.run(
        ["cmake", "--build", str(build), "--parallel", str(options.jobs), "--target", *targets(build, tests)],
        check=False,
    )
    if made.returncode != 0:
        return made.returncode
    if not options.all or options.filter:
        command = ctest(build, tests, options.test_jobs)
        os.execvp(command[0], command)
    report = build / "Testing" / "all.xml"
    report.unlink(missing_ok=True)
    code = subprocess.run(ctest(build, tests, options.test_jobs, f"--output-junit={report}"), check=False).returncode
    record.write(ROOT, report)
    return code


if __name__ == "__main__":
    sys.exit(main())
