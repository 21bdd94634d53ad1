"""Which functions a program of each profile calls."""

from __future__ import annotations

RING_PAPER = tuple(
    "MPI_Init MPI_Comm_rank MPI_Comm_size MPI_Finalize MPI_Send MPI_Recv "
    "MPI_Barrier MPI_Bcast MPI_Gather MPI_Scatter MPI_Allgather".split()
)
POINT_TO_POINT = RING_PAPER[:6]
# Linked with mpicc --bare where the port has that: the service of the ring paper (src/bare).
BARE = ("ring-paper", "point-to-point")

# All functions of the C binding of MPI-1.3, by chapter of the standard.
MPI_1_BY_CHAPTER = {
    "point-to-point": """
        Send Recv Get_count Bsend Ssend Rsend Buffer_attach Buffer_detach Isend Ibsend Issend Irsend Irecv
        Wait Test Request_free Waitany Testany Waitall Testall Waitsome Testsome Iprobe Probe Cancel Test_cancelled
        Send_init Bsend_init Ssend_init Rsend_init Recv_init Start Startall Sendrecv Sendrecv_replace
        Type_contiguous Type_vector Type_hvector Type_indexed Type_hindexed Type_struct Address Type_extent Type_size
        Type_lb Type_ub Type_commit Type_free Get_elements Pack Unpack Pack_size""",
    "collective": """
        Barrier Bcast Gather Gatherv Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv
        Reduce Op_create Op_free Allreduce Reduce_scatter Scan""",
    "communicators": """
        Group_size Group_rank Group_translate_ranks Group_compare Comm_group Group_union Group_intersection
        Group_difference Group_incl Group_excl Group_range_incl Group_range_excl Group_free
        Comm_size Comm_rank Comm_compare Comm_dup Comm_create Comm_split Comm_free
        Comm_test_inter Comm_remote_size Comm_remote_group Intercomm_create Intercomm_merge
        Keyval_create Keyval_free Attr_put Attr_get Attr_delete""",
    "topologies": """
        Cart_create Dims_create Graph_create Topo_test Graphdims_get Graph_get Cartdim_get Cart_get Cart_rank
        Cart_coords Graph_neighbors_count Graph_neighbors Cart_shift Cart_sub Cart_map Graph_map""",
    "environment": """
        Get_processor_name Errhandler_create Errhandler_set Errhandler_get Errhandler_free Error_string Error_class
        Wtime Wtick Init Finalize Initialized Abort Get_version""",
    "profiling": "Pcontrol",
}
MPI_1 = tuple(f"MPI_{name}" for names in MPI_1_BY_CHAPTER.values() for name in names.split())

PROFILES = ("ring-paper", "point-to-point", "mpi-1", "whole")


class ProfileError(Exception):
    """The library lacks a function that the profile cannot do without."""


def wanted(profile: str) -> tuple[str, ...]:
    """The functions of a profile other than `whole`."""
    return {"ring-paper": RING_PAPER, "point-to-point": POINT_TO_POINT, "mpi-1": MPI_1}[profile]


def functions(profile: str, present: set[str]) -> list[str]:
    """What a program of the profile calls of a library that has the global functions `present`.

    Raises ProfileError when a profile is not complete: its size would be that of something else.
    """
    if profile == "whole":
        return sorted(present)
    names = wanted(profile)
    missing = [name for name in names if name not in present]
    if missing:
        raise ProfileError(f"{profile}: the library has no {', '.join(missing)}")
    return list(names)
