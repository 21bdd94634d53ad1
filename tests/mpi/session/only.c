/* A program of sessions alone: no MPI_Init. Sessions are opened and closed again and again. */
#include "check.h"

static void psets(MPI_Session session)
{
    int count = -1, length = 0, flag = 0;
    char name[MPI_MAX_PSET_NAME_LEN], size[16];
    int room = (int)sizeof size;
    CHECK_OK(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count));
    CHECK(count >= 2, "%d sets", count);
    for (int i = 0; i < count; i++) {
        MPI_Info info;
        length = 0;
        CHECK_OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, NULL));
        CHECK(length > 1 && length < (int)sizeof name, "length %d", length);
        CHECK_OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name));
        CHECK((int)strlen(name) + 1 == length, "%s: length %d", name, length);
        CHECK_OK(MPI_Session_get_pset_info(session, name, &info));
        room = (int)sizeof size;
        CHECK_OK(MPI_Info_get_string(info, "mpi_size", &room, size, &flag));
        CHECK(flag && atoi(size) >= 1, "size of %s", name);
        MPI_Info_free(&info);
    }
    CHECK_CLASS(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, count, &length, name), MPI_ERR_ARG);
}

static void talk(MPI_Session session, const char *tag)
{
    MPI_Group group;
    MPI_Comm comm;
    CHECK_OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    CHECK_OK(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &np);
    int sum = -1, mine = me + 1, from = -1;
    CHECK_OK(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == np * (np + 1) / 2, "sum %d", sum);
    CHECK_OK(
        MPI_Sendrecv(&me, 1, MPI_INT, right_of(me), 1, &from, 1, MPI_INT, left_of(me), 1, comm, MPI_STATUS_IGNORE));
    CHECK(from == left_of(me), "from %d", from);
    MPI_Comm_free(&comm);
}

static void alone(MPI_Session session)
{
    MPI_Group group;
    MPI_Comm comm;
    int size = -1;
    CHECK_OK(MPI_Group_from_session_pset(session, "mpi://SELF", &group));
    CHECK_OK(MPI_Comm_create_from_group(group, "self", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    MPI_Comm_size(comm, &size);
    CHECK(size == 1, "size %d", size);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    for (int i = 0; i < 4; i++) { /* the case of letters means nothing */
        const char *const names[] = {"mpi://self", "MPI://World", "Mpi://SELF", "mpi://world"};
        size = -1;
        CHECK_OK(MPI_Group_from_session_pset(session, names[i], &group));
        CHECK_OK(MPI_Group_size(group, &size));
        CHECK(i % 2 ? size >= 1 : size == 1, "%s has %d", names[i], size);
        CHECK_OK(MPI_Group_free(&group));
    }
    CHECK_CLASS(MPI_Group_from_session_pset(session, "mpi://NOWHERE", &group), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Group_from_session_pset(session, "mpi://SEL", &group), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Group_from_session_pset(session, "mpi://WORLDS", &group), MPI_ERR_ARG);
}

int main(void)
{
    MPI_Session session, other;
    int flag = -1;
    MPI_Initialized(&flag);
    CHECK(!flag, "initialized %d", flag);
    CHECK_OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    psets(session);
    talk(session, "one");
    alone(session);
    CHECK_OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &other));
    talk(other, "two");
    CHECK_OK(MPI_Session_finalize(&session));
    CHECK(session == MPI_SESSION_NULL, "the handle is %p", (void *)session);
    talk(other, "three");
    MPI_Initialized(&flag);
    CHECK(!flag, "initialized %d", flag);
    CHECK_OK(MPI_Session_finalize(&other));
    MPI_Finalized(&flag);
    CHECK(!flag, "finalized %d", flag);
    return 0;
}
