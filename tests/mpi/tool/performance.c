/* MPI_T's performance variables: sessions and handles, and that the numbers follow what the program does. */
#include "check.h"

enum { LONG = 200 };

static MPI_T_pvar_session session;

static MPI_T_pvar_handle handle_of(const char *name, int class)
{
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    int index = -1, count = -1;
    CHECK(MPI_T_pvar_get_index(name, class, &index) == MPI_SUCCESS, "%s", name);
    CHECK(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) == MPI_SUCCESS && count == 1, "%s: %d", name,
          count);
    return handle;
}

static unsigned long long read_one(const char *name, int class)
{
    MPI_T_pvar_handle handle = handle_of(name, class);
    unsigned long long value = 0;
    CHECK(MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS, "%s", name);
    CHECK(MPI_T_pvar_handle_free(session, &handle) == MPI_SUCCESS && handle == MPI_T_PVAR_HANDLE_NULL, "%s", name);
    return value;
}

static unsigned long long level(const char *name) { return read_one(name, MPI_T_PVAR_CLASS_LEVEL); }

static void describe_all(void)
{
    int count = 0;
    MPI_T_pvar_get_num(&count);
    CHECK(count >= 6, "%d performance variables", count);
    for (int i = 0; i < count; i++) {
        char name[LONG], text[LONG];
        int name_len = LONG, text_len = LONG, class = 0, bind = 0, readonly = -1, continuous = -1, atomic = -1;
        int again = -1, verbosity = 0;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum values = MPI_T_ENUM_NULL;
        CHECK(MPI_T_pvar_get_info(i, name, &name_len, &verbosity, &class, &type, &values, text, &text_len, &bind,
                                  &readonly, &continuous, &atomic) == MPI_SUCCESS,
              "variable %d", i);
        CHECK(type == MPI_UNSIGNED_LONG_LONG && bind == MPI_T_BIND_NO_OBJECT && readonly == 1 && continuous == 1 &&
                  atomic == 0 && values == MPI_T_ENUM_NULL,
              "%s: %d %d %d %d", name, bind, readonly, continuous, atomic);
        MPI_T_pvar_get_index(name, class, &again);
        CHECK(again == i && text_len == (int)strlen(text) + 1, "%s: %d, wanted %d", name, again, i);
        CHECK(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_TIMER, &again) == MPI_T_ERR_INVALID_NAME, "%s: a timer",
              name);
    }
    CHECK(MPI_T_pvar_get_info(count, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) ==
              MPI_T_ERR_INVALID_INDEX,
          "beyond %d", count);
}

