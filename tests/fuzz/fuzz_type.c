/* fuzz_type.c: datatypes nested at random, against a list of their basic elements (type_model.h): sizes and bounds, packing whole and in
 * pieces, the external format, elements of a message cut anywhere, and the type made once more from its own contents.
 *
 * The input is a program: each byte an action, its operands the bytes behind it. A type takes its part from what was made before.
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#include "api/state.h"
#include "core/rank.h"
#include "type/make.h"
#include "type_model.h"

#ifndef MPICO_LIBFUZZER
#define MPICO_LIBFUZZER 0
#endif

enum { TYPES = 12, PARTS = 4, DIMS = 3, COUNT_MAX = 3, FILL = 0xc3, RANDOM_TYPES = 60000, PROGRAM = 300 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *at, *end;
};
/* A type of the program's and what it should be. */
struct made {
    MPI_Datatype handle; /* MPI_DATATYPE_NULL: nothing here */
    int own;
    struct model model;
};
static struct made made[TYPES];
static long types;

static uint8_t byte(struct input *in) { return in->at < in->end ? *in->at++ : 0; }
static int small(struct input *in, int from, int to) { return from + byte(in) % (to - from + 1); }

static void need(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "wrong: %s\n", what);
    abort();
}
static void need_ok(int code, const char *what) { need(code == MPI_SUCCESS, what); }

/* ---- Data ---- */

/* `count` elements of a type in memory that is exactly as long as it reaches, so that a step too far is seen. */
struct array {
    const struct model *model;
    int count;
    long low, extent;
    size_t len;
    unsigned char *memory;
};

static struct array array_make(const struct model *m, int count)
{
    struct array a = {.model = m, .count = count};
    long low, high, lower;
    model_span(m, &low, &high);
    model_extent(m, &lower, &a.extent);
    long last = (count - 1) * a.extent;
    a.low = last < 0 ? low + last : low;
    a.len = m->n ? (size_t)((last > 0 ? high + last : high) - a.low) : 0;
    a.memory = malloc(a.len + 1);
    need(a.memory != NULL, "memory");
    memset(a.memory, FILL, a.len + 1);
    return a;
}
static void *array_buf(const struct array *a) { return (void *)((uintptr_t)a->memory - (uintptr_t)a->low); }

/* Every scalar of an array, in the order of the packed form. */
struct cursor {
    const struct array *array;
    int element, scalar;
    size_t entry;
};
static const struct scalar *next(struct cursor *c, unsigned char **at)
{
    const struct model *m = c->array->model;
    if (c->element == c->array->count || m->n == 0)
        return NULL;
    const struct entry *e = &m->entry[c->entry];
    const struct scalar *s = &e->basic->scalar[c->scalar];
    *at = c->array->memory + (e->at + c->element * c->array->extent - c->array->low + (long)s->at);
    if (++c->scalar == e->basic->scalars) {
        c->scalar = 0;
        if (++c->entry == m->n) {
            c->entry = 0;
            c->element++;
        }
    }
    return s;
}

static size_t true_width(const struct scalar *s)
{
    return s->kind == SCALAR_LONG_DOUBLE && LDBL_MANT_DIG == 64 ? 10 : s->native;
}

static void array_fill(const struct array *a)
{
    struct cursor c = {.array = a};
    unsigned char *at;
    unsigned value = 1;
    for (const struct scalar *s; (s = next(&c, &at)) != NULL; value = value * 75 + 74) {
        long double number = (long double)value / 7 - 1e8L;
        if (s->kind == SCALAR_LONG_DOUBLE)
            memcpy(at, &number, sizeof number);
        else
            for (size_t i = 0; i < s->native; i++)
                at[i] = (unsigned char)(value >> (8 * (i % 3)) ^ i);
    }
}

static size_t packed_by_hand(const struct array *a, unsigned char *out)
{
    struct cursor c = {.array = a};
    unsigned char *at, *start = out;
    for (const struct scalar *s; (s = next(&c, &at)) != NULL; out += s->native)
        memcpy(out, at, s->native);
    return (size_t)(out - start);
}

