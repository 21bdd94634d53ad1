/* tool_cvar.c: control variables (MPI 5.0, section 15.3.6): the settings, which the environment names too. What the protocols take
 * for granted once the links are there can be written before MPI_Init alone.
 */
#include <string.h>

#include "../base/text.h"
#include "../coll/select.h"
#include "../core/threads.h"
#include "tool.h"

enum { COLL_TEXT = 256 }; /* longest value of mpico_coll, its 0 included */

enum when { BEFORE_INIT, AFTER_INIT, ANY_TIME };

static const struct cvar {
    const char *name, *description;
    uint8_t verbosity, scope, category;
    uint8_t when; /* enum when it may be written */
} cvars[CVARS] = {
    [CVAR_EAGER_BYTES] =
        {"mpico_eager_bytes",
         "Up to this length a message travels with its header (MPICO_EAGER_BYTES); the link may lower it",
         MPI_T_VERBOSITY_TUNER_BASIC, MPI_T_SCOPE_LOCAL, CATEGORY_MESSAGES, BEFORE_INIT},
    [CVAR_SINGLE_COPY] = {"mpico_single_copy", "Pull long messages in one copy where the link can (MPICO_SINGLE_COPY)",
                          MPI_T_VERBOSITY_TUNER_BASIC, MPI_T_SCOPE_LOCAL, CATEGORY_MESSAGES, ANY_TIME},
    [CVAR_CHECK] = {"mpico_check", "Compare collectives across ranks and list leaks (MPICO_CHECK)",
                    MPI_T_VERBOSITY_USER_BASIC, MPI_T_SCOPE_ALL_EQ, CATEGORY_COLLECTIVES, BEFORE_INIT},
    [CVAR_COLL] = {"mpico_coll", "Algorithms forced on collectives (MPICO_COLL, as in allreduce=ring,bcast=chain)",
                   MPI_T_VERBOSITY_TUNER_DETAIL, MPI_T_SCOPE_ALL_EQ, CATEGORY_COLLECTIVES, AFTER_INIT},
};

static int is_switch(int i) { return i == CVAR_SINGLE_COPY || i == CVAR_CHECK; }

/* Constants of the ABI are addresses, so they stand in no table. */
static MPI_Datatype type_of(int i)
{
    return is_switch(i) ? MPI_INT : i == CVAR_COLL ? MPI_CHAR : MPI_UNSIGNED_LONG_LONG;
}

int tool_cvar_category(int cvar) { return cvars[cvar].category; }

static const char *forced(const struct rank *r) { return r->settings.coll ? r->settings.coll : ""; }

#pragma weak MPI_T_cvar_get_num = PMPI_T_cvar_get_num
int PMPI_T_cvar_get_num(int *num_cvar)
{
    struct rank *r;
    int e = tool_enter(&r);
    if (e)
        return e;
    tool_give(num_cvar, CVARS);
    return MPI_SUCCESS;
}

#pragma weak MPI_T_cvar_get_index = PMPI_T_cvar_get_index
int PMPI_T_cvar_get_index(const char *name, int *cvar_index)
{
    struct rank *r;
    int e = tool_enter(&r);
    if (e)
        return e;
    if (!name || !cvar_index)
        return MPI_T_ERR_INVALID;
    for (int i = 0; i < CVARS; i++) {
        if (strcmp(name, cvars[i].name) != 0)
            continue;
        *cvar_index = i;
        return MPI_SUCCESS;
    }
    return MPI_T_ERR_INVALID_NAME;
}

#pragma weak MPI_T_cvar_get_info = PMPI_T_cvar_get_info
int PMPI_T_cvar_get_info(int cvar_index, char *name, int *name_len, int *verbosity, MPI_Datatype *datatype,
                         MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *scope)
{
    struct rank *r;
    int e = tool_enter(&r);
    if (e)
        return e;
    if (cvar_index < 0 || cvar_index >= CVARS)
        return MPI_T_ERR_INVALID_INDEX;
    const struct cvar *v = &cvars[cvar_index];
    tool_give_text(v->name, name, name_len);
    tool_give_text(v->description, desc, desc_len);
    tool_give(verbosity, v->verbosity);
    tool_give(bind, MPI_T_BIND_NO_OBJECT);
    tool_give(scope, v->scope);
    if (datatype)
        *datatype = type_of(cvar_index);
    if (enumtype)
        *enumtype = is_switch(cvar_index) ? TOOL_SWITCH : MPI_T_ENUM_NULL;
    return MPI_SUCCESS;
}

