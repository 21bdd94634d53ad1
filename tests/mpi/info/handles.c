/* Every call that takes an info object says so when it gets none: one that was freed, a null pointer, a number, memory of the program, an
 * object of another kind. Also where the library follows no hint. */
#include "../check.h"

enum { BAD = 6 };

static MPI_Comm world; /* MPI_COMM_WORLD without its error handler */
static MPI_Group group;
static MPI_Session session;
static MPI_Comm comm, made;
static MPI_Request q;
static MPI_Win win;
static MPI_Info no;
static int in[64], out[64], one[64], list[64], number, flag;
static MPI_Count wide[64];
static MPI_Aint at[64];
static MPI_Datatype types[64];
static void *memory;
static char text[64];

/* The class, and a sentence about the argument. A macro to name the call. */
#define REFUSED(call)                                                                                                  \
    do {                                                                                                               \
        char sentence[MPI_MAX_ERROR_STRING] = "";                                                                      \
        int length = 0, code = (call);                                                                                 \
        CHECK(class_of(code) == MPI_ERR_INFO, "%s: code %d, class %d", #call, code, class_of(code));                   \
        MPI_Error_string(code, sentence, &length);                                                                     \
        CHECK(strstr(sentence, "info: "), "%s: %s", #call, sentence);                                                  \
    } while (0)

static void collectives(MPI_Info i)
{
    REFUSED(MPI_Barrier_init(comm, i, &q));
    REFUSED(MPI_Bcast_init(in, 1, MPI_INT, 0, comm, i, &q));
    REFUSED(MPI_Gather_init(out, 1, MPI_INT, in, 1, MPI_INT, 0, comm, i, &q));
    REFUSED(MPI_Gatherv_init(out, 1, MPI_INT, in, one, list, MPI_INT, 0, comm, i, &q));
    REFUSED(MPI_Scatter_init(out, 1, MPI_INT, in, 1, MPI_INT, 0, comm, i, &q));
    REFUSED(MPI_Scatterv_init(out, one, list, MPI_INT, in, 1, MPI_INT, 0, comm, i, &q));
    REFUSED(MPI_Allgather_init(out, 1, MPI_INT, in, 1, MPI_INT, comm, i, &q));
    REFUSED(MPI_Allgatherv_init(out, 1, MPI_INT, in, one, list, MPI_INT, comm, i, &q));
    REFUSED(MPI_Alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, comm, i, &q));
    REFUSED(MPI_Alltoallv_init(out, one, list, MPI_INT, in, one, list, MPI_INT, comm, i, &q));
    REFUSED(MPI_Alltoallw_init(out, one, list, types, in, one, list, types, comm, i, &q));
    REFUSED(MPI_Reduce_init(out, in, 1, MPI_INT, MPI_SUM, 0, comm, i, &q));
    REFUSED(MPI_Allreduce_init(out, in, 1, MPI_INT, MPI_SUM, comm, i, &q));
    REFUSED(MPI_Scan_init(out, in, 1, MPI_INT, MPI_SUM, comm, i, &q));
    REFUSED(MPI_Exscan_init(out, in, 1, MPI_INT, MPI_SUM, comm, i, &q));
    REFUSED(MPI_Reduce_scatter_init(out, in, one, MPI_INT, MPI_SUM, comm, i, &q));
    REFUSED(MPI_Reduce_scatter_block_init(out, in, 1, MPI_INT, MPI_SUM, comm, i, &q));
}

static void wide_collectives(MPI_Info i)
{
    REFUSED(MPI_Bcast_init_c(in, 1, MPI_INT, 0, comm, i, &q));
    REFUSED(MPI_Gather_init_c(out, 1, MPI_INT, in, 1, MPI_INT, 0, comm, i, &q));
    REFUSED(MPI_Gatherv_init_c(out, 1, MPI_INT, in, wide, at, MPI_INT, 0, comm, i, &q));
    REFUSED(MPI_Scatter_init_c(out, 1, MPI_INT, in, 1, MPI_INT, 0, comm, i, &q));
    REFUSED(MPI_Scatterv_init_c(out, wide, at, MPI_INT, in, 1, MPI_INT, 0, comm, i, &q));
    REFUSED(MPI_Allgather_init_c(out, 1, MPI_INT, in, 1, MPI_INT, comm, i, &q));
    REFUSED(MPI_Allgatherv_init_c(out, 1, MPI_INT, in, wide, at, MPI_INT, comm, i, &q));
    REFUSED(MPI_Alltoall_init_c(out, 1, MPI_INT, in, 1, MPI_INT, comm, i, &q));
    REFUSED(MPI_Alltoallv_init_c(out, wide, at, MPI_INT, in, wide, at, MPI_INT, comm, i, &q));
    REFUSED(MPI_Alltoallw_init_c(out, wide, at, types, in, wide, at, types, comm, i, &q));
    REFUSED(MPI_Reduce_init_c(out, in, 1, MPI_INT, MPI_SUM, 0, comm, i, &q));
    REFUSED(MPI_Allreduce_init_c(out, in, 1, MPI_INT, MPI_SUM, comm, i, &q));
    REFUSED(MPI_Scan_init_c(out, in, 1, MPI_INT, MPI_SUM, comm, i, &q));
    REFUSED(MPI_Exscan_init_c(out, in, 1, MPI_INT, MPI_SUM, comm, i, &q));
    REFUSED(MPI_Reduce_scatter_init_c(out, in, wide, MPI_INT, MPI_SUM, comm, i, &q));
    REFUSED(MPI_Reduce_scatter_block_init_c(out, in, 1, MPI_INT, MPI_SUM, comm, i, &q));
}

static void neighborhoods(MPI_Info i)
{
    REFUSED(MPI_Neighbor_allgather_init(out, 1, MPI_INT, in, 1, MPI_INT, comm, i, &q));
    REFUSED(MPI_Neighbor_allgatherv_init(out, 1, MPI_INT, in, one, list, MPI_INT, comm, i, &q));
    REFUSED(MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, comm, i, &q));
    REFUSED(MPI_Neighbor_alltoallv_init(out, one, list, MPI_INT, in, one, list, MPI_INT, comm, i, &q));
    REFUSED(MPI_Neighbor_alltoallw_init(out, one, at, types, in, one, at, types, comm, i, &q));
    REFUSED(MPI_Neighbor_allgather_init_c(out, 1, MPI_INT, in, 1, MPI_INT, comm, i, &q));
    REFUSED(MPI_Neighbor_allgatherv_init_c(out, 1, MPI_INT, in, wide, at, MPI_INT, comm, i, &q));
    REFUSED(MPI_Neighbor_alltoall_init_c(out, 1, MPI_INT, in, 1, MPI_INT, comm, i, &q));
    REFUSED(MPI_Neighbor_alltoallv_init_c(out, wide, at, MPI_INT, in, wide, at, MPI_INT, comm, i, &q));
    REFUSED(MPI_Neighbor_alltoallw_init_c(out, wide, at, types, in, wide, at, types, comm, i, &q));
}