static void unpacked_by_hand(const struct array *a, const unsigned char *in)
{
    struct cursor c = {.array = a};
    unsigned char *at;
    for (const struct scalar *s; (s = next(&c, &at)) != NULL; in += s->native)
        memcpy(at, in, s->native);
}

/* Some byte is there twice. Then it may not be written (MPI 5.0, 5.1.11), so that what it holds afterwards is anybody's guess; and
 * a number that another has been written into may be none. */
static int overlaps(const struct array *a)
{
    unsigned char *hit = calloc(1, a->len + 1), *at;
    struct cursor c = {.array = a};
    int twice = 0;
    need(hit != NULL, "memory");
    for (const struct scalar *s; (s = next(&c, &at)) != NULL;)
        for (size_t i = 0; i < s->native; i++)
            twice |= hit[(size_t)(at - a->memory) + i]++;
    free(hit);
    return twice;
}

/* ---- External32 ---- */

/* The machine of this test has its lowest byte first. */
static void number_out(const struct scalar *s, const unsigned char *at, unsigned char *out)
{
    unsigned char sign = s->kind == SCALAR_SIGNED && at[s->native - 1] & 0x80 ? 0xff : 0;
    for (size_t i = 0; i < s->external; i++)
        out[s->external - 1 - i] = i < s->native ? at[i] : sign;
}

static void number_in(const struct scalar *s, unsigned char *at, const unsigned char *in)
{
    unsigned char sign = s->kind == SCALAR_SIGNED && in[0] & 0x80 ? 0xff : 0;
    for (size_t i = 0; i < s->native; i++)
        at[i] = i < s->external ? in[s->external - 1 - i] : sign;
}

static void check_external(const struct made *t, const struct array *a)
{
    struct array back = array_make(a->model, a->count), wanted = array_make(a->model, a->count);
    MPI_Count size = -1, position = 0;
    need_ok(MPI_Pack_external_size_c("external32", a->count, t->handle, &size), "external size");
    need(size == a->count * model_external(a->model), "size of the external form");
    unsigned char *out = malloc((size_t)size + 1), *at, *to, *p = out, hand[16];
    need(out != NULL, "memory");
    need_ok(MPI_Pack_external_c("external32", array_buf(a), a->count, t->handle, out, size, &position), "external");
    need(position == size, "position in the external form");
    struct cursor c = {.array = a}, d = {.array = &wanted};
    for (const struct scalar *s; (s = next(&c, &at)) != NULL; p += s->external) {
        next(&d, &to);
        if (s->kind == SCALAR_LONG_DOUBLE) { /* its value, of another format, must come back */
            memcpy(to, at, s->native);
            continue;
        }
        number_out(s, at, hand);
        need(memcmp(hand, p, s->external) == 0, "a scalar of the external form");
        number_in(s, to, hand);
    }
    position = 0;
    need_ok(MPI_Unpack_external_c("external32", out, size, &position, array_buf(&back), a->count, t->handle), "back");
    struct cursor e = {.array = &back}, f = {.array = &wanted};
    for (const struct scalar *s; (s = next(&e, &at)) != NULL;) {
        next(&f, &to);
        need(memcmp(at, to, true_width(s)) == 0, "a scalar back from the external form");
    }
    free(out);
    free(back.memory);
    free(wanted.memory);
}

/* ---- Packing ---- */

/* From and to pieces that are cut anywhere, as messages cut them. */
static void check_pieces(struct input *in, const struct made *t, const struct array *a, const unsigned char *packed,
                         size_t len)
{
    const struct type *type = mpico_type_of((uintptr_t)t->handle);
    struct array back = array_make(a->model, a->count), wanted = array_make(a->model, a->count);
    unsigned char *out = malloc(len + 1);
    need(type && out, "type and memory");
    for (size_t at = 0, n; at < len; at += n) {
        n = 1 + byte(in) % 64u;
        n = n < len - at ? n : len - at;
        mpico_type_pack(type, array_buf(a), at, out + at, n);
        mpico_type_unpack(type, array_buf(&back), at, packed + at, n);
    }
    unpacked_by_hand(&wanted, packed);
    int vague = overlaps(a);
    need(memcmp(out, packed, len) == 0, "packed in pieces");
    need(vague || memcmp(back.memory, wanted.memory, a->len + 1) == 0, "unpacked in pieces");
    memset(back.memory, FILL, a->len + 1);
    mpico_type_copy(type, array_buf(a), array_buf(&back), (size_t)a->count);
    need(vague || memcmp(back.memory, wanted.memory, a->len + 1) == 0, "copied");
    free(out);
    free(back.memory);
    free(wanted.memory);
}

