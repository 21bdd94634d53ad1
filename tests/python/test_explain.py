"""`mpico explain` and what `mpico tune` writes: the library's own prices, for a model that a person can add up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
pytest.importorskip("typer")
pytest.importorskip("scipy")

from mpico.explain import ExplainError, ask, wires_of
from mpico.fit_checks import FitError
from mpico.fit_shared import Protocols, fit_shared
from mpico.main import app
from mpico.parameter_types import LogGP, Parameters, Segment
from mpico.parameters import write_parameters
from mpico.results import Environment, Measurement, Results
from mpico.tune import BETWEEN, SIZES, plans, protocols
from typer.testing import CliRunner

BUILD = Path(os.environ["MPICO_BUILD"])
PIECE = Segment(0, False, L_us=100.0, o_s_us=1.0, o_r_us=10.0, G_us_per_byte=1.0)
MODEL = LogGP(64, (PIECE,), 0.0, 0.0, 0.0, 0.0, 0.0, 5.0)


@pytest.fixture(autouse=True)
def build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPICO_PREFIX", str(BUILD))
    monkeypatch.delenv("MPICO_MODEL", raising=False)


def file_of(model: LogGP, folder: Path) -> Path:
    path = folder / "model.toml"
    write_parameters(Parameters(model, "m", "processes", "2026-01-01T00:00:00Z", "a test"), path)
    return path


def prices(told: dict) -> dict[str, float]:
    return {c["algorithm"]: c["us"] for c in told["candidates"] if c["us"] is not None}


def test_a_price_is_the_sum_of_its_messages(tmp_path: Path) -> None:
    told = prices(ask("bcast", 8, 50, file_of(MODEL, tmp_path), calls=1))
    assert told["binomial"] == pytest.approx(3 * (1 + 100 + 50 + 10), abs=1e-3)
    assert told["chain"] == pytest.approx(7 * (1 + 100 + 50 + 10), abs=1e-3)


def test_the_cheapest_is_chosen(tmp_path: Path) -> None:
    for size in (8, 100000):
        told = ask("allreduce", 8, size, file_of(MODEL, tmp_path))
        assert prices(told)[told["chosen"]] == min(prices(told).values())
    assert ask("allreduce", 8, 8, file_of(MODEL, tmp_path))["chosen"] == "doubling"
    assert ask("allreduce", 8, 1 << 20, file_of(MODEL, tmp_path))["chosen"] != "doubling"


def test_a_program_takes_what_explain_says(tmp_path: Path) -> None:
    """The same model, the same choice: a trace of the steps would differ otherwise. Here the number of messages tells them apart."""
    model = file_of(MODEL, tmp_path)
    told = ask("bcast", 4, 1 << 20, model, "binomial")
    assert sum(step["kind"] == "send" for step in told["program"]) == 3
    assert {step["rank"] for step in told["program"]} == {0, 1, 2, 3}


def test_what_is_too_large_is_left_to_the_table(tmp_path: Path) -> None:
    told = ask("alltoall", 128, 1000, file_of(replace(MODEL, processors=2), tmp_path))
    assert told["by"] == "table" and told["chosen"] in {c["algorithm"] for c in told["candidates"]}
    assert ask("alltoall", 8, 1000, file_of(MODEL, tmp_path))["by"] == "price"


def test_hops_and_shared_links_cost(tmp_path: Path) -> None:
    model = file_of(MODEL, tmp_path)
    free, line = (prices(ask("alltoall", 8, 1000, model, wires=wires)) for wires in (None, "mesh:8"))
    assert all(line[name] > free[name] for name in free)
    assert wires_of("paragon-line", 16) == "mesh:16"
    assert wires_of("sharc-ring", 6) == "ring:6"
    assert wires_of("proteus", 8) is None


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (("bcat", 4, 8), "there are: barrier, bcast"),
        (("gatherv", 4, 8), "only their own parts"),
        (("bcast", 4, 1 << 31), "2^30"),
    ],
)
def test_what_has_no_price(tmp_path: Path, question: tuple[str, int, int], sentence: str) -> None:
    with pytest.raises(ExplainError, match=sentence.replace("^", r"\^")):
        ask(*question, file_of(MODEL, tmp_path))


def test_a_wrong_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text("[loggp]\nprocessors = -2\n", encoding="utf-8")
    with pytest.raises(ExplainError, match=r"wrong.toml:2: processors needs a number that is not negative, not '-2'"):
        ask("bcast", 4, 8, path)
    result = CliRunner().invoke(app, ["explain", "bcast", "--ranks", "4", "--bytes", "8", "--model", str(path)])
    assert result.exit_code == 2


def test_json_and_steps(tmp_path: Path) -> None:
    model = str(file_of(MODEL, tmp_path))
    words = ["explain", "scan", "--ranks", "3", "--bytes", "8", "--model", model, "--json", "--steps", "linear"]
    told = json.loads(CliRunner().invoke(app, words).stdout)
    assert told["algorithm"] == "linear"
    assert {"rank", "step", "kind", "peer", "bytes", "wait", "after"} == set(told["program"][0])


def test_ranks_refuse_numbers_that_are_no_model() -> None:
    """As the environment hands them over."""
    command = [str(BUILD / "bin/mpiexec"), "-n", "2", str(BUILD / "bench/bin/coll"), "--only", "bcast", "--most", "8"]
    done = subprocess.run(
        command, env=os.environ | {"MPICO_LOGGP": "1 2 3"}, capture_output=True, text=True, check=False
    )
    assert done.returncode not in (0, 139)
    assert "MPICO_LOGGP: not the numbers of a model" in done.stderr


def test_what_a_tuning_measures() -> None:
    assert 0 < protocols().rendezvous_from < protocols().shared_from
    assert sum(plan.total for plan in plans(quick=True)) < sum(plan.total for plan in plans(quick=False))


def shared_memory(
    sizes: tuple[int, ...], pingpong: Callable[[int], float], exchange: Callable[[int], float]
) -> Results:
    """What a host would measure whose times are these lines."""

    def one(pattern: str, size: int, us: float, ranks: int = 2) -> Measurement:
        return Measurement(pattern, ranks, size, us, us, us, 0.95, 10, 0, us, us)

    found = [one("pingpong", k, pingpong(k)) for k in sizes] + [one("exchange", k, exchange(k)) for k in sizes]
    found += [one(name, k, k * us) for name, us in (("copy", 1e-4), ("combine", 3e-4)) for k in sizes]
    found += [one("barriers", 0, 0.5), one("barriers", 0, 12.0, 8)]
    return Results(Environment("processes", "m", host={"cpus": 2}), tuple(found))


def test_shared_memory_is_fitted_protocol_by_protocol() -> None:
    def pingpong(k: int) -> float:
        return 0.2 + 2e-4 * k if k <= 16384 else 1.5 + 1e-4 * k if k < 49152 else 2.5 + 0.5e-4 * k

    def exchange(k: int) -> float:
        return 0.15 + 1.5e-4 * k if k <= 16384 else 1.2 + 1e-4 * k if k < 49152 else 2.0 + 1e-4 * k

    sizes = tuple(sorted({*SIZES, *BETWEEN}))
    found = fit_shared(shared_memory(sizes, pingpong, exchange), "a test", Protocols(16385, 49152)).model
    assert [s.from_bytes for s in found.segments] == [0, 16385, 49152]
    short, asked, both = found.segments
    assert (short.L_us, short.o_s_us) == pytest.approx((0.05, 0.075), rel=1e-3)
    assert (short.G_us_per_byte, short.o_r_us_per_byte) == pytest.approx((0.5e-4, 0.75e-4), rel=1e-3)
    assert (asked.o_r_us_per_byte, asked.rendezvous, asked.copiers) == (pytest.approx(1e-4, rel=1e-3), True, 1)
    assert (both.o_r_us_per_byte, both.rendezvous, both.copiers) == (pytest.approx(1e-4, rel=1e-3), True, 2)
    assert found.step_us == pytest.approx((0.5 - pingpong(4)) / 2)
    assert found.switch_us == pytest.approx(12 / 4 / 2)


def test_missing_measurements_are_named() -> None:
    whole = shared_memory((4, 8, 16, 32), lambda k: 1.0 + k, lambda k: 1.0 + k)
    with pytest.raises(FitError, match="0 sizes of pingpong from 16385 bytes"):
        fit_shared(whole, "a test", Protocols(16385, 49152))
