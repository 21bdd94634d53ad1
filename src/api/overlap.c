/* overlap.c: see overlap.h. Whether types with gaps share bytes is tried out on a shadow: memory as long as they reach, into which
 * marks are unpacked in the place of one's data and packed from the place of the other's. Reaches of over SHADOW_MOST are let pass.
 */
#include "overlap.h"

#include <string.h>

#include "../core/held.h"
#include "partitioned.h"

enum { PIECE = 512, MODULI = 3 };
static const uint32_t shadow_most = UINT32_C(64) << 20;

/* Where data lies, from the first byte to behind the last. */
struct reach {
    uintptr_t from, to;
};
static struct reach reach_of(const void *buf, const struct data *d)
{
    const struct type *t = d->type;
    uintptr_t first = (uintptr_t)buf + t->true_lower, last = first + (d->count - 1) * t->extent;
    if (d->count == 0 || t->size == 0)
        return (struct reach){0, 0};
    if ((ptrdiff_t)t->extent < 0)
        return (struct reach){last, first + t->true_extent};
    return (struct reach){first, last + t->true_extent};
}
static int meet(struct reach a, struct reach b) { return a.from < b.to && b.from < a.to; }

/* ---- A shadow ---- */

struct shadow {
    char *memory;
    uintptr_t from;
};
static int shadow_alloc(struct rank *r, struct reach a, struct shadow *s)
{
    size_t len = a.to - a.from;
    s->from = a.from;
    s->memory = len && len <= shadow_most ? mpico_heap_alloc(&r->heap, len) : NULL;
    if (s->memory)
        memset(s->memory, 0, len);
    return s->memory != NULL;
}
/* The address in the shadow that stands for a buffer. */
static void *in_shadow(const struct shadow *s, const void *buf)
{
    return (void *)((uintptr_t)s->memory + ((uintptr_t)buf - s->from));
}

static unsigned char mark(size_t at, size_t modulus) { return (unsigned char)(at % modulus + 1); }

/* Write a mark for each byte, which follow each other in steps of the modulus. */
static void mark_all(const struct shadow *s, const void *buf, const struct data *d, size_t modulus)
{
    unsigned char piece[PIECE];
    for (size_t at = 0, all = d->count * d->type->size, n; at < all; at += n) {
        n = all - at < PIECE ? all - at : PIECE;
        for (size_t i = 0; i < n; i++)
            piece[i] = mark(at + i, modulus);
        mpico_type_unpack(d->type, in_shadow(s, buf), at, piece, n);
    }
}

/* Is every byte's mark (modulus 0: none) what it was made? */
static int as_marked(const struct shadow *s, const void *buf, const struct data *d, size_t modulus)
{
    unsigned char piece[PIECE];
    for (size_t at = 0, all = d->count * d->type->size, n; at < all; at += n) {
        n = all - at < PIECE ? all - at : PIECE;
        mpico_type_pack(d->type, in_shadow(s, buf), at, piece, n);
        for (size_t i = 0; i < n; i++)
            if (piece[i] != (modulus ? mark(at + i, modulus) : 0))
                return 0;
    }
    return 1;
}

static int share_bytes(struct rank *r, const void *a, const struct data *da, const void *b, const struct data *db)
{
    struct reach ra = reach_of(a, da), rb = reach_of(b, db);
    struct shadow s;
    if (!meet(ra, rb))
        return 0;
    if (da->type->contiguous && db->type->contiguous)
        return 1;
    const struct reach both = {ra.from < rb.from ? ra.from : rb.from, ra.to > rb.to ? ra.to : rb.to};
    if (!shadow_alloc(r, both, &s))
        return 0;
    mark_all(&s, a, da, 1);
    int shared = !as_marked(&s, b, db, 0);
    mpico_heap_free(&r->heap, s.memory);
    return shared;
}

/* ---- Checks ---- */

int api_check_entries(struct rank *r, const struct data *d)
{
    /* Bytes that are one place, and have equal marks for each of these, are over 16 MB apart. */
    static const size_t moduli[MODULI] = {255, 253, 251};
    struct shadow s;
    int fine = 1;
    if (d->type->contiguous || !shadow_alloc(r, reach_of(NULL, d), &s))
        return 0;
    for (int i = 0; i < MODULI && fine; i++) {
        mark_all(&s, NULL, d, moduli[i]);
        fine = as_marked(&s, NULL, d, moduli[i]);
    }
    mpico_heap_free(&r->heap, s.memory);
    return fine
               ? 0
               : mpico_fault(r, MPI_ERR_TYPE,
                             "datatype: %z elements of it have bytes in common, so that it can only be sent", d->count);
}

/* The program has not completed it, so that its buffer is not the program's yet. */
static int is_busy(const struct request *q)
{
    int has_buffer = q->kind == REQUEST_SEND || q->kind == REQUEST_RECV || q->kind == REQUEST_PARTS;
    if (!(q->flags & REQUEST_POOLED)) /* what stands for another is found there */
        return 0;
    return has_buffer && q->peer != MPI_PROC_NULL && (!(q->flags & REQUEST_PERSISTENT) || q->flags & REQUEST_ACTIVE);
}

static int receives(const struct request *q)
{
    return q->kind == REQUEST_RECV || (q->kind == REQUEST_PARTS && q->mode);
}

static int shares(struct rank *r, const void *buf, const struct data *d, const struct request *q)
{
    const struct data other = {q->count, q->type};
    return share_bytes(r, buf, d, q->buf, &other);
}

/* Of a partitioned message the parts are busy that are marked ready, and those that have not come: where they are not known one by one, all. */
static int parts_share(struct rank *r, const void *buf, const struct data *d, const struct request *shell)
{
    const struct channel *ch = channel_of(shell);
    int known = ch->sends || (ch->part && !ch->staging);
    if (!known)
        return shares(r, buf, d, shell);
    for (int64_t i = 0; i < ch->plan.parts; i++) {
        const struct request *q = &ch->part[i];
        int busy = ch->sends ? q->flags & (REQUEST_ACTIVE | REQUEST_DONE) : !(q->flags & REQUEST_DONE);
        if (busy && shares(r, buf, d, q))
            return 1;
    }
    return 0;
}

static int tell(struct rank *r, const struct request *q, int writes)
{
    enum { PLACE_MAX = 80 };
    char place[PLACE_MAX] = "";
    const struct held *h = mpico_held_find(r, q);
    if (!h || !r->machine->where || r->machine->where(r, h->site, place, sizeof place) != 0)
        place[0] = '\0';
    return mpico_fault(r, MPI_ERR_BUFFER, "buf: would %s data of a %s rank %d, tag %d, that is under way (%s%s%s)",
                       writes ? "overwrite" : "send", receives(q) ? "receive from" : "send to", q->peer, q->tag,
                       h ? h->call : "a request", place[0] ? " in " : "", place);
}

int api_check_busy(struct rank *r, const void *buf, const struct data *d, int writes)
{
    for (const struct list *l = r->requests.next; l != &r->requests; l = l->next) {
        const struct request *q = list_entry(l, const struct request, all);
        if (!is_busy(q) || !(writes || receives(q)))
            continue;
        if (q->kind == REQUEST_PARTS ? parts_share(r, buf, d, q) : shares(r, buf, d, q))
            return tell(r, q, writes);
    }
    return 0;
}

int api_check_apart(struct rank *r, const void *out, const struct data *sent, const void *in,
                    const struct data *received)
{
    return share_bytes(r, out, sent, in, received)
               ? mpico_fault(r, MPI_ERR_BUFFER, "sendbuf and recvbuf: have bytes in common")
               : 0;
}
