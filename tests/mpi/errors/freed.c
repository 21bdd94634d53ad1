/* Handles that are null, were freed, were never handles, or belong to another kind: each kind's own class, from calls of every chapter
 * that take one, and never a crash.
 */
#include "check.h"

/* What takes the place of a handle, as an integer of its size. */
enum { NEVER = 5 };
struct bad {
    uintptr_t value[NEVER + 2];
    int count;
};

static uintptr_t zeros[64]; /* memory of the program's, where no object is */

static struct bad bad_handles(uintptr_t null, uintptr_t freed, uintptr_t other_kind)
{
    struct bad b = {{null, freed, other_kind, 0x777, (uintptr_t)0xdeadbee0, (uintptr_t)zeros, (uintptr_t)zeros + 1},
                    NEVER + 2};
    return b;
}

static void comms(void)
{
    MPI_Comm comm, copy, out;
    MPI_Group group, g;
    MPI_Request q;
    MPI_Win win;
    int x = 0, y = 0, flag;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    copy = comm;
    MPI_Comm_free(&comm);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    const struct bad b = bad_handles((uintptr_t)MPI_COMM_NULL, (uintptr_t)copy, (uintptr_t)group);
    for (int i = 0; i < b.count; i++) {
        MPI_Comm c = (MPI_Comm)b.value[i];
        CHECK_CLASS(MPI_Comm_size(c, &x), MPI_ERR_COMM);
        CHECK_CLASS(MPI_Send(&x, 1, MPI_INT, 0, 0, c), MPI_ERR_COMM);
        CHECK_CLASS(MPI_Recv_init(&x, 1, MPI_INT, 0, 0, c, &q), MPI_ERR_COMM);
        CHECK_CLASS(MPI_Psend_init(&x, 1, 1, MPI_INT, 0, 0, c, MPI_INFO_NULL, &q), MPI_ERR_COMM);
        CHECK_CLASS(MPI_Iprobe(0, 0, c, &flag, MPI_STATUS_IGNORE), MPI_ERR_COMM);
        CHECK_CLASS(MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, c), MPI_ERR_COMM);
        CHECK_CLASS(MPI_Ibarrier(c, &q), MPI_ERR_COMM);
        CHECK_CLASS(MPI_Barrier_init(c, MPI_INFO_NULL, &q), MPI_ERR_COMM);
        CHECK_CLASS(MPI_Neighbor_allgather(&x, 1, MPI_INT, &y, 1, MPI_INT, c), MPI_ERR_COMM);
        CHECK_CLASS(MPI_Comm_dup(c, &out), MPI_ERR_COMM);
        CHECK_CLASS(MPI_Comm_group(c, &g), MPI_ERR_COMM);
        CHECK_CLASS(MPI_Cart_create(c, 1, &np, &x, 0, &out), MPI_ERR_COMM);
        CHECK_CLASS(MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, c, &win), MPI_ERR_COMM);
        CHECK_CLASS(MPI_Comm_set_attr(c, MPI_KEYVAL_INVALID, NULL), MPI_ERR_COMM);
        CHECK_CLASS(MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN), MPI_ERR_COMM);
        CHECK_CLASS(MPI_Comm_set_info(c, MPI_INFO_NULL), MPI_ERR_COMM);
        out = c;
        CHECK_CLASS(MPI_Comm_free(&out), MPI_ERR_COMM);
    }
    MPI_Group_free(&group);
}

