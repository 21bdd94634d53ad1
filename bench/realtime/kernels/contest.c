/* contest.c: memory, and the programs that only move data. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "contest.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const size_t HUGE_PAGE = (size_t)2 << 20;

/* Large pages where the system has them, for all programs alike; touched. */
static float *array_alloc(size_t floats)
{
    size_t bytes = sizeof(float) * floats, align = bytes >= HUGE_PAGE ? HUGE_PAGE : 4096;
    bytes = (bytes + align - 1) / align * align;
    float *array = aligned_alloc(align, bytes);
#if defined(MADV_HUGEPAGE)
    if (array != NULL && align == HUGE_PAGE)
        madvise(array, bytes, MADV_HUGEPAGE);
#endif
    if (array != NULL)
        memset(array, 0, bytes);
    return array;
}

bool contest_room(struct contest *c, size_t in_floats, size_t out_floats)
{
    struct race *r = &c->race;
    size_t item = sizeof(float) * in_floats;
    r->in_floats = in_floats;
    r->out_floats = out_floats;
    r->items = c->set->portion > item ? c->set->portion / item : 1;
    r->in_step = (r->items * in_floats + 15) / 16 * 16;
    r->out_step = (r->items * out_floats + 15) / 16 * 16;
    r->portions = c->set->repeated ? 1 : c->set->bytes / (sizeof(float) * r->in_step);
    if (r->portions < 1)
        r->portions = 1;
    r->repeat = c->set->repeated ? 1 + (int)((size_t)200000 / (sizeof(float) * r->in_step)) : 1;
    r->in = array_alloc(r->in_step * r->portions);
    r->out = array_alloc(r->out_step * r->portions);
    bool in = contest_hold(c, r->in, free), out = contest_hold(c, r->out, free);
    return in && out;
}

bool contest_hold(struct contest *c, void *what, void (*release)(void *))
{
    if (what == NULL)
        return false;
    c->held[c->n_held].release = release;
    c->held[c->n_held++].what = what;
    return true;
}

struct runner *contest_add(struct contest *c, enum team team, const char *how,
                           void (*run)(const struct runner *, const float *, float *), void *plan)
{
    struct runner *r = &c->race.runners[c->race.n++];
    *r = (struct runner){.how = how, .team = team, .run = run, .plan = plan, .calls = 1, .items = c->race.items};
    return r;
}

void contest_cut(struct contest *c, struct runner *r, size_t bytes)
{
    size_t item = sizeof(float) * c->race.in_floats, items = bytes > item ? bytes / item : 1;
    if (bytes == 0 || items >= c->race.items || c->race.items % items != 0)
        return;
    r->calls = c->race.items / items;
    r->items = items;
    r->in_step = items * c->race.in_floats;
    r->out_step = items * c->race.out_floats;
}

void contest_free(struct contest *c)
{
    while (c->n_held > 0) {
        c->n_held--;
        c->held[c->n_held].release(c->held[c->n_held].what);
    }
    c->race.n = 0;
}

struct moved {
    size_t in, out;
};

static void run_copy(const struct runner *r, const float *in, float *out)
{
    const struct moved *m = r->plan;
    memcpy(out, in, sizeof(float) * (m->in < m->out ? m->in : m->out));
}

static void run_scale(const struct runner *r, const float *in, float *out)
{
    const struct moved *m = r->plan;
    (void)in;
    typedef float four __attribute__((vector_size(16), aligned(4), may_alias));
    for (size_t i = 0; i + 4 <= m->in; i += 4)
        *(four *)(out + i) *= 0.9999F;
}

/* The sum goes where the compiler cannot drop it. */
static void run_read(const struct runner *r, const float *in, float *out)
{
    const struct moved *m = r->plan;
    typedef float four __attribute__((vector_size(16), aligned(4), may_alias));
    four a = {0, 0, 0, 0}, b = a, c = a, d = a;
    for (size_t i = 0; i + 16 <= m->in; i += 16) {
        a += *(const four *)(in + i);
        b += *(const four *)(in + i + 4);
        c += *(const four *)(in + i + 8);
        d += *(const four *)(in + i + 12);
    }
    a += b + c + d;
    out[0] = a[0] + a[1] + a[2] + a[3];
}

void contest_bounds(struct contest *c, bool in_place)
{
    struct moved *m = malloc(sizeof *m);
    if (!contest_hold(c, m, free))
        return;
    *m = (struct moved){c->race.items * c->race.in_floats, c->race.items * c->race.out_floats};
    contest_add(c, TEAM_BOUND, "read", run_read, m);
    contest_add(c, TEAM_BOUND, "copied", run_copy, m);
    if (in_place)
        contest_add(c, TEAM_BOUND, "in place", run_scale, m)->in_place = true;
}