/* A message to oneself waits until it is received; a receive waits until there is a message. */
static void follow_messages(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int out = me, in = -1;
    unsigned long long unexpected = level("mpico_unexpected"), posted = level("mpico_posted");
    unsigned long long requests = level("mpico_requests");
    MPI_Irecv(&in, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request);
    CHECK(level("mpico_posted") == posted + 1 && level("mpico_requests") == requests + 1, "%llu posted, %llu requests",
          level("mpico_posted"), level("mpico_requests"));
    MPI_Send(&out, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(in == me && level("mpico_posted") == posted && level("mpico_requests") == requests,
          "%llu posted, %llu requests", level("mpico_posted"), level("mpico_requests"));
    MPI_Isend(&out, 1, MPI_INT, 0, 6, MPI_COMM_SELF, &request);
    MPI_Probe(0, 6, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    CHECK(level("mpico_unexpected") >= 1, "%llu unexpected", level("mpico_unexpected"));
    MPI_Recv(&in, 1, MPI_INT, 0, 6, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    /* Of other ranks, something may have come meanwhile. */
    CHECK(np > 1 || level("mpico_unexpected") == unexpected, "%llu unexpected, before %llu", level("mpico_unexpected"),
          unexpected);
}

/* The neighbour answers what was sent after the first look. */
static void follow_packets(void)
{
    unsigned long long before = read_one("mpico_packets", MPI_T_PVAR_CLASS_COUNTER);
    int value = me;
    MPI_Sendrecv_replace(&value, 1, MPI_INT, right_of(me), 7, left_of(me), 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(&value, 1, MPI_INT, left_of(me), 8, right_of(me), 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    unsigned long long after = read_one("mpico_packets", MPI_T_PVAR_CLASS_COUNTER);
    CHECK(value == me && (np == 1 || after > before), "%llu packets, before %llu", after, before);
}

static void follow_memory(void)
{
    const char *high = "mpico_heap_high_bytes";
    unsigned long long before = level("mpico_heap_bytes"), comms = level("mpico_communicators");
    void *memory = NULL;
    MPI_Comm dup = MPI_COMM_NULL;
    MPI_Alloc_mem(5000, MPI_INFO_NULL, &memory);
    CHECK(level("mpico_heap_bytes") >= before + 5000, "%llu bytes, before %llu", level("mpico_heap_bytes"), before);
    MPI_Free_mem(memory);
    CHECK(level("mpico_heap_bytes") == before, "%llu bytes, before %llu", level("mpico_heap_bytes"), before);
    CHECK(read_one(high, MPI_T_PVAR_CLASS_HIGHWATERMARK) >= before + 5000, "%llu bytes",
          read_one(high, MPI_T_PVAR_CLASS_HIGHWATERMARK));
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    CHECK(level("mpico_communicators") == comms + 1, "%llu, before %llu", level("mpico_communicators"), comms);
    MPI_Comm_free(&dup);
    CHECK(level("mpico_communicators") == comms, "%llu, before %llu", level("mpico_communicators"), comms);
}

static void refusals(void)
{
    MPI_T_pvar_session other = MPI_T_PVAR_SESSION_NULL;
    unsigned long long value = 0;
    MPI_T_pvar_handle handle = handle_of("mpico_posted", MPI_T_PVAR_CLASS_LEVEL);
    CHECK(MPI_T_pvar_start(session, handle) == MPI_T_ERR_PVAR_NO_STARTSTOP, "start");
    CHECK(MPI_T_pvar_stop(session, handle) == MPI_T_ERR_PVAR_NO_STARTSTOP, "stop");
    CHECK(MPI_T_pvar_write(session, handle, &value) == MPI_T_ERR_PVAR_NO_WRITE, "write");
    CHECK(MPI_T_pvar_reset(session, handle) == MPI_T_ERR_PVAR_NO_WRITE, "reset");
    CHECK(MPI_T_pvar_readreset(session, handle, &value) == MPI_T_ERR_PVAR_NO_ATOMIC, "readreset");
    CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS, "start all");
    CHECK(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS, "stop all");
    CHECK(MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS, "reset all");
    CHECK(MPI_T_pvar_read(session, MPI_T_PVAR_ALL_HANDLES, &value) == MPI_T_ERR_INVALID_HANDLE, "read all");
    CHECK(MPI_T_pvar_session_create(&other) == MPI_SUCCESS && other != session, "a second session");
    CHECK(MPI_T_pvar_read(other, handle, &value) == MPI_T_ERR_INVALID_HANDLE, "a handle of another session");
    CHECK(MPI_T_pvar_session_free(&other) == MPI_SUCCESS && other == MPI_T_PVAR_SESSION_NULL, "free");
    CHECK(MPI_T_pvar_read(other, handle, &value) == MPI_T_ERR_INVALID_SESSION, "no session");
    MPI_T_pvar_handle_free(session, &handle);
}

int main(int argc, char **argv)
{
    int provided = -1;
    CHECK(MPI_T_pvar_session_create(&session) == MPI_T_ERR_NOT_INITIALIZED, "a session without MPI_T");
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS, "a session before MPI_Init");
    describe_all();
    CHECK(level("mpico_requests") == 0, "%llu requests before MPI_Init", level("mpico_requests"));
    check_start(&argc, &argv);
    follow_messages();
    follow_packets();
    follow_memory();
    refusals();
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS, "free");
    MPI_T_finalize();
    return check_finish();
}
