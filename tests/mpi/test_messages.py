"""Programs that die: the job must fail and say why. Set MPICO_BUILD to a folder with bin/mpicc and bin/mpiexec."""

import os
import re
import subprocess
from pathlib import Path

import pytest

FATAL = Path(__file__).parent / "fatal"

# Program, extra environment, patterns that must all be found on stderr (case does not matter, nor does order).
CASES: list[tuple[str, dict[str, str], list[str]]] = [
    ("truncate", {}, [r"MPI_Recv", r"truncat", r"rank 1", r"\b4096\b", r"tag 7", r"\b1024\b"]),
    ("rank_range", {}, [r"MPI_Send", r"\b(dest|rank)", r"\b99\b"]),
    ("after_finalize", {}, [r"MPI_Send", r"after MPI_Finalize"]),
    ("deadlock", {}, [r"rank 0\b.*rank 1|0.*waits?.*1", r"rank 1\b.*rank 0|1.*waits?.*0", r"tag 7", r"MPI_Recv"]),
    ("near_miss", {}, [r"tag 8", r"tag 7", r"rank 1"]),
    ("count_mismatch", {"MPICO_CHECK": "1"}, [r"MPI_Bcast", r"\b10\b", r"\b20\b"]),
    ("exit_code", {}, [r"rank 1", r"\b3\b"]),
    ("abort", {}, [r"MPI_Abort|abort", r"\b5\b"]),
]


def tool(name: str) -> str:
    """Path of a program of the build; skips the test where no build is named."""
    build = os.environ.get("MPICO_BUILD")
    if not build:
        pytest.skip("MPICO_BUILD is not set")
    return str(Path(build) / "bin" / name)


@pytest.mark.parametrize(("program", "environment", "patterns"), CASES, ids=[case[0] for case in CASES])
def test_message(program: str, environment: dict[str, str], patterns: list[str], tmp_path: Path) -> None:
    binary = tmp_path / program
    subprocess.run([tool("mpicc"), "-g", str(FATAL / f"{program}.c"), "-o", str(binary)], check=True)
    run = subprocess.run(
        [tool("mpiexec"), "-n", "2", str(binary)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | environment,
    )
    assert run.returncode != 0, run.stderr
    for pattern in patterns:
        assert re.search(pattern, run.stderr, re.IGNORECASE), f"{pattern!r} not in:\n{run.stderr}"
