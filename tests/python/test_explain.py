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

from click.testing import Result
from mpico.explain import ExplainError, ask, wires_of
from mpico.fit_checks import FitError
from mpico.fit_shared import Protocols, fit_shared
from mpico.main import app
from mpico.parameter_types import LogGP, Parameters, Segment
from mpico.parameters import write_parameters
from mpico.results import Environment, Measurement, Results, write_results
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
    assert wires_of("proteus", 8) == "crossbar:8"


def test_a_port_has_one_message_at_a_time(tmp_path: Path) -> None:
    """Seven messages of 1,000 bytes leave the root one after the other, 1 us a byte; without wires their bytes overlap."""
    model = file_of(MODEL, tmp_path)
    free, ports = (prices(ask("scatter", 8, 1000, model, wires=w, calls=1))["linear"] for w in (None, "crossbar:8"))
    assert ports - free == pytest.approx(6 * 1000, rel=0.01)


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
    assert {"rank", "step", "kind", "peer", "bytes", "wait", "after", "begin_us", "end_us"} == set(told["program"][0])


def test_ranks_refuse_numbers_that_are_no_model() -> None:
    """As the environment hands them over."""
    command = [str(BUILD / "bin/mpiexec"), "-n", "2", str(BUILD / "bench/bin/coll"), "--only", "bcast", "--most", "8"]
    done = subprocess.run(
        command, env=os.environ | {"MPICO_LOGGP": "1 2 3"}, capture_output=True, text=True, check=False
    )
    assert done.returncode not in (0, 139)
    assert "the model of this machine is none: name its file by MPICO_MODEL" in done.stderr


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


def test_ends_that_shared_a_processor_are_no_measurement() -> None:
    def slow(k: int) -> float:
        return 40.0 + 2e-4 * k

    disturbed = shared_memory(tuple(sorted({*SIZES, *BETWEEN})), slow, slow)
    with pytest.raises(FitError, match=r"half a short ping-pong takes 40 us.*both ends shared a processor"):
        fit_shared(disturbed, "a test", Protocols(16385, 49152))


def test_missing_measurements_are_named() -> None:
    whole = shared_memory((4, 8, 16, 32), lambda k: 1.0 + k, lambda k: 1.0 + k)
    with pytest.raises(FitError, match="0 sizes of pingpong from 16385 bytes"):
        fit_shared(whole, "a test", Protocols(16385, 49152))


# ---- mpico model predict and validate of LogGP ----


def model(*words: str) -> Result:
    return CliRunner().invoke(app, ["model", *words], env={"COLUMNS": "200"})


def test_predict_prices_the_schedule_of_each_size(tmp_path: Path) -> None:
    path = str(file_of(MODEL, tmp_path))
    rows = json.loads(model("predict", path, "bcast", "--nodes", "8", "--bytes", "50,100", "--json").stdout)
    assert [(row["bytes"], row["algorithm"], row["steps"]) for row in rows] == [(k, "binomial", 14) for k in (50, 100)]
    assert [row["us"] for row in rows] == pytest.approx([3 * (1 + 100 + k + 10) for k in (50, 100)], abs=1e-3)
    chain = model("predict", path, "bcast", "--nodes", "8", "--bytes", "50", "--algorithm", "chain", "--json")
    assert json.loads(chain.stdout)[0]["us"] == pytest.approx(7 * (1 + 100 + 50 + 10), abs=1e-3)


def test_predict_shows_when_each_step_ends(tmp_path: Path) -> None:
    words = ("predict", str(file_of(MODEL, tmp_path)), "bcast", "--nodes", "4", "--bytes", "50", "--steps")
    (row,) = json.loads(model(*words, "--json").stdout)
    ends = {(step["rank"], step["kind"]): step["end_us"] for step in row["program"]}
    assert ends[2, "recv"] == pytest.approx(161) and max(ends.values()) == pytest.approx(row["us"])
    assert "receive from 0, 50 bytes" in model(*words).stdout


def test_an_allgather_s_bytes_are_one_rank_s(tmp_path: Path) -> None:
    path = file_of(MODEL, tmp_path)
    (row,) = json.loads(model("predict", str(path), "allgather", "--nodes", "4", "--bytes", "100", "--json").stdout)
    assert row["us"] == pytest.approx(prices(ask("allgather", 4, 400, path, calls=1))[row["algorithm"]])


def test_predict_of_a_message_has_parts(tmp_path: Path) -> None:
    (row,) = json.loads(model("predict", str(file_of(MODEL, tmp_path)), "message", "--bytes", "50", "--json").stdout)
    assert (row["sender_us"], row["way_us"], row["receiver_us"], row["us"]) == (1.0, 150.0, 10.0, 161.0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("bcast", "--clock", "80"), "--clock is of a ring service"),
        (("bcst",), "there are: barrier, bcast"),
        (("bcast", "--nodes", "256"), "128 ranks"),
        (("bcast", "--algorithm", "magic"), "no algorithm 'magic'; there are: spread, chain"),
        (("bcast", "--algorithm", "spread"), "needs a network that sends to all at once"),
        (("message", "--steps"), "leave them out for a message"),
    ],
)
def test_what_predict_refuses(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    done = model("predict", str(file_of(MODEL, tmp_path)), *words)
    assert done.exit_code == 2 and said in done.output


def test_steps_are_refused_for_a_ring_service() -> None:
    done = model("predict", "bcast", "--steps")
    assert done.exit_code == 2 and "--steps is of parameters of the kind loggp" in done.output


def test_validate_holds_collectives_against_their_prices(tmp_path: Path) -> None:
    """Off a host each rank has a processor, however many were measured when the parameters were fitted."""

    def one(pattern: str, ranks: int, size: int, us: float) -> Measurement:
        return Measurement(pattern, ranks, size, us, us, us, 0.95, 10, 0, us, us)

    path = tmp_path / "model.toml"
    few = replace(MODEL, processors=2, switch_us=None, combine_us_per_byte=None)
    write_parameters(Parameters(few, "cluster", "machine", "", ""), path)
    found = [one("pingpong", 2, 50, 161.0), one("bcast", 8, 50, 2 * 3 * 161.0)]
    write_results(tmp_path / "results.jsonl", Results(Environment("machine", "cluster"), tuple(found)))
    done = model("validate", str(path), str(tmp_path / "results.jsonl"), "--json")
    assert done.exit_code == 0, done.output  # the collective is shown, and not judged
    message, bcast = json.loads(done.stdout)["checks"]
    assert message["error_percent"] == pytest.approx(0) and bcast["error_percent"] == pytest.approx(-50, abs=0.01)
    assert bcast["algorithm"] == "binomial" and json.loads(done.stdout)["worst_error_percent"] == pytest.approx(0)
    assert "taken as 0: switch_us, combine_us_per_byte" in done.stderr
    picture = tmp_path / "errors.png"
    assert model("validate", str(path), str(tmp_path / "results.jsonl"), "--figure", str(picture)).exit_code == 0
    assert picture.stat().st_size > 0


def test_a_ring_s_collectives_are_no_schedules(tmp_path: Path) -> None:
    path = file_of(MODEL, tmp_path)
    write_parameters(Parameters(MODEL, "sharc-ring", "machine", "", ""), path)
    m = Measurement("bcast", 4, 50, 9.0, 9.0, 9.0, 0.95, 10, 0, 9.0, 9.0)
    write_results(tmp_path / "results.jsonl", Results(Environment("machine", "sharc-ring", "windowed"), (m,)))
    done = model("validate", str(path), str(tmp_path / "results.jsonl"))
    assert done.exit_code == 2 and "does broadcasts and allgathers by itself" in done.output
