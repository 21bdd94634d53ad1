"""The power model, and the clock and link rate that cost least within a deadline."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
pytest.importorskip("typer")
pytest.importorskip("scipy")

from click.testing import Result
from mpico.energy import TECHNOLOGIES, PowerError, Technology, draw, energy_uj, read_technology, sources, volts_at
from mpico.main import app
from mpico.optimum import Objective, cost, least_us, optimum, pareto, point, work_of
from mpico.ring_model import PAPER, allgather
from typer.testing import CliRunner

SHARC = TECHNOLOGIES["sharc"]


def energy(*words: str) -> Result:
    return CliRunner().invoke(app, ["model", "tradeoff", "energy", *words], env={"COLUMNS": "160"})


def test_the_data_sheets_currents_come_back() -> None:
    """I_DDINHIGH 670 mA at 40 MHz and 575 mA at 33.3 MHz, I_DDIDLE 200 mA, all at 5.25 V."""
    volts = 5.25
    for mhz, amperes in ((40, 0.670), (100 / 3, 0.575)):
        assert draw(SHARC, mhz, 40, volts).busy_w / volts == pytest.approx(amperes, rel=0.005)
    assert draw(SHARC, 40, 40, volts).waiting_w / volts == pytest.approx(0.200, rel=0.01)


def test_dynamic_power_goes_with_the_square_of_the_voltage_and_the_clock() -> None:
    still = replace(SHARC, static_a=0.0)
    base = draw(still, 20, 40, 4.0).busy_w
    assert draw(still, 40, 40, 4.0).busy_w == pytest.approx(2 * base)
    assert draw(still, 20, 40, 2.0).busy_w == pytest.approx(base / 4)


def test_voltage_follows_the_clock_between_its_bounds() -> None:
    assert volts_at(SHARC, 40) == pytest.approx(5.0)
    assert volts_at(SHARC, 10) == SHARC.volts_least
    assert volts_at(SHARC, 10, scaling=False) == 5.0
    volts = volts_at(SHARC, 30)
    speed = (volts - 0.8) ** 2 / volts / ((5.0 - 0.8) ** 2 / 5.0)
    assert speed == pytest.approx(30 / 40)


def test_energy_by_hand() -> None:
    """Eight nodes that compute 100 us and wait 50 us, and 1,000 bytes over one link."""
    drawn = draw(SHARC, 40, 40, 5.0)
    busy, waiting = 0.1 * 5 + 2.714e-9 * 25 * 40e6, 0.1 * 5 + 0.175 * 2.714e-9 * 25 * 40e6
    port, byte = 50e-12 * 25 * 80e6, 2 * 50e-12 * 25
    joules = 8 * (busy * 100e-6 + waiting * 50e-6 + port * 150e-6) + 1000 * byte
    assert energy_uj(drawn, 8, 100, 50, 1000) == pytest.approx(1e6 * joules)


def test_work_is_the_models_time() -> None:
    work = work_of("allgather", 4096, 8, PAPER)
    assert work.us(40, 40) == pytest.approx(allgather(4096, 8))
    assert work.us(80, 80) == pytest.approx(allgather(4096, 8) / 2)


@pytest.mark.parametrize("objective", ["energy", "power"])
@pytest.mark.parametrize("name", TECHNOLOGIES)
@pytest.mark.parametrize(("function", "size"), [("allgather", 128), ("bcast", 4096), ("allgather-in-place", 16384)])
def test_no_choice_of_a_grid_is_cheaper(name: str, function: str, size: int, objective: Objective) -> None:
    technology, work = TECHNOLOGIES[name], work_of(function, size, 8, PAPER)
    deadline = 1.7 * least_us(technology, work)
    best = optimum(technology, work, deadline, objective)
    assert best is not None
    assert best.us <= deadline * (1 + 1e-6)
    steps = 60
    cheapest = float("inf")
    for i in range(steps + 1):
        clock = technology.clock_least_mhz + (technology.clock_most_mhz - technology.clock_least_mhz) * i / steps
        volts = volts_at(technology, clock)
        for j in range(steps + 1):
            rate = technology.link_least_mb_s + (technology.link_most_mb_s - technology.link_least_mb_s) * j / steps
            other = point(technology, work, clock, rate, volts, deadline if objective == "power" else None)
            if other.us <= deadline:
                cheapest = min(cheapest, cost(other, objective))
    assert cheapest < float("inf")
    assert cost(best, objective) <= cheapest * (1 + 1e-6)


def test_what_cannot_be_kept_has_no_optimum() -> None:
    work = work_of("bcast", 4096, 8, PAPER)
    assert optimum(SHARC, work, 0.999 * least_us(SHARC, work)) is None
    tight = optimum(SHARC, work, least_us(SHARC, work))
    assert tight is not None
    assert (tight.clock_mhz, tight.link_mb_s) == pytest.approx((40, 40))


def test_a_tighter_deadline_never_costs_less() -> None:
    work = work_of("allgather-in-place", 4096, 8, PAPER)
    least = least_us(SHARC, work)
    found = [optimum(SHARC, work, least * factor) for factor in (1, 1.1, 1.3, 2, 4)]
    energies = [p.energy_uj for p in found if p]
    assert len(energies) == 5
    assert all(looser <= tighter * (1 + 1e-6) for tighter, looser in pairwise(energies))
    assert energies[1] < 0.9 * energies[0]


def test_the_front_holds_no_dominated_point() -> None:
    work = work_of("allgather", 128, 8, PAPER)
    front = pareto(SHARC, work, 12)
    assert len(front) == 12
    for before, behind in pairwise(front):
        assert before.us < behind.us
        assert before.energy_uj > behind.energy_uj


def test_short_messages_want_a_slow_link() -> None:
    """The port's clock costs as long as the operation lasts, and 128 bytes of eight nodes hardly use it."""
    work = work_of("allgather", 128, 8, PAPER)
    best = optimum(SHARC, work, 1e6)
    assert best is not None
    assert SHARC.link_least_mb_s < best.link_mb_s < SHARC.link_most_mb_s / 2