static void check_packing(struct input *in, const struct made *t)
{
    int count = small(in, 1, COUNT_MAX);
    struct array a = array_make(&t->model, count), back = array_make(&t->model, count);
    array_fill(&a);
    MPI_Count size = -1, position = 0;
    need_ok(MPI_Pack_size_c(count, t->handle, MPI_COMM_SELF, &size), "MPI_Pack_size");
    unsigned char *hand = malloc((size_t)size + 1), *out = malloc((size_t)size + 1);
    need(hand && out, "memory");
    size_t len = packed_by_hand(&a, hand);
    need((MPI_Count)len <= size && (long)len == count * model_size(&t->model), "size of the packed form");
    need_ok(MPI_Pack_c(array_buf(&a), count, t->handle, out, size, &position, MPI_COMM_SELF), "MPI_Pack");
    need(position == (MPI_Count)len && memcmp(hand, out, len) == 0, "packed");
    position = 0;
    need_ok(MPI_Unpack_c(out, (MPI_Count)len, &position, array_buf(&back), count, t->handle, MPI_COMM_SELF), "unpack");
    memset(a.memory, FILL, a.len + 1);
    unpacked_by_hand(&a, hand);
    int vague = overlaps(&a);
    need(vague || memcmp(a.memory, back.memory, a.len + 1) == 0, "unpacked");
    check_pieces(in, t, &a, hand, len);
    if (!vague)
        check_external(t, &a);
    free(hand);
    free(out);
    free(a.memory);
    free(back.memory);
}

/* ---- Numbers ---- */

/* Basic elements in a message of `bytes`; MPI_UNDEFINED: the last is cut. */
static long elements_by_hand(const struct model *m, long bytes)
{
    long elements = 0;
    for (size_t i = 0; bytes > 0 && m->n; i = (i + 1) % m->n) {
        const struct basic *b = m->entry[i].basic;
        if (bytes >= (long)basic_size(b))
            elements += b->elements;
        else if (b->elements == 2 && bytes == (long)b->scalar[0].native)
            elements++;
        else
            return MPI_UNDEFINED;
        bytes -= (long)basic_size(b);
    }
    return elements;
}

static void check_elements(struct input *in, const struct made *t)
{
    MPI_Status status;
    MPI_Count got = -1, count = -1;
    long size = model_size(&t->model), bytes = size ? (byte(in) << 8 | byte(in)) % (3 * size) : 0;
    memset(&status, 0, sizeof status);
    need_ok(MPI_Status_set_elements_c(&status, MPI_BYTE, bytes), "MPI_Status_set_elements");
    need_ok(MPI_Get_elements_c(&status, t->handle, &got), "MPI_Get_elements");
    need_ok(MPI_Get_count_c(&status, t->handle, &count), "MPI_Get_count");
    need(got == elements_by_hand(&t->model, bytes), "elements");
    need(count == (size == 0 ? 0 : bytes % size ? MPI_UNDEFINED : bytes / size), "count");
    if (got < 0 || size == 0)
        return;
    need_ok(MPI_Status_set_elements_c(&status, t->handle, got), "MPI_Status_set_elements of the type");
    need_ok(MPI_Get_count_c(&status, MPI_BYTE, &count), "MPI_Get_count of bytes");
    need(count == bytes, "bytes of so many elements");
}

