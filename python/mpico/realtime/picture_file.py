"""Where a picture is to be written: looked at before the runs it shows, which may take minutes."""

from __future__ import annotations

import os
from pathlib import Path

KINDS = ("pdf", "png", "svg")
"""Endings of files that are drawn."""


def check_picture(path: Path | None) -> None:
    """Raises ValueError, with a sentence, when no picture can be written there; None asks for none."""
    if path is None:
        return
    if path.suffix.lower().lstrip(".") not in KINDS:
        raise ValueError(f"cannot draw {path}: end its name in .{', .'.join(KINDS[:-1])} or .{KINDS[-1]}")
    check_folder(path)
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ValueError(f"cannot write {path}: it is a folder or may not be written; name another file")


def check_folder(path: Path | None) -> None:
    """Raises ValueError, with a sentence, when the folder of a file is not there; None asks for no file."""
    if path is not None and not path.parent.is_dir():
        raise ValueError(f"cannot write {path}: there is no folder {path.parent}; make it first")
