/* What the standard calls an error has its class, and changes nothing. */
#include "check.h"

static MPI_Win win;
static int memory[10], mine = 1, got;

static void arguments_of_making(void)
{
    MPI_Win none = MPI_WIN_NULL;
    char *p;
    CHECK_CLASS(MPI_Win_create(memory, -1, 1, MPI_INFO_NULL, MPI_COMM_SELF, &none), MPI_ERR_SIZE);
    CHECK_CLASS(MPI_Win_create(memory, 4, 0, MPI_INFO_NULL, MPI_COMM_SELF, &none), MPI_ERR_DISP);
    CHECK_CLASS(MPI_Win_create(memory, 4, 1, MPI_INFO_NULL, MPI_COMM_NULL, &none), MPI_ERR_COMM);
    CHECK_CLASS(MPI_Win_allocate(-1, 1, MPI_INFO_NULL, MPI_COMM_SELF, &p, &none), MPI_ERR_SIZE);
    CHECK_CLASS(MPI_Win_allocate_shared(-1, 1, MPI_INFO_NULL, MPI_COMM_SELF, &p, &none), MPI_ERR_SIZE);
    CHECK_CLASS(MPI_Win_free(&none), MPI_ERR_WIN);
    CHECK_CLASS(MPI_Win_fence(0, MPI_WIN_NULL), MPI_ERR_WIN);
    CHECK_CLASS(MPI_Win_attach(win, memory, 4), MPI_ERR_RMA_FLAVOR);
}

