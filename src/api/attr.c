/* attr.c: see attr.h. An attribute stands in its object's list, the latest set first, and counts as a reference of its key,
 * which lives on without a handle while a value has it.
 */
#include "attr.h"

#include <string.h>

#include "../core/held.h"
#include "state.h"

enum { FIRST_KEY = 0x400 }; /* above the standard's own */

struct keyval {
    int key;
    uint8_t kind, freed; /* freed: by the program; it lives on while a value has it */
    uint32_t refs;
    attr_function *copy, *delete;
    void *extra_state;
    struct keyval *next;
};

struct attr {
    struct keyval *keyval;
    void *value;
    struct attr *next;
};

/* ---- Keys ---- */

static int bad_key(struct rank *r, int key)
{
    return mpico_fault(r, MPI_ERR_KEYVAL, "keyval: %d is no key for this (freed, of another kind, or predefined)", key);
}

static int no_memory(struct rank *r) { return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for an attribute"); }

static struct keyval *find_key(const struct rank *r, enum attr_kind kind, int key)
{
    struct keyval *k = api_state(r)->keyvals;
    while (k && (k->key != key || k->kind != kind))
        k = k->next;
    return k;
}

static void release(struct rank *r, struct keyval *k)
{
    if (--k->refs)
        return;
    struct keyval **at = &api_state(r)->keyvals;
    while (*at != k)
        at = &(*at)->next;
    *at = k->next;
    mpico_heap_free(&r->heap, k);
}

int api_keyval_make(struct rank *r, enum attr_kind kind, attr_function *copy, attr_function *delete, int *keyval,
                    void *extra_state)
{
    struct api *api = api_state(r);
    int e = check_pointer(r, keyval, "keyval");
    if (e)
        return e;
    struct keyval *k = mpico_heap_alloc(&r->heap, sizeof *k);
    if (!k)
        return no_memory(r);
    *k = (struct keyval){.key = FIRST_KEY + api->keyvals_made++,
                         .kind = (uint8_t)kind,
                         .refs = 1,
                         .copy = copy,
                         .delete = delete,
                         .extra_state = extra_state,
                         .next = api->keyvals};
    api->keyvals = k;
    held_add(r, HELD_KEYVAL, k);
    *keyval = k->key;
    return MPI_SUCCESS;
}

int api_keyval_free(struct rank *r, enum attr_kind kind, int *keyval)
{
    int e = check_pointer(r, keyval, "keyval");
    if (e)
        return e;
    struct keyval *k = find_key(r, kind, *keyval);
    if (!k)
        return bad_key(r, *keyval);
    if (SMALL || !k->freed) { /* through a copy of the handle, once more is no harm */
        k->freed = 1;
        held_drop(r, k);
        release(r, k);
    }
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

/* ---- Values ---- */

static struct attr *find(struct attr *a, int key)
{
    while (a && a->keyval->key != key)
        a = a->next;
    return a;
}

/* In front of `at`. */
static int add(struct rank *r, struct attr **at, struct keyval *k, void *value)
{
    struct attr *a = mpico_heap_alloc(&r->heap, sizeof *a);
    if (!a)
        return no_memory(r);
    *a = (struct attr){.keyval = k, .value = value, .next = *at};
    k->refs++;
    *at = a;
    return MPI_SUCCESS;
}

/* What a function of the program returned, as this call's error. */
static int failed(struct rank *r, const char *what, int code)
{
    if (code == MPI_SUCCESS)
        return code;
    return mpico_fault(r, code, "the %s function of an attribute returned error code %d", what, code);
}

/* The attribute is gone, if it is still there. */
static void forget(struct rank *r, struct attr **at, struct attr *a)
{
    for (; *at; at = &(*at)->next)
        if (*at == a) {
            *at = a->next;
            release(r, a->keyval);
            mpico_heap_free(&r->heap, a);
            return;
        }
}

/* Where the key's function fails, the attribute stays, and with it the object that was to be freed (MPI 5.0, section 7.7.2, calls
 * the call erroneous; programs rely on what others do). Handles of all kinds are pointers, so one type of function serves. */
static int drop(struct rank *r, uintptr_t handle, struct attr **attributes, struct attr *a)
{
    const struct keyval *k = a->keyval;
    const char *call = r->call;
    int e = MPI_SUCCESS;
    if (k->delete)
        e = ((MPI_Comm_delete_attr_function *)k->delete)((MPI_Comm)handle, k->key, a->value, k->extra_state);
    r->call = call;
    if (!e)
        forget(r, attributes, a);
    return failed(r, "delete", e);
}

int api_attr_set(struct rank *r, enum attr_kind kind, uintptr_t handle, struct attr **attributes, int key, void *value)
{
    struct keyval *k = find_key(r, kind, key);
    if (!k)
        return bad_key(r, key);
    struct attr *old = find(*attributes, key);
    if (!SMALL) /* the old value may have been all that kept it, or its function may free it */
        k->refs++;
    int e = old ? drop(r, handle, attributes, old) : MPI_SUCCESS;
    if (!e)
        e = add(r, attributes, k, value);
    if (!SMALL)
        release(r, k);
    return e;
}

int api_attr_get(struct rank *r, enum attr_kind kind, const struct attr *attributes, int key, void *value, int *flag)
{
    int e;
    if ((e = check_pointer(r, value, "attribute_val")) || (e = check_pointer(r, flag, "flag")))
        return e;
    const struct attr *a = find((struct attr *)(uintptr_t)attributes, key);
    if (!a && !find_key(r, kind, key))
        return bad_key(r, key);
    *flag = a != NULL;
    if (a)
        *(void **)value = a->value;
    return MPI_SUCCESS;
}

int api_attr_delete(struct rank *r, enum attr_kind kind, uintptr_t handle, struct attr **attributes, int key)
{
    struct attr *a = find(*attributes, key);
    if (a)
        return drop(r, handle, attributes, a);
    return find_key(r, kind, key) ? mpico_fault(r, MPI_ERR_KEYVAL, "keyval: %d: no value is set for it", key)
                                  : bad_key(r, key);
}

/* ---- With the object ---- */

int api_attr_drop(struct rank *r, enum attr_kind kind, uintptr_t handle, struct attr **attributes)
{
    int e = MPI_SUCCESS;
    (void)kind;
    while (!e && *attributes)
        e = drop(r, handle, attributes, *attributes);
    return e;
}

/* Ask the key's function; `out` is the copy's value when *wanted. */
static int ask(const struct attr *a, uintptr_t handle, void **out, int *wanted)
{
    const struct keyval *k = a->keyval;
    *out = a->value;
    *wanted = k->copy == (attr_function *)MPI_COMM_DUP_FN;
    if (!k->copy || *wanted)
        return MPI_SUCCESS;
    return ((MPI_Comm_copy_attr_function *)k->copy)((MPI_Comm)handle, k->key, k->extra_state, a->value, out, wanted);
}

int api_attr_copy(struct rank *r, enum attr_kind kind, uintptr_t from_handle, const struct attr *from,
                  uintptr_t to_handle, struct attr **to)
{
    const char *call = r->call;
    struct attr **tail = to;
    int e = MPI_SUCCESS;
    for (const struct attr *a = from; a && !e; a = a->next) {
        void *value;
        int wanted;
        e = failed(r, "copy", ask(a, from_handle, &value, &wanted));
        r->call = call;
        if (e || !wanted)
            continue;
        e = add(r, tail, a->keyval, value);
        tail = e ? tail : &(*tail)->next;
    }
    if (e && *to) {
        char said[SIZE_FAULT];
        memcpy(said, r->fault, sizeof said);
        while (api_attr_drop(r, kind, to_handle, to) && !SMALL)
            forget(r, to, *to); /* the copy goes all the same */
        memcpy(r->fault, said, sizeof said);
    }
    return e;
}
