/* external.c: see external.h. A type's packed form is the sequence of its basic elements: it is packed piece by piece, and each
 * element converted there.
 */
#include "external.h"

#include "scalar.h"

/* One scalar on both sides; a basic element is one, two (complex), or the two of a pair. */
struct form {
    uint8_t native, external;
    uint8_t is_signed; /* an integer that grows by copies of its sign */
    uint8_t is_long_double;
};

enum {
    AINT = 0x01,
    SHORT = 0x08,
    INT,
    LONG,
    LONG_LONG,
    UNSIGNED_SHORT,
    UNSIGNED,
    UNSIGNED_LONG,
    UNSIGNED_LONG_LONG,
    LOGICAL = 0x18,
    INTEGER,
    LONG_DOUBLE = 0x20,
    C_LONG_DOUBLE_COMPLEX = 0x24,
    CXX_LONG_DOUBLE_COMPLEX,
    LONG_INT = 0x2a,
    SHORT_INT = 0x2c,
    LONG_DOUBLE_INT,
    C_BOOL = 0x38,
    CXX_BOOL,
    WCHAR = 0x3c,
    COMPLEX4 = 0xd3,
    COMPLEX32 = 0xeb
};

/* Sizes that are not this machine's are those of types whose size a compiler chooses. */
static uint8_t external_width(unsigned low, size_t native)
{
    switch (low) {
    case C_BOOL:
    case CXX_BOOL:
        return 1;
    case SHORT:
    case UNSIGNED_SHORT:
    case SHORT_INT:
    case WCHAR:
        return 2;
    case INT:
    case UNSIGNED:
    case LONG:
    case UNSIGNED_LONG:
    case LONG_INT:
    case LOGICAL:
    case INTEGER:
        return 4;
    case AINT:
    case LONG_LONG:
    case UNSIGNED_LONG_LONG:
        return 8;
    case LONG_DOUBLE:
    case C_LONG_DOUBLE_COMPLEX:
    case CXX_LONG_DOUBLE_COMPLEX:
    case LONG_DOUBLE_INT:
        return 16;
    default:
        return (uint8_t)native;
    }
}

/* The scalars of a predefined type: how many (at most two). */
static int forms_of(const struct type *t, struct form form[2])
{
    unsigned low = (unsigned)(t->handle - TYPE_HANDLES);
    int two = t->class == TYPE_COMPLEX || t->class == TYPE_PAIR || low == COMPLEX4 || low == COMPLEX32;
    size_t first = t->class == TYPE_PAIR ? t->width : t->size / (two ? 2 : 1);
    uint8_t external = external_width(low, first);
    form[0] = (struct form){(uint8_t)first, external, t->class == TYPE_INTEGER || low == LONG_INT || low == SHORT_INT,
                            external == 16 && low < C_BOOL};
    form[1] = form[0];
    if (t->class == TYPE_PAIR) /* its index: an int, or in Fortran's pairs what the value is */
        form[1] = (struct form){(uint8_t)(t->size - first), 4, 1, 0};
    if (t->class == TYPE_PAIR && t->size == 2 * first && first > 4)
        form[1].external = (uint8_t)first;
    return two ? 2 : 1;
}

static size_t external_of_basic(const struct type *t)
{
    struct form form[2];
    return forms_of(t, form) == 2 ? (size_t)form[0].external + form[1].external : form[0].external;
}

size_t mpico_external_size(const struct type *t)
{
    const struct type *basic = mpico_type_basic(t);
    if (basic)
        return t->size / basic->size * external_of_basic(basic);
    size_t sum = 0;
    for (size_t i = 0; i < own_type(t)->parts; i++)
        sum += own_type(t)->part[i].count * mpico_external_size(own_type(t)->part[i].type);
    return sum;
}

/* ---- One scalar ---- */

/* Where byte `i`, counted from the lowest, of a number of `width` bytes stands. */
static size_t native_at(size_t i, size_t width)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : width - 1 - i;
}

static void number_out(const struct form *f, const unsigned char *native, unsigned char *out)
{
    unsigned char top = native[native_at(f->native - 1u, f->native)], fill = f->is_signed && top & 0x80 ? 0xff : 0;
    for (size_t i = 0; i < f->external; i++)
        out[f->external - 1 - i] = i < f->native ? native[native_at(i, f->native)] : fill;
}

static void number_in(const struct form *f, unsigned char *native, const unsigned char *in)
{
    unsigned char fill = f->is_signed && in[0] & 0x80 ? 0xff : 0;
    for (size_t i = 0; i < f->native; i++)
        native[native_at(i, f->native)] = i < f->external ? in[f->external - 1 - i] : fill;
}

/* A long double as IEEE binary128. */
#if LDBL_MANT_DIG == 113
static const struct form quad_form = {16, 16, 0, 0};

static void long_double_out(const unsigned char *native, unsigned char *out) { number_out(&quad_form, native, out); }
static void long_double_in(unsigned char *native, const unsigned char *in) { number_in(&quad_form, native, in); }
#elif LDBL_MANT_DIG == 64
/* The x87's: sign and exponent are those of binary128; the fraction has its leading bit, and ends 49 bits earlier. */
enum { WIDE_EXPONENT = 0x7fff, FRACTION_SHIFT = 49 };
#define LEADING_BIT ((uint64_t)1 << 63)

static void big_endian_out(uint64_t value, unsigned char *out)
{
    for (int i = 0; i < 8; i++)
        out[i] = (unsigned char)(value >> (56 - 8 * i));
}

static uint64_t big_endian_in(const unsigned char *in)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value = value << 8 | in[i];
    return value;
}

