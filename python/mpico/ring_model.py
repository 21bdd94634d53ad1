"""The ring paper's model of its communication service: Eqs. 1, 2 and 5 to 11 with the parameters of Tables 7 to 9.

Sizes in bytes, times in microseconds, bandwidths in megabytes (10^6 bytes) per second; P is the number of nodes of the
one-way ring. Source: "A High-Performance Communication Service for Parallel Computing on Distributed DSP Systems".
"""

from __future__ import annotations

from statistics import fmean

LEAST_BYTES = 4
"""w_min, the smallest payload."""
PACKET_BYTES = 2048
"""w_max, the largest payload of one packet."""
US_PER_BYTE = 0.025
"""Of one link at 40 MB/s."""

SEND_OVERHEAD_US = 28.63
"""o_s, Table 7."""
RECV_OVERHEAD_US = 29.17
"""o_r, Table 7."""
PACKET_OVERHEAD_US = 48.30
"""o_ap, of each additional packet, Table 7."""
SEND_HOP_US = 15.40
"""L_s of one hop, Table 7."""
RTS_HOP_US = 8.925
"""L_rts of one hop, Table 7."""

BROADCAST_LARGE_US_PER_BYTE = 0.0266
"""G of the broadcast, Table 8."""
MOVE_US_PER_BYTE = 0.1627
"""o_mm, the move within memory of an allgather that is not in place, Table 9."""


def broadcast_bandwidth(size: int, nodes: int, latency_us: float) -> float:
    """Eq. 1: bytes that arrive over the time they take, MB/s."""
    return size * (nodes - 1) / latency_us


def alltoall_bandwidth(size: int, nodes: int, latency_us: float) -> float:
    """Eq. 2: the same where each node contributes `size` bytes, MB/s."""
    return size * (nodes - 1) * nodes / latency_us


def unicast(size: int, send_hops: int, nodes: int) -> float:
    """Eq. 7 (5 and 6 in one) with Table 7: microseconds at the receiver when both ends start at the same time.

    `send_hops` lead from sender to receiver; the receiver's RTS goes the rest of the ring. The floor is the paper's:
    a message of exactly n packets counts n additional ones, not n - 1.
    """
    rts_hops = nodes - send_hops
    start = RTS_HOP_US * rts_hops + SEND_OVERHEAD_US + SEND_HOP_US * send_hops + RECV_OVERHEAD_US
    first = min(size - LEAST_BYTES, PACKET_BYTES - LEAST_BYTES) * (send_hops + 1) * US_PER_BYTE
    more = size // PACKET_BYTES * PACKET_OVERHEAD_US if size > PACKET_BYTES else 0.0
    return start + first + more + max(0, size - PACKET_BYTES) * US_PER_BYTE


def unicast_mean(size: int, nodes: int) -> float:
    """Eq. 7 averaged over all ordered pairs, as a ping-pong around the ring averages (section 4.2)."""
    return fmean(unicast(size, hops, nodes) for hops in range(1, nodes))


def multi_unicast(size: int, nodes: int) -> float:
    """A broadcast as one unicast after the other, Eq. 7 summed over the destinations: a bound from above.

    The paper gives no equation for it. Receivers that wait already have sent their RTS, and a send may begin while
    the message before is still on its way.
    """
    return sum(unicast(size, hops, nodes) for hops in range(1, nodes))


def broadcast(size: int, nodes: int) -> float:
    """Eq. 10 (8 and 9 in one) with Table 8: microseconds until the last node has the message."""
    overhead = 63.25 + (nodes - 2) * 23.10
    latency = (nodes - 2) * 1.6
    first = min(size - LEAST_BYTES, PACKET_BYTES - LEAST_BYTES) * (nodes - 1) * US_PER_BYTE
    return overhead + latency + first + max(0, size - PACKET_BYTES) * BROADCAST_LARGE_US_PER_BYTE


def allgather(size: int, nodes: int, in_place: bool = False) -> float:
    """Eq. 11 with Table 9: microseconds of an allgather of `size` bytes from each node."""
    overhead = 91.10 + (nodes - 2) * 27.50
    move = 0.0 if in_place else MOVE_US_PER_BYTE
    return overhead + size * ((nodes - 1) * US_PER_BYTE + move)


def efficiency(sequential: float, parallel: float, nodes: int) -> float:
    """Eqs. 3 and 4: measured speedup over ideal speedup, from two times in the same unit."""
    return sequential / parallel / nodes
