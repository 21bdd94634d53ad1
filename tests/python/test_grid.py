"""The mapping that scales, and images on it: as processes, as fibers and on the simulated line; the sharpness of images."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
pytest.importorskip("typer")
pytest.importorskip("numpy")

import numpy as np
from click.testing import Result
from mpico.main import app
from mpico.places import PlaceError, program
from mpico.realtime import sar_quality
from mpico.realtime.grid_command import growth, lines_of
from mpico.realtime.grid_runs import PROGRAM, Grid, GridError, GridRun, Where, parse, run
from mpico.realtime.sar_runs import SarImage, take
from paragon_machine import paragon
from typer.testing import CliRunner

if "MPICO_BUILD" in os.environ:
    os.environ.setdefault("MPICO_PREFIX", os.environ["MPICO_BUILD"])
try:
    BUILT = bool(program(PROGRAM, "") and program("bin/mpiexec", "") and program("lib/mpico/sim/mpico-sim", ""))
except PlaceError:
    BUILT = False
needs_build = pytest.mark.skipif(not BUILT, reason="no build (MPICO_BUILD, MPICO_PREFIX)")

FIBERS, PARAGON, PROCESSES = Where(fibers=True), Where(machine="paragon-line"), Where()
SOON = ("--period", "0.05", "--periods", "4", "--duration", "0")
SCENE = "noise 0.25\nseed 4\ntarget 30 10 1\ntarget 52.5 20.3 0.8 # weaker\n"


def command(*words: str) -> Result:
    return CliRunner().invoke(app, ["realtime", *words], env={"COLUMNS": "200"})


def image(grid: Grid, folder: Path, *options: str, where: Where = FIBERS) -> SarImage:
    scene = folder / "a.scene"
    scene.write_text(SCENE)
    return take(where, grid, ["--scene", str(scene), *SOON, *options], folder / f"{grid.lines}-{grid.stages}.npy")


# ---- the grid ---------------------------------------------------------------------------------------------------------


@needs_build
@pytest.mark.parametrize(
    "grid", [Grid(1, 32, 64), Grid(2, 64, 32, stages=2), Grid(2, 32, 32, turn="paired", sink=True)]
)
def test_processes_get_right_results(grid: Grid) -> None:
    done = run(PROCESSES, grid, ("--period", "0.5", "--periods", "4", "--duration", "0"))
    assert done.results_wrong == 0
    assert done.periods == 4


@needs_build
@pytest.mark.parametrize("lines", [1, 4, 8, 16])
@pytest.mark.parametrize(("stages", "turn"), [(3, "alltoall"), (3, "paired"), (2, "alltoall")])
def test_long_lines_of_fibers(lines: int, stages: int, turn: str) -> None:
    done = run(FIBERS, Grid(lines, 32, 64, stages, turn=turn), SOON)
    assert done.results_wrong == 0
    assert [stage.places for stage in done.stages] == [lines] * stages


@needs_build
def test_simulated_line_repeats_itself() -> None:
    grid = Grid(4, 64, 64, turn="paired", sink=True)
    words = [*PARAGON.command(grid.ranks), "grid", *grid.words(), "--alone", "--duration", "0.1"]
    first, second = (subprocess.run(words, capture_output=True, text=True, check=True).stdout for _ in range(2))
    assert first == second
    done = parse(grid, first)
    assert done.kept and done.missed == 0
    assert 3 * done.period_s < done.latency_worst_s <= 4 * done.period_s  # three stages and the sink


@needs_build
def test_missed_deadlines_are_counted() -> None:
    grid = Grid(2, 64, 64)
    shortest = run(PARAGON, grid, ("--duration", "0.1")).period_s
    late = run(PARAGON, grid, ("--period", str(shortest / 2), "--periods", "50", "--duration", "0"))
    assert not late.kept and late.results_wrong == 0
    assert late.missed == 50
    assert late.miss_bound == 1


@needs_build
def test_doubled_mapping_on_the_simulated_line(tmp_path: Path) -> None:
    """Section 6.3 of the report: the first stage does not change; g's operations grow by 1 + 1/log2 n; the corner turn takes
    longer, but less than twice as long, though its messages quadruple. Without the system's pauses, which are as long as
    what a short period differs by."""
    line = replace(PARAGON, machine=paragon(tmp_path))
    runs = [run(line, Grid(n, 256, 64 * n), ("--alone", "--duration", "0.5")) for n in (1, 2, 4)]
    times = [[stage.alone_period_s or 0 for stage in one.stages] for one in runs]
    for before, after, n in zip(times[:2], times[1:], (64, 128), strict=True):
        assert after[0] == pytest.approx(before[0], rel=0.02)
        assert after[2] / before[2] == pytest.approx(1 + 1 / np.log2(n), rel=0.02)
        assert 1 < after[1] / before[1] < 2
    for one in runs:
        assert one.kept and one.period_s >= max(stage.alone_period_s or 0 for stage in one.stages) * 0.98
    assert growth(runs)[0] is None and all(1 <= (grown or 0) * 1.01 < 1.5 for grown in growth(runs)[1:])


@needs_build
@pytest.mark.parametrize(
    ("ranks", "words", "said"),
    [
        (5, "--lines 2", "3 stages of 2 ranks are 6 ranks, but 5 were started"),
        (3, "--lines 1 --rows 48", "rows"),
        (9, "--lines 3", "stage 1"),
        (4, "--lines 2 --stages 2 --turn paired", "--turn"),
        (3, "--lines 1 --chain fir", "no chain 'fir'"),
        (3, "--lines 1 --turn left", "no turn 'left'"),
        (3, "--lines 1 --npy x.npy", "--chain sar"),
        (3, "--lines 1 --period 1e-12", "shorter than the clock resolves"),
        (3, "--lines 1 some", "'some'"),
        (4, "--chain sar --lines 1 --scene /nowhere/a.scene", "/nowhere/a.scene"),
        (4, "--chain sar --lines 1 --rows 64 --columns 64 --targets 60", "60 targets"),
    ],
)
def test_what_does_not_fit_is_refused_once(ranks: int, words: str, said: str) -> None:
    full = [*FIBERS.command(ranks), "grid", *words.split()]
    done = subprocess.run(full, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and not done.stdout
    lines = done.stderr.strip().splitlines()
    assert sum(line.startswith("realtime grid: ") for line in lines) == 1
    assert said in lines[0]


@needs_build
@pytest.mark.parametrize("option", ["--npy", "--pgm"])
def test_an_image_that_cannot_be_written_is_named(option: str) -> None:
    words = "grid --chain sar --lines 1 --rows 64 --columns 64 --duration 0 --width 1 --targets 1".split()
    done = subprocess.run(
        [*FIBERS.command(4), *words, option, "/nowhere/a"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "cannot write the image to /nowhere/a: No such file or directory" in done.stderr


# ---- images -----------------------------------------------------------------------------------------------------------


@needs_build
def test_an_image_does_not_depend_on_the_ranks(tmp_path: Path) -> None:
    grids = [Grid(n, 128, 128, chain="sar", stages=s) for n, s in ((1, 3), (2, 3), (4, 3), (4, 2))]
    images = [image(grid, tmp_path) for grid in grids]
    for other in images[1:]:
        assert other.pixels.tobytes() == images[0].pixels.tobytes()
        assert other.record["checksum"] == images[0].record["checksum"]


@needs_build
def test_targets_are_where_they_should_be(tmp_path: Path) -> None:
    taken = image(Grid(1, 128, 128, chain="sar"), tmp_path, "--noise", "0", where=PROCESSES)
    assert taken.focused and taken.run.results_wrong == 0
    assert taken.sharpness() == []
    for target, (true, amplitude) in zip(taken.targets, (((30, 10), 1), ((52.5, 20.3), 0.8)), strict=True):
        assert (target.true_range_m, target.true_azimuth_m) == true
        assert target.error_cells is not None and target.error_cells < 0.05
        assert target.amplitude == pytest.approx(amplitude, rel=0.08)


@needs_build
def test_the_brightest_pixel_is_the_target(tmp_path: Path) -> None:
    """The picture of grey levels and the file of NumPy agree with the scene, without help of the program's own search."""
    grey = tmp_path / "a.pgm"
    taken = image(Grid(1, 128, 128, chain="sar"), tmp_path, "--noise", "0", "--pgm", str(grey))
    row, column = np.unravel_index(np.argmax(np.abs(taken.pixels)), taken.pixels.shape)
    assert row == round(30 / taken.record["bin_m"]) and column == round(10 / taken.record["spacing_m"])
    data = grey.read_bytes()
    head = b"P5\n128 128\n255\n"
    assert data.startswith(head) and len(data) == len(head) + 128 * 128
    assert data[len(head) + int(row) * 128 + int(column)] == 255


