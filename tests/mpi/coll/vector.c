/* The v- and w-forms with uneven and zero counts and gaps between the pieces; gaps stay untouched. */
#include "check.h"

enum { GAP = 2 };
static int length(int from, int to) { return (from * 3 + to * 5) % 7; } /* zero now and then */
static int cell(int from, int to, int i) { return from * 10000 + to * 100 + i; }

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    size_t n = (size_t)np, room = n * (7 + GAP);
    int *sc = check_alloc(n * 4), *sd = check_alloc(n * 4), *rc = check_alloc(n * 4), *rd = check_alloc(n * 4),
        *bytes = check_alloc(n * 4), *from_bytes = check_alloc(n * 4), *in = check_alloc(room * 4),
        *out = check_alloc(room * 4);
    MPI_Datatype *st = check_alloc(n * sizeof *st), *rt = check_alloc(n * sizeof *rt);
    MPI_Request q;
    MPI_Comm w = MPI_COMM_WORLD;
    for (int form = 0; form < 8; form++) {
        bool now = form % 2 == 0;
        int kind = form / 2, root = (form * 2 + 1) % np; /* gatherv, scatterv, allgatherv, alltoallv and w */
        memset(in, 0xFF, room * 4);
        for (int r = 0; r < np; r++) {
            sd[r] = r * (7 + GAP);
            rd[r] = (np - 1 - r) * (7 + GAP); /* pieces in reverse */
            sc[r] = kind == 1 ? length(root, r) : length(me, r);
            rc[r] = kind == 0 || kind == 2 ? length(r, 0) : length(r, me);
            for (int i = 0; i < 7; i++)
                out[sd[r] + i] = cell(me, r, i);
            bytes[r] = sd[r] * 4;
            from_bytes[r] = rd[r] * 4;
            st[r] = r % 2 ? MPI_INT : MPI_INT32_T;
            rt[r] = me % 2 ? MPI_INT : MPI_INT32_T;
        }
        int mine = length(me, 0), from_root = length(root, me);
        if (kind == 0 && now)
            MPI_Gatherv(out, mine, MPI_INT, in, rc, rd, MPI_INT, root, w);
        if (kind == 0 && !now) {
            MPI_Igatherv(out, mine, MPI_INT, in, rc, rd, MPI_INT, root, w, &q);
            MPI_Wait(&q, MPI_STATUS_IGNORE);
        }
        if (kind == 1 && now)
            MPI_Scatterv(out, sc, sd, MPI_INT, in, from_root, MPI_INT, root, w);
        if (kind == 1 && !now) {
            MPI_Iscatterv(out, sc, sd, MPI_INT, in, from_root, MPI_INT, root, w, &q);
            MPI_Wait(&q, MPI_STATUS_IGNORE);
        }
        if (kind == 2 && now)
            MPI_Allgatherv(out, mine, MPI_INT, in, rc, rd, MPI_INT, w);
        if (kind == 2 && !now) {
            MPI_Iallgatherv(out, mine, MPI_INT, in, rc, rd, MPI_INT, w, &q);
            MPI_Wait(&q, MPI_STATUS_IGNORE);
        }
        if (kind == 3 && now)
            MPI_Alltoallv(out, sc, sd, MPI_INT, in, rc, rd, MPI_INT, w);
        if (kind == 3 && !now) {
            MPI_Ialltoallw(out, sc, bytes, st, in, rc, from_bytes, rt, w, &q);
            MPI_Wait(&q, MPI_STATUS_IGNORE);
        }
        if (kind == 1) {
            for (int i = 0; i < (int)room; i++) {
                int wanted = i < from_root ? cell(root, me, i) : -1;
                CHECK(in[i] == wanted, "form %d, element %d: %d, wanted %d", form, i, in[i], wanted);
            }
            continue;
        }
        for (int r = 0; r < np; r++) {
            for (int i = 0; i < 7 + GAP; i++) {
                bool there = i < rc[r] && (kind != 0 || me == root);
                int wanted = there ? cell(r, kind == 3 ? me : 0, i) : -1;
                CHECK(in[rd[r] + i] == wanted, "form %d, from %d, element %d: %d, wanted %d", form, r, i, in[rd[r] + i],
                      wanted);
            }
        }
    }
    free(sc);
    free(sd);
    free(rc);
    free(rd);
    free(bytes);
    free(from_bytes);
    free(in);
    free(out);
    free(st);
    free(rt);
    return check_finish();
}
