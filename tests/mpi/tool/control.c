/* MPI_T's control variables: found by name, described, read; written as far as each allows; before MPI_Init, between and after. */
#include "check.h"

enum { LONG = 200 };

static int index_of(const char *name)
{
    int index = -1;
    CHECK(MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS, "%s", name);
    return index;
}

static MPI_T_cvar_handle handle_of(const char *name)
{
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = -1;
    CHECK(MPI_T_cvar_handle_alloc(index_of(name), NULL, &handle, &count) == MPI_SUCCESS && count >= 1, "%s: count %d",
          name, count);
    return handle;
}

static void write_switch(const char *name, int value, int wanted)
{
    MPI_T_cvar_handle handle = handle_of(name);
    int before = -1, after = -1;
    MPI_T_cvar_read(handle, &before);
    int e = MPI_T_cvar_write(handle, &value);
    CHECK(e == wanted, "%s: %d, wanted %d", name, e, wanted);
    MPI_T_cvar_read(handle, &after);
    CHECK(after == (wanted == MPI_SUCCESS ? value : before), "%s: %d, then %d", name, before, after);
    MPI_T_cvar_handle_free(&handle);
    CHECK(handle == MPI_T_CVAR_HANDLE_NULL, "%s: the handle is left", name);
}

static void write_bytes(unsigned long long bytes, int wanted)
{
    MPI_T_cvar_handle handle = handle_of("mpico_eager_bytes");
    unsigned long long after = 0;
    int e = MPI_T_cvar_write(handle, &bytes);
    CHECK(e == wanted, "%d, wanted %d", e, wanted);
    MPI_T_cvar_read(handle, &after);
    CHECK(wanted != MPI_SUCCESS || after == bytes, "%llu, wanted %llu", after, bytes);
    MPI_T_cvar_handle_free(&handle);
}

