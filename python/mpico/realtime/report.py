"""The report of a whole run as data: its environment, its verdicts, and a section a benchmark with tables and pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .report_parts import Table, Verdict, figures, tables, verdicts
from .report_records import Run, Suite, environment

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Section:
    """One benchmark."""

    run: Run
    verdicts: tuple[Verdict, ...]
    tables: tuple[Table, ...]
    figures: tuple[tuple[str, Figure], ...]
    trouble: str
    """Why there are no pictures, where there should be some."""

    @property
    def kept(self) -> bool:
        """Whether no verdict is bad."""
        return all(v.kept is not False for v in self.verdicts)

    @property
    def main_verdict(self) -> Verdict:
        """The one to show where there is room for one: the first that is bad, else the first about what was measured."""
        bad = next((v for v in self.verdicts if v.kept is False), None)
        return bad or self.verdicts[min(1, len(self.verdicts) - 1)]


@dataclass(frozen=True)
class Report:
    """All of it."""

    suite: Suite
    facts: tuple[tuple[str, str], ...]
    """Of the environment: what and its value."""
    sections: tuple[Section, ...]

    @property
    def failed(self) -> int:
        """Benchmarks with a bad verdict."""
        return sum(not s.kept for s in self.sections)

    @property
    def summary(self) -> str:
        """In a sentence."""
        total, failed = len(self.sections), self.failed
        if failed == 0:
            return f"All {total} benchmarks came to their end, kept their deadlines and targets and had right results."
        names = ", ".join(s.run.name for s in self.sections if not s.kept)
        return f"{failed} of {total} benchmarks failed, missed deadlines or a target, or had wrong results: {names}."


def facts_of(suite: Suite) -> list[tuple[str, str]]:
    """What is worth knowing of where the suite ran."""
    seen = [e for run in suite.runs if (e := environment(run.records))]
    libraries = list(dict.fromkeys(str(e["library"]) for e in seen if "library" in e))
    hosts = list(dict.fromkeys(str(h) for e in seen for h in e.get("hosts", [])))
    ticks = [float(e["tick_s"]) for e in seen if isinstance(e.get("tick_s"), float)]
    found = [
        ("suite", suite.suite),
        ("place", suite.place),
        ("MPI library", "; ".join(libraries) or "no run came so far as to name it"),
        ("hosts", ", ".join(hosts) or "-"),
        ("time", "virtual" if any(e.get("virtual") for e in seen) else "real"),
        ("clock's least step", f"{1e9 * max(ticks):.3g} ns" if ticks else "-"),
        ("processors", str(suite.cpus)),
        ("launcher", " ".join(suite.launcher)),
        ("date", suite.date),
    ]
    if suite.load is not None:
        busy = suite.load > 0.5
        found.append(("load at the start", f"{suite.load:.2f}{': others used the machine too' if busy else ''}"))
    return found


def section(run: Run) -> Section:
    """What the report shows of a run. Imports matplotlib where the subcommand has pictures."""
    drawn, trouble = figures(run) if run.records else ([], "")
    return Section(run, tuple(verdicts(run)), tuple(tables(run)), tuple(drawn), trouble)


def compose(suite: Suite, step: Callable[[str], None] = lambda name: None) -> Report:
    """The whole report; `step` is told the name of each benchmark before its section is made."""
    sections = []
    for run in suite.runs:
        step(run.name)
        sections.append(section(run))
    return Report(suite, tuple(facts_of(suite)), tuple(sections))


def verdict_rows(sections: Sequence[Section]) -> list[tuple[str, Verdict]]:
    """Every verdict with its benchmark's name, in order."""
    return [(s.run.name, v) for s in sections for v in s.verdicts]
