/* tool.h: the tool information interface (MPI 5.0, chapter 15), which shows the settings of struct settings and numbers that the
 * rank keeps anyway. It works before MPI_Init, when there is no heap: a handle is the number of what it stands for, and the rank
 * holds only a count of initialisations and a bit a session. Errors are returned; no error handler hears of them.
 */
#ifndef MPICO_API_TOOL_H
#define MPICO_API_TOOL_H

#include "../core/rank.h"
#include "mpi.h"

enum tool_cvar { CVAR_EAGER_BYTES, CVAR_SINGLE_COPY, CVAR_CHECK, CVAR_COLL, CVARS };
enum tool_pvar {
    PVAR_PACKETS,
    PVAR_UNEXPECTED,
    PVAR_POSTED,
    PVAR_REQUESTS,
    PVAR_UNSENT,
    PVAR_COMMS,
    PVAR_HEAP_USED,
    PVAR_HEAP_HIGH,
    PVARS
};
enum tool_category { CATEGORY_MESSAGES, CATEGORY_COLLECTIVES, CATEGORY_MEMORY, CATEGORIES };

/* Of a control variable that is on or off. */
#define TOOL_SWITCH ((MPI_T_enum)1)

/* The category that a variable belongs to. */
int tool_cvar_category(int cvar);
int tool_pvar_category(int pvar);

/* The rank, when MPI_T is initialised: MPI_SUCCESS or MPI_T_ERR_NOT_INITIALIZED. */
int tool_enter(struct rank **);

/* While the count or the sessions are changed: a few instructions. There is no other lock before MPI_Init. */
static inline void tool_lock(struct rank *r)
{
    while (RANK_THREADS && __atomic_test_and_set(&r->tool_busy, __ATOMIC_ACQUIRE))
        ;
}
static inline void tool_unlock(struct rank *r)
{
    if (RANK_THREADS)
        __atomic_clear(&r->tool_busy, __ATOMIC_RELEASE);
}

/* Give a string back as the standard says: at most *len - 1 characters, and in *len what would be enough. NULL: unwanted. */
void tool_give_text(const char *text, char *out, int *len);
/* A result that may be unwanted. */
static inline void tool_give(int *out, int value)
{
    if (out)
        *out = value;
}

#endif
