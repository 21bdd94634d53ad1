/* test_match.c: the four tables against a list that is searched from its head. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_port.h"
#include "mpi.h"

/* The reference: two arrays in order of arrival. */
enum { STEPS = 20000, KEEP = 4096 };
struct entry {
    uint32_t context;
    int source, tag;
    void *object;
};
struct line {
    struct entry entry[KEEP];
    int count;
};
static struct line posted, unexpected;

static int meets(const struct entry *want, const struct entry *have)
{
    return want->context == have->context && (want->source == MPI_ANY_SOURCE || want->source == have->source) &&
           (want->tag == MPI_ANY_TAG || want->tag == have->tag);
}

static void line_remove(struct line *l, int i)
{
    memmove(&l->entry[i], &l->entry[i + 1], (size_t)(l->count - i - 1) * sizeof l->entry[0]);
    l->count--;
}

static uint32_t seed;
static uint32_t random_below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)seed * n >> 32);
}

static struct packet packet_of(const struct entry *e)
{
    return (struct packet){
        .version = PACKET_VERSION, .kind = PACKET_EAGER, .context = e->context, .source = e->source, .tag = e->tag};
}

static void message_comes(struct rank *r, const struct entry *e)
{
    struct packet p = packet_of(e);
    struct request *q = mpico_match_arrival(&r->match, &p);
    for (int i = 0; i < posted.count; i++)
        if (meets(&posted.entry[i], e)) {
            assert_ptr_equal(q, posted.entry[i].object);
            free(q);
            line_remove(&posted, i);
            return;
        }
    assert_null(q);
    struct entry kept = *e;
    kept.object = mpico_match_keep(r, 0, &p, NULL, 0, 0);
    assert_non_null(kept.object);
    unexpected.entry[unexpected.count++] = kept;
}

static void receive_comes(struct rank *r, const struct entry *e)
{
    struct message *m = mpico_match_find(&r->match, e->context, e->source, e->tag);
    for (int i = 0; i < unexpected.count; i++)
        if (meets(e, &unexpected.entry[i])) {
            assert_ptr_equal(m, unexpected.entry[i].object);
            mpico_match_take(&r->match, m);
            mpico_match_drop(r, m);
            line_remove(&unexpected, i);
            return;
        }
    assert_null(m);
    struct request *q = calloc(1, sizeof *q);
    q->context = e->context;
    q->peer = e->source;
    q->tag = e->tag;
    mpico_match_post(r, q);
    posted.entry[posted.count] = *e;
    posted.entry[posted.count++].object = q;
}

static void withdraw(struct rank *r)
{
    if (posted.count == 0)
        return;
    int i = (int)random_below((uint32_t)posted.count);
    mpico_match_unpost(&r->match, posted.entry[i].object);
    free(posted.entry[i].object);
    line_remove(&posted, i);
}

/* `messages` of 16 steps are messages, the rest receives: both sides get long in turn. */
static void compare(uint32_t contexts, uint32_t sources, uint32_t tags, uint32_t wild, uint32_t messages)
{
    fake_start((struct fake_wire){.arena_bytes = (size_t)8 << 20});
    struct rank *r = fake_rank(0);
    posted.count = unexpected.count = 0;
    for (int step = 0; step < STEPS; step++) {
        struct entry e = {
            .context = random_below(contexts), .source = (int)random_below(sources), .tag = (int)random_below(tags)};
        uint32_t what = random_below(16);
        if (what < messages && unexpected.count < KEEP - 1) {
            message_comes(r, &e);
        } else if (what == 15 && random_below(4) == 0) {
            withdraw(r);
        } else if (posted.count < KEEP - 1) {
            if (random_below(16) < wild)
                e.source = MPI_ANY_SOURCE;
            if (random_below(16) < wild)
                e.tag = MPI_ANY_TAG;
            receive_comes(r, &e);
        }
        assert_int_equal(r->match.unexpected_count, unexpected.count);
    }
    while (posted.count)
        withdraw(r);
}

static void match_few_keys(void **state)
{
    (void)state;
    seed = 1;
    compare(2, 3, 3, 4, 8);
}

static void match_many_keys_grow_the_tables(void **state)
{
    (void)state;
    seed = 2;
    compare(2, 40, 1000, 1, 8);
    compare(1, 40, 1000, 0, 11);
    compare(1, 40, 1000, 0, 5);
}

static void match_mostly_wild(void **state)
{
    (void)state;
    seed = 3;
    compare(1, 5, 5, 12, 7);
}

static void match_one_key_is_first_in_first_out(void **state)
{
    (void)state;
    seed = 4;
    compare(1, 1, 1, 0, 9);
}

static void match_contexts_are_apart(void **state)
{
    (void)state;
    fake_start((struct fake_wire){0});
    struct rank *r = fake_rank(0);
    struct packet p = {.context = 4, .source = 1, .tag = 7};
    struct message *m = mpico_match_keep(r, 1, &p, "abc", 3, 3);
    assert_null(mpico_match_find(&r->match, 5, MPI_ANY_SOURCE, MPI_ANY_TAG));
    assert_ptr_equal(mpico_match_find(&r->match, 4, MPI_ANY_SOURCE, MPI_ANY_TAG), m);
    mpico_match_take(&r->match, m);
    assert_null(mpico_match_find(&r->match, 4, 1, 7));
    assert_memory_equal(m->payload, "abc", 3);
    mpico_match_drop(r, m);
}

static void match_without_memory_keeps_nothing(void **state)
{
    (void)state;
    fake_start((struct fake_wire){0});
    struct rank *r = fake_rank(0);
    struct packet p = {.context = 0, .source = 1, .tag = 7};
    uint32_t kept = 0;
    while (mpico_match_keep(r, 1, &p, NULL, 0, 0))
        kept++;
    assert_int_equal(r->match.unexpected_count, kept);
    struct message *m = mpico_match_find(&r->match, 0, 1, 7);
    mpico_match_take(&r->match, m);
    mpico_match_drop(r, m);
    assert_non_null(mpico_match_keep(r, 1, &p, NULL, 0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(match_few_keys),           cmocka_unit_test(match_many_keys_grow_the_tables),
        cmocka_unit_test(match_mostly_wild),        cmocka_unit_test(match_one_key_is_first_in_first_out),
        cmocka_unit_test(match_contexts_are_apart), cmocka_unit_test(match_without_memory_keeps_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
