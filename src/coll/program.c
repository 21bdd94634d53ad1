/* program.c: building a schedule: steps, rounds, and the memory they work on. All of it is cut from one
 * block that is kept for the next collective, unless it is long.
 */
#include <string.h>

#include "../core/rank.h"
#include "mpi.h"
#include "schedule.h"
#include "state.h"

enum {
    STEPS_FIRST = 24, /* room for the steps of a short collective on 128 ranks */
    PIECE_MIN = 2048, /* from here on a piece of its own */
    MEMORY_ALIGN = 16
};

struct piece {
    struct piece *next;
    void *memory;
};

/* ---- Memory ---- */

struct schedule *mpico_schedule_alloc(struct rank *r, struct comm *comm)
{
    char *block = mpico_coll_block_take(r);
    if (!block)
        return NULL;
    struct schedule *s = (struct schedule *)(void *)block;
    memset(s, 0, sizeof *s);
    size_t head = (sizeof *s + MEMORY_ALIGN - 1) & ~(size_t)(MEMORY_ALIGN - 1);
    s->owner = r;
    s->comm = comm;
    s->rank = comm->rank;
    s->size = comm->size;
    s->tag = -1;
    s->memory = block + head;
    s->memory_left = COLL_BLOCK - head;
    s->step = mpico_schedule_temp(s, STEPS_FIRST * sizeof *s->step);
    s->room = STEPS_FIRST;
    list_init(&s->ready);
    return s;
}

static void release_types(struct schedule *s)
{
    uint32_t steps = s->count < s->all ? s->all : s->count;
    for (uint32_t i = 0; s->own_types && i < steps; i++) {
        if (s->step[i].type)
            type_release(&s->owner->heap, s->step[i].type);
        if (s->step[i].to_type)
            type_release(&s->owner->heap, s->step[i].to_type);
    }
}

void mpico_schedule_free(struct schedule *s)
{
    struct rank *r = s->owner;
    release_types(s);
    while (s->pieces) {
        struct piece *p = s->pieces;
        s->pieces = p->next;
        mpico_heap_free(&r->heap, p->memory);
    }
    mpico_coll_block_give(r, s);
}

static void *cut(struct schedule *s, size_t bytes)
{
    char *at = s->memory;
    s->memory += bytes;
    s->memory_left -= bytes;
    return at;
}

/* A piece of the heap. Its list entry is cut from the block while that lasts, so that a large power of two
 * is not made a little larger, which a buddy heap would double. */
static void *piece(struct schedule *s, size_t bytes)
{
    int inside = s->memory_left >= sizeof(struct piece);
    void *memory = mpico_heap_alloc(&s->owner->heap, inside ? bytes : bytes + MEMORY_ALIGN);
    if (!memory) {
        s->error = MPI_ERR_NO_MEM;
        return NULL;
    }
    static_assert(sizeof(struct piece) <= MEMORY_ALIGN, "a list entry fits before the piece");
    struct piece *p = inside ? cut(s, MEMORY_ALIGN) : memory;
    *p = (struct piece){.next = s->pieces, .memory = memory};
    s->pieces = p;
    return inside ? memory : (char *)memory + MEMORY_ALIGN;
}

void *mpico_schedule_temp(struct schedule *s, size_t bytes)
{
    if (s->error)
        return NULL;
    if (bytes > SIZE_MAX / 2) {
        s->error = MPI_ERR_NO_MEM;
        return NULL;
    }
    bytes = (bytes + MEMORY_ALIGN - 1) & ~(size_t)(MEMORY_ALIGN - 1);
    if ((bytes < PIECE_MIN || s->room == 0) && bytes <= s->memory_left)
        return cut(s, bytes);
    return piece(s, bytes);
}

