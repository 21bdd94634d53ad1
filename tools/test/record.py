"""What the last run of the whole matrix has found, from CTest's JUnit file, in docs/testing.md."""

from __future__ import annotations

import datetime
import xml.etree.ElementTree as xml
from collections import Counter
from pathlib import Path

from sample import git, run_of

PAGE = Path("docs/testing.md")
MARK = "<!-- What stands below is written by `make test-all`. -->"


def kind(name: str) -> str:
    """The row that a test is counted in: a place of the conformance matrix, or the first part of its name."""
    run = run_of(name)
    return f"conformance, {run.place}" if run else name.split("/")[0]


def fate(case: xml.Element) -> str:
    """What became of a test. One that could not be started has failed, as CTest says; a skipped one has said so itself."""
    if case.get("status") == "run":
        return "passed"
    skipped = case.find("skipped")
    said_so = skipped is not None and skipped.get("message", "").startswith("SKIP_")
    return "skipped" if said_so else "failed"


def counts(report: Path) -> tuple[dict[str, Counter[str]], float]:
    """For each kind of test how many passed, failed and were skipped; and the seconds that the run took."""
    suite = xml.parse(report).getroot()
    found: dict[str, Counter[str]] = {}
    for case in suite.iter("testcase"):
        found.setdefault(kind(case.get("name", "")), Counter())[fate(case)] += 1
    return found, float(suite.get("time") or 0)


def section(report: Path, commit: str, date: str) -> str:
    """The page's part about this run."""
    found, seconds = counts(report)
    total = sum(found.values(), Counter[str]())
    columns = ("passed", "failed", "skipped")
    lines = [
        f"{date}, commit {commit}: {sum(total.values())} tests in {seconds / 60:.0f} minutes; "
        + ", ".join(f"{total[each]} {each}" for each in columns)
        + ".",
        "",
        "| tests | " + " | ".join(columns) + " |",
        "|---|" + "---:|" * len(columns),
    ]
    lines += [f"| {name} | " + " | ".join(str(found[name][each]) for each in columns) + " |" for name in sorted(found)]
    return "\n".join(lines) + "\n"


def commit_of(root: Path) -> str:
    """The commit that is checked out, and whether the sources differ from it."""
    commit = git(root, "rev-parse", "--short=12", "HEAD")
    if not commit:
        return "unknown"
    changed = git(root, "status", "--porcelain", "--untracked-files=no", "--", ".", f":!{PAGE}")
    return f"{commit} with changes" if changed else commit


def write(root: Path, report: Path) -> None:
    """Replace what the page says of the last run. A run without a report leaves it as it is."""
    if not report.exists():
        return
    page = root / PAGE
    above, mark, _ = page.read_text(encoding="utf-8").partition(MARK)
    assert mark, f"{page} has lost the line {MARK}"
    today = datetime.date.today().isoformat()
    page.write_text(f"{above}{MARK}\n\n{section(report, commit_of(root), today)}", encoding="utf-8")