static void check_numbers(const struct made *t)
{
    long lower, extent, true_low, true_high;
    MPI_Count size = -1, lb = -1, ext = -1, true_lb = -1, true_ext = -1;
    model_extent(&t->model, &lower, &extent);
    model_span(&t->model, &true_low, &true_high);
    MPI_Type_size_c(t->handle, &size);
    MPI_Type_get_extent_c(t->handle, &lb, &ext);
    MPI_Type_get_true_extent_c(t->handle, &true_lb, &true_ext);
    need(size == model_size(&t->model), "size");
    if (lb != lower || ext != extent)
        fprintf(stderr, "lower bound %ld, extent %ld; wanted %ld, %ld\n", (long)lb, (long)ext, lower, extent);
    need(lb == lower && ext == extent, "extent");
    need(true_lb == true_low && true_ext == true_high - true_low, "true extent");
    need((long)mpico_type_of((uintptr_t)t->handle)->elements == model_elements(&t->model), "basic elements");
}

/* ---- Made again from its contents ---- */

struct recipe {
    MPI_Count ni, na, nc, nd;
    int combiner, *i;
    MPI_Aint *a;
    MPI_Count *c;
    MPI_Datatype *d;
};

static int again_small(const struct recipe *p, MPI_Datatype *out)
{
    const int *i = p->i, n = i[0];
    switch (p->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        return MPI_Type_contiguous(n, p->d[0], out);
    case MPI_COMBINER_VECTOR:
        return MPI_Type_vector(n, i[1], i[2], p->d[0], out);
    case MPI_COMBINER_HVECTOR:
        return MPI_Type_create_hvector(n, i[1], p->a[0], p->d[0], out);
    case MPI_COMBINER_INDEXED:
        return MPI_Type_indexed(n, i + 1, i + 1 + n, p->d[0], out);
    case MPI_COMBINER_HINDEXED:
        return MPI_Type_create_hindexed(n, i + 1, p->a, p->d[0], out);
    case MPI_COMBINER_INDEXED_BLOCK:
        return MPI_Type_create_indexed_block(n, i[1], i + 2, p->d[0], out);
    case MPI_COMBINER_HINDEXED_BLOCK:
        return MPI_Type_create_hindexed_block(n, i[1], p->a, p->d[0], out);
    case MPI_COMBINER_STRUCT:
        return MPI_Type_create_struct(n, i + 1, p->a, p->d, out);
    case MPI_COMBINER_SUBARRAY:
        return MPI_Type_create_subarray(n, i + 1, i + 1 + n, i + 1 + 2 * n, i[1 + 3 * n], p->d[0], out);
    case MPI_COMBINER_DARRAY:
        return MPI_Type_create_darray(n, i[1], i[2], i + 3, i + 3 + i[2], i + 3 + 2 * i[2], i + 3 + 3 * i[2],
                                      i[3 + 4 * i[2]], p->d[0], out);
    default:
        return MPI_ERR_OTHER;
    }
}

static int again_large(const struct recipe *p, MPI_Datatype *out)
{
    const MPI_Count *c = p->c, n = c[0];
    const int *i = p->i;
    switch (p->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        return MPI_Type_contiguous_c(n, p->d[0], out);
    case MPI_COMBINER_VECTOR:
        return MPI_Type_vector_c(n, c[1], c[2], p->d[0], out);
    case MPI_COMBINER_HVECTOR:
        return MPI_Type_create_hvector_c(n, c[1], c[2], p->d[0], out);
    case MPI_COMBINER_INDEXED:
        return MPI_Type_indexed_c(n, c + 1, c + 1 + n, p->d[0], out);
    case MPI_COMBINER_HINDEXED:
        return MPI_Type_create_hindexed_c(n, c + 1, c + 1 + n, p->d[0], out);
    case MPI_COMBINER_INDEXED_BLOCK:
        return MPI_Type_create_indexed_block_c(n, c[1], c + 2, p->d[0], out);
    case MPI_COMBINER_HINDEXED_BLOCK:
        return MPI_Type_create_hindexed_block_c(n, c[1], c + 2, p->d[0], out);
    case MPI_COMBINER_STRUCT:
        return MPI_Type_create_struct_c(n, c + 1, c + 1 + n, p->d, out);
    case MPI_COMBINER_RESIZED:
        return MPI_Type_create_resized_c(p->d[0], c[0], c[1], out);
    case MPI_COMBINER_SUBARRAY:
        return MPI_Type_create_subarray_c(i[0], c, c + i[0], c + 2 * i[0], i[1], p->d[0], out);
    case MPI_COMBINER_DARRAY:
        return MPI_Type_create_darray_c(i[0], i[1], i[2], c, i + 3, i + 3 + i[2], i + 3 + 2 * i[2], i[3 + 3 * i[2]],
                                        p->d[0], out);
    default:
        return MPI_ERR_OTHER;
    }
}

