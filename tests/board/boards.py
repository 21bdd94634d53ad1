"""Programs on emulated boards: building them with mpicc --board, running them with mpiexec --board."""

from __future__ import annotations

import functools
import os
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path

import pytest

BOARD = "mps2-an385"
HERE = Path(__file__).parent


TOOLS = {"virt-riscv64": ("riscv64-unknown-elf-gcc", "qemu-system-riscv64")}
ARM_TOOLS = ("arm-none-eabi-gcc", "qemu-system-arm")


def build(board: str = BOARD) -> Path:
    """The build folder; skips the test where none is named, or has not this board, or its tools are not installed."""
    folder = os.environ.get("MPICO_BUILD")
    if not folder:
        pytest.skip("MPICO_BUILD is not set")
    if not (Path(folder) / "lib/mpico/board" / board / "libmpi_abi.a").exists():
        pytest.skip(f"the build has no library for {board} (MPICO_BOARDS)")
    for tool in TOOLS.get(board, ARM_TOOLS):
        if not shutil.which(tool):
            pytest.skip(f"{tool} is not installed")
    return Path(folder)


@functools.cache
def folder() -> Path:
    """For the programs of this run."""
    return Path(tempfile.mkdtemp(prefix="mpico-board-"))


@functools.cache
def program(name: str, *options: str, board: str = BOARD, sources: Path = HERE / "programs") -> str:
    """The path of <name>.c of the sources, built with these options."""
    elf = folder() / f"{name}-{board}-{abs(hash(options))}.elf"
    command = [
        build(board) / "bin/mpicc",
        "--board",
        board,
        "-std=c11",
        sources / f"{name}.c",
        *options,
        "-o",
        elf,
    ]
    subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True)
    return str(elf)


def mpiexec(*words: str, board: str = BOARD, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """A job on boards. The time limits are guards: --timeout ends a job that hangs, with status 124."""
    place = build(board) if "/" not in board else Path(os.environ["MPICO_BUILD"])  # a folder is a variant of one
    command = [str(place / "bin/mpiexec"), "--board", board, "--timeout", str(timeout), *words]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=timeout + 20, check=False, stdin=subprocess.DEVNULL
    )


def said(done: subprocess.CompletedProcess[str], rank: int) -> str:
    """What the library has said on the console of this rank."""
    mark = f"mpico: rank {rank}: "
    return "\n".join(line[len(mark) :] for line in done.stdout.splitlines() if line.startswith(mark))


def variant(script: str) -> str:
    """A board whose emulator is started through a shell script, which finds the usual command line in "$@" and the rank in $1."""
    original = build() / "lib/mpico/board" / BOARD
    made = Path(tempfile.mkdtemp(prefix="variant-", dir=folder()))
    shutil.copytree(original, made, dirs_exist_ok=True)
    wrapper = made / "wrapper"
    wrapper.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
    conf = (original / "board.conf").read_text(encoding="utf-8")
    conf = conf.replace("emulator = ", f"emulator = {wrapper} @RANK@ @LEFT_FD@ @RIGHT_FD@ ")
    (made / "board.conf").write_text(conf, encoding="utf-8")
    return str(made)
