"""Machine files as another reader of TOML sees them, and what docs/machines.md says about them.

Environment: MPICO_BUILD names the build directory (``build`` unless told); its ``unit_description`` is the reader.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
READER = Path(os.environ.get("MPICO_BUILD", ROOT / "build")) / "tests" / "unit" / "unit_description"
MACHINES = sorted((ROOT / "machines").glob("*.toml"))
DOCS = ROOT / "docs" / "machines.md"
SECONDS = 60.0
DAMAGED = 1500

pytestmark = pytest.mark.skipif(not READER.exists(), reason="no unit tests were built")


def read(*files: Path) -> list[dict[str, Any] | str]:
    """Return for each file what our reader makes of it: the machine, or the sentence that refuses it."""
    done = subprocess.run(
        [READER, "json", *files], capture_output=True, check=True, timeout=SECONDS, env={**os.environ, "LC_ALL": "C"}
    )
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return [json.loads(line) if line.startswith("{") else line for line in lines]


def agrees(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Whether all that the file says was read as tomllib reads it. What it is silent about has a default in `ours`."""
    return all(
        agrees(ours[key], value) if isinstance(value, dict) else ours[key] == value for key, value in theirs.items()
    )


@pytest.mark.parametrize("machine", MACHINES, ids=lambda path: path.stem)
def test_reads_as_tomllib_does(machine: Path) -> None:
    [ours] = read(machine)
    assert isinstance(ours, dict), ours
    assert agrees(ours, tomllib.loads(machine.read_text()))


@pytest.mark.parametrize("machine", MACHINES, ids=lambda path: path.stem)
def test_round_trip(machine: Path, tmp_path: Path) -> None:
    """JSON, written as TOML, reads as the same machine."""

    def lines(table: dict[str, Any]) -> list[str]:
        return [f"{key} = {json.dumps(value)}" for key, value in table.items() if not isinstance(value, dict)]

    [first] = read(machine)
    assert isinstance(first, dict), first
    text = lines(first)
    for name, table in first.items():
        if isinstance(table, dict):
            text += [f"[{name}]", *lines(table)]
    again = tmp_path / "again.toml"
    again.write_text("\n".join(text))
    assert read(again) == [first]


def damaged(text: str, dice: random.Random) -> str:
    """The text with one place changed."""
    pieces = [
        "_",
        "0",
        "+",
        "-",
        ".",
        "e1",
        '"',
        "'",
        "\\",
        "#",
        "\n",
        ",",
        "]",
        " = ",
        "\\u00e9",
        "é",
        "\t",
        "\\n",
        "7",
    ]
    at = dice.randrange(len(text))
    return text[:at] + dice.choice(pieces) + text[at + dice.randrange(3) :]


def test_accepts_only_what_tomllib_accepts(tmp_path: Path) -> None:
    """Whatever our reader accepts is TOML, and means there what it means here."""
    dice = random.Random(1)
    base = [
        'about = "\\tx\\u00e9\\\\ \\"y\\""\n' + machine.read_text() for machine in MACHINES if machine.stem != "proteus"
    ]
    base = [re.sub(r"(?m)^about = \"[^\\].*\n", "", text) for text in base]  # one `about` is enough
    files, texts = [], []
    for i in range(DAMAGED):
        texts.append(damaged(base[i % len(base)], dice))
        files.append(tmp_path / f"{i}.toml")
        files[-1].write_text(texts[-1])
    accepted = 0
    for text, ours in zip(texts, read(*files), strict=True):
        if isinstance(ours, dict):
            accepted += 1
            assert agrees(ours, tomllib.loads(text)), text
    assert DAMAGED // 4 < accepted < DAMAGED, "damage is too heavy, or does nothing"


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    """It reads; and the mistakes that the documentation shows are reported in those words."""
    docs = DOCS.read_text()
    example = re.search(r"```toml\n(.*?)```", docs, re.S)
    assert example
    mistakes = {"12.5e6": "0", "clock_hz": "clok_hz", "crc = 6\n": ""}
    texts = [example[1], *(example[1].replace(right, wrong) for right, wrong in mistakes.items())]
    sentences = []
    for i, text in enumerate(texts):
        file = tmp_path / "mine.toml"
        file.write_text(text)
        [ours] = read(file)
        if i == 0:
            assert isinstance(ours, dict), ours
        else:
            assert isinstance(ours, str), ours
            sentences.append(ours.removeprefix(f"{tmp_path}/"))
    assert re.findall(r"(?m)^mine\.toml:\d+: .*$", docs) == sentences


def test_every_machine_is_in_the_documentation() -> None:
    listed = re.findall(r"(?m)^\| `([a-z-]+)` \| (?:ring|mesh|crossbar|loggp)", DOCS.read_text())
    assert sorted(listed) == sorted(machine.stem for machine in MACHINES)
