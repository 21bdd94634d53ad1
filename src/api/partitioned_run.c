/* partitioned_run.c: a partitioned message under way: started, its parts posted and done, and its end. See partitioned.h. */
#include "../core/arrive.h"
#include "complete.h"
#include "overlap.h"
#include "partitioned.h"

static void destroy(struct rank *r, struct channel *ch)
{
    struct request *shell = ch->shell;
    mpico_heap_free(&r->heap, ch->part);
    mpico_heap_free(&r->heap, ch->staging);
    mpico_heap_free(&r->heap, ch);
    api_request_drop(r, shell);
}

/* Nobody holds it any more: it goes as soon as its first message has. */
static void let_go(struct rank *r, struct channel *ch)
{
    if (ch->first.flags & REQUEST_DONE) {
        destroy(r, ch);
        return;
    }
    ch->freed = 1;
    if (!ch->sends)
        mpico_recv_cancel(r, &ch->first);
}

void api_parts_done(struct request *shell)
{
    if (shell->flags & REQUEST_DETACHED)
        let_go(rank_self(), channel_of(shell));
}

void api_part_over(struct rank *r, struct channel *ch)
{
    if (--ch->left == 0)
        mpico_request_done(r, ch->shell);
}

void api_part_done(struct request *q)
{
    struct rank *r = rank_self();
    struct channel *ch = q->owner;
    struct request *shell = ch->shell;
    list_remove(&q->all);
    if (q->error)
        shell->error = q->error;
    if (!ch->sends && ch->staging && !q->error)
        mpico_type_unpack(shell->type, shell->buf, (size_t)(q - ch->part) * (size_t)ch->plan.bytes, q->buf,
                          q->received);
    shell->received += q->received;
    api_part_over(r, ch);
}

/* ---- Starting ---- */

static void post(struct rank *r, struct channel *ch, size_t i)
{
    struct request *shell = ch->shell, *q = &ch->part[i];
    size_t bytes = (size_t)ch->plan.bytes, at = i * bytes, size = shell->type->size;
    q->flags = 0;
    if (ch->staging)
        mpico_recv_init(q, ch->staging + at, bytes, &mpico_type_byte, shell->peer, part_tag(ch, i), shell->comm,
                        parts_context(shell->comm));
    else
        mpico_recv_init(q, (char *)shell->buf + (size ? (ptrdiff_t)(at / size) * (ptrdiff_t)shell->type->extent : 0),
                        size ? bytes / size : 0, shell->type, shell->peer, part_tag(ch, i), shell->comm,
                        parts_context(shell->comm));
    q->owner = ch;
    q->on_done = api_part_done;
    list_append(&r->requests, &q->all);
    mpico_recv_start(r, q);
}

static void fail(struct rank *r, struct channel *ch)
{
    struct request *shell = ch->shell;
    shell->error = ch->first.error ? ch->first.error : ch->part ? MPI_ERR_TRUNCATE : MPI_ERR_NO_MEM;
    shell->sent_bytes = (size_t)ch->plan.bytes * (size_t)ch->plan.parts;
    mpico_request_done(r, shell);
}

static void post_all(struct rank *r, struct channel *ch)
{
    ch->left = (size_t)ch->plan.parts;
    if (ch->bad) {
        fail(r, ch);
        return;
    }
    for (size_t i = 0, parts = ch->left; i < parts; i++)
        post(r, ch, i);
}

/* The plan has come: make what it needs. Its numbers are another program's: checked. */
static void learn(struct rank *r, struct channel *ch)
{
    size_t parts = (size_t)ch->plan.parts, bytes = (size_t)ch->plan.bytes, all = 0, size = ch->shell->type->size;
    ch->part = parts <= SIZE_MAX / sizeof *ch->part ? mpico_heap_alloc(&r->heap, parts * sizeof *ch->part) : NULL;
    ch->bad = !ch->part || !parts || __builtin_mul_overflow(parts, bytes, &all) || all > ch->partitions * ch->bytes;
    if (ch->bad)
        return;
    for (size_t i = 0; i < parts; i++)
        ch->part[i].flags = 0;
    if (!size || bytes % size == 0)
        return;
    ch->staging = mpico_heap_alloc(&r->heap, all);
    ch->bad = !ch->staging;
}

void api_plan_done(struct request *q)
{
    struct rank *r = rank_self();
    struct channel *ch = q->owner;
    list_remove(&q->all);
    if (ch->freed) {
        destroy(r, ch);
        return;
    }
    if (ch->sends)
        return;
    learn(r, ch);
    if (ch->shell->flags & REQUEST_ACTIVE)
        post_all(r, ch);
}

int api_parts_start(struct rank *r, struct request *shell)
{
    struct channel *ch = channel_of(shell);
    if (!ch->sends && shell->peer == MPI_PROC_NULL) {
        api_nobody(shell);
        return MPI_SUCCESS;
    }
    const struct data all = {shell->count, shell->type};
    int e = ch->sends ? MPI_SUCCESS : check_busy(r, shell->peer, shell->buf, &all, 1);
    if (e)
        return api_error(r, shell->comm, e);
    mpico_request_begin(shell);
    shell->source = shell->peer;
    shell->status_tag = shell->tag;
    if (ch->sends) {
        ch->left = ch->partitions;
        for (size_t i = 0; i < ch->partitions; i++)
            ch->part[i].flags = 0;
    } else if (ch->first.flags & REQUEST_DONE) {
        for (size_t i = 0; ch->part && i < (size_t)ch->plan.parts; i++)
            ch->part[i].flags = 0;
        post_all(r, ch);
    }
    return MPI_SUCCESS;
}

int api_parts_free(struct rank *r, struct request *shell)
{
    if (shell->flags & REQUEST_ACTIVE)
        shell->flags |= REQUEST_DETACHED;
    else
        let_go(r, channel_of(shell));
    return MPI_SUCCESS;
}
