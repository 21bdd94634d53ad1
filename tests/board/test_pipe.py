"""What bad neighbours send to a rank of ports/pipe is named, ends the job or is mended, and never overwrites memory: the ranks run with
sanitizers, and this test holds the other end of their wires."""

from __future__ import annotations

import random
import struct
import subprocess
import zlib
from pipes import Result, Spoil, besieged, program, ring, start

import pytest
from newer import hello

SIZE = 4


def together(results: list[Result]) -> str:
    return "\n".join(result.text for result in results)


def alone(rank: str | None, size: str | None, name: str = "traffic") -> subprocess.CompletedProcess[str]:
    """A rank without neighbours."""
    node = start([program(name), "1"], rank, size, [])
    text, _ = node.communicate(timeout=60)
    return subprocess.CompletedProcess([], node.returncode, text)


def unchanged(data: bytes) -> bytes:
    return data


# ---- Started wrongly ----


def test_one_rank_needs_no_launcher() -> None:
    assert alone(None, None).returncode == 0


@pytest.mark.parametrize(
    ("rank", "size"), [("0", None), (None, "4"), ("4", "4"), ("-1", "4"), ("x", "4"), ("0", "999"), ("", "1")]
)
def test_wrong_identity(rank: str | None, size: str | None) -> None:
    done = alone(rank, size)
    assert done.returncode > 0
    assert "MPICO_BOARD_RANK and MPICO_BOARD_SIZE do not name a rank" in done.stdout


def test_no_links() -> None:
    done = alone("1", "4")
    assert done.returncode > 0
    assert "descriptors 3 and 4, the links to the neighbours, are not open" in done.stdout


def test_arena_too_small() -> None:
    results = ring([program("small"), "1"], list(range(2)), 2).finish()
    assert all(result.code > 0 for result in results)
    assert "the arena of 20000 bytes is too small: links" in together(results)


def test_two_ranks_the_same() -> None:
    results = ring([program("traffic"), "1"], [0, 1, 1, 3], SIZE).finish()
    assert all(result.code > 0 for result in results)
    assert "two nodes claim rank 1" in together(results)


def test_more_ranks_than_the_ring_has() -> None:
    results = ring([program("traffic"), "1"], [0, 1, 2], SIZE).finish()
    assert all(result.code > 0 for result in results), results


# ---- Neighbours that are none ----


@pytest.fixture(scope="module")
def heard() -> dict[str, str]:
    """What a rank says of them."""
    sends = {"silence": b"", "noise": random.Random(1).randbytes(2000), "newer": hello()}
    return besieged([program("traffic"), "1"], SIZE, sends)


def test_silence(heard: dict[str, str]) -> None:
    assert "no answer from the" in heard["silence"]


def test_babble(heard: dict[str, str]) -> None:
    assert "babbles" in heard["noise"]


def test_newer_version(heard: dict[str, str]) -> None:
    assert "speaks version 2" in heard["newer"]


# ---- While it runs ----


def damaging(seed: int, often: float) -> Spoil:
    """In each piece that comes: bits turned, bytes lost, bytes invented."""
    rng = random.Random(seed)

    def spoil(data: bytes) -> bytes:
        if not data or rng.random() > often:
            return data
        at = rng.randrange(len(data))
        change = rng.choice(
            [bytes([data[at] ^ 1 << rng.randrange(8)]), b"", data[at : at + 1] + rng.randbytes(rng.randrange(40))]
        )
        return data[:at] + change + data[at + 1 :]

    return spoil


def test_damaged_bytes_are_mended() -> None:
    """Every link damages, in both directions: everything arrives once, in order, undamaged."""
    spoils = {i: (damaging(2 * i, 0.02), damaging(2 * i + 1, 0.02)) for i in range(SIZE)}
    results = ring([program("traffic"), "30"], list(range(SIZE)), SIZE, spoils).finish(100)
    assert [result.code for result in results] == [0] * SIZE, results
    assert "30 rounds are right" in results[0].text


def cut_after(count: int) -> Spoil:
    """Nothing passes once so many bytes have."""
    passed = 0

    def spoil(data: bytes) -> bytes:
        nonlocal passed
        passed += len(data)
        return data if passed < count else b""

    return spoil