@needs_build
def test_noise_hides_weak_targets(tmp_path: Path) -> None:
    """Targets 30 dB below the image's noise are not found, and the run says so."""
    taken = image(Grid(1, 128, 128, chain="sar"), tmp_path, "--noise", "1000")
    assert not taken.focused
    scene = str(tmp_path / "a.scene")
    words = ("--scene", scene, "--noise", "1000", "--lines", "1", "--rows", "128", "--columns", "128")
    assert command("sar", "--fibers", *words, "--period", "0.05", "--duration", "0.1").exit_code == 1


def test_compressed_chirps() -> None:
    """A long chirp has the response of a sinc: 0.886 cells at half power, sidelobes 13.26 dB down."""
    textbook = sar_quality.theory(1e4)
    assert textbook.width_cells == pytest.approx(0.8859, abs=2e-3)
    assert textbook.sidelobe_db == pytest.approx(-13.26, abs=0.02)
    sampled = sar_quality.sampled_theory(1000, 1.25, 0.0)
    assert sampled.width_cells == pytest.approx(0.8859, abs=4e-3)
    assert sampled.sidelobe_db == pytest.approx(-13.26, abs=0.05)


def test_cuts_between_pixels() -> None:
    """A separable sinc, 1.25 pixels for a cell, off the grid: its width and sidelobes are found in both directions."""
    rows, columns = np.arange(200), np.arange(240)
    at = (90.37, 121.81)
    pixels = np.outer(np.sinc((rows - at[0]) / 1.25), np.sinc((columns - at[1]) / 1.25)).astype(np.complex64)
    for axis in (0, 1):
        response = sar_quality.cut(pixels, axis, at, 1.25)
        assert response.width_cells == pytest.approx(0.8859, rel=0.01)
        assert response.sidelobe_db == pytest.approx(-13.26, abs=0.2)