static void long_double_out(const unsigned char *native, unsigned char *out)
{
    uint64_t fraction;
    uint16_t top;
    memcpy(&fraction, native, sizeof fraction);
    memcpy(&top, native + sizeof fraction, sizeof top);
    if (fraction & LEADING_BIT && !(top & WIDE_EXPONENT)) /* rounded up out of the numbers without a leading bit */
        top++;
    fraction <<= 1; /* the leading bit is not written */
    big_endian_out((uint64_t)top << 48 | fraction >> 16, out);
    big_endian_out(fraction << 48, out + 8);
}

/* Rounds to nearest, ties to even. What is no number stays so. */
static void long_double_in(unsigned char *native, const unsigned char *in)
{
    uint64_t high = big_endian_in(in), low = big_endian_in(in + 8), half = (uint64_t)1 << (FRACTION_SHIFT - 1);
    uint64_t fraction = (high << 16 | low >> 48) >> 1, tail = low & (2 * half - 1);
    uint16_t top = (uint16_t)(high >> 48), exponent = top & WIDE_EXPONENT;
    if (exponent == WIDE_EXPONENT)
        fraction |= high << 16 || low ? (uint64_t)3 << 62 : 0;
    else if ((tail > half || (tail == half && fraction & 1)) && ++fraction & LEADING_BIT) {
        fraction = exponent ? 0 : fraction;
        top++;
        exponent++;
    }
    if (exponent)
        fraction |= LEADING_BIT;
    memcpy(native, &fraction, sizeof fraction);
    memcpy(native + sizeof fraction, &top, sizeof top);
}
#else
/* Without such a type a long double is a double: its fraction moves, its exponent gets another bias. Numbers that a double
 * can hold only with a shortened fraction become 0, larger ones infinite. */
enum { BIAS = 1023, WIDE_BIAS = 16383 };

static void long_double_out(const unsigned char *native, unsigned char *out)
{
    double value;
    uint64_t bits;
    memcpy(&value, native, sizeof value);
    memcpy(&bits, &value, sizeof bits);
    uint32_t exponent = (uint32_t)(bits >> 52) & 0x7ff;
    uint32_t wide = exponent == 0x7ff ? 0x7fff : exponent ? exponent - BIAS + WIDE_BIAS : 0;
    uint64_t fraction = exponent ? bits & 0xfffffffffffff : 0, high = bits >> 63 << 63 | (uint64_t)wide << 48;
    high |= fraction >> 4;
    for (int i = 0; i < 8; i++) {
        out[i] = (unsigned char)(high >> (56 - 8 * i));
        out[8 + i] = (unsigned char)(fraction << 60 >> (56 - 8 * i));
    }
}

static void long_double_in(unsigned char *native, const unsigned char *in)
{
    uint64_t high = 0;
    for (int i = 0; i < 8; i++)
        high = high << 8 | in[i];
    int wide = (int)(high >> 48 & 0x7fff), exponent = wide - WIDE_BIAS + BIAS;
    uint64_t fraction = (high & 0xffffffffffff) << 4 | in[8] >> 4;
    if (wide == 0x7fff) {
        exponent = 0x7ff;
    } else if (exponent >= 0x7ff || exponent <= 0) {
        exponent = exponent <= 0 ? 0 : 0x7ff;
        fraction = 0;
    }
    uint64_t bits = high >> 63 << 63 | (uint64_t)exponent << 52 | fraction;
    double value;
    memcpy(&value, &bits, sizeof value);
    long double here = value;
    memcpy(native, &here, sizeof here);
}
#endif

/* ---- A piece ---- */

/* A conversion under way. */
struct crossing {
    const struct type *type;
    void *buf; /* the program's buffer, which may be MPI_BOTTOM, */
    int out;   /* read, or else written */
    size_t at; /* in the packed form */
    unsigned char *external;
};

static void convert(struct crossing *x, const struct form *f, unsigned char *native)
{
    if (x->out && f->is_long_double)
        long_double_out(native, x->external);
    else if (x->out)
        number_out(f, native, x->external);
    else if (f->is_long_double)
        long_double_in(native, x->external);
    else
        number_in(f, native, x->external);
    x->external += f->external;
}

static void convert_basic(struct crossing *x, const struct type *basic, size_t count)
{
    unsigned char packed[256];
    struct form form[2];
    int forms = forms_of(basic, form);
    size_t most = sizeof packed / basic->size;
    for (size_t n; count; count -= n) {
        n = count < most ? count : most;
        if (x->out)
            mpico_type_pack(x->type, x->buf, x->at, packed, n * basic->size);
        for (unsigned char *p = packed, *end = packed + n * basic->size; p < end; p += basic->size) {
            convert(x, &form[0], p);
            if (forms == 2)
                convert(x, &form[1], p + form[0].native);
        }
        if (!x->out)
            mpico_type_unpack(x->type, x->buf, x->at, packed, n * basic->size);
        x->at += n * basic->size;
    }
}

static void cross(struct crossing *x, const struct type *t, size_t count)
{
    const struct type *basic = mpico_type_basic(t);
    if (t->size == 0)
        return;
    if (basic) {
        convert_basic(x, basic, t->size / basic->size * count);
        return;
    }
    for (; count; count--)
        for (size_t i = 0; i < own_type(t)->parts; i++)
            cross(x, own_type(t)->part[i].type, own_type(t)->part[i].count);
}

void mpico_external_pack(const struct type *t, const void *buf, size_t count, void *out)
{
    struct crossing x = {.type = t, .buf = (void *)(uintptr_t)buf, .out = 1, .external = out};
    cross(&x, t, count);
}

void mpico_external_unpack(const struct type *t, void *buf, size_t count, const void *in)
{
    struct crossing x = {.type = t, .buf = buf, .external = (unsigned char *)(uintptr_t)in};
    cross(&x, t, count);
}