def test_cut_link_closes_the_ring() -> None:
    spoils = {1: (cut_after(100_000), cut_after(20_000))}
    results = ring([program("traffic"), "60"], list(range(SIZE)), SIZE, spoils).finish(100)
    assert [result.code for result in results] == [0] * SIZE, results
    assert "60 rounds are right" in results[0].text
    assert "is cut" in results[1].text and "is cut" in results[2].text


def test_dead_rank_is_named() -> None:
    job = ring([program("traffic"), "1000000"], list(range(SIZE)), SIZE)
    assert job.nodes[0].stdout
    assert job.nodes[0].stdout.readline() == "it runs\n"
    job.nodes[2].kill()
    results = job.finish()
    assert all(results[rank].code > 0 for rank in (0, 1, 3)), results
    # Who waits for a rank that has ended for this reason names that one.
    assert "rank 2 does not answer" in together(results)


def test_what_was_under_way_with_a_dead_rank_ends() -> None:
    """Also what is made of several messages: an exchange, parts, one-sided operations."""
    job = ring([program("lost")], list(range(SIZE)), SIZE)
    assert job.nodes[0].stdout
    assert job.nodes[0].stdout.readline() == "it runs\n"
    job.nodes[2].kill()
    results = job.finish()
    for rank in (0, 1, 3):
        assert f"rank {rank} goes on" in results[rank].text, results


# ---- Frames that are right, and what is in them is not ----


def check(data: bytes, state: int = 0xFFFFFFFF) -> int:
    """The wire's check sum, continued: a CRC-32 that is not inverted at its end."""
    return zlib.crc32(data, state ^ 0xFFFFFFFF) ^ 0xFFFFFFFF


def lying(seed: int, after: int, often: float) -> Spoil:
    """Frames of one direction pass whole; after some data frames, bytes of the payload of others are changed and the check sums made good."""
    rng = random.Random(seed)
    kept, session, seen = b"", 0xFFFFFFFF, 0

    def frame_at(data: bytes) -> int:
        """Its length; 0 where there is none, -1 where the rest is missing."""
        if len(data) < 12:
            return -1
        length = 16 + struct.unpack_from("<H", data, 8)[0]
        if any(check(data[:12], state) < 65536 for state in (0xFFFFFFFF, session)):
            return length if len(data) >= length else -1
        return 0

    def change(frame: bytes) -> bytes:
        nonlocal session, seen
        kind = frame[1] & 15
        if kind == 2:
            session = check(frame[12:20])
        seen += kind == 0
        if kind or seen < after or rng.random() > often or len(frame) == 16:
            return frame
        body = bytearray(frame[12:-4])
        first, last = rng.choice([(0, 8), (8, 40), (8, 40), (8, 40)])  # the relay's head, the packet
        for _ in range(rng.randrange(1, 4)):
            body[rng.randrange(min(first, len(body) - 1), min(last, len(body)))] = rng.choice([0, 1, 0x7F, 0x80, 0xFF])
        return frame[:12] + body + struct.pack("<I", check(frame[:12] + body, session))

    def spoil(data: bytes) -> bytes:
        nonlocal kept
        kept, out = kept + data, b""
        while kept and (length := frame_at(kept)) >= 0:
            out += change(kept[:length]) if length else kept[:1]
            kept = kept[length or 1 :]
        return out

    return spoil


@pytest.mark.parametrize("seed", range(6))
def test_lies_overwrite_nothing(seed: int) -> None:
    """Some jobs end with an error, some hang on the message that was changed; a sanitizer has nothing to say."""
    spoils = {0: (lying(seed, 3 + 4 * (seed % 4), 0.03), unchanged)}
    ring([program("traffic"), "100"], [0, 1], 2, spoils).finish(2, may_hang=True)


def test_liar_speaks_the_wire() -> None:
    """What does not change a frame's payload passes: the check above would see nothing if its frames were damaged ones."""
    spoils = {0: (lying(1, 1 << 30, 0), unchanged)}
    results = ring([program("traffic"), "5"], [0, 1], 2, spoils).finish()
    assert [result.code for result in results] == [0, 0], results
