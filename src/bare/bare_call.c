/* bare_call.c: what every call begins with, and how a program ends that calls wrongly. Bare programs cannot set error handlers: each error
 * ends the job with its sentence.
 */
#include <stdarg.h>

#include "../base/text.h"
#include "../type/type.h"
#include "bare.h"

void mpico_bare_die(int error_class, const char *format, ...)
{
    char line[160];
    va_list args;
    size_t n = mpico_text_format(line, sizeof line, "%s: ", mpico_bare.call);
    va_start(args, format);
    mpico_text_vformat(line + n, sizeof line - n, format, args);
    va_end(args);
    mpico_bare_halt(error_class, line);
}

struct bare *mpico_bare_enter(const char *call)
{
    mpico_bare.call = call;
    if (mpico_bare.state != BARE_RUNNING)
        mpico_bare_die(MPI_ERR_OTHER, "before MPI_Init or after MPI_Finalize");
    return &mpico_bare;
}

const struct bare_comm *mpico_bare_comm(MPI_Comm comm)
{
    if (comm == MPI_COMM_WORLD)
        return &mpico_bare.world;
    if (comm != MPI_COMM_SELF)
        mpico_bare_die(MPI_ERR_COMM, "comm: the handle is no communicator");
    return &mpico_bare.self;
}

void mpico_bare_check_rank(const char *name, int rank, const struct bare_comm *c)
{
    if (rank < 0 || rank >= c->size)
        mpico_bare_die(MPI_ERR_RANK, "%s: %d is no rank, there are %d", name, rank, c->size);
}

size_t mpico_bare_bytes(const void *buf, int count, MPI_Datatype type)
{
    size_t width = type_width((uintptr_t)type);
    int bytes;
    if (!width)
        mpico_bare_die(MPI_ERR_TYPE, "datatype: not a predefined one without gaps");
    if (count < 0 || __builtin_mul_overflow(count, (int)width, &bytes))
        mpico_bare_die(MPI_ERR_COUNT, "count: %d is negative or too large", count);
    if (bytes && !buf)
        mpico_bare_die(MPI_ERR_BUFFER, "the buffer is a null pointer");
    return (size_t)bytes;
}
