"""The simulated Paragon with other pauses than those of its file, for the tests of the real-time suite."""

from __future__ import annotations

from pathlib import Path


def paragon(folder: Path, pauses: str = "") -> str:
    """Path of a machine file in `folder`; pauses: the text of its table [pauses], none when empty."""
    text = (Path(__file__).parents[2] / "machines/paragon-line.toml").read_text(encoding="utf-8")
    head, _, tail = text.partition("\n[pauses]\n")
    rest = tail[tail.index("\n[") :] if "\n[" in tail else ""
    file = folder / "paragon.toml"
    file.write_text(f"{head}\n{rest}\n{pauses}", encoding="utf-8")
    return str(file)
