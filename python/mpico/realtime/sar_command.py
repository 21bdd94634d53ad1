"""`mpico realtime sar`: radar images of point targets on the mapping that scales, the targets found beside the true ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from ..places import PlaceError
from ..progress import progress_bar
from .grid_command import CANNOT, MISSED, WIDE, crowd_note, say
from .grid_runs import Grid, GridError, Where
from .picture_file import check_folder, check_picture
from .sar_runs import AZIMUTH, RANGE, SarImage, Target, take


def _number(value: float | None, places: int = 2) -> str:
    return "-" if value is None else f"{value:.{places}f}"


def _cut(target: Target, direction: int) -> list[str]:
    """Width and sidelobe as measured and as they should be."""
    ideal = target.ideal[direction]
    got = target.responses[direction] if target.responses else None
    width, lobe = (f"{got.width_cells:.3f}", f"{got.sidelobe_db:.2f}") if got else ("-", "-")
    return [f"{width} ({ideal.width_cells:.3f})", f"{lobe} ({ideal.sidelobe_db:.2f})"]


def _row(number: int, target: Target) -> list[str]:
    places = [f"{target.true_range_m:.2f}", _number(target.range_m), f"{target.true_azimuth_m:.2f}"]
    rest = [_number(target.azimuth_m), _number(target.error_cells, 3), _number(target.amplitude, 3)]
    return [str(number), *places, *rest, *_cut(target, RANGE), *_cut(target, AZIMUTH)]


def print_image(console: Console, image: SarImage) -> None:
    """A row a target, with the widths and sidelobes that they should have in brackets."""
    heads = ["target", "range, m", "found", "azimuth, m", "found", "error, cells", "amplitude"]
    table = Table(title=f"Targets on {image.run.grid.ranks} ranks", title_justify="left")
    for head in [*heads, "range width", "sidelobe, dB", "azimuth width", "sidelobe, dB"]:
        table.add_column(head, justify="right")
    for number, target in enumerate(image.targets, 1):
        table.add_row(*_row(number, target))
    textbook = [text for r in image.textbook for text in (f"({r.width_cells:.3f})", f"({r.sidelobe_db:.2f})")]
    table.add_row("", *[""] * 6, *textbook)
    console.print(table)
    one = image.run
    rate = f"{one.mflops:.0f}" if one.kept else "-"
    console.print(
        f"period {1e3 * one.period_s:.4g} ms, latency {1e3 * one.latency_worst_s:.4g} ms, {rate} MFLOPS, "
        f"missed {one.missed} of {one.periods} (bound {100 * one.miss_bound:.2g} %), {one.results_wrong} images wrong; "
        f"range cell migration {image.record['migration_bins']:.2f} bins"
    )


def _show(image: SarImage, as_json: bool, figure: Path | None) -> None:
    if figure:
        from . import sar_figures  # matplotlib takes a second to load

        sar_figures.draw(image, figure)
    if as_json:
        typer.echo(json.dumps(image.as_json(), indent=1))
        return
    console = Console()
    print_image(console if console.is_terminal else Console(width=WIDE), image)


def sar(
    lines: Annotated[int, typer.Option(help="Places of each stage.")] = 2,
    rows: Annotated[int, typer.Option(help="Range bins, a power of two.")] = 256,
    columns: Annotated[int, typer.Option(help="Pulses, a power of two.")] = 256,
    stages: Annotated[int, typer.Option(help="3, or 2: the corner turn between the two others.")] = 3,
    turn: Annotated[str, typer.Option(help="Exchange of the corner turn: alltoall or paired.")] = "alltoall",
    scene: Annotated[Path | None, typer.Option(help="File of the scene.")] = None,
    targets: Annotated[int, typer.Option(help="Targets made up where the file has none.")] = 5,
    noise: Annotated[float | None, typer.Option(help="Standard deviation; an echo's amplitude is 1.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of noise and of targets made up.")] = None,
    period: Annotated[float, typer.Option(help="Seconds; 0: the shortest is sought.")] = 0.0,
    duration: Annotated[float, typer.Option(help="Of the run that proves a period, seconds.")] = 2.0,
    machine: Annotated[str | None, typer.Option(help="A simulated machine, as of mpiexec --machine.")] = None,
    fibers: Annotated[bool, typer.Option(help="Ranks as fibers of one process.")] = False,
    mpiexec: Annotated[Path | None, typer.Option(help="Another launcher, with options.")] = None,
    program: Annotated[Path | None, typer.Option(help="Another build of the program realtime.")] = None,
    figure: Annotated[Path | None, typer.Option(help="Draw the image into this file.")] = None,
    npy: Annotated[Path | None, typer.Option(help="Keep the image in this file of NumPy.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """An image each period: targets found beside the true ones, their sharpness beside theory. docs/scalable-mapping.md."""
    where, grid = Where(machine, fibers, mpiexec, program), Grid(lines, rows, columns, stages, "sar", turn)
    options = ["--targets", str(targets), "--period", str(period), "--duration", str(duration)]
    for name, value in (("scene", scene), ("noise", noise), ("seed", seed)):
        options += [f"--{name}", str(value)] if value is not None else []
    try:
        check_picture(figure)
        check_folder(npy)
        note = crowd_note(where, [grid])
        if note:
            say("sar", note)
        with progress_bar() as bar:
            bar.add_task(f"images on {grid.ranks} ranks", total=None)
            image = take(where, grid, options, npy)
        _show(image, as_json, figure)
    except (GridError, PlaceError, ValueError) as error:
        say("sar", error)
        raise typer.Exit(CANNOT) from None
    except OSError as error:
        say("sar", f"cannot write {figure}: {error.strerror}")
        raise typer.Exit(CANNOT) from None
    for sentence in image.sharpness():
        say("sar", sentence)
    if not (image.focused and image.run.kept and image.run.results_wrong == 0) or image.sharpness():
        raise typer.Exit(MISSED)
