/* Pack, Unpack and Pack_size, and external32 with its bytes. */
#include "../check.h"
#include <stddef.h>

struct record {
    int id;
    double x;
    char name[6];
};

static MPI_Datatype record_type(void)
{
    MPI_Datatype t, u;
    const MPI_Aint at[] = {offsetof(struct record, id), offsetof(struct record, x), offsetof(struct record, name)};
    MPI_Type_create_struct(3, (const int[]){1, 1, 6}, at, (const MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_CHAR}, &t);
    MPI_Type_create_resized(t, 0, sizeof(struct record), &u);
    MPI_Type_free(&t);
    MPI_Type_commit(&u);
    return u;
}

static struct record record_of(int i) { return (struct record){i, i + 0.5, {'n', (char)('a' + i % 26)}}; }

static void check_records(const struct record *r, int n, int first)
{
    for (int i = 0; i < n; i++) {
        struct record w = record_of(first + i);
        CHECK(r[i].id == w.id && r[i].x == w.x && !memcmp(r[i].name, w.name, 6), "record %d: %d, %g, %.6s", i, r[i].id,
              r[i].x, r[i].name);
    }
}

static void packed(MPI_Datatype t)
{
    struct record out[5], in[5] = {{0}};
    int size = 0, one = 0, at = 0, header = me;
    for (int i = 0; i < 5; i++)
        out[i] = record_of(me + i);
    MPI_Pack_size(5, t, MPI_COMM_WORLD, &size);
    MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &one);
    MPI_Count size_c = 0;
    MPI_Pack_size_c(5, t, MPI_COMM_WORLD, &size_c);
    CHECK(size >= 90 && one >= 4 && size_c == size, "sizes %d, %d, %ld", size, one, (long)size_c);
    char *block = check_alloc((size_t)(size + one)), *came = check_alloc((size_t)(size + one));
    MPI_Pack(&header, 1, MPI_INT, block, size + one, &at, MPI_COMM_WORLD);
    MPI_Pack(out, 2, t, block, size + one, &at, MPI_COMM_WORLD);
    MPI_Count at_c = at;
    MPI_Pack_c(out + 2, 3, t, block, size + one, &at_c, MPI_COMM_WORLD);
    MPI_Status s;
    MPI_Sendrecv(block, (int)at_c, MPI_PACKED, right_of(me), 1, came, size + one, MPI_PACKED, left_of(me), 1,
                 MPI_COMM_WORLD, &s);
    int came_bytes = 0;
    MPI_Get_count(&s, MPI_PACKED, &came_bytes);
    CHECK(came_bytes == at_c, "%d bytes came", came_bytes);
    at = 0;
    MPI_Unpack(came, came_bytes, &at, &header, 1, MPI_INT, MPI_COMM_WORLD);
    CHECK(header == left_of(me), "header %d", header);
    MPI_Unpack(came, came_bytes, &at, in, 4, t, MPI_COMM_WORLD);
    at_c = at;
    MPI_Unpack_c(came, came_bytes, &at_c, in + 4, 1, t, MPI_COMM_WORLD);
    check_records(in, 5, left_of(me));
    CHECK(at_c == came_bytes, "position %ld", (long)at_c);
    /* What was packed may be received as what it is. */
    memset(in, 0, sizeof in);
    MPI_Sendrecv(block + one, (int)at_c - one, MPI_PACKED, right_of(me), 1, in, 5, t, left_of(me), 1, MPI_COMM_WORLD,
                 &s);
    check_records(in, 5, left_of(me));
    /* No room for one byte: nothing happens. */
    at = 7;
    int e = MPI_Pack(out, 1, t, block, 24, &at, MPI_COMM_WORLD);
    CHECK(class_of(e) == MPI_ERR_TRUNCATE && at == 7, "class %d, position %d", class_of(e), at);
    e = MPI_Unpack(block, 24, &at, out, 1, t, MPI_COMM_WORLD);
    CHECK(class_of(e) == MPI_ERR_TRUNCATE && at == 7, "class %d, position %d", class_of(e), at);
    free(block);
    free(came);
}