/* A negative extent lays the elements out downwards. Element 0 is aligned, wherever its first byte is. */
void *mpico_schedule_array(struct schedule *s, const struct type *t, size_t count)
{
    if (count == 0 || t->true_extent == 0)
        return mpico_schedule_buffer(s, 1);
    ptrdiff_t last = (ptrdiff_t)(count - 1) * (ptrdiff_t)t->extent;
    ptrdiff_t low = (ptrdiff_t)t->true_lower + (last < 0 ? last : 0);
    size_t pad = (size_t)low & (MEMORY_ALIGN - 1);
    char *at = mpico_schedule_buffer(s, pad + t->true_extent + (size_t)(last < 0 ? -last : last));
    return at ? at + pad - low : NULL;
}

/* ---- Building ---- */

static int more(struct schedule *s)
{
    struct step *wider = mpico_schedule_temp(s, 2 * s->room * sizeof *wider);
    if (!wider)
        return -1;
    memcpy(wider, s->step, s->count * sizeof *wider);
    s->step = wider;
    s->room *= 2;
    return 0;
}

static void keep_type(struct schedule *s, const struct type *t)
{
    if (!t || t->predefined)
        return;
    type_keep(t);
    s->own_types = 1;
}

static int add(struct schedule *s, struct step step)
{
    if (s->error || (s->count == s->room && more(s)))
        return -1;
    step.wait = s->round;
    step.after = -1;
    keep_type(s, step.type);
    keep_type(s, step.to_type);
    s->step[s->count] = step;
    return (int)s->count++;
}

static int add_message(struct schedule *s, struct step step)
{
    step.local = s->local;
    if (s->peer && step.peer >= 0) {
        int peer = s->peer[step.peer];
        step.local = peer < 0;
        step.peer = peer < 0 ? ~peer : peer;
    }
    if (++s->messages > s->widest)
        s->widest = s->messages;
    return add(s, step);
}

int mpico_schedule_send(struct schedule *s, const void *buf, size_t count, const struct type *t, int peer)
{
    return add_message(s, (struct step){.kind = STEP_SEND, .peer = peer, .from = buf, .count = count, .type = t});
}

int mpico_schedule_recv(struct schedule *s, void *buf, size_t count, const struct type *t, int peer)
{
    return add_message(s, (struct step){.kind = STEP_RECV, .peer = peer, .to = buf, .count = count, .type = t});
}

int mpico_schedule_spread(struct schedule *s, const void *buf, size_t count, const struct type *t)
{
    return mpico_schedule_send(s, buf, count, t, -1);
}

static int add_copy(struct schedule *s, enum step_kind kind, const void *from, size_t count, const struct type *t,
                    void *to, size_t to_count, const struct type *to_type)
{
    if (count * t->size == 0 || (from == to && t == to_type))
        return -1;
    return add(s, (struct step){.kind = (uint8_t)kind,
                                .peer = -1,
                                .from = from,
                                .count = count,
                                .type = t,
                                .to = to,
                                .to_count = to_count,
                                .to_type = to_type});
}

int mpico_schedule_copy(struct schedule *s, const void *from, size_t count, const struct type *t, void *to,
                        size_t to_count, const struct type *to_type)
{
    return add_copy(s, STEP_COPY, from, count, t, to, to_count, to_type);
}

int mpico_schedule_copy_aside(struct schedule *s, const void *from, size_t count, const struct type *t, void *to,
                              size_t to_count, const struct type *to_type)
{
    return add_copy(s, STEP_COPY_ASIDE, from, count, t, to, to_count, to_type);
}

int mpico_schedule_reduce(struct schedule *s, const void *left, void *right, size_t count, const struct type *t)
{
    if (count == 0)
        return -1;
    return add(s, (struct step){.kind = STEP_REDUCE, .peer = -1, .from = left, .to = right, .count = count, .type = t});
}

int mpico_schedule_check(struct schedule *s, int (*check)(struct schedule *), void *checked)
{
    s->check = check;
    s->checked = checked;
    return add(s, (struct step){.kind = STEP_CHECK, .peer = -1});
}

void mpico_schedule_round(struct schedule *s)
{
    s->round = s->count;
    s->messages = 0;
}

void mpico_schedule_after(struct schedule *s, int step, int after)
{
    if (step >= 0)
        s->step[step].after = after;
}
