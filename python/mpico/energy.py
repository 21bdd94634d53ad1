"""What an operation of the ring service costs in energy: CMOS dynamic power, static power, link energy a bit.

    processor   P_dyn = a C V^2 f          a = 1 while the clock-bound part of an operation lasts, `idle` while it waits for links
                P_static = I_static V      always
    voltage     f / f_max = ((V - V_t)^alpha / V) / ((V_max - V_t)^alpha / V_max), and not below V_min
    link        C_l V_io^2 / 4 a data bit (random data change every second time, two changes charge once), and C_l V_io^2 a cycle of
                the port's clock, two cycles a byte on four lines, which runs as long as the operation does

The dynamic law and the voltage law are Chandrakasan, Sheng, Brodersen, "Low-power CMOS digital design" (IEEE JSSC 1992), with
alpha of Sakurai and Newton (1990); the link's is the data sheets' P_ext = O C V^2 f. All processors count as busy for the whole
clock-bound time, which is a bound from above. Clocks in MHz, rates in MB/s (10^6 bytes), times in microseconds, powers in
watts, energies in microjoules, capacitances in nF and pF.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields
from math import isfinite
from pathlib import Path
from typing import Any

ASSUMED = "assumption"


def _known(value: float, source: str) -> Any:  # noqa: ANN401, as dataclasses.field
    return field(default=value, metadata={"source": source})


@dataclass(frozen=True)
class Technology:
    """A processor and its link ports. The defaults are an ADSP-21062 at 5 V; every field says where it comes from."""

    name: str = "sharc"
    clock_least_mhz: float = _known(10, ASSUMED)
    clock_most_mhz: float = _known(40, "the ring paper, Table 2; data sheet: t_CK from 25 ns")
    link_least_mb_s: float = _known(10, ASSUMED)
    link_most_mb_s: float = _known(40, "the ring paper, section 2")
    volts: float = _known(5.0, "data sheet of the ADSP-21062: V_DD")
    volts_least: float = _known(
        3.3, "assumption: the ADSP-21062L works at 3.3 V; the 5 V part is specified for 5 V only"
    )
    threshold_volts: float = _known(0.8, "assumption: a 5 V process")
    alpha: float = _known(2.0, "assumption: long channels (Chandrakasan 1992)")
    switched_nf: float = _known(
        2.714,
        "unverified, as remembered of the ADSP-2106x data sheet: I_DDINHIGH 575 mA at 30 ns, 670 mA at 25 ns, 5.25 V: 14.25 mA a MHz",
    )
    static_a: float = _known(0.1, "unverified: the same two points, 670 mA less 40 MHz of 14.25 mA")
    idle: float = _known(
        0.175, "unverified, as remembered of the data sheet: I_DDIDLE 200 mA, less the static part, over 570 mA"
    )
    line_pf: float = _known(50.0, "assumption: the load of the data sheet's timing tests")
    io_volts: float = _known(5.0, "data sheet of the ADSP-21062: one supply")


TIGERSHARC = "assumption: no figure published for the ADSP-TS001"
TECHNOLOGIES = {
    "sharc": Technology(),
    "tigersharc": Technology(
        "tigersharc",
        clock_most_mhz=150,
        link_most_mb_s=150,
        volts=1.8,
        volts_least=1.2,
        threshold_volts=0.45,
        alpha=1.5,
        switched_nf=4.0,
        static_a=0.1,
        idle=0.2,
        io_volts=3.3,
    ),
}
"""Shipped technologies by name."""

_OTHER_SOURCES = {
    "tigersharc": {
        "clock_most_mhz": "the ring paper, section 6",
        "link_most_mb_s": "the ring paper, section 6",
        "volts": "BDTI's summary of the ADSP-TS001: core voltage 1.8 V",
        "volts_least": "assumption: the next generation's core voltage, 1.2 V",
        "threshold_volts": "assumption: a quarter of the core voltage",
        "alpha": "assumption: short channels (Sakurai 1990: 1.3 to 2)",
        "switched_nf": TIGERSHARC,
        "static_a": TIGERSHARC,
        "idle": TIGERSHARC,
        "io_volts": "assumption: ports of 3.3 V",
    }
}


class PowerError(Exception):
    """A power file cannot be used; the text is one sentence with the mend."""


def sources(technology: Technology) -> dict[str, str]:
    """Where each number comes from, by field."""
    shipped = TECHNOLOGIES.get(technology.name, Technology())
    told = {f.name: f.metadata["source"] for f in fields(technology) if "source" in f.metadata}
    told |= _OTHER_SOURCES.get(technology.name, {})
    changed = {key for key in told if getattr(technology, key) != getattr(shipped, key)}
    return {key: "given" if key in changed else text for key, text in told.items()}


def _check(technology: Technology) -> None:
    t = technology
    for f in fields(t):
        if f.name != "name" and getattr(t, f.name) < 0:
            raise PowerError(f"{f.name} is negative: give a number of at least 0")
    pairs = (("clock_least_mhz", "clock_most_mhz"), ("link_least_mb_s", "link_most_mb_s"), ("volts_least", "volts"))
    for least, most in pairs:
        if not 0 < getattr(t, least) <= getattr(t, most):
            raise PowerError(f"{least} must be above 0 and not above {most}: give another of the two")
    if not t.threshold_volts < t.volts_least or t.idle > 1:
        raise PowerError("threshold_volts must be below volts_least, and idle at most 1")


def read_technology(name: str) -> Technology:
    """A shipped technology by name, or a TOML file that changes one: `base = "sharc"` and any of Technology's fields.

    Raises PowerError.
    """
    if name in TECHNOLOGIES:
        return TECHNOLOGIES[name]
    try:
        table = tomllib.loads(Path(name).read_text(encoding="utf-8"))
    except OSError as error:
        raise PowerError(
            f"cannot read {name}: {error.strerror}; the technologies are {', '.join(TECHNOLOGIES)}, or name a TOML file"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PowerError(f"{name} is no TOML: {error}") from None
    base = table.pop("base", "sharc")
    if base not in TECHNOLOGIES:
        raise PowerError(f"{name}: base is {base!r}, known are {', '.join(TECHNOLOGIES)}")
    known = {f.name: getattr(TECHNOLOGIES[base], f.name) for f in fields(Technology)}
    for key, value in table.items():
        if key not in known:
            raise PowerError(f"{name} has an unknown key '{key}'; known are {', '.join(known)}")
        if key != "name" and (isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value)):
            raise PowerError(f"{name}: {key} is {value!r}, and must be a number")
    technology = Technology(**known | {"name": base} | table)
    _check(technology)
    return technology


def volts_at(technology: Technology, clock_mhz: float, scaling: bool = True) -> float:
    """The least supply voltage at which the processor keeps up with this clock; without `scaling` the nominal one.

    `clock_mhz` is at most clock_most_mhz.
    """
    from scipy.optimize import brentq  # type: ignore[import-untyped]  # takes a while to load

    t = technology

    def speed(volts: float) -> float:
        return float((volts - t.threshold_volts) ** t.alpha / volts)

    wanted = speed(t.volts) * min(clock_mhz / t.clock_most_mhz, 1.0)
    if not scaling or speed(t.volts) <= wanted:
        return t.volts
    if speed(t.volts_least) >= wanted:
        return t.volts_least
    return float(brentq(lambda volts: speed(volts) - wanted, t.volts_least, t.volts))


@dataclass(frozen=True)
class Draw:
    """What one node draws at a clock, voltage and rate."""

    busy_w: float
    waiting_w: float
    port_w: float
    byte_uj: float
    """Microjoules of one byte across one link, the port's clock not counted."""


def draw(technology: Technology, clock_mhz: float, link_mb_s: float, volts: float) -> Draw:
    """Powers of a node: computing, waiting, and of its sending port while an operation lasts."""
    t = technology
    static = t.static_a * volts
    dynamic = t.switched_nf * volts**2 * clock_mhz * 1e-3
    cycle_uj = t.line_pf * t.io_volts**2 * 1e-6
    return Draw(static + dynamic, static + t.idle * dynamic, 2 * cycle_uj * link_mb_s, 2 * cycle_uj)


def energy_uj(drawn: Draw, nodes: float, clock_us: float, link_us: float, byte_links: float) -> float:
    """Microjoules of one operation on all nodes, from the parts of its time and the bytes times links it carries."""
    processors = nodes * (drawn.busy_w * clock_us + drawn.waiting_w * link_us)
    return processors + nodes * drawn.port_w * (clock_us + link_us) + drawn.byte_uj * byte_links
