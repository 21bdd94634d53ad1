"""`mpico model fit`: parameters come back from what a model gives, and what cannot be told is refused."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
sys.path.insert(0, str(Path(__file__).parent))
pytest.importorskip("scipy")
pytest.importorskip("typer")

import numpy as np
from click.testing import Result
from fit_data import HOST, RING, SIZES, host, measurement, ring, with_more, without
from mpico.fit_checks import FitError
from mpico.fit_linear import fit, unidentified
from mpico.fit_loggp import fit_loggp
from mpico.fit_pieces import fit_pieces
from mpico.fit_ring import fit_ring
from mpico.loggp import message_us
from mpico.main import app
from mpico.parameters import Allgather, Broadcast, RingService, Unicast, read_parameters
from mpico.results import Results, write_results
from mpico.ring_terms import values
from typer.testing import CliRunner

OTHER = RingService(
    Unicast(o_r=11, o_s=7, o_ap=20, L_s=5, L_rts=3, g=0.01, G=0.008),
    Broadcast(o=30, o_node=9, L_node=2, g=0.012, G=0.014),
    Allgather(o=40, o_node=12, o_mm=0.05, g=0.011),
)
POWERS = [4 << i for i in range(19)]


def two_lines(size: int) -> float:
    """A host with a break at 8 KB."""
    return 0.2 + 1e-4 * size if size < 8192 else 3.0 + 4e-5 * size


# ---- Least squares ----


def test_a_line_comes_back_with_its_interval() -> None:
    rows = [{"a": 1, "b": float(x)} for x in range(20)]
    times = [3 + 2 * x + (-1) ** x * 0.1 for x in range(20)]
    found = fit(rows, times, [1.0] * 20, ["a", "b"])
    assert found.estimates["b"] == pytest.approx(2, abs=0.01)
    low, high = found.intervals["a"]
    assert low < 3 < high and high - low < 0.3


def test_the_null_space_is_named_by_the_smallest_groups() -> None:
    design = np.array([[1, 1, 2, 0, 0], [1, 1, 5, 0, 1], [1, 1, 7, 0, 3], [1, 1, 1, 0, 2.0]])
    assert set(unidentified(design, ("a", "b", "c", "d", "e"))) == {("a", "b"), ("d",)}


def test_scales_do_not_matter_to_the_rank() -> None:
    design = np.array([[1, 4], [1, 1e6], [1, 8]]) * [1e-6, 1e9]
    assert unidentified(design, ("a", "b")) == ()


# ---- The ring service ----


@pytest.mark.parametrize("truth", [RingService(), OTHER], ids=["the paper's", "another"])
def test_a_ring_comes_back(truth: RingService) -> None:
    found = fit_ring(ring(truth))
    fitted, true = values(found.model), values(truth)
    fitted["broadcast.o_node"] -= true.pop("broadcast.L_node")
    assert fitted.pop("broadcast.L_node") == 0
    assert fitted == pytest.approx(true, rel=1e-6)
    assert [refusal.names for refusal in found.refused] == [("broadcast.o_node", "broadcast.L_node")]


def test_noise_is_within_the_intervals() -> None:
    truth = values(RingService())
    found = fit_ring(ring(RingService(), noise=0.003))
    inside = [
        low <= truth[f"{table}.{key}"] <= high
        for table, ends in found.parameters.intervals.items()
        for key, (low, high) in ends.items()
        if key != "o_node" or table != "broadcast"
    ]
    assert sum(inside) >= len(inside) - 2  # of fifteen at 95 %
    assert found.model.unicast.L_s == pytest.approx(15.40, rel=0.03)


def filling(p_fill: int) -> RingService:
    """A ring whose broadcasts meet a further interrupt while it fills."""
    return replace(OTHER, broadcast=replace(OTHER.broadcast, G_fill=0.001, P_fill=p_fill))


@pytest.mark.parametrize("p_fill", [1, 2, 3])
def test_the_break_of_a_filling_ring_comes_back(p_fill: int) -> None:
    found = fit_ring(ring(filling(p_fill)))
    assert found.model.broadcast.G_fill == pytest.approx(0.001, rel=1e-6)
    assert found.model.broadcast.P_fill == p_fill
    assert found.parameters.intervals["broadcast"]["P_fill"] == (p_fill, p_fill)


def test_noise_is_no_filling() -> None:
    broadcast = fit_ring(ring(OTHER, noise=0.003)).model.broadcast
    assert (broadcast.G_fill, broadcast.P_fill) == (0, 2)
    noisy = fit_ring(ring(filling(2), noise=0.001)).model.broadcast
    assert noisy.P_fill == 2 and noisy.G_fill == pytest.approx(0.001, rel=0.2)


def test_a_wire_has_one_rate_by_any_protocol() -> None:
    def half(size: int) -> float:
        return 3.0 + 0.0009 * size if size <= 16384 else 9.0 + 0.0009 * size

    found = host(half, POWERS)
    # A receive that asks first waits for the wire in the call: all of the time a byte looks like the receiver's.
    asked = [measurement("recv-overhead", 2, k, 5.0 + 0.0009 * k if k > 16384 else 0.5 + 0.0001 * k, 1) for k in POWERS]
    machine = Results(replace(HOST, place="machine"), (*found.measurements, *asked))
    wrong, right = fit_loggp(machine).model.segments[-1], fit_loggp(machine, rendezvous_from=16385).model.segments[-1]
    assert wrong.G_us_per_byte == pytest.approx(0, abs=1e-6)
    assert (right.G_us_per_byte, right.o_r_us_per_byte) == pytest.approx((0.0008, 0.0001), rel=0.01)
    shared = Results(HOST, machine.measurements)
    assert fit_loggp(shared, rendezvous_from=16385).model.segments[-1].G_us_per_byte == pytest.approx(0, abs=1e-6)


def test_a_copy_is_what_an_allgather_takes_longer_than_in_place() -> None:
    found = [measurement("allgather", 2, k, 5 + 0.003 * k) for k in (64, 1024, 8192)]
    found += [measurement("allgather-in-place", 2, k, 5 + 0.001 * k) for k in (64, 1024, 8192)]
    whole = Results(replace(HOST, place="machine"), (*host(two_lines, POWERS).measurements, *found))
    assert fit_loggp(whole).model.copy_us_per_byte == pytest.approx(0.002, rel=1e-6)
    assert fit_loggp(whole).model.switch_us == 0  # each rank has a processor


def test_what_is_told_by_itself_and_what_with_others() -> None:
    found = fit_ring(ring(RingService(), noise=0.003))
    assert found.told["unicast.o_r"] == "o_s + o_r less o_s"
    assert found.told["unicast.o_s"] == "by itself"
    assert found.told["broadcast.o_node"] == "as a sum"
    assert (found.told["unicast.o_ap"], found.told["unicast.G"]) == ("with G", "with o_ap")
    ends = found.parameters.intervals["unicast"]
    widths = {name: high - low for name, (low, high) in ends.items()}
    assert widths["o_r"] > widths["o_s"]  # it has the sum's as well
    (tied,) = (note for note in found.notes if note.startswith("unicast.o_ap and G"))
    sure, low, high = (float(word) for word in re.findall(r"= ([\d.]+) \(([\d.]+) to ([\d.]+)\)", tied)[0])
    assert sure == pytest.approx(48.3 + 2048 * 0.025, rel=0.01) and high - low < 0.05 * widths["o_ap"]
    alone = fit_ring(without(ring(RingService()), "send-overhead"))
    assert alone.told["unicast.o_s"] == "as a sum" and not any("rest of a sum" in note for note in alone.notes)


def test_an_interval_of_a_sum_is_that_of_its_parts() -> None:
    rows = [{"a": 1, "b": float(x)} for x in range(20)]
    found = fit(rows, [3 + 2 * x + (-1) ** x * 0.1 for x in range(20)], [1.0] * 20, ["a", "b"])
    low, high = found.intervals["a"]
    assert found.half({"a": 1}) == pytest.approx((high - low) / 2)
    assert found.half({"a": 1, "b": 9.5}) < found.half({"a": 1})  # in the middle of the line
    assert found.correlation("a", "b") == pytest.approx(-0.857, abs=0.01)


def test_without_the_overhead_only_the_sum_is_told() -> None:
    found = fit_ring(without(ring(RingService()), "send-overhead"))
    assert "unicast.o_s+o_r" in found.model.sums
    assert found.model.unicast.o_s == pytest.approx(28.63 + 29.17)
    refusal = next(r for r in found.refused if r.names == ("unicast.o_s", "unicast.o_r"))
    assert "--patterns send-overhead --ranks 2,3,4 --sizes 4" in str(refusal)


@pytest.mark.parametrize(
    ("results", "said"),
    [
        (
            without(ring(RingService()), "bcast", "allgather"),
            "no bcast, allgather; measure with: mpico bench --machine",
        ),
        (ring(RingService(), ranks=(4,)), "once was measured on 4 ranks only"),
        (ring(RingService(), sizes=(4, 2048)), "too few sizes: once has 2 .*--sizes 4,8"),
        (ring(RingService(), sizes=(4, 64, 1024, 2048)), "no break was found in once up to 2048 bytes"),
        # Full packets alone: each brings o_ap and 2,048 bytes.
        (ring(RingService(), sizes=(4, 64, 2048, 4096, 8192)), "unidentifiable: unicast.G with unicast.o_ap"),
        (ring(replace(OTHER, allgather=Allgather(o=1, o_node=50, o_mm=-0.001))), "refused: allgather.o_mm"),
        (
            with_more(ring(RingService()), measurement("bcast", 3, 4096, 900.0), measurement("bcast", 3, 5000, 300.0)),
            "bcast on 3 ranks takes 900 us for 4096 bytes .* 300 us for 5000 .*measure again",
        ),
        (with_more(ring(RingService()), measurement("once", 3, 4, 0.0, 1)), "which is no time"),
        (with_more(ring(RingService()), measurement("once", 3, 4, 90.0)), "between which ranks"),
    ],
)
def test_a_ring_that_cannot_be_fitted_says_why(results: Results, said: str) -> None:
    with pytest.raises(FitError, match=said):
        fit_ring(results)


def test_dips_can_be_kept() -> None:
    dipped = with_more(ring(RingService()), measurement("bcast", 3, 4096, 260.0), measurement("bcast", 3, 8192, 200.0))
    with pytest.raises(FitError, match="measure again"):
        fit_ring(dipped)
    assert fit_ring(dipped, keep_dips=True).worst["broadcast"] > 0.03


# ---- LogGP ----


def test_the_break_is_found() -> None:
    pieces = fit_pieces(POWERS, [two_lines(k) for k in POWERS], [0.0] * len(POWERS))
    assert [piece.start_interval for piece in pieces] == [(0, 0), (4097, 8192)]
    assert pieces[1].line.b == pytest.approx(4e-5, rel=1e-6)
    assert pieces[0].line.a == pytest.approx(0.2, rel=1e-6)


def test_noise_makes_no_breaks() -> None:
    noisy = host(lambda k: 0.2 + 1e-4 * k, POWERS, noise=0.02).measurements
    assert len(fit_pieces([m.bytes for m in noisy], [m.us for m in noisy], [0.0] * len(noisy))) == 1


def test_loggp_shares_the_time_among_way_and_ends() -> None:
    more = [
        measurement(pattern, 2, k, share * two_lines(k), 1)
        for pattern, share in (("send-overhead", 0.25), ("recv-overhead", 0.5))
        for k in POWERS
    ]
    found = fit_loggp(with_more(host(two_lines, POWERS), *more), rendezvous_from=8192)
    first, second = found.model.segments
    assert (first.L_us, first.o_s_us, first.o_r_us) == pytest.approx((0.05, 0.05, 0.1), rel=1e-4)
    assert (second.G_us_per_byte, second.o_r_us_per_byte) == pytest.approx((1e-5, 2e-5), rel=1e-4)
    assert (first.rendezvous, second.rendezvous) == (False, True)
    assert all(message_us(found.model, k) == pytest.approx(two_lines(k), rel=1e-4) for k in POWERS)


def test_ends_that_overlap_are_refused_and_the_whole_stays() -> None:
    more = [measurement(p, 2, k, 0.8 * two_lines(k), 1) for p in ("send-overhead", "recv-overhead") for k in POWERS]
    found = fit_loggp(with_more(host(two_lines, POWERS), *more))
    refused = [refusal for refusal in found.refused if "below 0" in refusal.reason]
    assert refused[0].names == ("loggp.segment[0].L_us", "loggp.segment[0].G_us_per_byte")
    assert "1.60 times" in refused[0].reason
    assert found.model.segments[0].L_us == 0
    assert message_us(found.model, 64) == pytest.approx(two_lines(64), rel=1e-4)


def test_what_was_not_measured_is_left_out_with_the_call() -> None:
    found = fit_loggp(host(two_lines, POWERS))
    assert found.model.switch_us is None and found.model.g_us is None
    said = {refusal.names[0]: str(refusal) for refusal in found.refused}
    assert "mpico bench --patterns adjacent --ranks 2,4" in said["loggp.switch_us"]
    assert "--patterns copy" in said["loggp.copy_us_per_byte"]


def test_the_other_costs() -> None:
    more = [measurement("gap", 2, k, 0.1 + 5e-5 * k, 1) for k in POWERS]
    more += [measurement("copy", 2, k, 1e-5 * k) for k in POWERS]
    more += [measurement("once", 2, 4, 1.0, 1), measurement("barrier", 2, 0, 1.5)]
    more += [measurement("adjacent", 2, 4, 0.3), measurement("adjacent", 4, 4, 2.3)]
    model = fit_loggp(with_more(host(two_lines, POWERS), *more)).model
    assert (model.g_us, model.copy_us_per_byte) == pytest.approx((0.1, 1e-5), rel=1e-4)
    assert (model.step_us, model.switch_us) == pytest.approx((0.25, 2.0))


def test_hops_are_of_machines() -> None:
    flat = host(two_lines, POWERS)
    machine = replace(flat, environment=replace(RING, discipline="windowed"))
    assert fit_loggp(flat).model.hop_us == 0
    assert fit_loggp(machine).model.hop_us is None
    far = with_more(machine, *(measurement("once", 4, 4, 10.0 + 1.5 * hops, hops) for hops in (1, 2, 3)))
    assert fit_loggp(far).model.hop_us == pytest.approx(1.5)
    assert fit_loggp(far).model.processors == 4


@pytest.mark.parametrize(
    ("results", "said"),
    [
        (host(two_lines, (4, 64, 1024)), "too few sizes: pingpong has 3 .*--sizes 4,6,8"),
        (Results(host(two_lines, POWERS).environment, ()), "no pingpong"),
        (
            with_more(host(two_lines, POWERS), measurement("pingpong", 2, 3 << 20, 5.0, 1)),
            "something else disturbed it",
        ),
    ],
)
def test_a_host_that_cannot_be_fitted_says_why(results: Results, said: str) -> None:
    with pytest.raises(FitError, match=said):
        fit_loggp(results)


# ---- The command ----


def run(results: Results | str, folder: Path, *options: str) -> Result:
    path = folder / "results.jsonl"
    if isinstance(results, str):
        path.write_text(results)
    else:
        write_results(path, results)
    return CliRunner().invoke(app, ["model", "fit", str(path), *options], env={"COLUMNS": "200"})


def test_the_command_prints_and_writes(tmp_path: Path) -> None:
    done = run(ring(RingService()), tmp_path, "--output", str(tmp_path / "ring.toml"))
    assert done.exit_code == 0, done.output
    assert "o_node + L_node" in done.output and "refused: broadcast.o_node" in done.output
    parameters = read_parameters(tmp_path / "ring.toml")
    assert parameters.machine == RING.machine and parameters.source == "results.jsonl"
    assert parameters.intervals["unicast"]["w_max"] == (2048, 2111)


def test_json_has_rows_and_refusals(tmp_path: Path) -> None:
    done = run(ring(RingService()), tmp_path, "--json")
    told = json.loads(done.stdout)
    assert {row["parameter"] for row in told["rows"]} >= {"o_ap", "o_node + L_node", "o_mm"}
    assert {row["parameter"]: row["told"] for row in told["rows"]}["w_max"] == "break"
    assert max(abs(row["error_percent"]) for row in told["rows"]) < 1e-6
    assert told["refused"][0]["parameters"] == ["broadcast.o_node", "broadcast.L_node"]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda text: "", "empty"),
        (lambda text: text.replace('"low_us"', '"lowest"', 1), "without low_us"),
        (lambda text: text + text.replace("sharc-ring", "tigersharc-ring"), "mixed machines"),
        (lambda text: text.splitlines()[0] + "\n", "no once, bcast"),
    ],
)
def test_a_spoilt_file_gives_a_sentence_and_no_parameters(spoil: object, said: str, tmp_path: Path) -> None:
    write_results(tmp_path / "good.jsonl", ring(RingService(), sizes=SIZES))
    text = spoil((tmp_path / "good.jsonl").read_text())  # type: ignore[operator]
    done = run(text, tmp_path, "--output", str(tmp_path / "none.toml"))
    assert done.exit_code == 2 and said in done.output and done.output.startswith("mpico model fit: ")
    assert not (tmp_path / "none.toml").exists()


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    done = run(ring(RingService()), tmp_path, "--kind", "bsp")
    assert done.exit_code == 2 and "ring-service and loggp" in done.output
