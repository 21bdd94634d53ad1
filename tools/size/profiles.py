"""Which functions a program of each profile calls, and what became of the functions of MPI-1.3."""

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

# MPI-3.0 removed these; the functions that took their place are what a program of today calls.
REMOVED = {
    "MPI_Address": "MPI_Get_address",
    "MPI_Errhandler_create": "MPI_Comm_create_errhandler",
    "MPI_Errhandler_get": "MPI_Comm_get_errhandler",
    "MPI_Errhandler_set": "MPI_Comm_set_errhandler",
    "MPI_Type_extent": "MPI_Type_get_extent",
    "MPI_Type_hindexed": "MPI_Type_create_hindexed",
    "MPI_Type_hvector": "MPI_Type_create_hvector",
    "MPI_Type_lb": "MPI_Type_get_extent",
    "MPI_Type_struct": "MPI_Type_create_struct",
    "MPI_Type_ub": "MPI_Type_get_extent",
}
# Deprecated by MPI-2.0 and still in the standard: a library may have both.
DEPRECATED = {
    "MPI_Attr_delete": "MPI_Comm_delete_attr",
    "MPI_Attr_get": "MPI_Comm_get_attr",
    "MPI_Attr_put": "MPI_Comm_set_attr",
    "MPI_Keyval_create": "MPI_Comm_create_keyval",
    "MPI_Keyval_free": "MPI_Comm_free_keyval",
}

PROFILES = ("ring-paper", "point-to-point", "mpi-1", "whole")


class ProfileError(Exception):
    """The library lacks a function that the profile cannot do without."""


def wanted(profile: str) -> list[str]:
    """The functions of a profile other than `whole`, those that were removed replaced by their successors."""
    names = {"ring-paper": RING_PAPER, "point-to-point": POINT_TO_POINT, "mpi-1": MPI_1}[profile]
    return list(dict.fromkeys(REMOVED.get(name, name) for name in names))


def functions(profile: str, present: set[str]) -> tuple[list[str], list[str]]:
    """What a program of the profile calls of a library that has the global functions `present`, and what is missing.

    Of MPI-1.3 a deprecated function may be missing when its successor is there, and is then replaced by it.
    Raises ProfileError when a small profile is not complete: its size would be that of something else.
    """
    if profile == "whole":
        return sorted(present), []
    names = list(
        dict.fromkeys(
            DEPRECATED[name] if name in DEPRECATED and name not in present and DEPRECATED[name] in present else name
            for name in wanted(profile)
        )
    )
    missing = [name for name in names if name not in present]
    if missing and profile != "mpi-1":
        raise ProfileError(f"{profile}: the library has no {', '.join(missing)}")
    return [name for name in names if name in present], missing
