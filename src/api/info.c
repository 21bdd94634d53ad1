/* info.c: info objects (MPI 5.0, chapter 10). They may be used before MPI_Init and after MPI_Finalize. */
#include "info.h"

#include <string.h>

#include "carried.h"

static int no_memory(struct rank *r) { return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for an info object"); }
static int end(struct rank *r, int e) { return e ? api_error(r, NULL, e) : MPI_SUCCESS; }

/* ---- Objects ---- */

int check_info(struct rank *r, MPI_Info handle, struct info **info)
{
    struct info *i = (struct info *)(void *)handle;
    if (handle == MPI_INFO_ENV)
        return api_info_env(r, info);
    if (handle == MPI_INFO_NULL)
        return mpico_fault(r, MPI_ERR_INFO, "info: MPI_INFO_NULL is no info object");
    if (!api_is_object(r, (uintptr_t)handle) || i->magic != INFO_MAGIC)
        return mpico_fault(r, MPI_ERR_INFO, "info: the handle is no info object (freed, or never set)");
    *info = i;
    return MPI_SUCCESS;
}

static int check_own(struct rank *r, MPI_Info handle, struct info **info)
{
    int e = check_info(r, handle, info);
    return !e && (*info)->fixed ? mpico_fault(r, MPI_ERR_INFO, "info: MPI_INFO_ENV can only be read") : e;
}

int api_info_make(struct rank *r, struct info **info)
{
    *info = mpico_heap_alloc(&r->heap, sizeof **info);
    if (!*info)
        return no_memory(r);
    **info = (struct info){.magic = INFO_MAGIC};
    return MPI_SUCCESS;
}

static void drop(struct rank *r, struct info_pair **at)
{
    struct info_pair *p = *at;
    *at = p->next;
    mpico_heap_free(&r->heap, p->value);
    mpico_heap_free(&r->heap, p);
}

void api_info_release(struct rank *r, struct info *info)
{
    while (info->first)
        drop(r, &info->first);
    held_drop(r, info);
    info->magic = 0;
    mpico_heap_free(&r->heap, info);
}

static struct info_pair **find(struct info *info, const char *key)
{
    struct info_pair **at = &info->first;
    while (*at && strcmp((*at)->key, key) != 0)
        at = &(*at)->next;
    return at;
}

const char *api_info_value(const struct info *info, const char *key)
{
    const struct info_pair *p = info->first;
    while (p && strcmp(p->key, key) != 0)
        p = p->next;
    return p ? p->value : NULL;
}

static struct info_pair *pair_alloc(struct rank *r, const char *key)
{
    size_t len = strlen(key) + 1;
    struct info_pair *p = mpico_heap_alloc(&r->heap, sizeof *p + len);
    if (!p)
        return NULL;
    p->next = NULL;
    p->value = NULL;
    memcpy(p->key, key, len);
    return p;
}

int api_info_put(struct rank *r, struct info *info, const char *key, const char *value)
{
    struct info_pair **at = find(info, key);
    size_t len = strlen(value) + 1;
    char *copy = mpico_heap_alloc(&r->heap, len);
    struct info_pair *p = !copy || *at ? *at : pair_alloc(r, key);
    if (!copy || !p) {
        mpico_heap_free(&r->heap, copy);
        return no_memory(r);
    }
    memcpy(copy, value, len);
    mpico_heap_free(&r->heap, p->value);
    p->value = copy;
    *at = p;
    return MPI_SUCCESS;
}

int api_info_copy(struct rank *r, const struct info *from, struct info **to)
{
    int e = api_info_make(r, to);
    for (const struct info_pair *p = from ? from->first : NULL; p && !e; p = p->next) {
        e = api_info_put(r, *to, p->key, p->value);
        if (e)
            api_info_release(r, *to);
    }
    return e;
}

/* ---- Arguments ---- */

static int check_text(struct rank *r, const char *text, const char *name, int most, int class)
{
    if (!text)
        return mpico_fault(r, class, "%s: is a null pointer", name);
    size_t len = strlen(text);
    if (len == 0 && class == MPI_ERR_INFO_KEY)
        return mpico_fault(r, class, "%s: is empty", name);
    if (len >= (size_t)most)
        return mpico_fault(r, class, "%s: %z characters are too many (%d at most)", name, len, most - 1);
    return MPI_SUCCESS;
}

static int check_key(struct rank *r, const char *key)
{
    return check_text(r, key, "key", MPI_MAX_INFO_KEY, MPI_ERR_INFO_KEY);
}

/* ---- Calls ---- */

#pragma weak MPI_Info_create = PMPI_Info_create
int PMPI_Info_create(MPI_Info *info)
{
    struct rank *r = api_enter_any("MPI_Info_create");
    struct info *i = NULL;
    int e = check_pointer(r, info, "info");
    if (!e && !(e = api_info_make(r, &i)))
        *info = api_info_handle(i);
    return end(r, e);
}

#pragma weak MPI_Info_dup = PMPI_Info_dup
int PMPI_Info_dup(MPI_Info info, MPI_Info *newinfo)
{
    struct rank *r = api_enter_any("MPI_Info_dup");
    struct info *i, *copy;
    int e;
    if ((e = check_info(r, info, &i)) || (e = check_pointer(r, newinfo, "newinfo")) || (e = api_info_copy(r, i, &copy)))
        return end(r, e);
    *newinfo = api_info_handle(copy);
    return MPI_SUCCESS;
}

#pragma weak MPI_Info_free = PMPI_Info_free
int PMPI_Info_free(MPI_Info *info)
{
    struct rank *r = api_enter_any("MPI_Info_free");
    struct info *i;
    int e;
    if ((e = check_pointer(r, info, "info")) || (e = check_own(r, *info, &i)))
        return end(r, e);
    api_info_release(r, i);
    *info = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

#pragma weak MPI_Info_set = PMPI_Info_set
int PMPI_Info_set(MPI_Info info, const char *key, const char *value)
{
    struct rank *r = api_enter_any("MPI_Info_set");
    struct info *i;
    int e;
    if ((e = check_own(r, info, &i)) || (e = check_key(r, key)) ||
        (e = check_text(r, value, "value", MPI_MAX_INFO_VAL, MPI_ERR_INFO_VALUE)))
        return end(r, e);
    return end(r, api_info_put(r, i, key, value));
}

#pragma weak MPI_Info_delete = PMPI_Info_delete
int PMPI_Info_delete(MPI_Info info, const char *key)
{
    struct rank *r = api_enter_any("MPI_Info_delete");
    struct info *i;
    int e;
    if ((e = check_own(r, info, &i)) || (e = check_key(r, key)))
        return end(r, e);
    struct info_pair **at = find(i, key);
    if (!*at)
        return end(r, mpico_fault(r, MPI_ERR_INFO_NOKEY, "key: '%s' is not set", key));
    drop(r, at);
    return MPI_SUCCESS;
}

#pragma weak MPI_Info_get_nkeys = PMPI_Info_get_nkeys
int PMPI_Info_get_nkeys(MPI_Info info, int *nkeys)
{
    struct rank *r = api_enter_any("MPI_Info_get_nkeys");
    struct info *i;
    int e, n = 0;
    if ((e = check_info(r, info, &i)) || (e = check_pointer(r, nkeys, "nkeys")))
        return end(r, e);
    for (const struct info_pair *p = i->first; p; p = p->next)
        n++;
    *nkeys = n;
    return MPI_SUCCESS;
}

#pragma weak MPI_Info_get_nthkey = PMPI_Info_get_nthkey
int PMPI_Info_get_nthkey(MPI_Info info, int n, char *key)
{
    struct rank *r = api_enter_any("MPI_Info_get_nthkey");
    struct info *i;
    int e;
    if ((e = check_info(r, info, &i)) || (e = check_pointer(r, key, "key")))
        return end(r, e);
    const struct info_pair *p = n < 0 ? NULL : i->first;
    for (int k = 0; k < n && p; k++)
        p = p->next;
    if (!p)
        return end(r, mpico_fault(r, MPI_ERR_ARG, "n: there is no key %d", n));
    memcpy(key, p->key, strlen(p->key) + 1);
    return MPI_SUCCESS;
}

/* The value of a key, or NULL with *flag 0. */
static int look_up(struct rank *r, MPI_Info info, const char *key, int *flag, const char **value)
{
    struct info *i;
    int e;
    if ((e = check_info(r, info, &i)) || (e = check_key(r, key)) || (e = check_pointer(r, flag, "flag")))
        return e;
    *value = api_info_value(i, key);
    *flag = *value != NULL;
    return MPI_SUCCESS;
}

#pragma weak MPI_Info_get_string = PMPI_Info_get_string
int PMPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag)
{
    struct rank *r = api_enter_any("MPI_Info_get_string");
    const char *found = NULL;
    int e;
    if ((e = check_pointer(r, buflen, "buflen")) || (e = check_count(r, *buflen, "buflen")) ||
        (e = look_up(r, info, key, flag, &found)) || (found && *buflen && (e = check_pointer(r, value, "value"))))
        return end(r, e);
    if (!found)
        return MPI_SUCCESS;
    size_t len = strlen(found), room = (size_t)*buflen;
    if (room) {
        size_t part = len < room ? len : room - 1;
        memcpy(value, found, part);
        value[part] = 0;
    }
    *buflen = (int)len + 1;
    return MPI_SUCCESS;
}
