"""The model's clock-bound and link-bound parts, crossovers, and `mpico model predict` and `tradeoff`."""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import replace
from math import nextafter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
pytest.importorskip("typer")
pytest.importorskip("scipy")

from click.testing import Result
from mpico import ring_model
from mpico.crossover import by_nodes, by_size, crossings, node_breaks
from mpico.main import app
from mpico.ring_model import FUNCTIONS, PAPER
from mpico.ring_model_cells import TABLE_10, TABLE_11, TABLE_11_SYSTEMS
from mpico.ring_systems import (
    ENHANCED_CLOCK,
    ENHANCED_RATE,
    SYSTEMS,
    TIGERSHARC,
    relative_scalability,
    scaled_to,
    shares,
    slope,
)
from mpico.sweeps import SweepError, numbers, whole
from typer.testing import CliRunner


def model(*words: str) -> Result:
    return CliRunner().invoke(app, ["model", *words], env={"COLUMNS": "160"})


def test_table_10_is_table_7_at_40_mhz() -> None:
    for name, cycles in TABLE_10.items():
        for system in SYSTEMS:
            scaled = getattr(scaled_to(system).unicast, name)
            assert scaled == pytest.approx(cycles / system.clock_mhz, rel=1e-3), name
    assert scaled_to(ENHANCED_RATE).unicast.g == pytest.approx(1 / 150)
    assert scaled_to(ENHANCED_CLOCK).unicast.g == pytest.approx(1 / 40)
    assert scaled_to(TIGERSHARC).allgather.o_mm == pytest.approx(0.1627 * 40 / 150)
    assert scaled_to(TIGERSHARC).unicast.w_max == 2048


@pytest.mark.parametrize("name", TABLE_11)
@pytest.mark.parametrize("size", [128, 4096])
def test_table_11_within_half_a_point(name: str, size: int) -> None:
    for system, published in zip(TABLE_11_SYSTEMS, TABLE_11[name][size], strict=True):
        assert relative_scalability(name, size, system) == pytest.approx(published, abs=0.5)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_slope_does_not_depend_on_the_nodes_it_is_taken_between(name: str) -> None:
    for size in (128, 4096):
        wide, narrow = (slope(FUNCTIONS[name], size, PAPER, ends) for ends in ((2, 64), (5, 6)))
        assert wide == pytest.approx(narrow)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("size", [4, 2048, 2049, 5000, 16384])
def test_clock_and_link_make_up_the_whole(name: str, size: int) -> None:
    function = FUNCTIONS[name]
    clock_us, link_us = shares(function, size, 8, PAPER)
    assert clock_us > 0
    assert clock_us + link_us == pytest.approx(function(size, 8, PAPER))
    faster = function(size, 8, scaled_to(ENHANCED_CLOCK))
    assert faster == pytest.approx(clock_us * 40 / 150 + link_us)


def test_packets_are_counted_or_floored() -> None:
    floors = [ring_model.additional_packets(size) for size in (2048, 2049, 4096, 4097, 16384)]
    counted = [ring_model.additional_packets(size, counted=True) for size in (2048, 2049, 4096, 4097, 16384)]
    assert (floors, counted) == ([0, 1, 2, 2, 8], [0, 1, 1, 2, 7])


def test_figure_13d_crosses_before_11_nodes() -> None:
    """By hand: 91.10 - 55 + 0.1627 k + 0.025 k = (0.025 k - 27.50) P for k = 4096."""
    (found,) = by_nodes("allgather", 4096, PAPER)
    assert found.at == pytest.approx((36.10 + 4096 * 0.1877) / (0.025 * 4096 - 27.50))
    assert found.at == pytest.approx(10.75, abs=0.005)
    assert not found.jump


def test_sizes_where_clock_and_link_change_places() -> None:
    """By hand from Tables 7 to 9 on eight nodes: where the clock's part of the time is the link's."""
    (standard,), (in_place,) = by_size("allgather", 8, PAPER), by_size("allgather-in-place", 8, PAPER)
    assert standard.at == pytest.approx(256.10 / (0.175 - 0.1627))
    assert in_place.at == pytest.approx(256.10 / 0.175)
    assert standard.at / in_place.at == pytest.approx(14.2, abs=0.05)
    assert by_size("bcast", 8, PAPER)[0].at == pytest.approx(4 + (63.25 + 6 * 24.7) / 0.175)
    unicast = 8.925 + 28.63 + 7 * 15.40 + 29.17
    assert by_size("unicast", 8, PAPER)[0].at == pytest.approx(4 + unicast / 0.2)


def test_a_unicast_of_one_hop_changes_places_at_jumps_too() -> None:
    """Its slopes are nearly equal (section 6): each packet's o_ap gives the clock a lead that its bytes take back."""

    def difference(size: float) -> float:
        clock, rate = (ring_model.unicast(size, 1, 2, scaled_to(system)) for system in (ENHANCED_CLOCK, ENHANCED_RATE))
        return clock - rate

    breaks = [4.0, 2048.0, nextafter(2048.0, 3000.0), *(2048.0 * n for n in range(2, 9))]
    found = crossings(difference, breaks)
    assert found[0].at == pytest.approx(4 + 82.125 / 0.05)
    assert [(c.jump, c.falls) for c in found[:3]] == [(False, False), (True, True), (False, False)]
    assert found[1].at == pytest.approx(2048)
    for crossing in found:
        step = 1e-3
        assert difference(crossing.at - step) * difference(crossing.at + step) < 0


