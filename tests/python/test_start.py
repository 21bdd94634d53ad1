"""What a command does not need is not loaded when it starts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("typer")
pytest.importorskip("numpy")

PYTHON = Path(__file__).parents[2] / "python"


def test_help_loads_neither_scipy_nor_matplotlib() -> None:
    script = "import sys, mpico.main; print([m for m in ('scipy', 'matplotlib', 'reportlab') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], cwd=PYTHON, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr
