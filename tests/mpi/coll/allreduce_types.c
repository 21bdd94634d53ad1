/* Reduce and Allreduce of every datatype with every operation there is for it, against plain arithmetic. */
#include "values.h"

enum { SUM, PROD, MAX, MIN, LAND, LOR, LXOR, BAND, BOR, BXOR, OPS };

static bool allowed(int op, enum kind kind)
{
    bool integer = kind == INTEGER || kind == UNSIGNED;
    return op <= PROD   ? integer || kind == FLOATING || kind == COMPLEX
           : op <= MIN  ? integer || kind == FLOATING
           : op <= LXOR ? integer || kind == LOGICAL
                        : integer || kind == BYTES;
}

static bool multi_language(MPI_Datatype t) { return t == MPI_AINT || t == MPI_COUNT || t == MPI_OFFSET; }

static long value(int op, int rank, int i)
{
    switch (op) {
    case SUM:
        return (rank + i) % 4;
    case PROD:
        return rank == i % np || rank == (i + 1) % np ? 2 : 1;
    case LAND:
        return (rank * 5 + i) % 9 != 0;
    case LOR:
    case LXOR:
        return (rank * 3 + i) % 5 == 0;
    default:
        return (rank * 13 + i * 7) % 100;
    }
}

static long apply(int op, long a, long b)
{
    switch (op) {
    case SUM:
        return a + b;
    case PROD:
        return a * b;
    case MAX:
        return a > b ? a : b;
    case MIN:
        return a < b ? a : b;
    case LAND:
        return a && b;
    case LOR:
        return a || b;
    case LXOR:
        return !a != !b;
    case BAND:
        return a & b;
    case BOR:
        return a | b;
    default:
        return a ^ b;
    }
}

int main(int argc, char **argv)
{
    enum { COUNT = 33 };
    check_start(&argc, &argv);
    const MPI_Op ops[OPS] = {MPI_SUM, MPI_PROD, MPI_MAX,  MPI_MIN, MPI_LAND,
                             MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
    struct type types[TYPES];
    int n = types_fill(types);
    char out[COUNT * 32], in[COUNT * 32], at_root[COUNT * 32];
    for (int t = 0; t < n; t++) {
        for (int op = 0; op < OPS; op++) {
            if (!allowed(op, types[t].kind) || (op >= LAND && op <= LXOR && multi_language(types[t].type))) {
                continue;
            }
            int root = (t + op) % np;
            for (int i = 0; i < COUNT; i++) {
                put(&types[t], out, i, value(op, me, i));
            }
            MPI_Allreduce(out, in, COUNT, types[t].type, ops[op], MPI_COMM_WORLD);
            MPI_Reduce(out, at_root, COUNT, types[t].type, ops[op], root, MPI_COMM_WORLD);
            for (int i = 0; i < COUNT; i++) {
                long wanted = value(op, 0, i);
                for (int r = 1; r < np; r++) {
                    wanted = apply(op, wanted, value(op, r, i));
                }
                CHECK(get(&types[t], in, i) == wanted, "type %d, op %d, element %d: %ld, wanted %ld", t, op, i,
                      get(&types[t], in, i), wanted);
                CHECK(me != root || get(&types[t], at_root, i) == wanted,
                      "root: type %d, op %d, element %d: %ld, wanted %ld", t, op, i, get(&types[t], at_root, i),
                      wanted);
            }
        }
    }
    return check_finish();
}
