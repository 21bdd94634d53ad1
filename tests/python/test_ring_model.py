"""The ring paper's formulas against the numbers that it prints."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))

from mpico import ring_model
from mpico.ring_paper import CELLS, SIZES, Cell, model_curve


def test_unicast_of_one_packet_is_the_sum_of_table_7() -> None:
    """Eq. 5 by hand, for the paper's example: four nodes, node 4 to node 1, one hop there and three for the RTS."""
    assert ring_model.unicast(4, 1, 4) == pytest.approx(3 * 8.925 + 28.63 + 15.40 + 29.17)
    assert ring_model.unicast(104, 1, 4) - ring_model.unicast(4, 1, 4) == pytest.approx(100 * 2 * 0.025)


def test_unicast_of_many_packets_pays_for_each() -> None:
    """Eq. 6 by hand: eight times the overhead of a packet for 16 KB, and G beyond the first."""
    start = 3 * 8.925 + 28.63 + 15.40 + 29.17 + 2044 * 2 * 0.025
    assert ring_model.unicast(16384, 1, 4) == pytest.approx(start + 8 * 48.30 + 14336 * 0.025)


def test_unicast_mean_grows_with_half_a_hop_each_way() -> None:
    step = ring_model.unicast_mean(4, 8) - ring_model.unicast_mean(4, 4)
    assert step == pytest.approx(4 * (15.40 + 8.925) / 2)
    # What Table 3 says of the same step.
    assert step == pytest.approx(129.98 - 81.38, rel=0.01)


def test_models_are_continuous_at_the_packet_size() -> None:
    assert ring_model.broadcast(2049, 8) - ring_model.broadcast(2048, 8) == pytest.approx(0.0266)


def test_broadcast_slope_falls_as_figure_8a_says() -> None:
    before = ring_model.broadcast(2048, 8) - ring_model.broadcast(1048, 8)
    beyond = ring_model.broadcast(9048, 8) - ring_model.broadcast(8048, 8)
    assert before / beyond - 1 == pytest.approx(5.58, rel=0.01)


def test_in_place_saves_the_move_only() -> None:
    saved = ring_model.allgather(1000, 4) - ring_model.allgather(1000, 4, in_place=True)
    assert saved == pytest.approx(162.7)


@pytest.mark.parametrize("cell", [c for c in CELLS if c.table != "Table 3" and not c.doubted], ids=str)
def test_model_agrees_with_the_collective_tables(cell: Cell) -> None:
    """Section 5.4: at most 2.9 % between measurement and model."""
    model = cell.read(model_curve(cell.function, cell.nodes, SIZES))
    assert model == pytest.approx(cell.published, rel=0.029)


def test_only_the_doubted_cell_is_far_from_the_model() -> None:
    doubted = [cell for cell in CELLS if cell.doubted]
    assert [(c.table, c.column, c.published) for c in doubted] == [("Table 4", "Eight-node maximum bandwidth", 150.06)]
    assert doubted[0].read(model_curve("bcast", 8, SIZES)) == pytest.approx(120.66, abs=0.01)


def test_bandwidths_count_what_arrives() -> None:
    assert ring_model.broadcast_bandwidth(16384, 4, 646.8) == pytest.approx(75.99, rel=1e-3)
    assert ring_model.alltoall_bandwidth(16384, 4, 4033.8) == pytest.approx(48.74, rel=1e-3)


def test_efficiency() -> None:
    assert ring_model.efficiency(12.0, 2.0, 8) == pytest.approx(0.75)
