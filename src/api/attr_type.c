/* attr_type.c: attributes of datatypes (MPI 5.0, section 7.7.4). */
#include "attr.h"
#include "state.h"

/* A predefined type is one constant for all ranks and cannot hold what one of them hangs on it: it is listed here. */
struct attr_place {
    MPI_Datatype type;
    struct attr *attributes;
    struct attr_place *next;
};

static struct attr **place(struct rank *r, MPI_Datatype type)
{
    struct api *api = api_state(r);
    struct attr_place *p = api->type_attributes;
    while (p && p->type != type)
        p = p->next;
    if (!p) {
        p = mpico_heap_alloc(&r->heap, sizeof *p);
        if (!p)
            return NULL;
        *p = (struct attr_place){.type = type, .next = api->type_attributes};
        api->type_attributes = p;
    }
    return &p->attributes;
}

const struct attr *api_attr_of_predefined(const struct rank *r, const struct type *t)
{
    const struct attr_place *p = api_state(r)->type_attributes;
    while (p && p->type != (MPI_Datatype)t->handle)
        p = p->next;
    return p ? p->attributes : NULL;
}

static int check(struct rank *r, MPI_Datatype handle, struct attr ***attributes)
{
    const struct type *t = NULL;
    int e = check_any_type(r, handle, &t);
    if (e)
        return e;
    *attributes = t->predefined ? place(r, handle) : &((struct type *)(uintptr_t)t)->attributes;
    return *attributes ? MPI_SUCCESS : mpico_fault(r, MPI_ERR_NO_MEM, "no memory for an attribute");
}

static int end(struct rank *r, int e) { return e ? api_error(r, NULL, e) : MPI_SUCCESS; }

#pragma weak MPI_Type_create_keyval = PMPI_Type_create_keyval
int PMPI_Type_create_keyval(MPI_Type_copy_attr_function *type_copy_attr_fn,
                            MPI_Type_delete_attr_function *type_delete_attr_fn, int *type_keyval, void *extra_state)
{
    struct rank *r = api_enter("MPI_Type_create_keyval");
    return end(r, api_keyval_make(r, ATTR_TYPE, (attr_function *)type_copy_attr_fn,
                                  (attr_function *)type_delete_attr_fn, type_keyval, extra_state));
}

#pragma weak MPI_Type_free_keyval = PMPI_Type_free_keyval
int PMPI_Type_free_keyval(int *type_keyval)
{
    struct rank *r = api_enter("MPI_Type_free_keyval");
    return end(r, api_keyval_free(r, ATTR_TYPE, type_keyval));
}

#pragma weak MPI_Type_set_attr = PMPI_Type_set_attr
int PMPI_Type_set_attr(MPI_Datatype datatype, int type_keyval, void *attribute_val)
{
    struct rank *r = api_enter("MPI_Type_set_attr");
    struct attr **a;
    int e = check(r, datatype, &a);
    return end(r, e ? e : api_attr_set(r, ATTR_TYPE, (uintptr_t)datatype, a, type_keyval, attribute_val));
}

#pragma weak MPI_Type_get_attr = PMPI_Type_get_attr
int PMPI_Type_get_attr(MPI_Datatype datatype, int type_keyval, void *attribute_val, int *flag)
{
    struct rank *r = api_enter("MPI_Type_get_attr");
    struct attr **a;
    int e = check(r, datatype, &a);
    return end(r, e ? e : api_attr_get(r, ATTR_TYPE, *a, type_keyval, attribute_val, flag));
}

#pragma weak MPI_Type_delete_attr = PMPI_Type_delete_attr
int PMPI_Type_delete_attr(MPI_Datatype datatype, int type_keyval)
{
    struct rank *r = api_enter("MPI_Type_delete_attr");
    struct attr **a;
    int e = check(r, datatype, &a);
    return end(r, e ? e : api_attr_delete(r, ATTR_TYPE, (uintptr_t)datatype, a, type_keyval));
}
