/* MPI_Finalize deletes the attributes of MPI_COMM_SELF first, the latest first, while MPI still works. */
#include "check.h"

static int order[3], calls;

static int delete (MPI_Comm comm, int key, void *value, void *extra_state)
{
    int finalized = 1, sum = 0, one = 1;
    (void)key, (void)extra_state;
    CHECK(comm == MPI_COMM_SELF, "call %d", calls);
    MPI_Finalized(&finalized);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(!finalized && sum == np, "sum %d", sum);
    order[calls++] = *(int *)value;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    static int values[3] = {0, 1, 2};
    int key[3], copy;
    check_start(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &key[i], NULL));
        CHECK_OK(MPI_Comm_set_attr(MPI_COMM_SELF, key[i], &values[i]));
        int again = key[i];
        CHECK_OK(MPI_Comm_free_keyval(&key[i]));
        for (int n = 0; n < 2 && !CHECK_SMALL; n++, again = copy) { /* its value keeps it alive: nothing happens */
            copy = again;
            CHECK_OK(MPI_Comm_free_keyval(&again));
            CHECK(again == MPI_KEYVAL_INVALID, "key %d", again);
        }
    }
    MPI_Finalize();
    if (calls != 3 || order[0] != 2 || order[1] != 1 || order[2] != 0) {
        fprintf(stderr, "rank %d: %d calls, order %d %d %d\n", me, calls, order[0], order[1], order[2]);
        return 1;
    }
    return 0;
}
