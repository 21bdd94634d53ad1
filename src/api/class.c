/* class.c: what error codes are called. Codes are classes (error.c), but for the program's own (error_code.c). */
#include "../base/text.h"
#include "error_code.h"
#include "fast.h"
#include "state.h"

static const struct {
    const char *name, *meaning;
} classes[] = {
    [MPI_SUCCESS] = {"MPI_SUCCESS", "no error"},
    [MPI_ERR_BUFFER] = {"MPI_ERR_BUFFER", "invalid buffer"},
    [MPI_ERR_COUNT] = {"MPI_ERR_COUNT", "invalid count"},
    [MPI_ERR_TYPE] = {"MPI_ERR_TYPE", "invalid datatype"},
    [MPI_ERR_TAG] = {"MPI_ERR_TAG", "invalid tag"},
    [MPI_ERR_COMM] = {"MPI_ERR_COMM", "invalid communicator"},
    [MPI_ERR_RANK] = {"MPI_ERR_RANK", "invalid rank"},
    [MPI_ERR_REQUEST] = {"MPI_ERR_REQUEST", "invalid request"},
    [MPI_ERR_ROOT] = {"MPI_ERR_ROOT", "invalid root"},
    [MPI_ERR_GROUP] = {"MPI_ERR_GROUP", "invalid group"},
    [MPI_ERR_OP] = {"MPI_ERR_OP", "invalid reduction operation"},
    [MPI_ERR_TOPOLOGY] = {"MPI_ERR_TOPOLOGY", "invalid topology"},
    [MPI_ERR_DIMS] = {"MPI_ERR_DIMS", "invalid dimensions"},
    [MPI_ERR_ARG] = {"MPI_ERR_ARG", "invalid argument"},
    [MPI_ERR_UNKNOWN] = {"MPI_ERR_UNKNOWN", "unknown error"},
    [MPI_ERR_TRUNCATE] = {"MPI_ERR_TRUNCATE", "message truncated on receive"},
    [MPI_ERR_OTHER] = {"MPI_ERR_OTHER", "another error"},
    [MPI_ERR_INTERN] = {"MPI_ERR_INTERN", "internal error of the library"},
    [MPI_ERR_PENDING] = {"MPI_ERR_PENDING", "request neither failed nor complete"},
    [MPI_ERR_IN_STATUS] = {"MPI_ERR_IN_STATUS", "the error codes are in the statuses"},
    [MPI_ERR_ACCESS] = {"MPI_ERR_ACCESS", "permission denied"},
    [MPI_ERR_AMODE] = {"MPI_ERR_AMODE", "invalid access mode"},
    [MPI_ERR_ASSERT] = {"MPI_ERR_ASSERT", "invalid assertion"},
    [MPI_ERR_BAD_FILE] = {"MPI_ERR_BAD_FILE", "invalid file name"},
    [MPI_ERR_BASE] = {"MPI_ERR_BASE", "memory not from MPI_Alloc_mem"},
    [MPI_ERR_CONVERSION] = {"MPI_ERR_CONVERSION", "data conversion failed"},
    [MPI_ERR_DISP] = {"MPI_ERR_DISP", "invalid displacement"},
    [MPI_ERR_DUP_DATAREP] = {"MPI_ERR_DUP_DATAREP", "data representation already defined"},
    [MPI_ERR_FILE_EXISTS] = {"MPI_ERR_FILE_EXISTS", "file exists"},
    [MPI_ERR_FILE_IN_USE] = {"MPI_ERR_FILE_IN_USE", "file in use"},
    [MPI_ERR_FILE] = {"MPI_ERR_FILE", "invalid file handle"},
    [MPI_ERR_INFO_KEY] = {"MPI_ERR_INFO_KEY", "info key too long"},
    [MPI_ERR_INFO_NOKEY] = {"MPI_ERR_INFO_NOKEY", "no such info key"},
    [MPI_ERR_INFO_VALUE] = {"MPI_ERR_INFO_VALUE", "info value too long"},
    [MPI_ERR_INFO] = {"MPI_ERR_INFO", "invalid info object"},
    [MPI_ERR_IO] = {"MPI_ERR_IO", "input or output failed"},
    [MPI_ERR_KEYVAL] = {"MPI_ERR_KEYVAL", "invalid attribute key"},
    [MPI_ERR_LOCKTYPE] = {"MPI_ERR_LOCKTYPE", "invalid lock type"},
    [MPI_ERR_NAME] = {"MPI_ERR_NAME", "no such service name"},
    [MPI_ERR_NO_MEM] = {"MPI_ERR_NO_MEM", "out of memory"},
    [MPI_ERR_NOT_SAME] = {"MPI_ERR_NOT_SAME", "collective arguments differ between ranks"},
    [MPI_ERR_NO_SPACE] = {"MPI_ERR_NO_SPACE", "no space left"},
    [MPI_ERR_NO_SUCH_FILE] = {"MPI_ERR_NO_SUCH_FILE", "no such file"},
    [MPI_ERR_PORT] = {"MPI_ERR_PORT", "invalid port name"},
    [MPI_ERR_QUOTA] = {"MPI_ERR_QUOTA", "quota exceeded"},
    [MPI_ERR_READ_ONLY] = {"MPI_ERR_READ_ONLY", "read-only file"},
    [MPI_ERR_RMA_ATTACH] = {"MPI_ERR_RMA_ATTACH", "memory cannot be attached to the window"},
    [MPI_ERR_RMA_CONFLICT] = {"MPI_ERR_RMA_CONFLICT", "conflicting accesses to a window"},
    [MPI_ERR_RMA_RANGE] = {"MPI_ERR_RMA_RANGE", "target memory outside the window"},
    [MPI_ERR_RMA_SHARED] = {"MPI_ERR_RMA_SHARED", "memory cannot be shared"},
    [MPI_ERR_RMA_SYNC] = {"MPI_ERR_RMA_SYNC", "wrong synchronisation of a window"},
    [MPI_ERR_SERVICE] = {"MPI_ERR_SERVICE", "invalid service name"},
    [MPI_ERR_SIZE] = {"MPI_ERR_SIZE", "invalid size"},
    [MPI_ERR_SPAWN] = {"MPI_ERR_SPAWN", "processes could not be started"},
    [MPI_ERR_UNSUPPORTED_DATAREP] = {"MPI_ERR_UNSUPPORTED_DATAREP", "unsupported data representation"},
    [MPI_ERR_UNSUPPORTED_OPERATION] = {"MPI_ERR_UNSUPPORTED_OPERATION", "unsupported operation"},
    [MPI_ERR_WIN] = {"MPI_ERR_WIN", "invalid window"},
    [MPI_ERR_RMA_FLAVOR] = {"MPI_ERR_RMA_FLAVOR", "wrong flavour of window"},
    [MPI_ERR_PROC_ABORTED] = {"MPI_ERR_PROC_ABORTED", "a process of the job has died"},
    [MPI_ERR_VALUE_TOO_LARGE] = {"MPI_ERR_VALUE_TOO_LARGE", "the value does not fit the argument"},
    [MPI_ERR_SESSION] = {"MPI_ERR_SESSION", "invalid session"},
    [MPI_ERR_ERRHANDLER] = {"MPI_ERR_ERRHANDLER", "invalid error handler"},
    [MPI_ERR_ABI] = {"MPI_ERR_ABI", "unsupported by the binary interface"},
};

static int known(int code) { return code >= 0 && code < (int)(sizeof classes / sizeof classes[0]); }

const char *api_class_name(int code) { return known(code) ? classes[code].name : "an error code of the program"; }

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
        len = mpico_text_format(string, size, "%s: %s; %s: %s", classes[errorcode].name, classes[errorcode].meaning,
                                api->last_call, r->fault);
    else
        len = mpico_text_format(string, size, "%s: %s", classes[errorcode].name, classes[errorcode].meaning);
    *resultlen = (int)len;
    return MPI_SUCCESS;
}
