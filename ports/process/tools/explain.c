/* explain.c: what the library would choose for a collective, and why: the price of each algorithm by the model that mpiexec has handed
 * over, and, with --steps, what each rank of one of them does. For `mpico explain`; prints JSON. With --wires prices are of ranks on a network
 * (src/model/wires.h); what the library chooses does not depend on that.
 *
 * explain --eager, on two ranks: from which lengths messages go another way.
 * explain [--steps ALGORITHM] [--wires NET] [--calls N] CALL RANKS BYTES...: an object for each; bytes as src/coll counts them: of the whole vector, of all parts in the all-to-all kinds where ranks
 * gather, of one pair of ranks in gather, scatter and alltoall.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/op.h"
#include "coll/priced.h"
#include "coll/select.h"
#include "coll/state.h"
#include "core/protocol.h"
#include "core/rank.h"
#include "lengths.h"

static const double us = 1e-9; /* a femtosecond */

_Noreturn static void refuse(const char *why, const char *what)
{
    fprintf(stderr, "%s%s\n", why, what);
    MPI_Finalize();
    exit(2);
}

static enum coll collective(const char *name)
{
    for (int c = 0; c < COLLS; c++)
        if (strcmp(mpico_coll_name((enum coll)c), name) == 0)
            return (enum coll)c;
    fputs("there is no collective of that name; there are: ", stderr);
    for (int c = 0; c < COLLS; c++)
        fprintf(stderr, "%s%s", c ? ", " : "", mpico_coll_name((enum coll)c));
    refuse("", "");
}

static long number(const char *text, long least, long most, const char *what)
{
    char *end;
    long n = strtol(text, &end, 10);
    if (end == text || *end || n < least || n > most)
        refuse(what, text);
    return n;
}

struct question {
    struct rank *r;
    const struct model *model;
    struct coll_call call;
    int ranks, calls;
    const struct algorithm *rows;
    int count;
    struct wires *wires; /* NULL: none */
};

static void read_wires(struct question *q, struct wires *w, const char *text)
{
    if (mpico_wires_read(w, text))
        refuse("--wires is as in ring:8, mesh:4x4, torus:2x2x2 or crossbar:16, not ", text);
    if (mpico_wires_nodes(w) < q->ranks)
        refuse("there are more ranks than nodes in ", text);
    w->free = calloc(mpico_wires_links(w), sizeof *w->free);
    if (!w->free)
        refuse("no memory for the links of ", text);
    q->wires = w;
}

static void clear_wires(const struct question *q)
{
    if (q->wires)
        memset(q->wires->free, 0, mpico_wires_links(q->wires) * sizeof *q->wires->free);
}

static uint64_t price_of(const struct question *q, const struct algorithm *a, size_t *steps)
{
    clear_wires(q);
    return mpico_coll_price(q->r, q->model, q->wires, a, &q->call, q->ranks, q->calls, steps);
}

static const char *why_not(const struct question *q, const struct algorithm *a)
{
    if (mpico_coll_fits(a, &q->call, q->ranks))
        return NULL;
    return a->needs & NEEDS_POWER_OF_TWO && q->ranks & (q->ranks - 1) ? "needs a power of two of ranks"
           : a->needs & NEEDS_BROADCAST                               ? "needs a network that sends to all at once"
                                                                      : "needs an operation that commutes";
}

static int told_before(const struct question *q, int row)
{
    int i = 0;
    while (i < row && q->rows[i].build != q->rows[row].build)
        i++;
    return i < row;
}

static void tell_prices(const struct question *q)
{
    const char *between = "";
    for (int i = 0; i < q->count; i++) {
        const struct algorithm *a = &q->rows[i];
        size_t steps = 0;
        if (told_before(q, i))
            continue;
        const char *why = why_not(q, a);
        uint64_t price = why ? PRICE_TOO_LARGE : price_of(q, a, &steps);
        printf("%s\n  {\"algorithm\": \"%s\", ", between, a->name);
        if (price >= PRICE_NO_MEMORY)
            printf("\"us\": null, \"why_not\": \"%s\"}", why ? why : "too large to be priced");
        else
            printf("\"us\": %.4f, \"steps\": %zu}", (double)price * us, steps);
        between = ",";
    }
}

static void tell_step(const char *between, int rank, uint32_t i, const struct price_step *s, struct price_times t)
{
    static const char *const kinds[] = {"send", "recv", "copy", "combine"};
    printf("%s\n  {\"rank\": %d, \"step\": %u, \"kind\": \"%s\", \"peer\": %d, \"bytes\": %llu, \"wait\": %u, "
           "\"after\": %d, \"begin_us\": %.4f, \"end_us\": %.4f}",
           between, rank, i, kinds[s->kind], s->peer, (unsigned long long)s->bytes, s->wait, s->after,
           (double)t.begin * us, (double)t.end * us);
}