static int again(const struct recipe *p, MPI_Datatype *out)
{
    if (p->combiner == MPI_COMBINER_DUP)
        return MPI_Type_dup(p->d[0], out);
    if (p->nc)
        return again_large(p, out);
    if (p->combiner == MPI_COMBINER_RESIZED)
        return MPI_Type_create_resized(p->d[0], p->a[0], p->a[1], out);
    return again_small(p, out);
}

static int is_named(MPI_Datatype t)
{
    MPI_Count n;
    int combiner;
    need_ok(MPI_Type_get_envelope_c(t, &n, &n, &n, &n, &combiner), "MPI_Type_get_envelope");
    return combiner == MPI_COMBINER_NAMED;
}

/* The copy in the place of the type it is a copy of. */
static void remake(struct made *t)
{
    struct recipe p;
    MPI_Datatype copy;
    need_ok(MPI_Type_get_envelope_c(t->handle, &p.ni, &p.na, &p.nc, &p.nd, &p.combiner), "envelope");
    p.i = malloc((size_t)(p.ni + 1) * sizeof *p.i);
    p.a = malloc((size_t)(p.na + 1) * sizeof *p.a);
    p.c = malloc((size_t)(p.nc + 1) * sizeof *p.c);
    p.d = malloc((size_t)(p.nd + 1) * sizeof *p.d);
    need(p.i && p.a && p.c && p.d, "memory");
    p.i[0] = 0;
    need_ok(MPI_Type_get_contents_c(t->handle, p.ni, p.na, p.nc, p.nd, p.i, p.a, p.c, p.d), "contents");
    need_ok(again(&p, &copy), "made again");
    for (MPI_Count k = 0; k < p.nd; k++)
        if (!is_named(p.d[k]))
            need_ok(MPI_Type_free(&p.d[k]), "freeing a type of the contents");
    need_ok(MPI_Type_free(&t->handle), "freeing the original");
    t->handle = copy;
    free(p.i);
    free(p.a);
    free(p.c);
    free(p.d);
}

/* ---- Making ---- */

static struct made *pick(struct input *in)
{
    struct made *t = &made[byte(in) % TYPES];
    if (t->handle == MPI_DATATYPE_NULL) {
        const struct basic *b = &basics[byte(in) % BASICS];
        t->handle = b->handle;
        t->own = 0;
        model_basic(&t->model, b);
    }
    return t;
}

/* What a constructor is given, in both widths; the model of its result. */
struct making {
    int n, len[PARTS], place[PARTS], large, order;
    struct made *from[PARTS];
    struct model model;
    int bad; /* too large for the model */
};

static void block(struct making *k, int i, long at)
{
    k->bad |= model_block(&k->model, &k->from[i]->model, k->len[i], at);
}

static long extent_of(const struct made *t)
{
    long lower, extent;
    model_extent(&t->model, &lower, &extent);
    return extent;
}

static int make_loop(struct input *in, struct making *k, MPI_Datatype *out)
{
    int count = small(in, 0, 5), len = small(in, 0, 4), stride = small(in, -9, 40), kind = small(in, 0, 2);
    MPI_Datatype old = k->from[0]->handle;
    long unit = extent_of(k->from[0]);
    k->len[0] = len;
    for (int i = 0; i < (kind ? count : 1); i++)
        block(k, 0, kind == 0 ? 0 : kind == 1 ? i * stride * unit : i * (long)stride);
    if (kind == 0)
        return k->large ? MPI_Type_contiguous_c(len, old, out) : MPI_Type_contiguous(len, old, out);
    if (kind == 1)
        return k->large ? MPI_Type_vector_c(count, len, stride, old, out)
                        : MPI_Type_vector(count, len, stride, old, out);
    return k->large ? MPI_Type_create_hvector_c(count, len, stride, old, out)
                    : MPI_Type_create_hvector(count, len, stride, old, out);
}

