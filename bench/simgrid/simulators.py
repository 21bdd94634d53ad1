"""The simulators that are compared: how each compiles a program and runs it on one and the same machine.

The machine is a file of ours with a LogGP network; SimGrid gets a cluster with the same latency and bandwidth. ``alike`` also
sets what SimGrid would otherwise take from a calibration of another cluster, and names collective algorithms that are ours.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PROGRAMS = ("collectives", "allgather", "pingpong", "globals")
ALGORITHMS = ("smpi/barrier:ompi_bruck", "smpi/bcast:binomial_tree", "smpi/reduce:binomial", "smpi/allreduce:rdb")
"""SimGrid's names of what we choose by ourselves: dissemination, binomial trees, recursive doubling."""
RANKS = "%ranks%"
"""Stands for the number of ranks in a launcher's words."""
MANY_RANKS = 5000
"""From here on Linux's limit of 65530 mappings is in the way of SimGrid's guard pages below the stacks."""


@dataclass(frozen=True)
class Simulator:
    """One contender: the words before a program's name, where its programs lie, and how it is told of a trace."""

    name: str
    launcher: tuple[str, ...]
    programs: Path
    trace: tuple[str, ...]
    """Options that write a trace into the file ``trace`` of the working directory."""
    crowd: tuple[str, ...] = ()
    """Options for MANY_RANKS and more."""

    def command(self, ranks: int, program: str, *arguments: str, options: Sequence[str] = ()) -> list[str]:
        """Return the command of one job."""
        crowd = self.crowd if ranks >= MANY_RANKS else ()
        words = [word.replace(RANKS, str(ranks)) for word in self.launcher]
        chosen = [*words, *crowd, *options, "-np", str(ranks)]
        return [*chosen, str(self.programs / program), *arguments]


def platform_xml(machine: dict[str, Any], hosts: int) -> str:
    """Return SimGrid's description of a cluster: a message passes two links, each with half of the latency L and all of 1/G."""
    network = machine["network"]
    latency_s, bytes_per_second = network["latency_ns"] * 1e-9, 1e9 / network["gap_ns_per_byte"]
    return f"""<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="{machine["name"]}" prefix="node-" suffix="" radical="0-{hosts - 1}" speed="{machine["processor"]["clock_hz"]:.0f}f"
           bw="{bytes_per_second:.0f}Bps" lat="{latency_s / 2:.3e}s" sharing_policy="SPLITDUPLEX"/>
</platform>
"""


def same_parameters(machine: dict[str, Any]) -> list[str]:
    """Return SimGrid's options for a network of L, o and G alone, and for virtual time that owes nothing to the host's clock."""
    cycle_s = 1 / machine["processor"]["clock_hz"]
    send_s, recv_s = machine["cost"]["send"] * cycle_s, machine["cost"]["recv"] * cycle_s
    return [
        "smpi/simulate-computation:no",
        "smpi/wtime:0",
        "network/crosstraffic:0",
        "smpi/bw-factor:0:1",
        "smpi/lat-factor:0:1",
        f"smpi/os:0:{send_s:.3e}:0",
        f"smpi/ois:0:{send_s:.3e}:0",  # MPI_Isend, of which SMPI also makes MPI_Sendrecv and collectives
        f"smpi/or:0:{recv_s:.3e}:0",
    ]


def simgrid(build: Path, machine: dict[str, Any], sizes: Iterable[int], programs: Path) -> list[Simulator]:
    """Describe SimGrid's SMPI, with the same parameters and algorithms, and with its defaults.

    Writes a platform for each number of ranks: 10,000 hosts for two ranks would burden it with time and memory.
    """
    for hosts in sizes:
        (build / f"cluster-{hosts}.xml").write_text(platform_xml(machine, hosts))
        (build / f"hosts-{hosts}").write_text("".join(f"node-{i}\n" for i in range(hosts)))
    platform, hostfile = build / f"cluster-{RANKS}.xml", build / f"hosts-{RANKS}"
    plain = ("smpirun", "-platform", str(platform), "-hostfile", str(hostfile), "--log=root.thresh:error")
    alike = tuple(f"--cfg={option}" for option in (*same_parameters(machine), *ALGORITHMS))
    trace, crowd = ("-trace", "-trace-file", "trace"), ("--cfg=contexts/guard-size:0",)
    return [
        Simulator("SMPI, alike", plain + alike, programs, trace, crowd),
        Simulator("SMPI, defaults", plain, programs, trace, crowd),
    ]


def compile_all(compiler: Sequence[str], place: Path) -> None:
    """Compile the programs and the shared library into a folder. Raise RuntimeError with the compiler's complaint."""
    place.mkdir(parents=True, exist_ok=True)
    cc = [*compiler, "-std=c11", "-O2"]
    commands = [[*cc, str(HERE / f"{p}.c"), "-o", str(place / p)] for p in PROGRAMS]
    commands.append(
        ["cc", "-std=c11", "-O2", "-shared", "-fPIC", str(HERE / "counter.c"), "-o", str(place / "libcounter.so")]
    )
    commands.append(
        [*cc, str(HERE / "library.c"), "-o", str(place / "library"), f"-L{place}", "-lcounter", f"-Wl,-rpath,{place}"]
    )
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")


def compile_measure(place: Path) -> Path:
    """Compile measure.c and return the program."""
    place.mkdir(parents=True, exist_ok=True)
    program = place / "measure"
    source = str(HERE / "measure.c")
    subprocess.run(["cc", "-std=c11", "-D_DEFAULT_SOURCE", "-O2", source, "-o", str(program)], check=True)
    return program


def clean_environment(temporary: Path) -> dict[str, str]:
    """Return the environment of a job: the caller's without settings of either simulator, and a place for SimGrid's copies."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MPICO_", "SMPI_")) and k != "LD_PRELOAD"}
    return {**kept, "TMPDIR": str(temporary)}
