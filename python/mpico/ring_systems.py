"""The ring paper's section 6: parameters divided into clock-bound and link-bound, its four systems, relative scalability.

Overheads and latencies go with the processor's clock, g and G with the link's rate; both assumptions are the paper's
(Table 10). Clocks in MHz, rates in MB/s (10^6 bytes), times in microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .parameter_types import RingService
from .ring_model import FUNCTIONS, PAPER, Function


@dataclass(frozen=True)
class System:
    """A processor's clock and the rate of a link."""

    name: str
    clock_mhz: float
    link_mb_s: float


SHARC = System("SHARC", 40, 40)
ENHANCED_CLOCK = System("Enhanced Clock Rate", 150, 40)
ENHANCED_RATE = System("Enhanced Data Rate", 40, 150)
TIGERSHARC = System("TigerSHARC", 150, 150)
SYSTEMS = (SHARC, ENHANCED_CLOCK, ENHANCED_RATE, TIGERSHARC)
"""The four systems of section 6."""

SMALL_BYTES, LARGE_BYTES = 128, 4096
"""The two message sizes of Figure 13 and Table 11."""


def times(service: RingService, clock: float, link: float) -> RingService:
    """Every clock-bound parameter times `clock`, every link-bound one times `link` (Table 10's division).

    G_fill, which the paper has not, is of the clock: an interrupt and a DMA start of each packet.
    """
    u, b, a = service.unicast, service.broadcast, service.allgather
    unicast = replace(
        u,
        o_r=u.o_r * clock,
        o_s=u.o_s * clock,
        o_ap=u.o_ap * clock,
        L_s=u.L_s * clock,
        L_rts=u.L_rts * clock,
        g=u.g * link,
        G=u.G * link,
    )
    broadcast = replace(
        b,
        o=b.o * clock,
        o_node=b.o_node * clock,
        L_node=b.L_node * clock,
        g=b.g * link,
        G=b.G * link,
        G_fill=b.G_fill * clock,
    )
    allgather = replace(a, o=a.o * clock, o_node=a.o_node * clock, o_mm=a.o_mm * clock, g=a.g * link)
    return replace(service, unicast=unicast, broadcast=broadcast, allgather=allgather)


def scale(service: RingService, clock_mhz: float, link_mb_s: float, measured: System = SHARC) -> RingService:
    """The parameters at another clock and rate than those of the system where `service` was measured (Table 10)."""
    return times(service, measured.clock_mhz / clock_mhz, measured.link_mb_s / link_mb_s)


def scaled_to(system: System, service: RingService = PAPER) -> RingService:
    """The parameters, measured on the SHARC, on one of the four systems."""
    return scale(service, system.clock_mhz, system.link_mb_s)


def shares(function: Function, size: float, nodes: float, service: RingService = PAPER) -> tuple[float, float]:
    """Microseconds of an operation that go with the clock, and that go with the link; their sum is its time."""
    return function(size, nodes, times(service, 1, 0)), function(size, nodes, times(service, 0, 1))


def slope(function: Function, size: float, service: RingService, nodes: tuple[int, int] = (2, 16)) -> float:
    """Microseconds a node: the average slope of the time over P. All times of the paper's model are linear in P."""
    low, high = nodes
    return (function(size, high, service) - function(size, low, service)) / (high - low)


def relative_scalability(name: str, size: float, system: System, service: RingService = PAPER) -> float:
    """Table 11: a system's slope over P in percent of the SHARC's, for one of FUNCTIONS and a message size."""
    function = FUNCTIONS[name]
    return 100 * slope(function, size, scaled_to(system, service)) / slope(function, size, service)