static void external(MPI_Datatype t)
{
    struct record out[3], in[3] = {{0}};
    unsigned char block[64];
    MPI_Aint size = 0, at = 0;
    for (int i = 0; i < 3; i++)
        out[i] = record_of(256 + i);
    MPI_Pack_external_size("external32", 3, t, &size);
    CHECK(size == 54, "size %ld", (long)size);
    MPI_Pack_external("external32", out, 3, t, block, sizeof block, &at);
    CHECK(at == 54 && !memcmp(block, "\0\0\1\0\x40\x70\x08\0\0\0\0\0nw\0\0\0\0\0\0\1\1", 22), "the bytes are others");
    at = 0;
    MPI_Unpack_external("external32", block, 54, &at, in, 3, t);
    check_records(in, 3, 256);
    MPI_Count size_c = 0, at_c = 0;
    MPI_Pack_external_size_c("external32", 3, t, &size_c);
    memset(block, 0, sizeof block);
    MPI_Pack_external_c("external32", out, 3, t, block, 54, &at_c);
    memset(in, 0, sizeof in);
    at_c = 0;
    MPI_Unpack_external_c("external32", block, 54, &at_c, in, 3, t);
    check_records(in, 3, 256);
    CHECK(size_c == 54 && at_c == 54, "large: %ld, %ld", (long)size_c, (long)at_c);
    at = 0;
    int e = MPI_Pack_external("external32", out, 3, t, block, 53, &at);
    CHECK(class_of(e) == MPI_ERR_TRUNCATE && at == 0, "class %d", class_of(e));
    e = MPI_Pack_external("native", out, 3, t, block, 64, &at);
    CHECK(class_of(e) == MPI_ERR_UNSUPPORTED_DATAREP, "class %d", class_of(e));
}

/* Every number of either sign comes back. */
static void numbers(void)
{
    const long l[] = {0, 1, -1, 123456789, -123456789};
    const short s[] = {0, 1, -1, 32767, -32768};
    const unsigned char c[] = {0, 1, 127, 128, 255};
    const long double x[] = {0, 1, -1, 1e30L, -1e-30L};
    long l2[5];
    short s2[5];
    unsigned char c2[5], block[256];
    long double x2[5];
    MPI_Aint at = 0;
    MPI_Pack_external("external32", l, 5, MPI_LONG, block, sizeof block, &at);
    MPI_Pack_external("external32", s, 5, MPI_SHORT, block, sizeof block, &at);
    MPI_Pack_external("external32", c, 5, MPI_UNSIGNED_CHAR, block, sizeof block, &at);
    MPI_Pack_external("external32", x, 5, MPI_LONG_DOUBLE, block, sizeof block, &at);
    CHECK(at == 20 + 10 + 5 + 80, "position %ld", (long)at);
    at = 0;
    MPI_Unpack_external("external32", block, 115, &at, l2, 5, MPI_LONG);
    MPI_Unpack_external("external32", block, 115, &at, s2, 5, MPI_SHORT);
    MPI_Unpack_external("external32", block, 115, &at, c2, 5, MPI_UNSIGNED_CHAR);
    MPI_Unpack_external("external32", block, 115, &at, x2, 5, MPI_LONG_DOUBLE);
    for (int i = 0; i < 5; i++)
        CHECK(l[i] == l2[i] && s[i] == s2[i] && c[i] == c2[i] && x[i] == x2[i], "number %d: %ld, %d, %d, %Lg", i, l2[i],
              s2[i], c2[i], x2[i]);
}

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    check_return_errors();
    MPI_Datatype t = record_type();
    packed(t);
    external(t);
    MPI_Type_free(&t);
    numbers();
    return check_finish();
}