/* ---- Handles: the index and one ---- */

static int enter_handle(struct rank **r, MPI_T_cvar_handle handle, int *index)
{
    int e = tool_enter(r);
    if (e)
        return e;
    uintptr_t v = (uintptr_t)handle;
    if (v < 1 || v > CVARS)
        return MPI_T_ERR_INVALID_HANDLE;
    *index = (int)v - 1;
    return MPI_SUCCESS;
}

#pragma weak MPI_T_cvar_handle_alloc = PMPI_T_cvar_handle_alloc
int PMPI_T_cvar_handle_alloc(int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count)
{
    struct rank *r;
    int e = tool_enter(&r);
    (void)obj_handle; /* no variable belongs to an object */
    if (e)
        return e;
    if (cvar_index < 0 || cvar_index >= CVARS)
        return MPI_T_ERR_INVALID_INDEX;
    if (!handle)
        return MPI_T_ERR_INVALID;
    *handle = (MPI_T_cvar_handle)(uintptr_t)(cvar_index + 1);
    tool_give(count, cvar_index == CVAR_COLL ? COLL_TEXT : 1);
    return MPI_SUCCESS;
}

#pragma weak MPI_T_cvar_handle_free = PMPI_T_cvar_handle_free
int PMPI_T_cvar_handle_free(MPI_T_cvar_handle *handle)
{
    struct rank *r;
    int index, e = enter_handle(&r, handle ? *handle : MPI_T_CVAR_HANDLE_NULL, &index);
    if (!e)
        *handle = MPI_T_CVAR_HANDLE_NULL;
    return e;
}

/* Other threads read the settings in their calls, or change them. */
static void lock(struct rank *r)
{
    if (r->state == RANK_RUNNING && !r->open)
        mpico_lock(r);
}

static void unlock(struct rank *r)
{
    if (r->state == RANK_RUNNING && !r->open)
        mpico_unlock(r);
}

#pragma weak MPI_T_cvar_read = PMPI_T_cvar_read
int PMPI_T_cvar_read(MPI_T_cvar_handle handle, void *buf)
{
    struct rank *r;
    int index, e = enter_handle(&r, handle, &index);
    if (e)
        return e;
    if (!buf)
        return MPI_T_ERR_INVALID;
    lock(r);
    if (index == CVAR_COLL)
        mpico_text_format(buf, COLL_TEXT, "%s", forced(r)); /* of the length that handle_alloc told */
    else if (index == CVAR_EAGER_BYTES)
        *(unsigned long long *)buf = r->settings.eager_bytes;
    else
        *(int *)buf = index == CVAR_CHECK ? r->settings.checking : r->settings.single_copy;
    unlock(r);
    return MPI_SUCCESS;
}

static int write_switch(uint8_t *setting, int value)
{
    if (value != 0 && value != 1)
        return MPI_T_ERR_INVALID;
    *setting = (uint8_t)value;
    return MPI_SUCCESS;
}

static int write_variable(struct rank *r, int index, const void *buf)
{
    if (cvars[index].when == (r->machine ? BEFORE_INIT : AFTER_INIT))
        return MPI_T_ERR_CVAR_SET_NOT_NOW;
    if (index == CVAR_COLL)
        return memchr(buf, 0, COLL_TEXT) && !mpico_coll_force(r, buf) ? MPI_SUCCESS : MPI_T_ERR_INVALID;
    if (index != CVAR_EAGER_BYTES)
        return write_switch(index == CVAR_CHECK ? &r->settings.checking : &r->settings.single_copy, *(const int *)buf);
    unsigned long long bytes = *(const unsigned long long *)buf;
    r->settings.eager_bytes = bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
    return MPI_SUCCESS;
}

#pragma weak MPI_T_cvar_write = PMPI_T_cvar_write
int PMPI_T_cvar_write(MPI_T_cvar_handle handle, const void *buf)
{
    struct rank *r;
    int index, e = enter_handle(&r, handle, &index);
    if (e)
        return e;
    if (!buf)
        return MPI_T_ERR_INVALID;
    lock(r);
    e = write_variable(r, index, buf);
    unlock(r);
    return e;
}
