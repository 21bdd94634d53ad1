/* class.c: what error codes are called. Codes are classes (error.c), but for the program's own (error_code.c). */
#include <stddef.h>
#include <string.h>

#include "../base/text.h"
#include "error_code.h"
#include "fast.h"
#include "state.h"

/* X(name without MPI_, meaning) */
#define CLASSES(X)                                                                                                     \
    X(SUCCESS, "no error")                                                                                             \
    X(ERR_BUFFER, "invalid buffer")                                                                                    \
    X(ERR_COUNT, "invalid count")                                                                                      \
    X(ERR_TYPE, "invalid datatype")                                                                                    \
    X(ERR_TAG, "invalid tag")                                                                                          \
    X(ERR_COMM, "invalid communicator")                                                                                \
    X(ERR_RANK, "invalid rank")                                                                                        \
    X(ERR_REQUEST, "invalid request")                                                                                  \
    X(ERR_ROOT, "invalid root")                                                                                        \
    X(ERR_GROUP, "invalid group")                                                                                      \
    X(ERR_OP, "invalid reduction operation")                                                                           \
    X(ERR_TOPOLOGY, "invalid topology")                                                                                \
    X(ERR_DIMS, "invalid dimensions")                                                                                  \
    X(ERR_ARG, "invalid argument")                                                                                     \
    X(ERR_UNKNOWN, "unknown error")                                                                                    \
    X(ERR_TRUNCATE, "message truncated on receive")                                                                    \
    X(ERR_OTHER, "another error")                                                                                      \
    X(ERR_INTERN, "internal error of the library")                                                                     \
    X(ERR_PENDING, "request neither failed nor complete")                                                              \
    X(ERR_IN_STATUS, "the error codes are in the statuses")                                                            \
    X(ERR_ACCESS, "permission denied")                                                                                 \
    X(ERR_AMODE, "invalid access mode")                                                                                \
    X(ERR_ASSERT, "invalid assertion")                                                                                 \
    X(ERR_BAD_FILE, "invalid file name")                                                                               \
    X(ERR_BASE, "memory not from MPI_Alloc_mem")                                                                       \
    X(ERR_CONVERSION, "data conversion failed")                                                                        \
    X(ERR_DISP, "invalid displacement")                                                                                \
    X(ERR_DUP_DATAREP, "data representation already defined")                                                          \
    X(ERR_FILE_EXISTS, "file exists")                                                                                  \
    X(ERR_FILE_IN_USE, "file in use")                                                                                  \
    X(ERR_FILE, "invalid file handle")                                                                                 \
    X(ERR_INFO_KEY, "info key too long")                                                                               \
    X(ERR_INFO_NOKEY, "no such info key")                                                                              \
    X(ERR_INFO_VALUE, "info value too long")                                                                           \
    X(ERR_INFO, "invalid info object")                                                                                 \
    X(ERR_IO, "input or output failed")                                                                                \
    X(ERR_KEYVAL, "invalid attribute key")                                                                             \
    X(ERR_LOCKTYPE, "invalid lock type")                                                                               \
    X(ERR_NAME, "no such service name")                                                                                \
    X(ERR_NO_MEM, "out of memory")                                                                                     \
    X(ERR_NOT_SAME, "collective arguments differ between ranks")                                                       \
    X(ERR_NO_SPACE, "no space left")                                                                                   \
    X(ERR_NO_SUCH_FILE, "no such file")                                                                                \
    X(ERR_PORT, "invalid port name")                                                                                   \
    X(ERR_QUOTA, "quota exceeded")                                                                                     \
    X(ERR_READ_ONLY, "read-only file")                                                                                 \
    X(ERR_RMA_ATTACH, "memory cannot be attached to the window")                                                       \
    X(ERR_RMA_CONFLICT, "conflicting accesses to a window")                                                            \
    X(ERR_RMA_RANGE, "target memory outside the window")                                                               \
    X(ERR_RMA_SHARED, "memory cannot be shared")                                                                       \
    X(ERR_RMA_SYNC, "wrong synchronisation of a window")                                                               \
    X(ERR_SERVICE, "invalid service name")                                                                             \
    X(ERR_SIZE, "invalid size")                                                                                        \
    X(ERR_SPAWN, "processes could not be started")                                                                     \
    X(ERR_UNSUPPORTED_DATAREP, "unsupported data representation")                                                      \
    X(ERR_UNSUPPORTED_OPERATION, "unsupported operation")                                                              \
    X(ERR_WIN, "invalid window")                                                                                       \
    X(ERR_RMA_FLAVOR, "wrong flavour of window")                                                                       \
    X(ERR_PROC_ABORTED, "a process of the job has died")                                                               \
    X(ERR_VALUE_TOO_LARGE, "the value does not fit the argument")                                                      \
    X(ERR_SESSION, "invalid session")                                                                                  \
    X(ERR_ERRHANDLER, "invalid error handler")                                                                         \
    X(ERR_ABI, "unsupported by the binary interface")

/* Name and meaning of each, one behind the other: a table of pointers would take as much again, and the loader's time. */
#define MEMBER(name, meaning) char name[sizeof "MPI_" #name "\0" meaning];
#define TEXT(name, meaning) .name = "MPI_" #name "\0" meaning,
#define PLACE(name, meaning) [MPI_##name] = offsetof(struct texts, name),
static const struct texts {
    CLASSES(MEMBER)
} texts = {CLASSES(TEXT)};
static const uint16_t places[] = {CLASSES(PLACE)};

static int known(int code) { return code >= 0 && code < (int)(sizeof places / sizeof places[0]); }
static const char *name_of(int code) { return (const char *)&texts + places[code]; }
static const char *meaning_of(int code) { return name_of(code) + strlen(name_of(code)) + 1; }

const char *api_class_name(int code) { return known(code) ? name_of(code) : "an error code of the program"; }

/* The program's own, where it can have made any. */
static const struct code *made(const struct rank *r, int code) { return api_code_find ? api_code_find(r, code) : NULL; }

/* Both may be called at any time, so they do not enter. */
#pragma weak MPI_Error_class = PMPI_Error_class
int PMPI_Error_class(int errorcode, int *errorclass)
{
    const struct code *c = made(rank_self(), errorcode);
    if (!errorclass)
        return MPI_ERR_ARG;
    *errorclass = known(errorcode) || errorcode == MPI_ERR_LASTCODE ? errorcode : c ? c->class : MPI_ERR_UNKNOWN;
    return MPI_SUCCESS;
}

#pragma weak MPI_Error_string = PMPI_Error_string
int PMPI_Error_string(int errorcode, char *string, int *resultlen)
{
    struct rank *r = rank_self();
    const struct api *api = api_state(r);
    const struct code *c = made(r, errorcode);
    const size_t size = MPI_MAX_ERROR_STRING;
    size_t len;
    if (!string || !resultlen)
        return MPI_ERR_ARG;
    if (c)
        len = mpico_text_format(string, size, "%s", c->text ? c->text : "");
    else if (!known(errorcode))
        len = mpico_text_format(string, size, "%d is no MPI error code", errorcode);
    else if (errorcode != MPI_SUCCESS && api && api->last_class == errorcode)
        len = mpico_text_format(string, size, "%s: %s; %s: %s", name_of(errorcode), meaning_of(errorcode),
                                api->last_call, r->fault);
    else
        len = mpico_text_format(string, size, "%s: %s", name_of(errorcode), meaning_of(errorcode));
    *resultlen = (int)len;
    return MPI_SUCCESS;
}