/* What each rank does, and when in one call by itself. */
static void tell_steps(const struct question *q, const struct algorithm *a)
{
    struct price_program p[PRICED_RANKS];
    size_t steps = 0, number = 0;
    for (int rank = 0; rank < q->ranks; rank++) {
        if (mpico_coll_program(q->r, &p[rank], a, &q->call, rank, q->ranks))
            refuse("no memory for the steps", "");
        steps += p[rank].count;
    }
    void *memory = malloc(mpico_price_bytes(q->ranks, steps));
    if (!memory)
        refuse("no memory for the times of the steps", "");
    clear_wires(q);
    mpico_price(q->model, p, q->ranks, 1, q->wires, memory);
    for (int rank = 0; rank < q->ranks; rank++) {
        for (uint32_t i = 0; i < p[rank].count; i++, number++)
            tell_step(number ? "," : "", rank, i, &p[rank].step[i], mpico_price_times(memory, number));
        mpico_heap_free(&q->r->heap, p[rank].step);
    }
    free(memory);
}

static const struct algorithm *named(const struct question *q, const char *name)
{
    for (int i = 0; i < q->count; i++)
        if (strcmp(q->rows[i].name, name) == 0)
            return why_not(q, &q->rows[i]) ? NULL : &q->rows[i];
    return NULL;
}

/* The value of an option before the three words, or NULL; `first` goes behind it. */
static const char *option(char **argv, int *first, const char *name)
{
    if (!argv[*first] || strcmp(argv[*first], name) != 0 || !argv[*first + 1])
        return NULL;
    *first += 2;
    return argv[*first - 1];
}

/* What is chosen where there is no model. */
static const struct algorithm *by_table(const struct question *q, struct coll_state *state)
{
    struct pricing *pricing = state->pricing;
    state->pricing = NULL;
    const struct algorithm *a = mpico_coll_select(q->r, &q->call, 0, q->ranks, NULL);
    state->pricing = pricing;
    return a;
}

static void answer(struct question *q, struct coll_state *state, const char *name, size_t bytes, const char *algorithm)
{
    const struct algorithm *priced = mpico_coll_priced(q->r, state->pricing, &q->call, bytes, q->ranks);
    const struct algorithm *table = by_table(q, state), *chosen = priced ? priced : table;
    printf("{\"call\": \"%s\", \"ranks\": %d, \"bytes\": %zu, \"chosen\": \"%s\", \"by\": \"%s\", "
           "\"table\": \"%s\", \"candidates\": [",
           name, q->ranks, bytes, chosen->name, priced ? "price" : "table", table->name);
    tell_prices(q);
    fputs("]", stdout);
    if (algorithm) {
        const struct algorithm *a = named(q, algorithm);
        if (!a)
            refuse("no algorithm of that name fits this call: ", algorithm);
        printf(", \"algorithm\": \"%s\", \"program\": [", a->name);
        tell_steps(q, a);
        fputs("]", stdout);
    }
    puts("}");
}

/* The call of so many bytes. */
static size_t ask_of(struct question *q, enum coll what, const char *text)
{
    static const struct op sum = {.commutative = 1, .predefined = 1};
    size_t bytes = (size_t)number(text, 0, 1L << 30, "bytes are from 0 to 2^30, not ");
    if (mpico_coll_typical(&q->call, what, bytes, q->ranks, what >= COLL_REDUCE ? &sum : NULL))
        refuse("its ranks know only their own parts, so there is one algorithm and no price: ", mpico_coll_name(what));
    q->call.crowded = (uint64_t)q->ranks > q->model->processors;
    return bytes;
}

/* The longest message that goes with its header from this rank to its neighbour, and the shortest that both copy; for `mpico tune`. */
static int tell_eager(struct rank *r)
{
    if (r->world_size < 2)
        refuse("--eager is asked by two ranks", "");
    if (r->world_rank == 0)
        printf("{\"eager_bytes\": %zu, \"shared_bytes\": %d}\n", mpico_send_eager_max(r, rank_link(r, 1)),
               SHARE_MIN_BYTES);
    MPI_Finalize();
    return 0;
}

int main(int argc, char **argv)
{
    int first = 1;
    MPI_Init(&argc, &argv);
    if (argc == 2 && strcmp(argv[1], "--eager") == 0)
        return tell_eager(rank_self());
    const char *algorithm = option(argv, &first, "--steps"), *wires = option(argv, &first, "--wires"),
               *calls = option(argv, &first, "--calls");
    if (argc - first < 3)
        refuse("explain [--steps ALGORITHM] [--wires NET] [--calls N] CALL RANKS BYTES...", "");
    char **word = argv + first;
    struct question q = {.r = rank_self()};
    struct wires net = {.free = NULL};
    struct coll_state *state;
    if (mpico_coll_settings(q.r, &state) || !state->pricing)
        refuse("there is no model: start this with mpiexec --model FILE", "");
    q.model = &state->pricing->model;
    enum coll what = collective(word[0]);
    q.ranks = (int)number(word[1], 2, PRICED_RANKS, "ranks are from 2 to 128, not ");
    q.rows = mpico_coll_algorithms(what, &q.count);
    q.calls = calls ? (int)number(calls, 1, 100, "--calls is from 1 to 100, not ") : PRICED_CALLS;
    if (wires)
        read_wires(&q, &net, wires);
    for (int i = 2; word[i]; i++) {
        size_t bytes = ask_of(&q, what, word[i]);
        answer(&q, state, word[0], bytes, algorithm);
    }
    free(net.free);
    MPI_Finalize();
    return 0;
}
