"""What goes wrong in a ring of boards is named on the consoles, and nothing hangs."""

from __future__ import annotations

import re
import subprocess

import pytest

from boards import HERE, mpiexec, program, said, variant

pytestmark = pytest.mark.slow  # emulated nodes


def test_arena_too_small() -> None:
    done = mpiexec("-n", "4", program("token", "-Wl,--defsym=mpico_arena_bytes=4096"), "10")
    assert done.returncode != 0
    found = re.search(
        r"the arena of 4096 bytes is too small for 4 ranks: links (\d+) \+ library (\d+) = (\d+); "
        r"link with -Wl,--defsym=mpico_arena_bytes=(\d+) or more",
        done.stdout,
    )
    assert found, done.stdout
    links, library, both, needed = map(int, found.groups())
    assert links + library == both == needed
    done = mpiexec("-n", "4", program("token", f"-Wl,--defsym=mpico_arena_bytes={needed}"), "10")
    assert done.returncode == 0, done.stdout + done.stderr


def test_memory_that_the_board_does_not_have() -> None:
    with pytest.raises(subprocess.CalledProcessError) as wrong:
        program("hello", "-Wl,--defsym=mpico_arena_bytes=300000")
    assert "region `RAM' overflowed" in wrong.value.stderr


def test_two_nodes_claim_one_rank() -> None:
    """Rank 2 has been told that it is rank 1."""
    board = variant(
        "rank=$1; shift 3; n=$#; while [ $n -gt 0 ]; do word=$1; shift; n=$((n - 1)); "
        '[ "$rank" = 2 ] && word=$(echo "$word" | sed "s/data=2,/data=1,/"); set -- "$@" "$word"; done; exec "$@"'
    )
    done = mpiexec("-n", "4", program("hello"), board=board)
    assert done.returncode not in (0, 124), done.stderr
    assert "two nodes claim rank 1" in done.stdout


def test_cut_from_the_start() -> None:
    done = mpiexec("--cut", "1-2", "-n", "4", program("hello"))
    assert done.returncode not in (0, 124), done.stderr
    assert "no answer from the right neighbour (rank 2)" in said(done, 1) + said(done, 0)
    assert "no answer from the left neighbour (rank 1)" in said(done, 2) + said(done, 3)


def test_babble_from_the_start() -> None:
    done = mpiexec("--babble", "1", "-n", "4", program("hello"))
    assert done.returncode not in (0, 124), done.stderr
    assert re.search(r"the link to the (left|right) \(rank 1\) babbles: \d+ bytes and no frame", done.stdout), (
        done.stdout
    )


def test_newer_wire() -> None:
    """Rank 1 is a neighbour from the future."""
    board = variant(f'[ "$1" = 1 ] && exec python3 {HERE}/newer.py "$2" "$3"; shift 3; exec "$@"')
    done = mpiexec("-n", "3", program("hello"), board=board)
    assert done.returncode not in (0, 124), done.stderr
    assert re.search(r"the (left|right) neighbour \(rank 1\) speaks version 2 of the wire, this node 1", done.stdout), (
        done.stdout
    )


def test_frames_of_another_length() -> None:
    done = mpiexec("-n", "1", program("hello"), ":", "-n", "2", program("hello", "-Wl,--defsym=mpico_slot_bytes=168"))
    assert done.returncode not in (0, 124), done.stderr
    assert "slots" in done.stdout


def test_message_longer_than_the_receive() -> None:
    done = mpiexec("-n", "2", program("unwanted"), "long")
    assert done.returncode not in (0, 124), done.stderr
    assert "message truncated: rank 0 sent 20000 bytes (tag 1), the buffer holds 100" in said(done, 1)


def test_more_than_the_peer_has_memory_for() -> None:
    done = mpiexec("-n", "2", program("unwanted"))
    assert done.returncode not in (0, 124), done.stderr
    assert re.search(r"no memory for the messages from rank 0", said(done, 1)), done.stdout


def test_a_node_is_killed() -> None:
    """The others learn of it, say so, and end with an error instead of waiting for ever."""
    done = mpiexec("--kill", "2@+0.5", "-n", "5", program("exchange"), "100000")
    assert done.returncode not in (0, 124), done.stdout + done.stderr
    assert "mpiexec: rank 2 is killed" in done.stderr
    assert "rank 2 does not answer its neighbours any more" in done.stdout


def test_a_wire_is_cut() -> None:
    """The ring closes over the other direction: nothing is lost, and both ends of the cut say so.

    However fast the host is, the traffic outlasts the cut: it goes on for seconds, not for so many rounds.
    """
    done = mpiexec("--cut", "1-2@+1", "-n", "4", program("exchange"), "30", "5")
    assert done.returncode == 0, done.stdout + done.stderr
    rounds = re.search(r"(\d+) rounds are right", done.stdout)
    assert rounds and int(rounds[1]) >= 30, done.stdout
    assert "the link to the right (rank 2) is cut" in said(done, 1)
    assert "the link to the left (rank 1) is cut" in said(done, 2)


def test_a_node_begins_to_babble() -> None:
    """It cannot be reached over either side any more."""
    done = mpiexec("--babble", "1@+0.5", "-n", "4", program("exchange"), "100000")
    assert done.returncode not in (0, 124), done.stdout + done.stderr
    assert re.search(r"rank 1 (does not answer|cannot be reached)", done.stdout), done.stdout


def test_noise() -> None:
    """Damaged frames are sent again."""
    done = mpiexec("--noise", "0.0003", "-n", "3", program("exchange"), "6")
    assert (done.returncode, done.stdout) == (0, "it begins\n6 rounds are right\n"), done.stderr
