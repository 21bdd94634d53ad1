"""Parameter files: what is written is read again, and what is wrong in one is said in a sentence."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))

from mpico.parameters import (
    Broadcast,
    LogGP,
    Parameters,
    ParametersError,
    RingService,
    Segment,
    read_parameters,
    write_parameters,
)

PIECES = (Segment(L_us=0.1, o_s_us=0.05, o_r_us=0.07, G_us_per_byte=1.25e-4), Segment(8192, True, L_us=2.5))
HOST = LogGP(2, PIECES, g_us=0.1, copy_us_per_byte=1e-5)
ABOUT = ("sharc-ring", "machine", "2026-11-22T00:30:00Z", 'a "quoted" name.jsonl')


def again(parameters: Parameters, folder: Path) -> Parameters:
    path = folder / "parameters.toml"
    write_parameters(parameters, path)
    return read_parameters(path)


def test_the_paper_s_ring_is_the_default(tmp_path: Path) -> None:
    service = RingService()
    assert (service.unicast.o_r, service.unicast.o_s, service.unicast.o_ap) == (29.17, 28.63, 48.30)  # Table 7
    assert (service.broadcast.o_node, service.broadcast.L_node, service.broadcast.G) == (23.10, 1.6, 0.0266)  # Table 8
    assert (service.allgather.o, service.allgather.o_mm) == (91.10, 0.1627)  # Table 9
    parameters = Parameters(service, *ABOUT, {"unicast": {"o_s": (28.0, 29.0)}})
    assert again(parameters, tmp_path) == parameters


def test_a_sum_is_written_as_a_sum(tmp_path: Path) -> None:
    joint = frozenset({"broadcast.o_node+L_node"})
    parameters = Parameters(RingService(broadcast=Broadcast(o_node=24.7, L_node=0.0), sums=joint), *ABOUT)
    assert again(parameters, tmp_path) == parameters
    text = (tmp_path / "parameters.toml").read_text()
    broadcast = text[text.index("[broadcast]") : text.index("[allgather]")]
    assert "o_node_and_L_node = 24.7" in broadcast
    assert "\no_node =" not in broadcast and "\nL_node =" not in broadcast


def test_loggp_comes_back_with_what_is_not_known(tmp_path: Path) -> None:
    intervals = {"loggp": {"g_us": (0.09, 0.11)}, "loggp.segment.0": {"L_us": (0.0, 0.2)}, "loggp.segment.1": {}}
    parameters = Parameters(HOST, *ABOUT, intervals)
    read = again(parameters, tmp_path)
    assert read.model == HOST and read.kind == "loggp"
    assert read.model.switch_us is None
    assert read.intervals["loggp.segment.0"] == {"L_us": (0.0, 0.2)}


def test_a_size_finds_its_segment() -> None:
    assert [HOST.segment(size).from_bytes for size in (0, 8191, 8192, 1 << 20)] == [0, 0, 8192, 8192]


WRONG = {
    'kind = "ring-service"': ('kind = "pram"', "kind is 'pram'"),
    "format = 1": ("format = 9", "format is 9"),
    "o_ap = 48.3": ("o_ap = -48.3", "unicast.o_ap is -48.3"),
    "L_rts = 8.925": ("L_rts = nan", "unicast.L_rts is nan"),
    "o_mm = 0.1627": ("o_mm = true", "allgather.o_mm is True"),
    "o = 63.25\n": ("", r"\[broadcast\] lacks o"),
    "w_max = 2048": ("w_max = 2048\nw_mid = 5", "unknown key 'w_mid'"),
    "[allgather]": ("[allgathers]", r"the table \[allgather\] is missing"),
    "o_node = 23.1": ("o_node_and_L_node = 24.7", "keep the sum, or both parts"),
    "o_s = 28.63": ("o_s = 28.63 us", "is no TOML"),
}


@pytest.mark.parametrize("right", WRONG)
def test_a_wrong_ring_is_refused(right: str, tmp_path: Path) -> None:
    path = tmp_path / "ring.toml"
    write_parameters(Parameters(RingService(), *ABOUT), path)
    text = path.read_text()
    assert right in text
    path.write_text(text.replace(right, WRONG[right][0], 1))
    with pytest.raises(ParametersError, match=WRONG[right][1]) as caught:
        read_parameters(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        ((), "no .*segment"),
        ((Segment(4),), "must begin at 0"),
        ((Segment(0), Segment(64), Segment(64)), "ascend"),
        ((replace(PIECES[0], L_us=-0.5),), "L_us is -0.5"),
    ],
)
def test_wrong_segments_are_refused(pieces: tuple[Segment, ...], said: str, tmp_path: Path) -> None:
    path = tmp_path / "host.toml"
    write_parameters(Parameters(LogGP(2, pieces), *ABOUT), path)
    with pytest.raises(ParametersError, match=said):
        read_parameters(path)


def test_no_file_and_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ParametersError, match="cannot read"):
        read_parameters(tmp_path / "none.toml")
    with pytest.raises(ParametersError, match="cannot write"):
        write_parameters(Parameters(HOST, *ABOUT), tmp_path / "none" / "x.toml")