/* Lists in all widths that the constructors take. */
struct lists {
    MPI_Count len[PARTS], place[PARTS];
    MPI_Aint address[PARTS];
    MPI_Datatype type[PARTS];
};
static struct lists lists_of(struct input *in, struct making *k, int one_length, int one_type)
{
    struct lists l;
    k->n = small(in, 0, PARTS);
    for (int i = 0; i < PARTS; i++) {
        k->len[i] = one_length && i ? k->len[0] : small(in, 0, 4);
        k->place[i] = small(in, -60, 120);
        k->from[i] = one_type || i == 0 ? k->from[0] : pick(in);
        l.len[i] = k->len[i];
        l.place[i] = l.address[i] = k->place[i];
        l.type[i] = k->from[i]->handle;
    }
    return l;
}

static int make_blocks(struct input *in, struct making *k, MPI_Datatype *out)
{
    int kind = small(in, 0, 3), bytes = kind & 1, one = kind & 2;
    const struct lists l = lists_of(in, k, one, 1);
    MPI_Datatype old = k->from[0]->handle;
    for (int i = 0; i < k->n; i++)
        block(k, i, k->place[i] * (bytes ? 1 : extent_of(k->from[0])));
    if (kind == 0)
        return k->large ? MPI_Type_indexed_c(k->n, l.len, l.place, old, out)
                        : MPI_Type_indexed(k->n, k->len, k->place, old, out);
    if (kind == 1)
        return k->large ? MPI_Type_create_hindexed_c(k->n, l.len, l.place, old, out)
                        : MPI_Type_create_hindexed(k->n, k->len, l.address, old, out);
    if (kind == 2)
        return k->large ? MPI_Type_create_indexed_block_c(k->n, l.len[0], l.place, old, out)
                        : MPI_Type_create_indexed_block(k->n, k->len[0], k->place, old, out);
    return k->large ? MPI_Type_create_hindexed_block_c(k->n, l.len[0], l.place, old, out)
                    : MPI_Type_create_hindexed_block(k->n, k->len[0], l.address, old, out);
}

static int make_struct(struct input *in, struct making *k, MPI_Datatype *out)
{
    const struct lists l = lists_of(in, k, 0, 0);
    for (int i = 0; i < k->n; i++)
        block(k, i, k->place[i]);
    return k->large ? MPI_Type_create_struct_c(k->n, l.len, l.place, l.type, out)
                    : MPI_Type_create_struct(k->n, k->len, l.address, l.type, out);
}

static int make_resized(struct input *in, struct making *k, MPI_Datatype *out)
{
    int lower = small(in, -40, 40), extent = small(in, -60, 190);
    MPI_Datatype old = k->from[0]->handle;
    k->bad |= model_add(&k->model, &k->from[0]->model, 0);
    model_bounds(&k->model, lower, extent);
    return k->large ? MPI_Type_create_resized_c(old, lower, extent, out)
                    : MPI_Type_create_resized(old, lower, extent, out);
}

static int make_dup(struct input *in, struct making *k, MPI_Datatype *out)
{
    (void)in;
    k->bad |= model_add(&k->model, &k->from[0]->model, 0);
    return MPI_Type_dup(k->from[0]->handle, out);
}

/* ---- Arrays: every index of the whole is asked whether it belongs to the piece ---- */

struct grid {
    int dims, order, size[DIMS], sub[DIMS], start[DIMS];  /* of a subarray, */
    int ranks[DIMS], dist[DIMS], arg[DIMS], rank, nranks; /* of a distributed array */
    int is_dist;
};

static int coordinate(const struct grid *g, int dim)
{
    int rest = g->rank;
    for (int d = g->dims - 1; d > dim; d--)
        rest /= g->ranks[d];
    return rest % g->ranks[dim];
}

