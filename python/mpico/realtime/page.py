"""The report as one HTML page: nothing outside the file is needed, pictures are PNG in base64."""

from __future__ import annotations

import base64
import io
import shlex
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from .report import Report, Section, verdict_rows
from .report_parts import Table, Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 110
STYLE = """
body { font: 15px/1.45 sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 0.6em 0 1.4em; font-size: 13px; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid #ddd; padding: 2px 9px; text-align: right; vertical-align: top; }
th:first-child, td:first-child, table.words td { text-align: left; }
th { border-bottom: 2px solid #888; }
h2 { margin-top: 2em; border-bottom: 1px solid #888; }
img { max-width: 100%; }
pre { background: #f4f4f4; padding: 0.5em 1em; overflow-x: auto; font-size: 12px; }
.good { color: #176f2c; } .bad { color: #b00020; font-weight: bold; } .open { color: #777; }
"""
MARKS = {True: ("good", "kept"), False: ("bad", "NOT KEPT"), None: ("open", "not judged")}


def table_html(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table with a heading."""
    if not header and not rows:
        return f"<p class=bad>{escape(title)}</p>\n"
    head = "".join(f"<th>{escape(h)}</th>" for h in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>\n" for row in rows)
    return f"<h4>{escape(title)}</h4>\n<table><tr>{head}</tr>\n{body}</table>\n"


def picture_html(title: str, figure: Figure) -> str:
    """A picture with its title, in the page itself."""
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=DPI, bbox_inches="tight")
    code = base64.b64encode(data.getvalue()).decode("ascii")
    return f'<h4>{escape(title)}</h4>\n<p><img alt="{escape(title)}" src="data:image/png;base64,{code}"></p>\n'


def _verdict_row(name: str, verdict: Verdict) -> str:
    style, word = MARKS[verdict.kept]
    link = f'<a href="#{escape(name)}">{escape(name)}</a>'
    cells = (link, escape(verdict.what), f"<span class={style}>{word}</span>", escape(verdict.detail))
    return "<tr>" + "".join(f"<td>{c}</td>" for c in cells) + "</tr>\n"


def _tables_html(tables: Sequence[Table]) -> str:
    return "".join(table_html(*table) for table in tables)


def _section_html(section: Section) -> str:
    run = section.run
    style = "good" if section.kept else "bad"
    parts = [f'<h2 id="{escape(run.name)}">{escape(run.name)} <span class={style}>{escape(run.outcome)}</span></h2>\n']
    if run.command:
        parts.append(f"<pre>{escape(shlex.join(run.command))}</pre>\n")
    if run.message:
        parts.append(f"<p>It said:</p><pre>{escape(run.message)}</pre>\n")
    parts.append(_tables_html(section.tables))
    if section.trouble:
        parts.append(f"<p class=bad>{escape(section.trouble)}</p>\n")
    parts.extend(picture_html(title, figure) for title, figure in section.figures)
    return "".join(parts)


def page(report: Report) -> str:
    """The page. Pictures are rendered here, which may take a second each."""
    facts = "".join(f"<tr><td>{escape(k)}</td><td>{escape(v)}</td></tr>\n" for k, v in report.facts)
    judged = "".join(_verdict_row(name, v) for name, v in verdict_rows(report.sections))
    style = "bad" if report.failed else "good"
    return (
        f"<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>Real-time suite: "
        f"{escape(report.suite.place)}</title><style>{STYLE}</style></head><body>\n"
        f"<h1>Real-time suite: {escape(report.suite.place)}</h1>\n<p class={style}>{escape(report.summary)}</p>\n"
        f"<h2>Environment</h2>\n<table class=words>{facts}</table>\n"
        f"<h2>Verdicts</h2>\n<table class=words><tr><th>benchmark</th><th>what</th><th>verdict</th><th>detail</th></tr>\n"
        f"{judged}</table>\n{''.join(_section_html(s) for s in report.sections)}</body></html>\n"
    )
