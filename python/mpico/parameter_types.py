"""What the performance model is made of: the ring service's parameters, LogGP's, and the file that holds either.

Times in microseconds, sizes in bytes. docs/model.md says what each parameter means.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Interval = tuple[float, float]


@dataclass(frozen=True)
class Unicast:
    """Table 7. L_s and L_rts are of one hop; g is of one byte and one wire (the paper's is (h_s + 1) times it)."""

    o_r: float = 29.17
    o_s: float = 28.63
    o_ap: float = 48.30
    L_s: float = 15.40
    L_rts: float = 8.925
    g: float = 0.025
    G: float = 0.025
    w_min: int = 4
    w_max: int = 2048


@dataclass(frozen=True)
class Broadcast:
    """Table 8: overhead o + (P - 2) o_node, latency (P - 2) L_node, g of one byte and one wire, G of one byte.

    Packets are the unicast's: w_min and w_max stand there. Not the paper's: G_fill, what a byte behind the first packet costs beyond G
    until each node between root and last has had a packet, which is for P - P_fill packets; 0 is Eq. 10 as it is printed.
    """

    o: float = 63.25
    o_node: float = 23.10
    L_node: float = 1.6
    g: float = 0.025
    G: float = 0.0266
    G_fill: float = 0.0
    P_fill: int = 2


@dataclass(frozen=True)
class Allgather:
    """Table 9: overhead o + (P - 2) o_node, o_mm of a byte that is moved within memory (not in place), g of one byte and wire."""

    o: float = 91.10
    o_node: float = 27.50
    o_mm: float = 0.1627
    g: float = 0.025


BEYOND_PAPER = {"broadcast": {"G_fill", "P_fill"}}
"""Parameters that the paper's tables have not, by table; a file may leave them out."""
SUMS = {"unicast": (("o_s", "o_r"),), "broadcast": (("o_node", "L_node"),)}
"""Pairs that a fit may only know as a sum, by table."""


@dataclass(frozen=True)
class RingService:
    """The ring paper's communication service; the defaults are what the paper published.

    `sums` names what is only known as a sum, as "broadcast.o_node+L_node": then the first of the two holds the sum and the
    second is 0, which every equation of the paper may use as it stands.
    """

    unicast: Unicast = Unicast()
    broadcast: Broadcast = Broadcast()
    allgather: Allgather = Allgather()
    sums: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Segment:
    """LogGP of messages of at least `from_bytes`. o_s(k) = o_s_us + o_s_us_per_byte k, o_r likewise."""

    from_bytes: int = 0
    rendezvous: bool = False
    L_us: float = 0.0
    o_s_us: float = 0.0
    o_s_us_per_byte: float = 0.0
    o_r_us: float = 0.0
    o_r_us_per_byte: float = 0.0
    G_us_per_byte: float = 0.0
    copiers: int = 1
    """Of a rendezvous: 2 where both ends copy, in half of the receiver's time, while neither has other work."""


@dataclass(frozen=True)
class LogGP:
    """LogGP in pieces, and what the library's own work costs; None is what no measurement told."""

    processors: int
    segments: tuple[Segment, ...]
    g_us: float | None = None
    step_us: float | None = None
    switch_us: float | None = None
    copy_us_per_byte: float | None = None
    combine_us_per_byte: float | None = None
    hop_us: float | None = 0.0

    def segment(self, size: int) -> Segment:
        """The piece that a message of `size` bytes is in."""
        return next(piece for piece in reversed(self.segments) if piece.from_bytes <= size)


Model = RingService | LogGP


@dataclass(frozen=True)
class Parameters:
    """A parameter file. `intervals` are of 95 %, by table ("unicast", "loggp", "loggp.segment.0", ...) and key."""

    model: Model
    machine: str
    place: str
    date: str
    source: str
    intervals: Mapping[str, Mapping[str, Interval]] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """What the file calls the model."""
        return "ring-service" if isinstance(self.model, RingService) else "loggp"
