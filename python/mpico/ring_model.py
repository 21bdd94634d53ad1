"""The ring paper's model of its communication service: Eqs. 1, 2 and 5 to 11.

Sizes in bytes, times in microseconds, bandwidths in megabytes (10^6 bytes) per second; P is the number of nodes of the
one-way ring. Sizes and P may be fractions, so that crossings can be searched for. `service` holds the parameters; the
default is the paper's Tables 7 to 9. Source: "A High-Performance Communication Service for Parallel Computing on
Distributed DSP Systems".
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from .parameter_types import RingService

PAPER = RingService()
"""The parameters that the paper measured: Tables 7, 8 and 9."""

Function = Callable[[float, float, RingService], float]
"""Microseconds by message size, nodes, parameters."""


def broadcast_bandwidth(size: float, nodes: float, latency_us: float) -> float:
    """Eq. 1: bytes that arrive over the time they take, MB/s."""
    return size * (nodes - 1) / latency_us


def alltoall_bandwidth(size: float, nodes: float, latency_us: float) -> float:
    """Eq. 2: the same where each node contributes `size` bytes, MB/s."""
    return size * (nodes - 1) * nodes / latency_us


def additional_packets(size: float, service: RingService = PAPER, counted: bool = False) -> int:
    """Packets beyond the first that a message of `size` bytes pays o_ap for, by Eq. 7.

    The paper's floor counts n of them for a message of exactly n packets; `counted` takes the n - 1 that there are.
    """
    most = service.unicast.w_max
    if size <= most:
        return 0
    return ceil(size / most) - 1 if counted else int(size // most)


def unicast(size: float, send_hops: float, nodes: float, service: RingService = PAPER, counted: bool = False) -> float:
    """Eq. 7 (5 and 6 in one) with Table 7: microseconds at the receiver when both ends start at the same time.

    `send_hops` lead from sender to receiver; the receiver's RTS goes the rest of the ring. `counted` counts packets as
    additional_packets says.
    """
    p = service.unicast
    start = p.L_rts * (nodes - send_hops) + p.o_s + p.L_s * send_hops + p.o_r
    first = min(size - p.w_min, p.w_max - p.w_min) * (send_hops + 1) * p.g
    return start + first + additional_packets(size, service, counted) * p.o_ap + max(0, size - p.w_max) * p.G


def unicast_farthest(size: float, nodes: float, service: RingService = PAPER) -> float:
    """Eq. 7 for the node that is P - 1 hops away: microseconds, as in Figure 13 and Table 11, where only h_s grows."""
    return unicast(size, nodes - 1, nodes, service)


def unicast_mean(size: float, nodes: float, service: RingService = PAPER) -> float:
    """Eq. 7 averaged over all ordered pairs, as a ping-pong around the ring averages (section 4.2).

    Eq. 7 is linear in the hops, whose mean is P/2 for the data and for the RTS.
    """
    return unicast(size, nodes / 2, nodes, service)


def multi_unicast(size: float, nodes: int, service: RingService = PAPER) -> float:
    """A broadcast as one unicast after the other, Eq. 7 summed over the destinations: a bound from above.

    The paper gives no equation for it. Receivers that wait already have sent their RTS, and a send may begin while
    the message before is still on its way.
    """
    return sum(unicast(size, hops, nodes, service) for hops in range(1, nodes))


def fill_bytes(size: float, nodes: float, w_max: float, p_fill: float) -> float:
    """Bytes of a broadcast behind its first packet that meet a ring not yet full of packets: those of P - P_fill packets at most."""
    return min(max(0, size - w_max), max(0, nodes - p_fill) * w_max)


def broadcast(size: float, nodes: float, service: RingService = PAPER) -> float:
    """Eq. 10 (8 and 9 in one) with Table 8: microseconds until the last node has the message.

    The paper's parameters have no G_fill; fitted ones may: then the slope by size changes at (P - P_fill + 1) w_max bytes.
    """
    p, most, least = service.broadcast, service.unicast.w_max, service.unicast.w_min
    start = p.o + (nodes - 2) * (p.o_node + p.L_node)
    first = min(size - least, most - least) * (nodes - 1) * p.g
    rest = max(0, size - most)
    return start + first + rest * p.G + fill_bytes(size, nodes, most, p.P_fill) * p.G_fill


def allgather(size: float, nodes: float, in_place: bool = False, service: RingService = PAPER) -> float:
    """Eq. 11 with Table 9: microseconds of an allgather of `size` bytes from each node."""
    p = service.allgather
    move = 0.0 if in_place else p.o_mm
    return p.o + (nodes - 2) * p.o_node + size * ((nodes - 1) * p.g + move)


FUNCTIONS: dict[str, Function] = {
    "unicast": unicast_farthest,
    "unicast-mean": unicast_mean,
    "bcast": broadcast,
    "allgather": lambda size, nodes, service: allgather(size, nodes, False, service),
    "allgather-in-place": lambda size, nodes, service: allgather(size, nodes, True, service),
}
"""What can be predicted by message size and nodes alone."""


def traffic(function: str, size: float, nodes: float) -> float:
    """Payload bytes times links that they cross in one operation of FUNCTIONS, on the whole ring."""
    links = {"unicast": nodes - 1, "unicast-mean": nodes / 2, "bcast": nodes - 1}
    return size * links.get(function, nodes * (nodes - 1))


def efficiency(sequential: float, parallel: float, nodes: int) -> float:
    """Eqs. 3 and 4: measured speedup over ideal speedup, from two times in the same unit."""
    return sequential / parallel / nodes