static void communicators(MPI_Info i)
{
    REFUSED(MPI_Comm_dup_with_info(MPI_COMM_SELF, i, &made));
    REFUSED(MPI_Comm_idup_with_info(MPI_COMM_SELF, i, &made, &q));
    REFUSED(MPI_Comm_set_info(MPI_COMM_SELF, i));
    REFUSED(MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, i, &made));
    REFUSED(MPI_Comm_split_type(world, MPI_COMM_TYPE_HW_GUIDED, 0, i, &made));
    REFUSED(MPI_Comm_create_from_group(group, "tag", i, MPI_ERRORS_RETURN, &made));
    REFUSED(MPI_Intercomm_create_from_groups(group, 0, MPI_GROUP_EMPTY, 0, "tag", i, MPI_ERRORS_RETURN, &made));
    REFUSED(MPI_Dist_graph_create(world, 0, NULL, NULL, NULL, MPI_UNWEIGHTED, i, 0, &made));
    REFUSED(MPI_Dist_graph_create_adjacent(world, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED, i, 0, &made));
    REFUSED(MPI_Session_init(i, MPI_ERRORS_RETURN, &session));
    REFUSED(MPI_Session_get_num_psets(session, i, &number));
    REFUSED(MPI_Session_get_nth_pset(session, i, 0, &number, text));
    REFUSED(MPI_Psend_init(out, 1, 1, MPI_INT, 0, 0, MPI_COMM_SELF, i, &q));
    REFUSED(MPI_Psend_init_c(out, 1, 1, MPI_INT, 0, 0, MPI_COMM_SELF, i, &q));
    REFUSED(MPI_Precv_init(in, 1, 1, MPI_INT, 0, 0, MPI_COMM_SELF, i, &q));
    REFUSED(MPI_Precv_init_c(in, 1, 1, MPI_INT, 0, 0, MPI_COMM_SELF, i, &q));
}

