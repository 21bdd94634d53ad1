/* tool.c: start and end of the tool interface, and what its parts share. */
#include "tool.h"

#include <string.h>

#pragma weak MPI_T_init_thread = PMPI_T_init_thread
int PMPI_T_init_thread(int required, int *provided)
{
    struct rank *r = rank_self();
    const int most = RANK_THREADS && mpico_machine.threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED;
    tool_lock(r);
    int fails = r->tool_inits == UINT16_MAX || mpico_rank_settle(r, &mpico_machine);
    if (!fails)
        __atomic_store_n(&r->tool_inits, r->tool_inits + 1, __ATOMIC_RELAXED);
    tool_unlock(r);
    if (provided && !fails)
        *provided = required < most ? required : most;
    return fails ? MPI_T_ERR_CANNOT_INIT : MPI_SUCCESS;
}

#pragma weak MPI_T_finalize = PMPI_T_finalize
int PMPI_T_finalize(void)
{
    struct rank *r;
    int e = tool_enter(&r);
    if (e)
        return e;
    tool_lock(r);
    __atomic_store_n(&r->tool_inits, r->tool_inits - 1, __ATOMIC_RELAXED);
    if (r->tool_inits == 0)
        __atomic_store_n(&r->tool_sessions, 0, __ATOMIC_RELAXED);
    tool_unlock(r);
    return MPI_SUCCESS;
}

int tool_enter(struct rank **rank)
{
    struct rank *r = rank_self();
    *rank = r;
    return __atomic_load_n(&r->tool_inits, __ATOMIC_RELAXED) ? MPI_SUCCESS : MPI_T_ERR_NOT_INITIALIZED;
}

void tool_give_text(const char *text, char *out, int *len)
{
    if (!len)
        return;
    size_t whole = strlen(text), room = *len > 0 ? (size_t)*len : 0;
    if (out && room) {
        size_t part = whole < room ? whole : room - 1;
        memcpy(out, text, part);
        out[part] = 0;
    }
    *len = (int)whole + 1;
}

/* ---- The values of a switch ---- */

static const char *const switch_item[] = {"off", "on"};
enum { SWITCH_ITEMS = sizeof switch_item / sizeof switch_item[0] };

static int enter_enum(MPI_T_enum enumtype)
{
    struct rank *r;
    int e = tool_enter(&r);
    if (e)
        return e;
    return enumtype == TOOL_SWITCH ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE;
}

#pragma weak MPI_T_enum_get_info = PMPI_T_enum_get_info
int PMPI_T_enum_get_info(MPI_T_enum enumtype, int *num, char *name, int *name_len)
{
    int e = enter_enum(enumtype);
    if (e)
        return e;
    tool_give(num, SWITCH_ITEMS);
    tool_give_text("switch", name, name_len);
    return MPI_SUCCESS;
}

#pragma weak MPI_T_enum_get_item = PMPI_T_enum_get_item
int PMPI_T_enum_get_item(MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len)
{
    int e = enter_enum(enumtype);
    if (e)
        return e;
    if (indx < 0 || indx >= SWITCH_ITEMS)
        return MPI_T_ERR_INVALID_INDEX;
    tool_give(value, indx);
    tool_give_text(switch_item[indx], name, name_len);
    return MPI_SUCCESS;
}
