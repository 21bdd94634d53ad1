/* type_name.c: names of datatypes (MPI 5.0, section 7.8). A predefined type is one constant for all ranks: a name that the
 * program gives it is listed beside it.
 */
#include "../type/make.h"
#include "slots.h"
#include "state.h"

struct type_name {
    const struct type *type;
    char *name;
    struct type_name *next;
};

/* Where the name of a predefined type is, or is to be (`add`). NULL: nowhere. */
static char **listed(struct rank *r, const struct type *t, int add)
{
    struct api *api = api_state(r);
    struct type_name *n = api->type_names;
    while (n && n->type != t)
        n = n->next;
    if (!n && add && (n = mpico_heap_alloc(&r->heap, sizeof *n))) {
        *n = (struct type_name){.type = t, .next = api->type_names};
        api->type_names = n;
    }
    return n ? &n->name : NULL;
}

static int set_name(struct rank *r, const struct type *t, const char *name)
{
    if (t->predefined) {
        char **slot = listed(r, t, 1);
        return slot ? api_name_set(r, slot, name) : mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a name");
    }
    char *slot = (char *)(uintptr_t)t->name;
    int e = api_name_set(r, &slot, name);
    own_type(t)->type.name = slot;
    return e;
}

#pragma weak MPI_Type_set_name = PMPI_Type_set_name
int PMPI_Type_set_name(MPI_Datatype type, const char *type_name)
{
    struct rank *r = api_enter("MPI_Type_set_name");
    const struct type *t = NULL;
    int e = check_any_type(r, type, &t);
    if (!e)
        e = set_name(r, t, type_name);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Type_get_name = PMPI_Type_get_name
int PMPI_Type_get_name(MPI_Datatype type, char *type_name, int *resultlen)
{
    struct rank *r = api_enter("MPI_Type_get_name");
    const struct type *t = NULL;
    int e = type == MPI_DATATYPE_NULL ? MPI_SUCCESS : check_any_type(r, type, &t);
    if (e)
        return api_error(r, NULL, e);
    char *const *slot = t && t->predefined ? listed(r, t, 0) : NULL;
    const char *name = slot ? *slot : t ? t->name : NULL;
    e = api_name_get(r, name, t ? "" : "MPI_DATATYPE_NULL", type_name, resultlen);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}
