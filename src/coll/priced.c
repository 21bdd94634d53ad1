/* priced.c: see priced.h. An algorithm builds the program of each rank without any memory behind its buffers; what it would do is priced.
 */
#include "priced.h"

#include <string.h>

#include "../core/rank.h"
#include "mpi.h"
#include "op.h"
#include "select.h"
#include "state.h"

/* Addresses where nothing is: they are computed with, and never used. */
static const uintptr_t send_at = UINTPTR_MAX / 8, recv_at = UINTPTR_MAX / 4, temp_at = UINTPTR_MAX / 2;

int mpico_coll_typical(struct coll_call *call, enum coll what, size_t bytes, int size, const struct op *op)
{
    size_t each = bytes;
    switch (what) {
    case COLL_GATHERV:
    case COLL_SCATTERV:
    case COLL_ALLTOALLV:
    case COLL_ALLTOALLW:
    case COLLS:
        return -1;
    case COLL_ALLGATHER:
    case COLL_ALLGATHERV:
    case COLL_REDUCE_SCATTER:
    case COLL_REDUCE_SCATTER_BLOCK:
        each = (bytes + (size_t)size - 1) / (size_t)size;
        break;
    default:
        break;
    }
    const struct side side = {.count = each, .type = &mpico_type_byte};
    *call = (struct coll_call){.what = what, .op = op, .send = side, .recv = side};
    call->send.buf = (void *)send_at;
    call->recv.buf = (void *)recv_at;
    return 0;
}

static struct price_step price_step(const struct step *s)
{
    static const uint8_t kinds[] = {
        [STEP_SEND] = PRICE_SEND,       [STEP_RECV] = PRICE_RECV,      [STEP_COPY] = PRICE_COPY,
        [STEP_COPY_ASIDE] = PRICE_COPY, [STEP_REDUCE] = PRICE_COMBINE, [STEP_CHECK] = PRICE_COPY};
    return (struct price_step){kinds[s->kind], s->peer, s->wait, s->after, s->type ? s->count * s->type->size : 0};
}

int mpico_coll_program(struct rank *r, struct price_program *p, const struct algorithm *a, const struct coll_call *call,
                       int rank, int size)
{
    struct comm comm = {.rank = rank, .size = size};
    struct schedule *s = mpico_schedule_alloc(r, &comm);
    if (!s)
        return -1;
    s->nowhere = temp_at;
    a->build(s, call);
    p->count = s->count;
    p->step = s->error ? NULL : mpico_heap_alloc(&r->heap, (s->count + 1) * sizeof *p->step);
    for (uint32_t i = 0; p->step && i < p->count; i++)
        p->step[i] = price_step(&s->step[i]);
    mpico_schedule_free(s);
    return p->step ? 0 : -1;
}

/* Each rank prices for itself, and those that share a processor one after the other: the fewer steps then. */
static size_t steps_most(const struct model *m, int size)
{
    uint64_t ranks = (uint64_t)size;
    return m->processors && m->processors < ranks ? PRICED_STEPS / (size_t)(ranks / m->processors) : PRICED_STEPS;
}

/* All ranks' programs, as far as they are not too many steps: how many ranks' there are. */
static int build_all(struct rank *r, struct price_program *p, const struct algorithm *a, const struct coll_call *call,
                     int size, size_t most, size_t *steps)
{
    int built = 0;
    for (*steps = 0; built < size && *steps <= most; built++) {
        if (mpico_coll_program(r, &p[built], a, call, built, size))
            break;
        *steps += p[built].count;
    }
    return built;
}

uint64_t mpico_coll_price(struct rank *r, const struct model *m, struct wires *wires, const struct algorithm *a,
                          const struct coll_call *call, int size, int calls, size_t *steps)
{
    struct price_program *p = mpico_heap_alloc(&r->heap, (size_t)size * sizeof *p);
    size_t most = steps_most(m, size);
    int built = p ? build_all(r, p, a, call, size, most, steps) : 0;
    uint64_t time = p && *steps > most ? PRICE_TOO_LARGE : PRICE_NO_MEMORY;
    void *memory = p && built == size && *steps <= most
                       ? mpico_heap_alloc(&r->heap, mpico_price_bytes(size, *steps * (size_t)calls))
                       : NULL;
    if (memory)
        time = mpico_price(m, p, size, calls, wires, memory);
    mpico_heap_free(&r->heap, memory);
    while (built)
        mpico_heap_free(&r->heap, p[--built].step);
    mpico_heap_free(&r->heap, p);
    return time;
}

/* ---- The choice ---- */

int mpico_coll_read_model(struct rank *r, struct pricing **pricing)
{
    const char *text = r->machine && r->machine->model ? r->machine->model() : NULL;
    if (!text || !*text)
        return 0;
    struct pricing *p = mpico_heap_alloc(&r->heap, sizeof *p);
    if (!p)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for the model of the machine");
    memset(p, 0, sizeof *p);
    if (mpico_model_read(&p->model, text)) {
        mpico_heap_free(&r->heap, p);
        return mpico_fault(
            r, MPI_ERR_ARG,
            "the model of this machine is none: name its file by MPICO_MODEL or mpiexec --model, which hands it "
            "on in MPICO_LOGGP");
    }
    *pricing = p;
    return 0;
}

/* Lengths are priced at two points an octave, those below at the one below. */
static size_t rounded(size_t bytes)
{
    if (bytes < 4)
        return bytes;
    int octave = 63 - __builtin_clzll(bytes);
    return (bytes >> (octave - 1)) << (octave - 1);
}

/* On a rank that alone chose otherwise the others would wait for ever. */
static void out_of_memory(struct schedule *s, const struct coll_call *call)
{
    (void)call;
    s->error = MPI_ERR_NO_MEM;
}
static const struct algorithm no_memory = {"", out_of_memory, 0, 0, 0, 0};

static const struct algorithm *cheapest(struct rank *r, const struct model *m, enum coll what, size_t bytes, int size,
                                        const struct op *op)
{
    struct coll_call call;
    const struct algorithm *best = NULL;
    uint64_t least = PRICE_TOO_LARGE;
    size_t steps;
    int rows;
    const struct algorithm *a = mpico_coll_algorithms(what, &rows);
    if (size > PRICED_RANKS || mpico_coll_typical(&call, what, bytes, size, op))
        return NULL;
    for (int i = 0; i < rows; i++) {
        if (!mpico_coll_fits(&a[i], &call, size))
            continue;
        uint64_t time = mpico_coll_price(r, m, NULL, &a[i], &call, size, PRICED_CALLS, &steps);
        if (time == PRICE_NO_MEMORY)
            return &no_memory;
        if (time == PRICE_TOO_LARGE)
            return NULL; /* it might be the cheapest */
        if (time < least) {
            least = time;
            best = &a[i];
        }
    }
    return best;
}

const struct algorithm *mpico_coll_priced(struct rank *r, struct pricing *p, const struct coll_call *call, size_t bytes,
                                          int size)
{
    bytes = rounded(bytes);
    uint64_t commutes = !call->op || call->op->commutative;
    uint64_t key = ((uint64_t)bytes << 16 ^ (uint64_t)size << 6 ^ (uint64_t)call->what << 1 ^ commutes) + 1;
    struct choice *c = &p->choice[key * UINT64_C(0x9e3779b97f4a7c15) >> 58];
    if (c->key != key) {
        c->algorithm = cheapest(r, &p->model, call->what, bytes, size, call->op);
        c->key = c->algorithm == &no_memory ? 0 : key;
    }
    return c->algorithm;
}