static void types(void)
{
    MPI_Datatype type, copy, out;
    MPI_Group group;
    MPI_Request q;
    int x = 0, y = 0, at = 0, size;
    MPI_Type_contiguous(2, MPI_INT, &type);
    copy = type;
    MPI_Type_free(&type);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    const struct bad b = bad_handles((uintptr_t)MPI_DATATYPE_NULL, (uintptr_t)copy, (uintptr_t)group);
    for (int i = 0; i < b.count; i++) {
        MPI_Datatype t = (MPI_Datatype)b.value[i];
        CHECK_CLASS(MPI_Send(&x, 1, t, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
        CHECK_CLASS(MPI_Irecv(&x, 1, t, 0, 0, MPI_COMM_WORLD, &q), MPI_ERR_TYPE);
        CHECK_CLASS(MPI_Bcast(&x, 1, t, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
        CHECK_CLASS(MPI_Allreduce_init(&x, &y, 1, t, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &q), MPI_ERR_TYPE);
        CHECK_CLASS(MPI_Pack(&x, 1, t, &y, sizeof y, &at, MPI_COMM_WORLD), MPI_ERR_TYPE);
        CHECK_CLASS(MPI_Type_size(t, &size), MPI_ERR_TYPE);
        CHECK_CLASS(MPI_Type_vector(1, 1, 1, t, &out), MPI_ERR_TYPE);
        CHECK_CLASS(MPI_Type_dup(t, &out), MPI_ERR_TYPE);
        CHECK_CLASS(MPI_Type_get_envelope(t, &x, &x, &x, &x), MPI_ERR_TYPE);
        CHECK_CLASS(MPI_Type_set_attr(t, MPI_KEYVAL_INVALID, NULL), MPI_ERR_TYPE);
        CHECK_CLASS(MPI_Type_set_name(t, "name"), MPI_ERR_TYPE);
        out = t;
        CHECK_CLASS(MPI_Type_commit(&out), MPI_ERR_TYPE);
        CHECK_CLASS(MPI_Type_free(&out), MPI_ERR_TYPE);
    }
    MPI_Type_contiguous(2, MPI_INT, &type); /* and not committed */
    CHECK_CLASS(MPI_Send(&x, 1, type, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Pack(&x, 1, type, &y, sizeof y, &at, MPI_COMM_WORLD), MPI_ERR_TYPE);
    MPI_Type_free(&type);
    MPI_Group_free(&group);
}

static void groups(void)
{
    MPI_Comm comm, out;
    MPI_Group group, copy, g;
    int x;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_group(comm, &group); /* which the communicator still has when its handle is gone */
    copy = group;
    MPI_Group_free(&group);
    const struct bad b = bad_handles((uintptr_t)MPI_GROUP_NULL, (uintptr_t)copy, (uintptr_t)comm);
    for (int i = 0; i < b.count; i++) {
        MPI_Group bad = (MPI_Group)b.value[i];
        CHECK_CLASS(MPI_Group_size(bad, &x), MPI_ERR_GROUP);
        CHECK_CLASS(MPI_Group_union(MPI_GROUP_EMPTY, bad, &g), MPI_ERR_GROUP);
        CHECK_CLASS(MPI_Comm_create(comm, bad, &out), MPI_ERR_GROUP);
        CHECK_CLASS(MPI_Comm_create_from_group(bad, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &out), MPI_ERR_GROUP);
        g = bad;
        CHECK_CLASS(MPI_Group_free(&g), MPI_ERR_GROUP);
    }
    MPI_Comm_free(&comm);
}

static void handler(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code; }

static void errhandlers(void)
{
    MPI_Errhandler mine, copy, e;
    MPI_Comm comm, out;
    MPI_Group group;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_create_errhandler(handler, &mine);
    MPI_Comm_set_errhandler(comm, mine); /* which keeps it */
    copy = mine;
    MPI_Errhandler_free(&mine);
    const struct bad b = bad_handles((uintptr_t)MPI_ERRHANDLER_NULL, (uintptr_t)copy, (uintptr_t)comm);
    for (int i = 0; i < b.count; i++) {
        e = (MPI_Errhandler)b.value[i];
        CHECK_CLASS(MPI_Comm_set_errhandler(MPI_COMM_SELF, e), MPI_ERR_ERRHANDLER);
        CHECK_CLASS(MPI_Comm_create_from_group(group, "tag", MPI_INFO_NULL, e, &out), MPI_ERR_ERRHANDLER);
        CHECK_CLASS(MPI_Intercomm_create_from_groups(group, 0, group, 0, "tag", MPI_INFO_NULL, e, &out),
                    MPI_ERR_ERRHANDLER);
        CHECK_CLASS(MPI_Errhandler_free(&e), MPI_ERR_ERRHANDLER);
    }
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type) { (void)in, (void)inout, (void)n, (void)type; }

static void ops_and_infos(void)
{
    MPI_Op op, old_op;
    MPI_Info info, old_info, made;
    MPI_Win win;
    int x = 0, y = 0;
    MPI_Op_create(add, 1, &op);
    old_op = op;
    MPI_Op_free(&op);
    MPI_Info_create(&info);
    old_info = info;
    MPI_Info_free(&info);
    const struct bad o = bad_handles((uintptr_t)MPI_OP_NULL, (uintptr_t)old_op, (uintptr_t)MPI_COMM_WORLD);
    const struct bad n = bad_handles((uintptr_t)MPI_INFO_NULL, (uintptr_t)old_info, (uintptr_t)MPI_COMM_WORLD);
    for (int i = 0; i < o.count; i++) {
        op = (MPI_Op)o.value[i];
        CHECK_CLASS(MPI_Allreduce(&x, &y, 1, MPI_INT, op, MPI_COMM_WORLD), MPI_ERR_OP);
        CHECK_CLASS(MPI_Reduce_local(&x, &y, 1, MPI_INT, op), MPI_ERR_OP);
        CHECK_CLASS(MPI_Op_commutative(op, &x), MPI_ERR_OP);
        CHECK_CLASS(MPI_Op_free(&op), MPI_ERR_OP);
        info = (MPI_Info)n.value[i];
        CHECK_CLASS(MPI_Info_set(info, "key", "value"), MPI_ERR_INFO);
        CHECK_CLASS(MPI_Info_dup(info, &made), MPI_ERR_INFO);
        CHECK_CLASS(MPI_Info_free(&info), MPI_ERR_INFO);
        if (i == 0)
            continue; /* no hints */
        CHECK_CLASS(MPI_Comm_set_info(MPI_COMM_SELF, (MPI_Info)n.value[i]), MPI_ERR_INFO);
        CHECK_CLASS(MPI_Win_create(&x, sizeof x, 1, (MPI_Info)n.value[i], MPI_COMM_SELF, &win), MPI_ERR_INFO);
    }
}

static void requests_and_messages(void)
{
    MPI_Request q, old, under_way, kept;
    MPI_Message message, old_message;
    int x = 0, y = 0, flag;
    MPI_Status s;
    MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &q);
    old = q;
    MPI_Wait(&q, &s);
    MPI_Isend(&x, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &q);
    MPI_Mprobe(0, 5, MPI_COMM_SELF, &message, &s);
    old_message = message;
    MPI_Mrecv(&y, 1, MPI_INT, &message, &s);
    MPI_Wait(&q, &s);
    const struct bad b = bad_handles((uintptr_t)MPI_REQUEST_NULL, (uintptr_t)old, (uintptr_t)MPI_COMM_WORLD);
    for (int i = 1; i < b.count; i++) {
        q = (MPI_Request)b.value[i];
        CHECK_CLASS(MPI_Wait(&q, &s), MPI_ERR_REQUEST);
        CHECK_CLASS(MPI_Test(&q, &flag, &s), MPI_ERR_REQUEST);
        CHECK_CLASS(MPI_Start(&q), MPI_ERR_REQUEST);
        CHECK_CLASS(MPI_Cancel(&q), MPI_ERR_REQUEST);
        CHECK_CLASS(MPI_Request_get_status(q, &flag, &s), MPI_ERR_REQUEST);
        CHECK_CLASS(MPI_Grequest_complete(q), MPI_ERR_REQUEST);
        CHECK_CLASS(MPI_Pready(0, q), MPI_ERR_REQUEST);
        CHECK_CLASS(MPI_Request_free(&q), MPI_ERR_REQUEST);
        message = i == 1 ? old_message : (MPI_Message)b.value[i];
        CHECK_CLASS(MPI_Mrecv(&x, 1, MPI_INT, &message, &s), MPI_ERR_REQUEST);
    }
    static int later;
    MPI_Irecv(&later, 1, MPI_INT, 0, 6, MPI_COMM_SELF, &under_way);
    kept = under_way;
    MPI_Request_free(&under_way);
    CHECK_CLASS(MPI_Wait(&kept, &s), MPI_ERR_REQUEST); /* freed, though it goes on */
    MPI_Send(&y, 1, MPI_INT, 0, 6, MPI_COMM_SELF);
}

static void windows(void)
{
    MPI_Win win, old;
    MPI_Group group;
    int x = 0, memory = 0;
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    old = win;
    MPI_Win_free(&win);
    const struct bad b = bad_handles((uintptr_t)MPI_WIN_NULL, (uintptr_t)old, (uintptr_t)MPI_COMM_WORLD);
    for (int i = 0; i < b.count; i++) {
        win = (MPI_Win)b.value[i];
        CHECK_CLASS(MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_WIN);
        CHECK_CLASS(MPI_Accumulate(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win), MPI_ERR_WIN);
        CHECK_CLASS(MPI_Win_fence(0, win), MPI_ERR_WIN);
        CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win), MPI_ERR_WIN);
        CHECK_CLASS(MPI_Win_get_group(win, &group), MPI_ERR_WIN);
        CHECK_CLASS(MPI_Win_set_name(win, "name"), MPI_ERR_WIN);
        CHECK_CLASS(MPI_Win_free(&win), MPI_ERR_WIN);
    }
}

static void sessions_and_tools(void)
{
    const struct bad b = bad_handles((uintptr_t)MPI_SESSION_NULL, (uintptr_t)zeros, (uintptr_t)MPI_COMM_WORLD);
    int n = 0, provided;
    MPI_T_cvar_handle cvar = NULL;
    for (int i = 0; i < b.count; i++) {
        MPI_Session s = (MPI_Session)b.value[i];
        CHECK_CLASS(MPI_Session_get_num_psets(s, MPI_INFO_NULL, &n), MPI_ERR_SESSION);
        CHECK_CLASS(MPI_Session_finalize(&s), MPI_ERR_SESSION);
    }
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    CHECK(MPI_T_cvar_handle_alloc(-1, NULL, &cvar, &n) == MPI_T_ERR_INVALID_INDEX, "np %d", np);
    CHECK(MPI_T_cvar_handle_alloc(INT32_MAX, NULL, &cvar, &n) == MPI_T_ERR_INVALID_INDEX, "np %d", np);
    for (int i = 0; i < b.count; i++)
        CHECK(MPI_T_cvar_read((MPI_T_cvar_handle)b.value[i], &n) == MPI_T_ERR_INVALID_HANDLE, "handle %d", i);
    MPI_T_finalize();
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    comms();
    types();
    groups();
    errhandlers();
    ops_and_infos();
    requests_and_messages();
    windows();
    sessions_and_tools();
    return check_finish();
}
