"""The report as PDF: pages of text, then a page a picture. Imports matplotlib; import it late."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure

from .page import MARKS
from .report import Report, Section, verdict_rows
from .report_parts import Table

PAPER = (11.69, 8.27)
"""A4, wide, in inches."""
LINES, COLUMNS = 58, 150
WIDEST = 28
"""Characters of a table's cell."""


def _table_lines(table: Table) -> Iterator[str]:
    title, header, rows = table
    yield title
    every = [[c if len(c) <= WIDEST else c[: WIDEST - 3] + "..." for c in line] for line in [header, *rows]]
    widths = [max(len(c) for c in column) for column in zip(*every, strict=True)] if header else []
    for line in every:
        yield "  " + "  ".join(c.rjust(w) for c, w in zip(line, widths, strict=True))
    yield ""


def _section_lines(section: Section) -> Iterator[str]:
    run = section.run
    yield f"== {run.name}: {run.outcome} =="
    yield " ".join(run.command)
    yield from run.message.splitlines()
    yield section.trouble
    for table in section.tables:
        yield from _table_lines(table)


def _lines(report: Report) -> Iterator[str]:
    yield f"Real-time suite: {report.suite.place}"
    yield report.summary
    yield ""
    for what, value in report.facts:
        yield f"{what:>20}: {value}"
    yield ""
    for name, v in verdict_rows(report.sections):
        yield f"{MARKS[v.kept][1]:>10}  {name}: {v.what}: {v.detail}"
    for section in report.sections:
        yield ""
        yield from _section_lines(section)


def _wrapped(lines: Iterator[str]) -> list[str]:
    found: list[str] = []
    for line in lines:
        found.extend(textwrap.wrap(line, COLUMNS, subsequent_indent="    ", replace_whitespace=False) or [""])
    return found


def _text_page(lines: Sequence[str]) -> Figure:
    figure = Figure(figsize=PAPER)
    text = "\n".join(lines).replace("$", r"\$")  # no formulas
    figure.text(0.03, 0.97, text, va="top", family="monospace", fontsize=7)
    return figure


def write_pdf(report: Report, path: Path) -> None:
    """Write the file. Raises OSError."""
    lines = _wrapped(_lines(report))
    with PdfPages(path) as pdf:  # type: ignore[no-untyped-call]
        for first in range(0, len(lines), LINES):
            pdf.savefig(_text_page(lines[first : first + LINES]))
        for section in report.sections:
            for title, figure in section.figures:
                figure.supxlabel(f"{section.run.name}: {title}", fontsize="small")  # legends stand above
                pdf.savefig(figure)
