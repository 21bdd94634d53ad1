"""Processes of ports/pipe wired by a test: each link is a pair of sockets, or two pairs with a thread between that spoils the bytes."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

# The bytes that go on for those that came: one of these for each direction of a link.
Spoil = Callable[[bytes], bytes]
FINDING = 99  # a sanitizer's exit status


@dataclass
class Result:
    """How a rank ended."""

    code: int
    text: str  # both outputs


def program(name: str) -> str:
    """A program linked with the sanitized library (tests/board/pipe.cmake); skips the test where there is none."""
    path = Path(os.environ.get("MPICO_BUILD", "/")) / "boards/host-ring-sanitized" / name
    if not path.exists():
        pytest.skip("the build has no host-ring (MPICO_BOARDS)")
    return str(path)


def hold_low_descriptors() -> None:
    """Nothing of ours may be 3 or 4, which are the links of a child."""
    while (fd := os.open("/dev/null", os.O_RDONLY)) < 16:
        pass
    os.close(fd)


hold_low_descriptors()


def start(words: list[str], rank: str | None, size: str | None, links: list[socket.socket]) -> subprocess.Popen[str]:
    """One rank; `links` are its left and its right one, or none."""
    environment = dict(os.environ)
    environment["ASAN_OPTIONS"] = f"exitcode={FINDING}:detect_leaks=0"
    environment["UBSAN_OPTIONS"] = f"exitcode={FINDING}:print_stacktrace=1"
    for name, value in (("RANK", rank), ("SIZE", size)):
        environment.pop(f"MPICO_BOARD_{name}", None)
        if value is not None:
            environment[f"MPICO_BOARD_{name}"] = value

    def wire() -> None:
        for fd, link in zip((3, 4), links, strict=False):
            os.dup2(link.fileno(), fd)

    return subprocess.Popen(
        words,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        preexec_fn=wire,
        pass_fds=(3, 4) if links else (),
    )


def carry(ends: tuple[socket.socket, socket.socket], spoil: Spoil, stop: threading.Event) -> None:
    """Bytes from one socket to another, until told to stop. What the far one has no room for waits."""
    source, sink = ends
    try:
        while not stop.is_set():
            if not select.select([source], [], [], 0.05)[0]:
                continue
            data = spoil(source.recv(1 << 16))
            while data and not stop.is_set():
                if select.select([], [sink], [], 0.05)[1]:
                    data = data[sink.send(data, socket.MSG_DONTWAIT) :]
    except OSError:
        pass  # the ends are closed when all ranks have ended


def besieged(words: list[str], size: int, sends: dict[str, bytes]) -> dict[str, str]:
    """What rank 1 of a ring says when both its neighbours send nothing but this, over and over: a process for each of `sends`, all at once,
    since each waits some seconds. Each must end with an error, and without a sanitizer's."""
    wires = {name: [socket.socketpair() for _ in range(2)] for name in sends}
    nodes = {name: start(words, "1", str(size), [pair[0] for pair in wires[name]]) for name in sends}
    until = time.monotonic() + 40
    while any(node.poll() is None for node in nodes.values()) and time.monotonic() < until:
        for name, ours in ((name, pair[1]) for name, pairs in wires.items() for pair in pairs):
            try:
                ours.send(sends[name], socket.MSG_DONTWAIT)
                ours.recv(1 << 16, socket.MSG_DONTWAIT)
            except BlockingIOError:
                pass
        time.sleep(0.02)
    said = {}
    for name, node in nodes.items():
        node.kill()
        said[name], _ = node.communicate()
        assert node.returncode > 0, said
        assert "Sanitizer" not in said[name] and "runtime error" not in said[name], said
    return said


def ring(words: list[str], ranks: list[int], size: int, spoils: dict[int, tuple[Spoil, Spoil]] | None = None) -> Ring:
    """Start a process for each of `ranks`, in this order around the ring. Link i leads from process i to the next; those in `spoils`
    are carried by a thread for each direction: to the right, to the left."""
    stop = threading.Event()
    left: dict[int, socket.socket] = {}
    right: dict[int, socket.socket] = {}
    threads = []
    for i in range(len(ranks)):
        right[i], other = socket.socketpair()
        if spoils and i in spoils:
            back, left[(i + 1) % len(ranks)] = socket.socketpair()
            for ends, spoil in zip(((other, back), (back, other)), spoils[i], strict=True):
                threads.append(threading.Thread(target=carry, args=(ends, spoil, stop), daemon=True))
        else:
            left[(i + 1) % len(ranks)] = other
    nodes = [start(words, str(rank), str(size), [left[i], right[i]]) for i, rank in enumerate(ranks)]
    for thread in threads:
        thread.start()
    return Ring(nodes, stop, [*left.values(), *right.values()])


@dataclass
class Ring:
    """Running processes. The sockets stay open until all have ended, as a launcher's do."""

    nodes: list[subprocess.Popen[str]]
    stop: threading.Event
    links: list[socket.socket]

    def finish(self, seconds: float = 60, may_hang: bool = False) -> list[Result]:
        """Wait for all; kill those that are still there at the end of the time, which fails the test unless they may hang."""
        until = time.monotonic() + seconds
        results, late = [], []
        for i, node in enumerate(self.nodes):
            try:
                text, _ = node.communicate(timeout=max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                node.kill()
                text, _ = node.communicate()
                late.append(i)
            results.append(Result(node.returncode, text))
        self.stop.set()
        for link in self.links:
            link.close()
        assert may_hang or not late, f"still there: {late}: {results}"
        for i, result in enumerate(results):
            assert "Sanitizer" not in result.text and "runtime error" not in result.text, result.text
            assert result.code != FINDING and (result.code >= 0 or i in late or result.code == -9), result
        return results
