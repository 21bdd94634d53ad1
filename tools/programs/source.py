"""Debian's source packages: fetched through apt with lists of our own, so that nothing of the system's changes, and
compared with the sums that we know."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from job import Failed, Program, call, say

SUITE = "bookworm"
MIRROR = "http://deb.debian.org/debian"
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"


def apt_options(folder: Path, mirror: str) -> list[str]:
    """Options that give apt-get its folders below `folder`, with the suite's sources alone."""
    for part in ("lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    listing = folder / "sources.list"
    listing.write_text(f"deb-src [signed-by={KEYS}] {mirror} {SUITE} main\n")
    settings = {
        "Dir::Etc::sourcelist": listing,
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::State::lists": folder / "lists",
        "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": "root",
    }
    return [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]


def sum_of(path: Path) -> str:
    """SHA-256 of a file, or nothing where there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


def fetch(programs: list[Program], work: Path, mirror: str) -> None:
    """Have the archive of each program in work/archives. Archives that are there already are not fetched again."""
    archives = work / "archives"
    archives.mkdir(parents=True, exist_ok=True)
    missing = [p for p in programs if sum_of(archives / p.archive) != p.sha256]
    if not missing:
        return
    say(f"Fetching the sources of {', '.join(p.name for p in missing)}")
    options = apt_options(work / "apt", mirror)
    call(["apt-get", *options, "update"], archives, work / "logs" / "apt-update.log")
    wanted = [f"{p.name}={p.version}" for p in missing]
    for program in missing:
        (archives / program.archive).unlink(missing_ok=True)
    command = ["apt-get", *options, "source", "--download-only", "--tar-only", *wanted]
    call(command, archives, work / "logs" / "apt-source.log")
    for program in missing:
        found = sum_of(archives / program.archive)
        if found != program.sha256:
            raise Failed(f"{program.archive}: its SHA-256 is {found or 'missing'}, not {program.sha256}")


def unpack(program: Program, work: Path) -> Path:
    """A fresh folder of its source. The archive has been compared with its sum."""
    folder = work / program.folder
    shutil.rmtree(folder, ignore_errors=True)
    command = ["tar", "-xf", str(work / "archives" / program.archive)]
    call(command, work, work / "logs" / f"{program.name}-unpack.log")
    if not folder.is_dir():
        raise Failed(f"{program.archive} has made no folder {program.folder}")
    return folder
