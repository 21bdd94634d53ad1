/* error_code.c: the program's own error classes and codes (MPI 5.0, section 9.5). Numbers are not used again. */
#include "error_code.h"

#include <string.h>

#include "state.h"

struct code *api_code_find(const struct rank *r, int code)
{
    struct code *c = r->api ? api_state(r)->codes : NULL;
    while (c && c->code != code)
        c = c->next;
    return c;
}

static int end(struct rank *r, int e) { return e ? api_error(r, NULL, e) : MPI_SUCCESS; }

/* Of class `class`, or (0) a class. */
static int add(struct rank *r, int class, int *code, const char *name)
{
    struct api *api = api_state(r);
    int e = check_pointer(r, code, name);
    if (e)
        return e;
    struct code *c = mpico_heap_alloc(&r->heap, sizeof *c);
    if (!c)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for an error code");
    *code = ++api->last_code;
    *c = (struct code){.code = *code, .class = class ? class : *code, .next = api->codes};
    api->codes = c;
    return MPI_SUCCESS;
}

static int not_made(struct rank *r, const char *name, int code)
{
    return mpico_fault(r, MPI_ERR_ARG, "%s: %d was not made by this program (or is removed)", name, code);
}

static int is_class(const struct rank *r, int class)
{
    const struct code *c = api_code_find(r, class);
    int own = -1;
    if (c)
        return c->class == c->code;
    PMPI_Error_class(class, &own);
    return own == class && class > MPI_SUCCESS && class <= MPI_ERR_LASTCODE;
}

static int check_class(struct rank *r, int class)
{
    return is_class(r, class) ? MPI_SUCCESS : mpico_fault(r, MPI_ERR_ARG, "errorclass: %d is no error class", class);
}

#pragma weak MPI_Add_error_class = PMPI_Add_error_class
int PMPI_Add_error_class(int *errorclass)
{
    struct rank *r = api_enter_any("MPI_Add_error_class");
    return end(r, add(r, 0, errorclass, "errorclass"));
}

#pragma weak MPI_Add_error_code = PMPI_Add_error_code
int PMPI_Add_error_code(int errorclass, int *errorcode)
{
    struct rank *r = api_enter_any("MPI_Add_error_code");
    int e = check_class(r, errorclass);
    return end(r, e ? e : add(r, errorclass, errorcode, "errorcode"));
}

static int set_text(struct rank *r, struct code *c, const char *string)
{
    size_t len = strlen(string);
    if (len >= MPI_MAX_ERROR_STRING)
        return mpico_fault(r, MPI_ERR_ARG, "string: %z characters are too many (MPI_MAX_ERROR_STRING)", len);
    char *text = mpico_heap_alloc(&r->heap, len + 1);
    if (!text)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for an error string of %z bytes", len);
    memcpy(text, string, len + 1);
    mpico_heap_free(&r->heap, c->text);
    c->text = text;
    return MPI_SUCCESS;
}

#pragma weak MPI_Add_error_string = PMPI_Add_error_string
int PMPI_Add_error_string(int errorcode, const char *string)
{
    struct rank *r = api_enter_any("MPI_Add_error_string");
    struct code *c = api_code_find(r, errorcode);
    int e = c ? check_pointer(r, string, "string") : not_made(r, "errorcode", errorcode);
    return end(r, e ? e : set_text(r, c, string));
}

/* ---- Removing ---- */

static int has_codes(const struct rank *r, int class)
{
    const struct code *c = api_state(r)->codes;
    while (c && (c->class != class || c->code == class))
        c = c->next;
    return c != NULL;
}

static int drop(struct rank *r, struct code *c)
{
    struct code **at = &api_state(r)->codes;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    mpico_heap_free(&r->heap, c);
    return MPI_SUCCESS;
}

static int remove_code(struct rank *r, int code, int class, const char *name)
{
    struct code *c = api_code_find(r, code);
    if (!c || (c->class == c->code) != class)
        return not_made(r, name, code);
    if (c->text)
        return mpico_fault(r, MPI_ERR_OTHER, "%s: %d has a string still (MPI_Remove_error_string)", name, code);
    if (class && has_codes(r, code))
        return mpico_fault(r, MPI_ERR_OTHER, "%s: %d has codes still (MPI_Remove_error_code)", name, code);
    return drop(r, c);
}

#pragma weak MPI_Remove_error_class = PMPI_Remove_error_class
int PMPI_Remove_error_class(int errorclass)
{
    struct rank *r = api_enter_any("MPI_Remove_error_class");
    return end(r, remove_code(r, errorclass, 1, "errorclass"));
}

#pragma weak MPI_Remove_error_code = PMPI_Remove_error_code
int PMPI_Remove_error_code(int errorcode)
{
    struct rank *r = api_enter_any("MPI_Remove_error_code");
    return end(r, remove_code(r, errorcode, 0, "errorcode"));
}

#pragma weak MPI_Remove_error_string = PMPI_Remove_error_string
int PMPI_Remove_error_string(int errorcode)
{
    struct rank *r = api_enter_any("MPI_Remove_error_string");
    struct code *c = api_code_find(r, errorcode);
    if (!c)
        return end(r, not_made(r, "errorcode", errorcode));
    if (!c->text)
        return end(r, mpico_fault(r, MPI_ERR_OTHER, "errorcode: %d has no string", errorcode));
    mpico_heap_free(&r->heap, c->text);
    c->text = NULL;
    return MPI_SUCCESS;
}
