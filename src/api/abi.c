/* abi.c: what the library says about its binary interface (MPI 5.0, section 20.3). There is no Fortran in it; what it answers is
 * what its predefined Fortran types are, and that a program may say the same.
 */
#include <string.h>

#include "../base/text.h"
#include "api.h"

enum { KEY_MAX = 40, TEXT_MAX = 24 };

static int set_size(MPI_Info info, const char *name, size_t size)
{
    char key[KEY_MAX], value[TEXT_MAX];
    mpico_text_format(key, sizeof key, "mpi_%s_size", name);
    mpico_text_format(value, sizeof value, "%z", size);
    return PMPI_Info_set(info, key, value);
}

/* These may be called at any time, as far as hints may be made, so they do not enter. */
#pragma weak MPI_Abi_get_info = PMPI_Abi_get_info
int PMPI_Abi_get_info(MPI_Info *info)
{
    int e = PMPI_Info_create(info);
    if (e || (e = set_size(*info, "aint", sizeof(MPI_Aint))) || (e = set_size(*info, "count", sizeof(MPI_Count))) ||
        (e = set_size(*info, "offset", sizeof(MPI_Offset))))
        return e;
    return MPI_SUCCESS;
}

/* ---- Fortran ---- */

struct fortran_type {
    const char *name;
    uint16_t handle;
    uint8_t default_kind; /* its size is told; of the others only whether they are there */
};

/* The numbers of the handles in the ABI: a handle itself is no constant of C. */
static const struct fortran_type fortran_types[] = {
    {"logical", 0x218, 1},   {"integer", 0x219, 1},   {"real", 0x21a, 1},           {"double_precision", 0x21c, 1},
    {"logical1", 0x2c0, 0},  {"logical2", 0x2c8, 0},  {"logical4", 0x2d0, 0},       {"logical8", 0x2d8, 0},
    {"logical16", 0x2e0, 0}, {"integer1", 0x2c1, 0},  {"integer2", 0x2c9, 0},       {"integer4", 0x2d1, 0},
    {"integer8", 0x2d9, 0},  {"integer16", 0x2e1, 0}, {"real2", 0x2ca, 0},          {"real4", 0x2d2, 0},
    {"real8", 0x2da, 0},     {"real16", 0x2e2, 0},    {"complex4", 0x2d3, 0},       {"complex8", 0x2db, 0},
    {"complex16", 0x2e3, 0}, {"complex32", 0x2eb, 0}, {"double_complex", 0x21d, 0},
};
enum { FORTRAN_TYPES = sizeof fortran_types / sizeof fortran_types[0] };

/* The key that tells of a type, and what it says here. */
static void describe(const struct fortran_type *f, char *key, char *value)
{
    const struct type *t = mpico_type_of(f->handle);
    mpico_text_format(key, KEY_MAX, "mpi_%s_%s", f->name, f->default_kind ? "size" : "supported");
    if (f->default_kind)
        mpico_text_format(value, TEXT_MAX, "%z", t->size);
    else
        mpico_text_format(value, TEXT_MAX, "%s", t && t->size ? "true" : "false");
}

#pragma weak MPI_Abi_get_fortran_info = PMPI_Abi_get_fortran_info
int PMPI_Abi_get_fortran_info(MPI_Info *info)
{
    int e = PMPI_Info_create(info);
    for (int i = 0; !e && i < FORTRAN_TYPES; i++) {
        char key[KEY_MAX], value[TEXT_MAX];
        describe(&fortran_types[i], key, value);
        e = PMPI_Info_set(*info, key, value);
    }
    return e;
}

/* The sizes are fixed, so a program may only repeat them. */
#pragma weak MPI_Abi_set_fortran_info = PMPI_Abi_set_fortran_info
int PMPI_Abi_set_fortran_info(MPI_Info info)
{
    struct rank *r = rank_self();
    for (int i = 0; i < FORTRAN_TYPES; i++) {
        char key[KEY_MAX], ours[TEXT_MAX], theirs[TEXT_MAX];
        int flag = 0, room = sizeof theirs;
        describe(&fortran_types[i], key, ours);
        int e = PMPI_Info_get_string(info, key, &room, theirs, &flag);
        if (e)
            return e;
        if (flag && strcmp(ours, theirs) != 0)
            return mpico_fault(r, MPI_ERR_ABI, "info: %s is %s here, not %s", key, ours, theirs);
    }
    return MPI_SUCCESS;
}

/* A logical of 1, 2, 4, 8 or 16 bytes. */
static int check_logical(struct rank *r, int size)
{
    if (size >= 1 && size <= 16 && (size & (size - 1)) == 0)
        return MPI_SUCCESS;
    return mpico_fault(r, MPI_ERR_ARG, "logical_size: no logical has %d bytes", size);
}

/* Integers of `size` bytes, the value in their lowest: little-endian or big. */
static void write_logical(void *to, int size, unsigned char value)
{
    const uint16_t one = 1;
    int lowest = *(const unsigned char *)&one ? 0 : size - 1;
    memset(to, 0, (size_t)size);
    ((unsigned char *)to)[lowest] = value;
}

static int is_logical(const void *is, int size, unsigned char value)
{
    unsigned char wanted[16];
    write_logical(wanted, size, value);
    return memcmp(is, wanted, (size_t)size) == 0;
}

#pragma weak MPI_Abi_get_fortran_booleans = PMPI_Abi_get_fortran_booleans
int PMPI_Abi_get_fortran_booleans(int logical_size, void *logical_true, void *logical_false, int *is_set)
{
    struct rank *r = rank_self();
    int e;
    if ((e = check_logical(r, logical_size)) || (e = check_pointer(r, logical_true, "logical_true")) ||
        (e = check_pointer(r, logical_false, "logical_false")) || (e = check_pointer(r, is_set, "is_set")))
        return e;
    write_logical(logical_true, logical_size, 1);
    write_logical(logical_false, logical_size, 0);
    *is_set = 1;
    return MPI_SUCCESS;
}

#pragma weak MPI_Abi_set_fortran_booleans = PMPI_Abi_set_fortran_booleans
int PMPI_Abi_set_fortran_booleans(int logical_size, void *logical_true, void *logical_false)
{
    struct rank *r = rank_self();
    int e;
    if ((e = check_logical(r, logical_size)) || (e = check_pointer(r, logical_true, "logical_true")) ||
        (e = check_pointer(r, logical_false, "logical_false")))
        return e;
    if (!is_logical(logical_true, logical_size, 1) || !is_logical(logical_false, logical_size, 0))
        return mpico_fault(r, MPI_ERR_ABI, "true is 1 and false is 0 in this library's reductions, and stays so");
    return MPI_SUCCESS;
}
