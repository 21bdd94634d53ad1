/* MPI_INFO_ENV, and what may be done before MPI_Init and after MPI_Finalize. */
#include "check.h"

static int has(MPI_Info info, const char *key, char *value)
{
    int room = MPI_MAX_INFO_VAL, flag = -1;
    CHECK_OK(MPI_Info_get_string(info, key, &room, value, &flag));
    return flag;
}

/* All of it as text: "key=value;" */
enum { TEXT_ROOM = 4 * MPI_MAX_INFO_VAL };
static void text_of(MPI_Info info, char *text)
{
    int keys = 0;
    CHECK_OK(MPI_Info_get_nkeys(info, &keys));
    text[0] = 0;
    for (int i = 0; i < keys; i++) {
        char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL];
        CHECK_OK(MPI_Info_get_nthkey(info, i, key));
        CHECK(has(info, key, value), "%s", key);
        size_t at = strlen(text);
        snprintf(text + at, TEXT_ROOM - at, "%s=%s;", key, value);
    }
}

/* What the same arguments are described by, at this time. */
static void described(char *text)
{
    char *own[] = {"prog", "-a", "b", NULL};
    MPI_Info env;
    CHECK_OK(MPI_Info_create_env(3, own, &env));
    text_of(env, text);
    CHECK_OK(MPI_Info_free(&env));
}

int main(int argc, char **argv)
{
    static char before[TEXT_ROOM], during[TEXT_ROOM], after[TEXT_ROOM];
    char value[MPI_MAX_INFO_VAL], *own[] = {"prog", "-a", "b", NULL};
    int own_class = 0, class = 0;
    MPI_Info early, env, twin;
    MPI_Info_create(&early);
    MPI_Info_set(early, "when", "before");
    MPI_Add_error_class(&own_class);
    described(before);
    CHECK(has(MPI_INFO_ENV, "maxprocs", value), "before MPI_Init");
    check_start(&argc, &argv);
    check_return_errors();
    CHECK(has(early, "when", value) && strcmp(value, "before") == 0, "'%s'", value);
    MPI_Error_class(own_class, &class);
    CHECK(class == own_class && class > MPI_ERR_LASTCODE, "%d and %d", own_class, class);
    CHECK(has(MPI_INFO_ENV, "command", value) && strcmp(value, argv[0]) == 0, "'%s'", value);
    CHECK(has(MPI_INFO_ENV, "maxprocs", value) && atoi(value) == np, "'%s'", value);
    described(during);
    CHECK(strcmp(before, during) == 0 && strstr(during, "command=prog;argv=-a b;"), "'%s' is not '%s'", during, before);
    CHECK_OK(MPI_Info_dup(MPI_INFO_ENV, &twin));
    CHECK(has(twin, "maxprocs", value), "np %d", np);
    CHECK_CLASS(MPI_Info_set(MPI_INFO_ENV, "command", "another"), MPI_ERR_INFO);
    env = MPI_INFO_ENV;
    CHECK_CLASS(MPI_Info_free(&env), MPI_ERR_INFO);
    CHECK_OK(MPI_Info_create_env(3, own, &env));
    CHECK(has(env, "command", value) && strcmp(value, "prog") == 0, "'%s'", value);
    CHECK(has(env, "argv", value) && strcmp(value, "-a b") == 0, "'%s'", value);
    CHECK_OK(MPI_Info_free(&env));
    CHECK_OK(MPI_Info_create_env(0, NULL, &env));
    CHECK_OK(MPI_Info_free(&env));
    CHECK_OK(MPI_Info_free(&twin));
    MPI_Finalize();
    described(after);
    CHECK(strcmp(before, after) == 0, "'%s' is not '%s'", after, before);
    MPI_Info_set(early, "when", "after");
    if (!has(early, "when", value) || strcmp(value, "after") != 0) {
        return 1;
    }
    return MPI_Info_free(&early) == MPI_SUCCESS ? 0 : 1;
}
