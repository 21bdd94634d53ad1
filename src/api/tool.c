/* tool.c: start and end of the tool interface, and what its parts share. */
#include "tool.h"

#include <string.h>

#pragma weak MPI_T_init_thread = PMPI_T_init_thread
int PMPI_T_init_thread(int required, int *provided)
{
    struct rank *r = rank_self();
    if (r->tool_inits == UINT16_MAX)
        return MPI_T_ERR_CANNOT_INIT;
    if (mpico_rank_settle(r, &mpico_machine))
        return MPI_T_ERR_CANNOT_INIT;
    r->tool_inits++;
    if (provided)
        *provided = required < MPI_THREAD_SERIALIZED ? required : MPI_THREAD_SERIALIZED;
    return MPI_SUCCESS;
}

#pragma weak MPI_T_finalize = PMPI_T_finalize
int PMPI_T_finalize(void)
{
    struct rank *r;
    int e = tool_enter(&r);
    if (e)
        return e;
    if (--r->tool_inits == 0)
        r->tool_sessions = 0;
    return MPI_SUCCESS;
}

int tool_enter(struct rank **rank)
{
    struct rank *r = rank_self();
    *rank = r;
    return r->tool_inits ? MPI_SUCCESS : MPI_T_ERR_NOT_INITIALIZED;
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