static int belongs(const struct grid *g, int dim, int i)
{
    int block = (g->size[dim] + g->ranks[dim] - 1) / g->ranks[dim], arg = g->arg[dim];
    if (!g->is_dist)
        return i >= g->start[dim] && i < g->start[dim] + g->sub[dim];
    if (g->dist[dim] == MPI_DISTRIBUTE_NONE)
        return 1;
    if (g->dist[dim] == MPI_DISTRIBUTE_BLOCK)
        return i / (arg == MPI_DISTRIBUTE_DFLT_DARG ? block : arg) == coordinate(g, dim);
    return i / (arg == MPI_DISTRIBUTE_DFLT_DARG ? 1 : arg) % g->ranks[dim] == coordinate(g, dim);
}

static void model_grid(struct making *k, const struct grid *g)
{
    long all = 1, unit = extent_of(k->from[0]);
    for (int d = 0; d < g->dims; d++)
        all *= g->size[d];
    for (long at = 0; at < all; at++) {
        long rest = at;
        int in = 1;
        for (int j = 0; j < g->dims; j++) {
            int d = g->order == MPI_ORDER_C ? g->dims - 1 - j : j;
            in &= belongs(g, d, (int)(rest % g->size[d]));
            rest /= g->size[d];
        }
        if (in)
            k->bad |= model_add(&k->model, &k->from[0]->model, at * unit);
    }
    k->bad |= labs(all * unit) > MODEL_REACH;
    model_bounds(&k->model, 0, all * unit);
}

static void widen(MPI_Count *to, const int *from)
{
    for (int i = 0; i < DIMS; i++)
        to[i] = from[i];
}

static int make_subarray(struct input *in, struct making *k, MPI_Datatype *out)
{
    struct grid g = {.dims = small(in, 1, DIMS), .order = byte(in) & 1 ? MPI_ORDER_C : MPI_ORDER_FORTRAN};
    for (int d = 0; d < DIMS; d++) {
        g.ranks[d] = 1;
        g.size[d] = small(in, 1, 5);
        g.sub[d] = small(in, 1, g.size[d]);
        g.start[d] = small(in, 0, g.size[d] - g.sub[d]);
    }
    model_grid(k, &g);
    MPI_Count size[DIMS], sub[DIMS], start[DIMS];
    widen(size, g.size);
    widen(sub, g.sub);
    widen(start, g.start);
    MPI_Datatype old = k->from[0]->handle;
    return k->large ? MPI_Type_create_subarray_c(g.dims, size, sub, start, g.order, old, out)
                    : MPI_Type_create_subarray(g.dims, g.size, g.sub, g.start, g.order, old, out);
}

