"""`mpico machine` with the simulator of a build."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("typer")

BUILD = Path(os.environ.get("MPICO_BUILD", "build")).resolve()
MACHINES = Path(__file__).parents[2] / "machines"

pytestmark = pytest.mark.skipif(
    not (BUILD / "lib/mpico/sim/mpico-sim").exists(), reason="MPICO_BUILD names no build with a simulator"
)


def mpico(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The launcher of the build."""
    command = [str(BUILD / "bin/mpico"), *words]
    wide = {**os.environ, "COLUMNS": "200", **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=wide)


def test_every_machine_of_the_source_tree_is_listed() -> None:
    done = mpico("machine", "list", "--json")
    assert done.returncode == 0, done.stderr
    rows = {row["name"]: row for row in json.loads(done.stdout)}
    assert sorted(rows) == sorted(path.stem for path in MACHINES.glob("*.toml"))
    assert rows["sharc-ring"]["network"] == "ring"
    assert rows["scmp-mesh"]["nodes"] == "8 x 8 = 64"
    assert all(row["about"] for row in rows.values())


def test_the_table_names_them_too() -> None:
    done = mpico("machine", "list")
    assert done.returncode == 0, done.stderr
    assert all(path.stem in done.stdout for path in MACHINES.glob("*.toml"))


def test_show_tells_every_value() -> None:
    done = mpico("machine", "show", "sharc-ring", "--json")
    machine = json.loads(done.stdout)
    assert machine["processor"]["clock_hz"] == 40e6
    assert machine["network"]["bytes_per_second"] == 40e6
    table = mpico("machine", "show", str(MACHINES / "sharc-ring.toml"))
    assert table.returncode == 0
    assert "40000000" in table.stdout
    assert "[network]" in table.stdout


def test_an_unknown_machine_is_answered_with_the_known() -> None:
    done = mpico("machine", "show", "shark-ring")
    assert done.returncode == 1
    assert "'shark-ring'" in done.stderr
    assert "sharc-ring" in done.stderr


def test_check_says_where_a_file_is_wrong(tmp_path: Path) -> None:
    good = MACHINES / "sharc-ring.toml"
    lines = good.read_text(encoding="utf-8").splitlines()
    number = next(i for i, line in enumerate(lines) if line.startswith("clock_hz"))
    lines[number] = "clock_hz = -1.0"
    bad = tmp_path / "bad.toml"
    bad.write_text("\n".join(lines), encoding="utf-8")
    done = mpico("machine", "check", str(good), str(bad))
    assert done.returncode == 1
    assert f"{good}: fine" in done.stdout
    assert f"{bad}:{number + 1}: " in done.stderr
    assert mpico("machine", "check", str(good)).returncode == 0
    assert mpico("machine", "check", "sharc-ring").stdout == "sharc-ring: fine\n"


def test_a_missing_file_is_no_traceback(tmp_path: Path) -> None:
    done = mpico("machine", "check", str(tmp_path / "none.toml"))
    assert done.returncode == 1
    assert "none.toml" in done.stderr
    assert "Traceback" not in done.stderr


def test_schema_documents_every_key_of_a_machine() -> None:
    done = mpico("machine", "schema")
    assert done.returncode == 0
    rows = [line for line in done.stdout.splitlines() if line.startswith("| `")]
    described = json.loads(mpico("machine", "show", "sharc-ring", "--json").stdout)
    for table in ("processor", "cost", "network"):
        for key in described[table]:
            assert any(row.startswith((f"| `{table}.{key}`", f"| `{key}`")) for row in rows), f"{table}.{key}"


def test_a_python_without_packages_says_what_to_do(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.write_text(f'#!/bin/sh\nexec "{BUILD_PYTHON}" -S -I -c "{RUN_BARE}" "$PYTHONPATH"\n', encoding="utf-8")
    bare.chmod(0o755)
    done = mpico("machine", "list", MPICO_PYTHON=str(bare))
    assert done.returncode == 1
    assert "tools/setup.sh python" in done.stderr
    assert "Traceback" not in done.stderr


BUILD_PYTHON = os.path.realpath("/proc/self/exe")
# -S leaves out site-packages: the interpreter as a fresh machine has it.
RUN_BARE = (
    "import runpy, sys; sys.path.insert(0, sys.argv[1].split(':')[0]); runpy.run_module('mpico', run_name='__main__')"
)
