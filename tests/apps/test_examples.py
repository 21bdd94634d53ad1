"""The examples print what docs/examples.md shows, wherever they run."""

from __future__ import annotations

import functools
import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2]
BUILD = Path(os.environ.get("MPICO_BUILD", "build")).resolve()
EXAMPLES = ("hello", "sensors", "beam")
STRICT = ("-std=c11", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")


@dataclass(frozen=True)
class Place:
    """Where a program runs: the options of mpicc and of mpiexec, what must have been built, the numbers of ranks."""

    name: str
    needs: str
    compile: tuple[str, ...] = ()
    run: tuple[str, ...] = ()
    ranks: tuple[int, ...] = (1, 2, 3, 4, 8)


def board(name: str, ranks: tuple[int, ...] = (2, 4)) -> Place:
    """A board, chip or DSP; emulated nodes are slow, so few numbers of ranks."""
    return Place(name, f"lib/mpico/board/{name}/libmpi_abi.a", ("--board", name), ("--board", name), ranks)


PLACES = (
    Place("processes", "bin/mpiexec"),
    Place("fibers", "lib/mpico/fiber/mpico-fiber", run=("--fibers",)),
    Place("sharc-ring", "lib/mpico/sim/mpico-sim", run=("--machine", "sharc-ring")),
    board("mps2-an385"),
    board("mps2-an500"),
    board("virt-riscv64"),
    board("hexagon"),
)
RUNS = [
    pytest.param(place, ranks, id=f"{place.name}-{ranks}", marks=[pytest.mark.slow] if place.compile else [])
    for place in PLACES
    for ranks in place.ranks
]


def call(*command: str | Path) -> str:
    """The command's output; the test fails when its status is not 0."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Place], Path]:
    """An example for a place, built when it is first asked for."""
    folder = tmp_path_factory.mktemp("examples")

    @functools.cache
    def built(name: str, options: tuple[str, ...]) -> Path:
        made = folder / "-".join((name, *options))
        call(BUILD / "bin/mpicc", *options, *STRICT, SOURCE / f"apps/{name}/{name}.c", "-o", made)
        return made

    return lambda name, place: built(name, place.compile)


def shown(name: str) -> str:
    """The output of an example as the page shows it: the block of its section."""
    page = (SOURCE / "docs/examples.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {name}\n.*?^```\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert found, f"docs/examples.md has no block for {name}"
    return found.group(1)


def hello_of(ranks: int) -> str:
    """What hello prints with any number of ranks."""
    lines = [f"  node {i}: {(i - 1) % ranks} on its left, {(i + 1) % ranks} on its right\n" for i in range(ranks)]
    wanted = ranks * (ranks - 1) // 2
    head = f"Hello from {ranks} {'node' if ranks == 1 else 'nodes'}.\n"
    return head + "".join(lines) + f"The token came back with {wanted}; it should be {wanted}.\n"


def test_the_page_shows_hello_with_four_nodes() -> None:
    assert shown("hello") == hello_of(4)


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize(("place", "ranks"), RUNS)
def test_the_output_is_that_of_the_page(
    place: Place, ranks: int, name: str, program: Callable[[str, Place], Path]
) -> None:
    if not (BUILD / place.needs).exists():
        pytest.skip(f"{place.name}: this build has no {place.needs}")
    output = call(BUILD / "bin/mpiexec", *place.run, "-n", str(ranks), program(name, place))
    assert output == (hello_of(ranks) if name == "hello" else shown(name))
