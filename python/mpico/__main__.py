"""Entry of `mpico`: says what to install where the packages it is made of are missing."""

from __future__ import annotations

import sys
from pathlib import Path

NEEDED = ("typer", "rich")


def _how() -> str:
    """The command that installs the packages where bin/mpico looks for them."""
    sources = Path(__file__).resolve().parents[1]
    if (sources.parent / "tools" / "setup.sh").exists():
        return f"cd {sources.parent} && tools/setup.sh python"
    own = sources.parent / "venv"
    return f"{sys.executable} -m venv {own} && {own}/bin/pip install -r {sources}/requirements.txt"


def main() -> None:
    """Run the command; ends the process."""
    try:
        from .main import app
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in NEEDED:
            raise
        print(f"mpico: this Python ({sys.executable}) has no {error.name}; install it:", file=sys.stderr)
        print(f"    {_how()}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:  # while modules are loaded; typer sees to the rest
        sys.exit(130)
    app(prog_name="mpico")


if __name__ == "__main__":
    main()