def test_a_ring_that_fills_has_a_break_over_nodes() -> None:
    service = replace(PAPER, broadcast=replace(PAPER.broadcast, G_fill=0.0016))
    breaks = node_breaks(service, 16384)
    assert breaks == [2.0, 9.0, 1024.0] and node_breaks(PAPER, 16384) == [2.0, 1024.0]
    slopes = [
        ring_model.broadcast(16384, n + 1, service) - ring_model.broadcast(16384, n, service) for n in (4, 7, 9, 20)
    ]
    assert slopes[0] == pytest.approx(slopes[1]) and slopes[2] == pytest.approx(slopes[3])
    assert slopes[0] - slopes[2] == pytest.approx(0.0016 * 2048)


def test_crossings_finds_none_where_there_is_none() -> None:
    assert crossings(lambda x: x + 1, [0, 1, 2]) == []
    with pytest.raises(ValueError, match="two ends"):
        crossings(lambda x: x, [0])


def test_values_of_an_option() -> None:
    assert numbers("40,150", "clock") == [40, 150]
    assert numbers("1:2:0.5", "clock") == [1, 1.5, 2]
    assert whole("4:64:x4,5", "bytes", 4) == [4, 16, 64, 5]


@pytest.mark.parametrize("text", ["", "x", "0", "-1", "nan", "1:2", "1:2:x1", "2:1:1", "1:1e9:1"])
def test_values_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(SweepError, match="--clock"):
        numbers(text, "clock")


def test_predict_is_the_equations() -> None:
    done = model("predict", "bcast", "--nodes", "4,8", "--bytes", "4,4096", "--clock", "150", "--json")
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)
    assert [(row["nodes"], row["bytes"]) for row in rows] == [(4, 4), (4, 4096), (8, 4), (8, 4096)]
    for row in rows:
        service = scaled_to(ENHANCED_CLOCK)
        assert row["us"] == pytest.approx(ring_model.broadcast(row["bytes"], row["nodes"], service))
        assert row["mb_s"] == pytest.approx(row["bytes"] * (row["nodes"] - 1) / row["us"])


def test_predict_takes_hops_and_a_parameter_file(tmp_path: Path) -> None:
    from mpico.parameters import Parameters, RingService, Unicast, write_parameters

    path = tmp_path / "ring.toml"
    service = RingService(unicast=Unicast(o_s=100.0))
    write_parameters(Parameters(service, "m", "machine", "d", "s"), path)
    done = model("predict", str(path), "unicast", "--hops", "1", "--nodes", "4", "--bytes", "4", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)[0]["us"] == pytest.approx(3 * 8.925 + 100 + 15.40 + 29.17)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["blurb"], "there is no function 'blurb'"),
        (["bcast", "--hops", "1"], "--hops is of a unicast"),
        (["unicast", "--hops", "8"], "more than a ring of 8 nodes has"),
        (["bcast", "--bytes", "3"], "no whole number of at least 4"),
        (["/none.toml", "bcast"], "cannot read /none.toml"),
        (["a", "b", "bcast"], "a parameter file and a function"),
    ],
)
def test_predict_refuses_in_a_sentence(words: list[str], said: str) -> None:
    done = model("predict", *words)
    assert done.exit_code == 2
    assert done.stderr.startswith("mpico model predict: ")
    assert said in done.stderr


def test_sweep_without_rates_is_the_four_systems(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    done = model("tradeoff", "sweep", "allgather", "--bytes", "128", "--csv", str(path), "--json")
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)
    assert [(row["clock_mhz"], row["link_mb_s"]) for row in rows] == [(40, 40), (150, 40), (40, 150), (150, 150)]
    assert rows[3]["us"] == pytest.approx(rows[0]["us"] * 40 / 150)
    with path.open(newline="") as lines:
        assert [float(row["us"]) for row in csv.DictReader(lines)] == [row["us"] for row in rows]


def test_sweep_takes_every_combination_and_draws(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "sweep.png"
    words = ["bcast", "--clock", "40:150:10", "--link", "40,80", "--nodes", "4,8", "--figure", str(path), "--json"]
    done = model("tradeoff", "sweep", *words)
    assert done.exit_code == 0, done.output
    assert len(json.loads(done.stdout)) == 12 * 2 * 2 * 2
    assert path.stat().st_size > 10_000


def test_crossing_tells_what_it_finds_and_what_not() -> None:
    rows = json.loads(model("tradeoff", "crossing", "--over", "nodes", "--bytes", "4096,128", "--json").stdout)
    found = {(row["function"], row["bytes"]): row["nodes"] for row in rows}
    assert found["allgather", 4096] == pytest.approx(10.7466, abs=1e-4)
    assert found["allgather", 128] == "none"
    assert len(rows) == 8


def test_a_file_that_cannot_be_written_is_told() -> None:
    done = model("tradeoff", "sweep", "--csv", "/none/rows.csv")
    assert done.exit_code == 2
    assert done.stderr.startswith("mpico model tradeoff: cannot write /none/rows.csv: ")
