/* Duplicates made while the program goes on: many at once, started in an order of its own at each rank, beside blocking ones, and
 * with messages and collectives of the parents under way. */
#include "check.h"

enum { PARENTS = 3, EACH = 4, COPIES = PARENTS * EACH };

static void use(MPI_Comm comm, MPI_Comm parent, int line)
{
    int result = -1, size = 0, rank = 0, in = -1, sum = -1;
    MPI_Comm_compare(parent, comm, &result);
    CHECK(result == MPI_CONGRUENT, "from line %d: compare %d", line, result);
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm,
                 MPI_STATUS_IGNORE);
    CHECK(in == (rank + size - 1) % size, "from line %d: %d of %d got %d", line, rank, size, in);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == size * (size - 1) / 2, "from line %d: sum %d", line, sum);
}

/* Duplicates of different parents in any order: only those of one parent are in the same one everywhere. */
static void many(MPI_Comm *parent, int seed)
{
    MPI_Comm copy[COPIES];
    MPI_Request q[COPIES];
    int next[PARENTS] = {0}, started = 0;
    for (uint64_t k = 0; started < COPIES; k++) {
        int p = (int)(check_random((uint64_t)(seed * 64 + me), k) % PARENTS);
        if (next[p] == EACH)
            continue;
        int at = p * EACH + next[p]++;
        CHECK_OK(MPI_Comm_idup(parent[p], &copy[at], &q[at]));
        started++;
    }
    int sum = -1, one = 1, size = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, parent[0]);
    MPI_Comm_size(parent[0], &size);
    CHECK(sum == size, "sum %d", sum);
    CHECK_OK(MPI_Waitall(COPIES, q, MPI_STATUSES_IGNORE));
    for (int i = 0; i < COPIES; i++)
        use(copy[i], parent[i / EACH], __LINE__);
    for (int i = 0; i < COPIES; i++)
        MPI_Comm_free(&copy[(i * 5 + seed) % COPIES]);
}

/* A rank that waits in a blocking duplicate of one communicator while another has begun a nonblocking one that this rank begins
 * only afterwards: neither may wait for the other. */
static void crossed(MPI_Comm a, MPI_Comm b)
{
    MPI_Comm copy_a, copy_b;
    MPI_Request q;
    if (me % 2)
        CHECK_OK(MPI_Comm_idup(a, &copy_a, &q));
    CHECK_OK(MPI_Comm_dup(b, &copy_b));
    use(copy_b, b, __LINE__);
    if (me % 2 == 0)
        CHECK_OK(MPI_Comm_idup(a, &copy_a, &q));
    CHECK_OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    use(copy_a, a, __LINE__);
    MPI_Comm_free(&copy_a);
    MPI_Comm_free(&copy_b);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    MPI_Comm parent[PARENTS], copy;
    MPI_Request q;
    MPI_Info info;
    int flag = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent[0]);
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, 0, &parent[1]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &parent[2]);
    for (int seed = 0; seed < (np > 8 ? 3 : 20); seed++)
        many(parent, seed);
    for (int i = 0; i < 10; i++)
        crossed(parent[0], parent[2]);
    CHECK_OK(MPI_Comm_idup(MPI_COMM_SELF, &copy, &q));
    while (!flag)
        CHECK_OK(MPI_Test(&q, &flag, MPI_STATUS_IGNORE));
    use(copy, MPI_COMM_SELF, __LINE__);
    MPI_Comm_free(&copy);
    MPI_Info_create(&info);
    MPI_Info_set(info, "org.example.key", "value");
    CHECK_OK(MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &copy, &q));
    CHECK_OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    use(copy, MPI_COMM_WORLD, __LINE__);
    MPI_Comm_free(&copy);
    CHECK_OK(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &copy));
    use(copy, MPI_COMM_WORLD, __LINE__);
    MPI_Info used;
    char value[16] = "";
    int len = sizeof value;
    MPI_Comm_get_info(copy, &used);
    MPI_Info_get_string(used, "org.example.key", &len, value, &flag);
    CHECK(flag && strcmp(value, "value") == 0, "flag %d, '%s'", flag, value);
    MPI_Info_free(&used);
    MPI_Info_free(&info);
    MPI_Comm_free(&copy);
    for (int i = 0; i < PARENTS; i++)
        MPI_Comm_free(&parent[i]);
    return check_finish();
}