static void without_an_epoch(void)
{
    int flag;
    CHECK_CLASS(MPI_Put(&mine, 1, MPI_INT, me, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Get(&got, 1, MPI_INT, me, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Accumulate(&mine, 1, MPI_INT, me, 0, 1, MPI_INT, MPI_SUM, win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_unlock(me, win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_flush(me, win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_flush_local_all(win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_complete(win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_wait(win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_test(win, &flag), MPI_ERR_RMA_SYNC);
}

static void locks(void)
{
    CHECK_CLASS(MPI_Win_lock(12, me, 0, win), MPI_ERR_LOCKTYPE);
    CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, np, 0, win), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, me, MPI_MODE_NOPUT, win), MPI_ERR_ASSERT);
    CHECK_CLASS(MPI_Win_fence(MPI_MODE_NOCHECK, win), MPI_ERR_ASSERT);
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win));
    CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
    if (np > 1)
        CHECK_CLASS(MPI_Put(&mine, 1, MPI_INT, right_of(me), 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    CHECK_OK(MPI_Win_unlock(me, win));
}

static void arguments_of_operations(void)
{
    MPI_Datatype mixed;
    int lens[2] = {1, 1};
    MPI_Aint places[2] = {0, 8}, farthest = (MPI_Aint)(SIZE_MAX / 2); /* times the unit, no address any more */
    MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE};
    CHECK_OK(MPI_Type_create_struct(2, lens, places, parts, &mixed));
    CHECK_OK(MPI_Type_commit(&mixed));
    CHECK_OK(MPI_Win_lock_all(0, win));
    CHECK_CLASS(MPI_Put(&mine, 1, MPI_INT, np, 0, 1, MPI_INT, win), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Put(&mine, -1, MPI_INT, me, 0, 1, MPI_INT, win), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Put(&mine, 1, MPI_DATATYPE_NULL, me, 0, 1, MPI_INT, win), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Put(NULL, 1, MPI_INT, me, 0, 1, MPI_INT, win), MPI_ERR_BUFFER);
    CHECK_CLASS(MPI_Put(&mine, 1, MPI_INT, me, -1, 1, MPI_INT, win), MPI_ERR_DISP);
    CHECK_CLASS(MPI_Put(&mine, 1, MPI_INT, me, 10, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
    CHECK_CLASS(MPI_Put(memory, 10, MPI_INT, right_of(me), 1, 10, MPI_INT, win), MPI_ERR_RMA_RANGE);
    CHECK_CLASS(MPI_Get(&got, 1, MPI_INT, right_of(me), farthest, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
    CHECK_CLASS(MPI_Put(memory, 2, MPI_INT, me, 0, 1, MPI_INT, win), MPI_ERR_TRUNCATE);
    CHECK_CLASS(MPI_Get(&got, 1, MPI_INT, me, 0, 2, MPI_INT, win), MPI_ERR_TRUNCATE);
    CHECK_CLASS(MPI_Accumulate(&mine, 1, MPI_INT, me, 0, 1, MPI_INT, MPI_OP_NULL, win), MPI_ERR_OP);
    CHECK_CLASS(MPI_Accumulate(&mine, 1, MPI_INT, me, 0, 1, MPI_INT, MPI_MAXLOC, win), MPI_ERR_OP);
    CHECK_CLASS(MPI_Accumulate(&mine, 1, MPI_INT, me, 0, 1, MPI_FLOAT, MPI_SUM, win), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Accumulate(memory, 1, mixed, me, 0, 1, mixed, MPI_SUM, win), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Fetch_and_op(&mine, &got, mixed, me, 0, MPI_SUM, win), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Compare_and_swap(&mine, &mine, &got, MPI_DOUBLE, me, 0, win), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Rput(&mine, 1, MPI_INT, me, 0, 1, MPI_INT, win, NULL), MPI_ERR_ARG);
    CHECK_OK(MPI_Win_unlock_all(win));
    CHECK_OK(MPI_Type_free(&mixed));
}

static void active(void)
{
    MPI_Group self;
    MPI_Group world;
    CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_OK(MPI_Group_incl(world, 1, &me, &self));
    CHECK_OK(MPI_Win_post(self, 0, win));
    CHECK_CLASS(MPI_Win_post(self, 0, win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
    CHECK_OK(MPI_Win_start(self, 0, win));
    CHECK_CLASS(MPI_Win_start(self, 0, win), MPI_ERR_RMA_SYNC);
    CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win), MPI_ERR_RMA_SYNC);
    CHECK_OK(MPI_Win_complete(win));
    CHECK_OK(MPI_Win_wait(win));
    CHECK_OK(MPI_Group_free(&self));
    CHECK_OK(MPI_Group_free(&world));
}

static int called, class_heard;

static void handler(MPI_Win *w, int *code, ...)
{
    called += *w == win;
    class_heard = class_of(*code);
}

static void own_handler(void)
{
    MPI_Errhandler mine_too, got_back;
    CHECK_OK(MPI_Win_create_errhandler(handler, &mine_too));
    CHECK_OK(MPI_Win_set_errhandler(win, mine_too));
    CHECK_OK(MPI_Win_get_errhandler(win, &got_back));
    CHECK(got_back == mine_too, "another handler");
    CHECK_OK(MPI_Errhandler_free(&got_back));
    CHECK_OK(MPI_Errhandler_free(&mine_too));
    CHECK_CLASS(MPI_Win_unlock(me, win), MPI_ERR_RMA_SYNC);
    CHECK(called == 1 && class_heard == MPI_ERR_RMA_SYNC, "called %d times, class %d", called, class_heard);
    MPI_Win_call_errhandler(win, MPI_ERR_OTHER);
    CHECK(called == 2 && class_heard == MPI_ERR_OTHER, "called %d times, class %d", called, class_heard);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    MPI_Errhandler first;
    CHECK_OK(MPI_Win_create(memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CHECK_OK(MPI_Win_get_errhandler(win, &first));
    CHECK(first == MPI_ERRORS_ARE_FATAL, "not fatal at first");
    CHECK_OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    arguments_of_making();
    without_an_epoch();
    locks();
    arguments_of_operations();
    active();
    own_handler();
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < 10; i++)
        CHECK(memory[i] == 0, "word %d is %d", i, memory[i]);
    CHECK_OK(MPI_Win_free(&win));
    return check_finish();
}
