/* The program's own error classes, codes and strings; through an error handler they come back as they are. */
#include "check.h"

static int handled;

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    handled = *code;
}

static void check_text(int code, const char *wanted)
{
    char text[MPI_MAX_ERROR_STRING] = "?";
    int length = -1;
    CHECK_OK(MPI_Error_string(code, text, &length));
    CHECK(strcmp(text, wanted) == 0 && length == (int)strlen(wanted), "code %d: '%s', wanted '%s'", code, text, wanted);
}

static int last_used(void)
{
    int *value, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
    return *value;
}

static void check_refusals(int class, int code)
{
    CHECK(MPI_Remove_error_class(class) != MPI_SUCCESS, "it has a code, %d", class);
    CHECK(MPI_Remove_error_code(code) != MPI_SUCCESS, "it has a string, %d", code);
    CHECK(MPI_Remove_error_class(MPI_ERR_TAG) != MPI_SUCCESS, "np %d", np);
    CHECK(MPI_Remove_error_code(class) != MPI_SUCCESS, "a class, %d", class);
    CHECK(MPI_Remove_error_string(MPI_ERR_TAG) != MPI_SUCCESS, "np %d", np);
    CHECK(MPI_Add_error_string(MPI_ERR_TAG, "tag") != MPI_SUCCESS, "np %d", np);
    CHECK(MPI_Add_error_code(code, &code) != MPI_SUCCESS, "a code is no class, %d", code);
}

int main(int argc, char **argv)
{
    int class, code, other;
    MPI_Errhandler mine;
    MPI_Comm comm;
    check_start(&argc, &argv);
    check_return_errors();
    CHECK_OK(MPI_Add_error_class(&class));
    CHECK(class > MPI_ERR_LASTCODE && last_used() == class, "%d, last %d", class, last_used());
    check_text(class, "");
    CHECK_OK(MPI_Add_error_string(class, "no sonar"));
    CHECK_OK(MPI_Add_error_code(class, &code));
    CHECK_OK(MPI_Add_error_code(MPI_ERR_OTHER, &other));
    CHECK(code > class && other > code && last_used() == other, "%d %d %d", class, code, other);
    CHECK(class_of(class) == class && class_of(code) == class && class_of(other) == MPI_ERR_OTHER, "%d %d",
          class_of(code), class_of(other));
    CHECK_OK(MPI_Add_error_string(code, "sonar 1 is mute"));
    check_text(class, "no sonar");
    check_text(code, "sonar 1 is mute");
    check_text(other, "");
    check_refusals(class, code);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(handler, &mine);
    MPI_Comm_set_errhandler(comm, mine);
    CHECK_OK(MPI_Comm_call_errhandler(comm, code));
    CHECK(handled == code, "%d, wanted %d", handled, code);
    MPI_Errhandler_free(&mine);
    MPI_Comm_free(&comm);
    CHECK_OK(MPI_Remove_error_string(code));
    check_text(code, "");
    CHECK_OK(MPI_Remove_error_code(code));
    CHECK_OK(MPI_Remove_error_code(other));
    CHECK(class_of(code) == MPI_ERR_UNKNOWN, "%d", class_of(code));
    CHECK_OK(MPI_Remove_error_string(class));
    CHECK_OK(MPI_Remove_error_class(class));
    CHECK(MPI_Remove_error_class(class) != MPI_SUCCESS, "%d", class);
    return check_finish();
}