def test_every_figure_has_a_source() -> None:
    for technology in TECHNOLOGIES.values():
        told = sources(technology)
        assert set(told) == {name for name in vars(technology) if name != "name"}
        assert all(told.values())


def test_a_file_changes_a_technology(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "tigersharc"\nline_pf = 15\n', encoding="utf-8")
    mine = read_technology(str(path))
    assert mine == replace(TECHNOLOGIES["tigersharc"], line_pf=15)
    assert sources(mine)["line_pf"] == "given"
    assert sources(mine)["volts"] == sources(TECHNOLOGIES["tigersharc"])["volts"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("volt = 5", "unknown key 'volt'"),
        ('volts = "5"', "must be a number"),
        ("volts = nan", "must be a number"),
        ("volts = 1", "volts_least must be above 0 and not above volts"),
        ("idle = 2", "idle at most 1"),
        ("static_a = -1", "static_a is negative"),
        ('base = "z80"', "base is 'z80'"),
        ("volts", "is no TOML"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "power.toml"
    path.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(PowerError, match=said):
        read_technology(str(path))
    done = energy("--power", str(path))
    assert done.exit_code == 2
    assert done.stderr.startswith("mpico model tradeoff: ")


def test_the_command_tells_front_and_best(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    figure = tmp_path / "front.png"
    done = energy("bcast", "--bytes", "4096", "--deadline", "800", "--figure", str(figure), "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["best"]["us"] == pytest.approx(800, rel=0.01) or told["best"]["us"] < 800
    assert told["technology"]["name"] == "sharc"
    assert len(told["front"]) > 10
    assert figure.stat().st_size > 10_000


def test_a_deadline_out_of_reach_is_status_1() -> None:
    done = energy("bcast", "--deadline", "100")
    assert done.exit_code == 1
    assert "no clock and rate of sharc keeps 100 us" in done.stderr


def test_defaults_are_a_sharc() -> None:
    assert Technology() == SHARC
