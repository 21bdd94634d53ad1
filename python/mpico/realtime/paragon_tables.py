"""What RL-TR-95-103 published (Tables 4.2 to 4.6, 4.8, 4.9, 5.1, 5.2, 6.1), and how a simulation is held against it.

Rates in MB/s (10^6 bytes), periods in ms.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """One number of a table.

    `target_percent`: what it must be within; None: shown only. `use`: calibrated, input or predicted. `otherwise`: the same number of another
    simulation, called `other`; None: there is none. Verdicts are on `simulated`.
    """

    table: str
    row: str
    column: str
    unit: str
    published: float
    simulated: float
    target_percent: float | None = None
    use: str = "predicted"
    other: str = ""
    otherwise: float | None = None

    def _error_percent(self, simulated: float) -> float | None:
        return 100 * (simulated - self.published) / self.published if self.published else None

    @property
    def error_percent(self) -> float | None:
        """Of the simulated number; None where zero was published."""
        return self._error_percent(self.simulated)

    @property
    def other_error_percent(self) -> float | None:
        """Of the other simulation's number; None where there is none, or zero was published."""
        return None if self.otherwise is None else self._error_percent(self.otherwise)

    @property
    def good(self) -> bool:
        """Within the target, or without one."""
        error = self.error_percent
        return self.target_percent is None or (error is not None and abs(error) <= self.target_percent)

    def as_json(self) -> dict[str, object]:
        """One object of `mpico reproduce realtime --json`."""
        return {
            "table": self.table,
            "row": self.row,
            "column": self.column,
            "unit": self.unit,
            "published": self.published,
            "simulated": self.simulated,
            "error_percent": self.error_percent,
            "target_percent": self.target_percent,
            "use": self.use,
            "good": self.good,
            "other": self.other or None,
            "other_simulated": self.otherwise,
            "other_error_percent": self.other_error_percent,
        }


MESSAGE_SIZES = {262144: 73.4, 16384: 37.4, 1024: 8.2, 1: 0.01}
"""Table 4.2: rate by bytes of a message."""
PACKET_SIZES = {1792: 73.2, 1024: 44.2, 512: 26.2, 256: 13.7, 128: 6.4}
"""Table 4.3: rate by bytes of a packet."""
MANY_PAIRS = {
    2: (74.2, 0.0),
    4: (138.5, 0.0),
    6: (156.2, 13.0),
    8: (153.3, 22.0),
    10: (157.1, 27.0),
    12: (158.8, 31.0),
    14: (156.7, 34.0),
    16: (157.0, 36.0),
}
"""Table 4.4: sum and per cent unsent, by processors. The latter is of messages times processors, twice as many as are to be sent: of
those to be sent, Table 4.5's rates leave 72 % unsent."""
SATURATED_FROM = 6
SYMMETRIC = (1.5, 1.5, 3.0, 5.8, 11.5, 22.3, 41.7, 69.7)
SYMMETRIC_SUM = 157.0
"""Table 4.5: rate of the pair that sends from node i, and their sum."""
ASYMMETRIC = (1.9, 2.0, 3.9, 7.7, 15.0, 27.8, 46.4, 47.2)
ASYMMETRIC_SUM = 151.9
"""Table 4.6."""

CONFIGURATIONS = ("OSF/1 R1.2.1, coprocessor", "OSF/1 R1.2.1, no coprocessor", "SUNMOS, no coprocessor")
ADJACENT_PERIODS = ((5.0, 52.4), (7.1, 36.9), (2.0, 131.1))
CORNER_PERIODS = ((32.5, 24.2), (45.0, 17.5), (44.0, 17.9))
"""Tables 4.8 and 4.9: period and rate, by configuration."""

SINGLE_NODE = {"FFT": ((205, 57.5), (223, 52.9)), "CT": ((64, 32.8), (109, 19.2)), "FFT+CT": ((267, 44.2), (274, 43.1))}
"""Table 5.1: period and rate, without and with data flow. MFLOPS, and MB/s for CT."""
OF_INPUT = ("FFT", "CT")
"""Rows whose periods without data flow are put into the machine file."""
MESSAGES_MS = 52.0
"""Section 5.2: what messages alone take a block; hidden is 1 - (with data flow - without) / that: about 2/3 for the FFT."""
PIPELINES = {"FFT+CT->FFT": (274, 43.1), "FFT->CT->FFT": (223, 52.9)}
"""Table 5.2."""
CORNER_TURN = {2: (19.0, 27.6), 4: (39.0, 20.2), 8: (46.0, 19.9), 16: (67.0, 14.7)}
"""Table 6.1: period and rate by nodes. Each node's data are 1 MB, of which it sends (n - 1)/n."""

OVERLAPPED = ("FFT+CT", "FFT+CT->FFT")
"""What Tables 5.1 and 5.2 are held against with sends overlapped: where the slowest node has the third buffer by which the report explains
that its communication is almost completely hidden. The others send as section 5.2 says: the node waits."""

RATE_TARGET, SUM_TARGET, PERIOD_TARGET = 15.0, 5.0, 20.0
"""Per cent: of Table 4.5's pairs; of its sum and of Table 4.4's saturation; of Table 6.1's periods."""
HIDDEN_TARGET = 0.9
"""Share of the communication that FFT+CT hides with the message coprocessor and double buffering."""
