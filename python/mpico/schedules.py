"""What collectives cost by their schedules: the library prices each step with a LogGP parameter file (src/model/price.c).

Sizes are as `mpico bench` counts them, what one rank contributes (to one other, for scatter, gather and alltoall). A price is of one call
by itself, from a common start to the end of the last rank, microseconds: what `mpico bench` times.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from .explain import ExplainError, Told, ask, ask_sizes, wires_of
from .parameter_types import LogGP, Parameters
from .parameters import write_parameters

COLLECTIVES = ("barrier", "bcast", "scatter", "gather", "allgather", "reduce", "allreduce", "alltoall")
"""Patterns of `mpico bench` that the library prices under the same name."""
OF_ALL = ("allgather", "allgatherv", "reduce_scatter", "reduce_scatter_block")
"""Calls whose bytes the library counts over all ranks."""
SHARED = ("processes", "fibers")
"""Places where ranks share the processors of the parameter file."""

Chooser = Literal["price", "table", "job"]
"""Who chooses the algorithm: these parameters' prices; the table of bounds, as in jobs without a model; the model that mpiexec
hands to a job of processes now (MPICO_MODEL, else the shipped one)."""


@dataclass(frozen=True)
class Priced:
    """One call's price. `steps` are those of all ranks; `program` is empty unless it was asked for (see explain.ask)."""

    call: str
    nodes: int
    bytes: int
    algorithm: str
    us: float
    steps: int
    program: tuple[Told, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """One object of --json; without a program when there is none."""
        told = {"function": self.call, "nodes": self.nodes, "bytes": self.bytes, "algorithm": self.algorithm}
        told |= {"us": self.us, "steps": self.steps}
        return told | ({"program": list(self.program)} if self.program else {})


@dataclass(frozen=True)
class Question:
    """Which call, where. `algorithm`: this one, whoever would choose; `machine`: the network between the ranks; `program`: step by step."""

    call: str
    nodes: int
    chooser: Chooser = "price"
    algorithm: str | None = None
    machine: str | None = None
    program: bool = False


def chooser_of(parameters: Parameters) -> Chooser:
    """Who chooses in the jobs that the parameters are of, where no other model is named: the table on simulated machines and boards."""
    return "price" if parameters.place in SHARED else "table"


def machine_of(parameters: Parameters) -> str | None:
    """The machine whose network the parameters are of."""
    return parameters.machine if parameters.place == "machine" else None


def unknown(model: LogGP) -> list[str]:
    """Parameters that no measurement told. A price takes 0 for them."""
    return [name for name, value in vars(model).items() if value is None]


def _write(parameters: Parameters, nodes: int, folder: Path) -> Path:
    """The parameter file as the library is to read it: off a host, each rank has a processor. Raises ParametersError."""
    model = parameters.model
    assert isinstance(model, LogGP)
    if parameters.place not in SHARED:
        model = replace(model, processors=max(nodes, model.processors))
    nothing: dict[str, Any] = dict.fromkeys(unknown(model), 0.0)
    model = replace(model, **nothing)
    path = folder / "model.toml"
    write_parameters(replace(parameters, model=model, intervals={}), path)
    return path


def _names(asked: Question, told: Sequence[Told], sizes: Sequence[int]) -> list[str]:
    """The algorithm of each size."""
    if asked.algorithm:
        return [asked.algorithm] * len(told)
    if asked.chooser == "job":
        told = ask_sizes(asked.call, asked.nodes, sizes, None)
    return [one["table" if asked.chooser == "table" else "chosen"] for one in told]


def _price(told: Told, name: str) -> tuple[float, int]:
    """Microseconds and steps of one candidate. Raises ExplainError."""
    found = [c for c in told["candidates"] if c["algorithm"] == name]
    if not found:
        raise ExplainError(f"{told['call']} has no algorithm '{name}'; there are: {_listed(told)}")
    (candidate,) = found
    if candidate["us"] is None:
        where = f"{told['call']} of {told['bytes']} bytes on {told['ranks']} ranks"
        raise ExplainError(f"{name} has no price in {where}: {candidate['why_not']}")
    return candidate["us"], candidate["steps"]


def _listed(told: Told) -> str:
    return ", ".join(c["algorithm"] for c in told["candidates"])


def price(parameters: Parameters, asked: Question, sizes: Sequence[int]) -> list[Priced]:
    """The price of the call at each of `sizes`, bytes, by LogGP parameters. Raises ExplainError, PlaceError, DescriptionError, ParametersError."""
    scale = asked.nodes if asked.call in OF_ALL else 1
    theirs = [size * scale for size in sizes]
    wires = wires_of(asked.machine, asked.nodes) if asked.machine else None
    with tempfile.TemporaryDirectory(prefix="mpico-") as folder:
        model = _write(parameters, asked.nodes, Path(folder))
        told = ask_sizes(asked.call, asked.nodes, theirs, model, None, wires, calls=1)
        names = _names(asked, told, theirs)
        programs: list[tuple[Told, ...]] = [()] * len(sizes)
        if asked.program:
            whole = (ask(asked.call, asked.nodes, k, model, n, wires, 1) for k, n in zip(theirs, names, strict=True))
            programs = [tuple(one["program"]) for one in whole]
    return [
        Priced(asked.call, asked.nodes, size, name, *_price(one, name), program)
        for size, one, name, program in zip(sizes, told, names, programs, strict=True)
    ]