static void describe_all(void)
{
    int count = 0;
    MPI_T_cvar_get_num(&count);
    CHECK(count >= 4, "%d control variables", count);
    for (int i = 0; i < count; i++) {
        char name[LONG], text[LONG];
        int name_len = LONG, text_len = LONG, verbosity = 0, bind = 0, scope = 0, again = -1;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum values = MPI_T_ENUM_NULL;
        CHECK(MPI_T_cvar_get_info(i, name, &name_len, &verbosity, &type, &values, text, &text_len, &bind, &scope) ==
                  MPI_SUCCESS,
              "variable %d", i);
        CHECK(name_len == (int)strlen(name) + 1 && text_len == (int)strlen(text) + 1, "%s: %d and %d", name, name_len,
              text_len);
        CHECK(bind == MPI_T_BIND_NO_OBJECT && scope >= MPI_T_SCOPE_CONSTANT && verbosity > 0, "%s: %d %d %d", name,
              bind, scope, verbosity);
        CHECK(type == MPI_INT || type == MPI_CHAR || type == MPI_UNSIGNED_LONG_LONG, "%s", name);
        MPI_T_cvar_get_index(name, &again);
        CHECK(again == i, "%s: %d, wanted %d", name, again, i);
        CHECK(MPI_T_cvar_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == MPI_SUCCESS,
              "%s: nothing wanted", name);
    }
    CHECK(MPI_T_cvar_get_info(count, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == MPI_T_ERR_INVALID_INDEX,
          "beyond %d", count);
}

/* Strings are cut to the room there is, and the room they need is told. */
static void short_strings(void)
{
    char name[6] = "......";
    int len = 5, whole = 0;
    MPI_T_cvar_get_info(index_of("mpico_check"), name, &len, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    CHECK(!strcmp(name, "mpic") && name[5] == '.' && len == 12, "\"%s\", %d", name, len);
    MPI_T_cvar_get_info(index_of("mpico_check"), NULL, &whole, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    CHECK(whole == 12, "%d", whole);
}

static void switch_values(void)
{
    MPI_T_enum values = MPI_T_ENUM_NULL;
    MPI_T_cvar_get_info(index_of("mpico_check"), NULL, NULL, NULL, NULL, &values, NULL, NULL, NULL, NULL);
    char name[LONG];
    int items = 0, len = LONG, value = -1;
    CHECK(MPI_T_enum_get_info(values, &items, name, &len) == MPI_SUCCESS && items == 2, "%d values", items);
    len = LONG;
    CHECK(MPI_T_enum_get_item(values, 1, &value, name, &len) == MPI_SUCCESS && value == 1 && !strcmp(name, "on"),
          "%d is %s", value, name);
    CHECK(MPI_T_enum_get_item(values, 2, &value, name, &len) == MPI_T_ERR_INVALID_INDEX, "a third value");
    CHECK(MPI_T_enum_get_info(MPI_T_ENUM_NULL, &items, name, &len) == MPI_T_ERR_INVALID_HANDLE, "no enumeration");
}

static void forced_algorithms(void)
{
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = 0;
    MPI_T_cvar_handle_alloc(index_of("mpico_coll"), NULL, &handle, &count);
    char *text = check_alloc((size_t)count), *before = check_alloc((size_t)count);
    CHECK(MPI_T_cvar_read(handle, before) == MPI_SUCCESS && (int)strlen(before) < count, "\"%s\", %d", before, count);
    strcpy(text, "allreduce=tree");
    CHECK(MPI_T_cvar_write(handle, text) == MPI_T_ERR_INVALID, "an algorithm that is not there was taken");
    strcpy(text, "allreduce=ring,bcast=chain");
    int e = MPI_T_cvar_write(handle, text);
    CHECK(e == (CHECK_SMALL ? MPI_T_ERR_INVALID : MPI_SUCCESS), "%s: %d", text, e);
    memset(text, 0, (size_t)count);
    CHECK(MPI_T_cvar_read(handle, text) == MPI_SUCCESS &&
              !strcmp(text, CHECK_SMALL ? before : "allreduce=ring,bcast=chain"),
          "\"%s\"", text);
    int one = 1, sum = 0, size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == size, "%d", sum);
    CHECK(MPI_T_cvar_write(handle, before) == MPI_SUCCESS, "refused: %s", before);
    free(text);
    free(before);
}

static void refusals(void)
{
    int index = -1;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    CHECK(MPI_T_cvar_get_index("no such variable", &index) == MPI_T_ERR_INVALID_NAME, "%d", index);
    CHECK(MPI_T_cvar_handle_alloc(-1, NULL, &handle, &index) == MPI_T_ERR_INVALID_INDEX, "index -1");
    CHECK(MPI_T_cvar_read(MPI_T_CVAR_HANDLE_NULL, &index) == MPI_T_ERR_INVALID_HANDLE, "the null handle was read");
    CHECK(MPI_T_cvar_handle_free(&handle) == MPI_T_ERR_INVALID_HANDLE, "the null handle was freed");
}

int main(int argc, char **argv)
{
    int provided = -1, count = 0;
    CHECK(MPI_T_cvar_get_num(&count) == MPI_T_ERR_NOT_INITIALIZED, "%d variables without MPI_T", count);
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS && provided == MPI_THREAD_SINGLE, "%d",
          provided);
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS, "the second time");
    describe_all();
    write_bytes(1000, MPI_SUCCESS);
    write_switch("mpico_check", 1, MPI_SUCCESS);
    write_switch("mpico_check", 7, MPI_T_ERR_INVALID);
    check_start(&argc, &argv);
    MPI_T_cvar_handle eager = handle_of("mpico_eager_bytes");
    unsigned long long bytes = 0;
    MPI_T_cvar_read(eager, &bytes);
    CHECK(bytes == 1000, "MPI_Init has made %llu of 1000", bytes);
    write_bytes(2000, MPI_T_ERR_CVAR_SET_NOT_NOW);
    write_switch("mpico_check", 0, MPI_T_ERR_CVAR_SET_NOT_NOW);
    write_switch("mpico_single_copy", 0, MPI_SUCCESS);
    write_switch("mpico_single_copy", 1, MPI_SUCCESS);
    short_strings();
    switch_values();
    forced_algorithms();
    refusals();
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(MPI_T_finalize() == MPI_SUCCESS, "first");
    MPI_Finalize();
    describe_all();
    CHECK(MPI_T_finalize() == MPI_SUCCESS, "second");
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED, "third");
    return 0;
}
