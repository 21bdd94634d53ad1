"""What tools/size/host.py says of static programs of this machine, and that the library's share stays within its budget."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).parents[2]
BUILD = Path(os.environ.get("MPICO_BUILD", "build")).resolve()
sys.path.insert(0, str(SOURCE / "tools/size"))

import host  # noqa: E402
import linkmap  # noqa: E402

ROW: dict[str, Any] = {
    "profile": "ring-paper",
    "linked": "archive alone",
    "functions": 11,
    "text": 900,
    "rodata": 90,
    "data": 10,
    "bss": 5000,
    "libc": 7,
    "file": 2000,
}


def test_the_share_is_told_from_other_code() -> None:
    pieces = [
        linkmap.Piece(".text.MPI_Send", ".text", "lib/libmpi_abi.a(p2p.c.o)", 0, 100),
        linkmap.Piece(".bss.ranks", ".bss", "lib/libmpi_abi.a(rank.c.o)", 0, 50),
        linkmap.Piece(".text.MPI_Recv", ".text", "/tmp/ccX.ltrans0.ltrans.o", 0, 7),
        linkmap.Piece(".text", ".text", "/usr/lib/libc.a(printf.o)", 0, 30),
        linkmap.Piece(".bss", ".bss", "/usr/lib/libc.a(printf.o)", 0, 20),
    ]
    ours, others = host.weigh(pieces)
    assert (ours["text"], ours["bss"], others) == (107, 50, 30)


def test_growth_and_a_missing_budget_are_told() -> None:
    assert host.over_budget([ROW], {"ring-paper, archive alone": 1000}) == []
    assert "1,000 bytes, 999 are allowed" in host.over_budget([ROW], {"ring-paper, archive alone": 999})[0]
    assert host.over_budget([ROW], {})
    assert host.over_budget([{**ROW, "functions": 0}], {}) == []


def buildtype() -> str:
    cache = BUILD / "CMakeCache.txt"
    lines = cache.read_text(encoding="utf-8").splitlines() if cache.exists() else []
    return next((line.split("=", 1)[1] for line in lines if line.startswith("CMAKE_BUILD_TYPE:")), "")


def can_link_statically(folder: Path) -> bool:
    source = folder / "empty.c"
    source.write_text("int main(void) { return 0; }\n")
    return subprocess.run(["cc", "-static", source, "-o", folder / "empty"], capture_output=True).returncode == 0


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the budget is that of x86-64")
@pytest.mark.skipif(buildtype() != "Release", reason="the budget is that of a release")
def test_the_budget_is_held(tmp_path: Path) -> None:
    if not can_link_statically(tmp_path):
        pytest.skip("no static C library")
    rows = host.measure_all(BUILD)
    by_name = {host.key(row): row for row in rows}
    assert host.over_budget(rows, json.loads(host.BUDGET.read_text(encoding="utf-8"))) == []
    shares = [host.share(by_name[f"{p}, archive alone"]) for p in ("point-to-point", "ring-paper", "mpi-1", "whole")]
    assert shares == sorted(set(shares)), "a program of fewer functions takes less"