static int make_darray(struct input *in, struct making *k, MPI_Datatype *out)
{
    static const int dists[] = {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    struct grid g = {
        .dims = small(in, 1, DIMS), .order = byte(in) & 1 ? MPI_ORDER_C : MPI_ORDER_FORTRAN, .nranks = 1, .is_dist = 1};
    for (int d = 0; d < DIMS; d++) {
        g.size[d] = small(in, 1, 7);
        g.dist[d] = dists[small(in, 0, 2)];
        g.ranks[d] = g.dist[d] == MPI_DISTRIBUTE_NONE ? 1 : small(in, 1, 3);
        int least = g.dist[d] == MPI_DISTRIBUTE_BLOCK ? (g.size[d] + g.ranks[d] - 1) / g.ranks[d] : 1;
        g.arg[d] =
            byte(in) & 1 || g.dist[d] == MPI_DISTRIBUTE_NONE ? MPI_DISTRIBUTE_DFLT_DARG : small(in, least, least + 2);
        g.nranks *= d < g.dims ? g.ranks[d] : 1;
    }
    g.rank = small(in, 0, g.nranks - 1);
    model_grid(k, &g);
    MPI_Count size[DIMS];
    widen(size, g.size);
    MPI_Datatype old = k->from[0]->handle;
    return k->large
               ? MPI_Type_create_darray_c(g.nranks, g.rank, g.dims, size, g.dist, g.arg, g.ranks, g.order, old, out)
               : MPI_Type_create_darray(g.nranks, g.rank, g.dims, g.size, g.dist, g.arg, g.ranks, g.order, old, out);
}

/* ---- Numbers without measure: refused, or a type that can be asked and freed ---- */

static MPI_Count wild(struct input *in)
{
    static const MPI_Count edges[] = {
        0, 1, -1, INT_MAX, INT_MIN, INT64_MAX, INT64_MIN, INT64_MAX / 8, (MPI_Count)1 << 40};
    uint8_t how = byte(in);
    return how < 128 ? edges[how % 9] : how - 190;
}

static void make_wild(struct input *in)
{
    MPI_Datatype old = pick(in)->handle, t = MPI_DATATYPE_NULL, u = MPI_DATATYPE_NULL;
    MPI_Count a[3], b[3], x;
    MPI_Datatype olds[3];
    for (int i = 0; i < 3; i++) {
        a[i] = wild(in);
        b[i] = wild(in);
        olds[i] = pick(in)->handle;
    }
    int kind = small(in, 0, 6), e;
    if (kind == 0)
        e = MPI_Type_contiguous_c(a[0], old, &t);
    else if (kind == 1)
        e = MPI_Type_vector_c(a[0], a[1], a[2], old, &t);
    else if (kind == 2)
        e = MPI_Type_create_hvector_c(a[0], a[1], a[2], old, &t);
    else if (kind == 3)
        e = MPI_Type_indexed_c(3, a, b, old, &t);
    else if (kind == 4)
        e = MPI_Type_create_struct_c(3, a, b, olds, &t);
    else if (kind == 5)
        e = MPI_Type_create_resized_c(old, a[0], a[1], &t);
    else
        e = MPI_Type_create_subarray_c(3, a, b, a, MPI_ORDER_C, old, &t);
    if (e)
        return;
    MPI_Type_size_c(t, &x);
    MPI_Pack_external_size_c("external32", a[1], t, &x);
    MPI_Pack_size_c(a[2], t, MPI_COMM_SELF, &x);
    if (!MPI_Type_vector_c(b[0], b[1], b[2], t, &u))
        MPI_Type_free(&u);
    MPI_Type_free(&t);
}

static void put_away(struct made *t)
{
    if (t->handle != MPI_DATATYPE_NULL && t->own)
        need_ok(MPI_Type_free(&t->handle), "MPI_Type_free");
    t->handle = MPI_DATATYPE_NULL;
}

static void check_type(struct input *in, const struct made *t)
{
    check_numbers(t);
    check_elements(in, t);
    check_packing(in, t);
}

/* The new type takes a place, whose old one may live on as a part. */
static void make(struct input *in, int (*maker)(struct input *, struct making *, MPI_Datatype *))
{
    static struct making k;
    MPI_Datatype t = MPI_DATATYPE_NULL;
    memset(&k, 0, offsetof(struct making, model));
    model_empty(&k.model);
    k.bad = 0;
    k.large = byte(in) & 1;
    k.from[0] = pick(in);
    need_ok(maker(in, &k, &t), "a constructor");
    if (k.bad) {
        need_ok(MPI_Type_free(&t), "MPI_Type_free");
        return;
    }
    struct made *place = &made[byte(in) % TYPES];
    put_away(place);
    *place = (struct made){t, 1, k.model};
    if (byte(in) & 1)
        remake(place);
    need_ok(MPI_Type_commit(&place->handle), "MPI_Type_commit");
    check_type(in, place);
    types++;
}

static void act(struct input *in)
{
    static int (*const makers[])(struct input *, struct making *, MPI_Datatype *) = {
        make_loop, make_blocks, make_struct, make_resized, make_dup, make_subarray, make_darray};
    int what = byte(in) % 16;
    if (what < 14)
        make(in, makers[what % 7]);
    else if (what == 14)
        make_wild(in);
    else
        put_away(&made[byte(in) % TYPES]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, data + size};
    int up = 0;
    MPI_Initialized(&up);
    if (!up) {
        MPI_Init(NULL, NULL);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    }
    for (int i = 0; i < TYPES; i++)
        made[i].handle = MPI_DATATYPE_NULL;
    while (in.at < in.end)
        act(&in);
    for (int i = 0; i < TYPES; i++)
        put_away(&made[i]);
    need(api_state(rank_self())->types == NULL, "a type is left");
    return 0;
}

#if !MPICO_LIBFUZZER
#include "replay.h"

int main(int argc, char **argv) { return replay_main(argc, argv, PROGRAM, &types, RANDOM_TYPES, "types"); }
#endif