static void windows(MPI_Info i)
{
    REFUSED(MPI_Alloc_mem(8, i, &memory));
    REFUSED(MPI_Win_create(in, sizeof in, 1, i, MPI_COMM_SELF, &win));
    REFUSED(MPI_Win_create_c(in, sizeof in, 1, i, MPI_COMM_SELF, &win));
    REFUSED(MPI_Win_allocate(8, 1, i, MPI_COMM_SELF, &memory, &win));
    REFUSED(MPI_Win_allocate_c(8, 1, i, MPI_COMM_SELF, &memory, &win));
    REFUSED(MPI_Win_allocate_shared(8, 1, i, MPI_COMM_SELF, &memory, &win));
    REFUSED(MPI_Win_allocate_shared_c(8, 1, i, MPI_COMM_SELF, &memory, &win));
    REFUSED(MPI_Win_create_dynamic(i, MPI_COMM_SELF, &win));
    REFUSED(MPI_Win_set_info(win, i));
}

/* These need an object: MPI_INFO_NULL is none. */
static void objects(MPI_Info i)
{
    MPI_Info copy = i;
    REFUSED(MPI_Info_set(i, "key", "value"));
    REFUSED(MPI_Info_delete(i, "key"));
    REFUSED(MPI_Info_dup(i, &copy));
    REFUSED(MPI_Info_get_nkeys(i, &number));
    REFUSED(MPI_Info_get_nthkey(i, 0, text));
    REFUSED(MPI_Info_get_string(i, "key", &number, text, &flag));
    REFUSED(MPI_Info_get(i, "key", 1, text, &flag));
    REFUSED(MPI_Info_get_valuelen(i, "key", &number, &flag));
    REFUSED(MPI_Info_free(&copy));
    REFUSED(MPI_Abi_set_fortran_info(i));
}

/* Of other kinds than info: where they are taken for hints nothing else is wrong. */
static void begin(MPI_Info *bad)
{
    static double own[8];
    MPI_Info freed;
    MPI_Info_create(&freed);
    bad[0] = freed;
    MPI_Info_free(&freed);
    bad[1] = (MPI_Info)0;
    bad[2] = (MPI_Info)(void *)0x39;
    bad[3] = (MPI_Info)(void *)own;
    bad[4] = (MPI_Info)(void *)((char *)own + 3);
    bad[5] = (MPI_Info)(void *)comm;
    for (int i = 0; i < 64; i++) {
        one[i] = 1;
        wide[i] = 1;
        types[i] = MPI_INT;
    }
}

int main(int argc, char **argv)
{
    MPI_Info bad[BAD];
    check_start(&argc, &argv);
    int size[1] = {np}, around[1] = {1};
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Cart_create(world, 1, size, around, 0, &comm);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Win_create(in, sizeof in, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    begin(bad);
    for (int i = 0; i < BAD && np <= 64; i++) {
        collectives(bad[i]);
        wide_collectives(bad[i]);
        neighborhoods(bad[i]);
        communicators(bad[i]);
        windows(bad[i]);
        objects(bad[i]);
    }
    no = MPI_INFO_NULL;
    objects(no);
    MPI_Win_free(&win);
    MPI_Session_finalize(&session);
    MPI_Group_free(&group);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&world);
    return check_finish();
}
