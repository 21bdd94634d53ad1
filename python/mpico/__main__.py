"""Entry of `mpico`: says what to install where the packages it is made of are missing."""

from __future__ import annotations

import sys
from pathlib import Path

NEEDED = ("typer", "rich")


def main() -> None:
    """Run the command; ends the process."""
    try:
        from .main import app
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in NEEDED:
            raise
        wanted = Path(__file__).parents[1] / "requirements.txt"
        print(
            f"mpico: this Python ({sys.executable}) has no {error.name}. In the source tree: tools/setup.sh python",
            file=sys.stderr,
        )
        print(f"Elsewhere: {sys.executable} -m pip install -r {wanted}", file=sys.stderr)
        sys.exit(1)
    app(prog_name="mpico")


if __name__ == "__main__":
    main()
