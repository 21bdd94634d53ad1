"""Tables and verdicts of `realtime grid` for the report of a whole run (docs/scalable-mapping.md)."""

from __future__ import annotations

from collections.abc import Sequence

from .report_parts import Table, ms, tenths
from .report_records import Record


def _of(records: Sequence[Record], kind: str) -> list[Record]:
    return [r for r in records if r.get("record") == kind]


def name_of(record: Record) -> str:
    """A few words for a grid: what is computed, the matrix and the lines."""
    return f"{record['chain']}, {record['rows']} x {record['columns']} on lines of {record['lines']}"


def _bound(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2g}"


def _grids(records: Sequence[Record]) -> Table:
    heads = [
        "grid",
        "stages",
        "turn",
        "period, ms",
        "missed",
        "bound, %",
        "latency, worst, ms",
        "mean",
        "MFLOPS",
        "wrong",
    ]
    rows = [
        [
            name_of(r),
            str(r["stages"]),
            str(r["turn"]),
            ms(r["period_s"]),
            f"{r['missed']} of {r['periods']}",
            _bound(r["miss_bound"]),
            ms(r["latency_worst_s"]),
            ms(r["latency_mean_s"]),
            tenths(r["mflops"]),
            f"{r['results_wrong']} of {r['results']}",
        ]
        for r in records
    ]
    return "Shortest periods of grids", heads, rows


def _alone(record: Record) -> str:
    if "alone_period_s" not in record:
        return "-"
    return ms(record["alone_period_s"]) if record["alone_kept"] else "none kept"


def _stages(records: Sequence[Record]) -> Table:
    heads = ["stage", "places", "flops of a place", "bytes sent", "mean work, ms", "worst", "late", "alone, ms"]
    rows = [
        [
            f"{r['stage']} {r['name']}",
            str(r["places"]),
            f"{r['flops']:,.0f}",
            f"{r['bytes_sent']:,.0f}",
            ms(r["work_mean_s"]),
            ms(r["work_worst_s"]),
            str(r["late"]),
            _alone(r),
        ]
        for r in records
    ]
    return "Stages, in a period", heads, rows


def _images(records: Sequence[Record]) -> list[Table]:
    """A table an image, a row a target."""
    heads = ["target", "range, m", "found", "azimuth, m", "found", "error, cells"]
    keys = ("true_range_m", "found_range_m", "true_azimuth_m", "found_azimuth_m", "error_cells")
    found = []
    for r in records:
        columns = zip(*(r[key] for key in keys), strict=True)
        rows = [[str(n), *("-" if v is None else f"{v:.4g}" for v in values)] for n, values in enumerate(columns, 1)]
        found.append(("Targets of the image", heads, rows))
    return found


def tables(records: Sequence[Record]) -> list[Table]:
    """Periods, stages, and the targets of images."""
    grids, stages = _of(records, "grid"), _of(records, "grid-stage")
    found = [_grids(grids)] if grids else []
    return [*found, *([_stages(stages)] if stages else []), *_images(_of(records, "sar"))]


def verdicts(records: Sequence[Record]) -> list[tuple[str, bool | None, str]]:
    """Whether the period was kept, results are right and exact enough, and targets were found where they are."""
    found: list[tuple[str, bool | None, str]] = []
    for r in _of(records, "grid"):
        sure = f"; under {_bound(r['miss_bound'])} % are with {100 * r['confidence']:g} % confidence"
        detail = f"{r['missed']} of {r['periods']} missed{sure if r['missed'] == 0 else ''}"
        kept = bool(r["kept"]) and r["missed"] == 0
        found.append((f"{name_of(r)}: deadlines at {ms(r['period_s'])} ms", kept, detail))
        error, most = r.get("error"), r.get("error_most")
        exact = error is None or most is None or error <= most
        judged = "" if error is None or most is None else f", error {error:.2g}, at most {most:.2g}"
        right = r["results_wrong"] == 0 and exact
        found.append((f"{name_of(r)}: results", right, f"{r['results_wrong']} of {r['results']} wrong{judged}"))
    for r in _of(records, "sar"):
        worst = "-" if r["worst_error_cells"] is None else f"{r['worst_error_cells']:.3f}"
        found.append(("targets within half a cell", bool(r["focused"]), f"{r['targets']} targets, worst {worst} cells"))
    return found