# ---- the commands -----------------------------------------------------------------------------------------------------


@needs_build
def test_scaling_command(tmp_path: Path) -> None:
    picture = tmp_path / "scaling.png"
    words = ("--machine", "paragon-line", "--rows", "64", "--columns-each", "16", "--lines", "1,2", "--duration", "0.1")
    table = command("scaling", *words, "--figure", str(picture))
    assert table.exit_code == 0 and "64 x 32" in table.output
    assert picture.read_bytes().startswith(b"\x89PNG")
    found = json.loads(command("scaling", *words, "--json").stdout)
    assert [one["lines"] for one in found["runs"]] == [1, 2]
    assert found["runs"][1]["grown"] == pytest.approx(found["runs"][1]["period_s"] / found["runs"][0]["period_s"])
    assert [stage["name"] for stage in found["runs"][0]["stage"]] == ["f", "turn", "g"]


@needs_build
def test_sar_command(tmp_path: Path) -> None:
    picture = tmp_path / "sar.png"
    words = ("--machine", "paragon-line", "--lines", "2", "--rows", "128", "--columns", "128", "--duration", "0.1")
    done = command("sar", *words, "--targets", "3", "--figure", str(picture), "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["focused"] and len(found["targets"]) == 3 and found["sharpness"] == []
    assert picture.read_bytes().startswith(b"\x89PNG")


@needs_build
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("scaling", "--lines", "two"), "--lines two: write numbers"),
        (("scaling", "--machine", "nowhere", "--lines", "1"), "nowhere"),
        (("scaling", "--machine", "paragon-line", "--fibers"), "two places"),
        (("sar", "--fibers", "--rows", "100"), "no power of two"),
        (("sar", "--program", "/nowhere/realtime"), "/nowhere/realtime"),
    ],
)
def test_bad_wishes_are_one_sentence(words: tuple[str, ...], said: str) -> None:
    done = command(*words)
    assert done.exit_code == 2
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith(f"mpico realtime {words[0]}: ") and said in last


def test_output_that_is_cut_off() -> None:
    with pytest.raises(GridError, match="did not print"):
        parse(Grid(1, 2, 2), '{"record": "grid", "kept": true}')


def test_growth_and_lines() -> None:
    assert lines_of("4,1,2") == (1, 2, 4)
    records = [
        {"record": "environment"},
        {"record": "grid", "kept": True, "results_wrong": 0, "periods": 9, "missed": 0},
    ]
    times = {"latency_worst_s": 3, "latency_mean_s": 3, "mflops": 1, "miss_bound": 0.3}

    def one(period_s: float) -> GridRun:
        lines = [records[0], {**records[1], **times, "period_s": period_s}]
        return parse(Grid(1, 2, 2), "\n".join(map(json.dumps, lines)))

    assert growth([one(1.0), one(1.0), one(1.5)]) == [None, 1.0, 1.5]
