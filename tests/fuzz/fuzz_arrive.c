/* fuzz_arrive.c: whatever a peer sends, mpico_arrive() refuses it or handles it; it writes nothing outside
 * the buffers of the receives and reads nothing outside those of the sends.
 *
 * The input is a program: each byte an action (a packet comes, a receive is posted, a send begins, room comes
 * and goes, ...), its operands the bytes behind it. With MPICO_LIBFUZZER 1 libFuzzer writes the programs. With 0
 * main() replays the files that it is given, then writes a fixed number of its own from a fixed seed: a test.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/fake_port.h"
#include "core/progress.h"
#include "core/protocol.h"
#include "mpi.h"

#ifndef MPICO_LIBFUZZER
#define MPICO_LIBFUZZER 0
#endif

enum { REQUESTS = 24, BUFFER = 400, GUARD = 32, GUARD_BYTE = 0xc3, RANDOM_PACKETS = 200000, PROGRAM = 2048 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *at, *end;
};
struct party {
    struct request request;
    unsigned char *buf; /* exactly as long as the request says, then the guard: ASan or we see a step too far */
    size_t bytes;
};
static struct party party[REQUESTS];
static long packets;

static uint8_t byte(struct input *in) { return in->at < in->end ? *in->at++ : 0; }

static uint64_t word(struct input *in)
{
    uint64_t w = 0;
    for (int i = 0; i < 8; i++)
        w = w << 8 | byte(in);
    return w;
}

static int idle(const struct party *p) { return p->request.magic != REQUEST_MAGIC || fake_done(&p->request); }

static void check_guard(const struct party *p)
{
    for (size_t i = 0; p->buf && i < GUARD; i++)
        if (p->buf[p->bytes + i] != GUARD_BYTE)
            abort();
}

/* A buffer for a new request, in the place of one that is over. */
static struct party *party_for(struct input *in, const struct type **type, size_t *count)
{
    struct party *p = &party[byte(in) % REQUESTS];
    if (!idle(p))
        return NULL;
    check_guard(p);
    free(p->buf);
    *type = byte(in) & 1 ? &fake_comb : &fake_bytes;
    *count = (size_t)(byte(in) * 2u % BUFFER) / (*type)->extent;
    p->bytes = *count * (*type)->extent;
    p->buf = malloc(p->bytes + GUARD);
    if (!p->buf)
        abort();
    memset(p->buf, 0x11, p->bytes);
    memset(p->buf + p->bytes, GUARD_BYTE, GUARD);
    return p;
}

/* A ticket that names one of our requests now, if any does. */
static uint64_t live_ticket(struct input *in)
{
    int first = byte(in) % REQUESTS;
    for (int i = 0; i < REQUESTS; i++) {
        const struct request *q = &party[(first + i) % REQUESTS].request;
        if (q->ticket)
            return q->ticket;
    }
    return 0;
}

static void check_waiting(const struct request *q)
{
    if ((q->flags & (REQUEST_DONE | REQUEST_QUEUED)) != REQUEST_QUEUED)
        abort();
}

/* Who stands in line for room is not done, and all are counted. */
static void check_lines(const struct rank *r)
{
    uint32_t waiting = 0;
    for (int i = 0; i < UNSENT_BUCKETS; i++)
        for (const struct list *l = r->unsent[i].next; l != &r->unsent[i]; l = l->next) {
            const struct request *first = list_entry(l, const struct request, node);
            check_waiting(first);
            waiting++;
            for (const struct list *n = first->line.next; n != &first->line; n = n->next, waiting++)
                check_waiting(list_entry(n, const struct request, node));
        }
    if (waiting != r->unsent_count)
        abort();
}

static int small_tag(struct input *in) { return byte(in) % 4; }

static void post(struct input *in)
{
    const struct type *type;
    size_t count;
    struct party *p = party_for(in, &type, &count);
    uint8_t how = byte(in);
    if (p)
        fake_recv(&p->request, 0, how & 4 ? MPI_ANY_SOURCE : how % FAKE_RANKS, how & 8 ? MPI_ANY_TAG : small_tag(in),
                  p->buf, count, type);
}

static void begin_send(struct input *in)
{
    const struct type *type;
    size_t count;
    struct party *p = party_for(in, &type, &count);
    uint8_t how = byte(in);
    if (p)
        fake_send(&p->request, 0, how % FAKE_RANKS, small_tag(in), p->buf, count, type,
                  how & 4 ? SEND_SYNC : SEND_STANDARD);
}

/* Some stream under way at rank 0: how its next piece would look. Its sender, or -1: there is none. */
static int next_piece(struct input *in, struct packet *p, size_t *rest)
{
    struct rank *r = fake_rank(0);
    const struct list *streams = byte(in) & 1 ? &r->streams : &r->streams_kept;
    int origin = -1;
    for (const struct list *l = streams->next; l != streams; l = l->next) {
        const struct request *q = list_entry(l, const struct request, node);
        const struct message *m = list_entry(l, const struct message, stream);
        int received = streams == &r->streams;
        origin = received ? q->peer_world : m->origin;
        p->cookie = received ? q->remote : m->packet.cookie;
        p->length = received ? q->moved : m->have;
        *rest = received ? q->sent_bytes - q->moved : m->len - m->have;
        if (byte(in) & 1)
            break;
    }
    return origin;
}

/* A piece of a stream: the right one, or wrong in one field. */
static void piece_comes(struct input *in)
{
    struct packet p = {.version = PACKET_VERSION, .kind = PACKET_DATA, .flags = PACKET_STREAM};
    size_t rest = 0, len = byte(in) % (FAKE_MTU + 1u);
    int origin = next_piece(in, &p, &rest);
    if (origin < 0)
        return;
    uint8_t how = byte(in);
    if (!(how & 7) && rest < len)
        len = rest;
    if (how == 8)
        p.length += byte(in);
    if (how == 16)
        p.length = word(in);
    if (how == 24)
        origin = byte(in) % FAKE_RANKS;
    if (how == 32)
        p.cookie = word(in);
    unsigned char *exact = calloc(1, len ? len : 1);
    if (!exact)
        abort();
    int e = mpico_arrive(fake_rank(0), origin, &p, exact, len);
    if (len > rest && how > 32 && e == 0)
        abort(); /* longer than the message */
    free(exact);
    packets++;
}

/* Mostly plausible: a peer that is wrong in one field gets further than noise. */
static void packet_comes(struct input *in)
{
    uint8_t how = byte(in);
    unsigned char payload[FAKE_MTU];
    size_t len = byte(in) % (FAKE_MTU + 1u);
    struct packet p = {.version = how & 1 ? PACKET_VERSION : byte(in),
                       .kind = byte(in) % (PACKET_KINDS + 1),
                       .flags = byte(in) & (PACKET_SYNC | PACKET_STREAM),
                       .context = how & 64 ? byte(in) % 4 : 0,
                       .source = byte(in) % FAKE_RANKS,
                       .tag = small_tag(in)};
    if (p.version != PACKET_VERSION && how & 2)
        p.version = PACKET_VERSION;
    for (size_t i = 0; i < len; i++)
        payload[i] = byte(in);
    switch (how >> 2 & 3) {
    case 0:
        p.length = p.kind == PACKET_DATA ? 0 : byte(in) * 2u;
        break;
    case 1:
        p.length = byte(in) * 2u;
        break;
    case 2:
        p.length = len;
        break;
    default:
        p.length = word(in);
    }
    if (p.kind == PACKET_EAGER && p.flags & PACKET_STREAM && how & 32)
        p.length = len + byte(in) * 2u;
    p.cookie = how & 16 && byte(in) < 64 ? word(in) : live_ticket(in);
    if (p.kind == PACKET_CTS && how & 32 && len >= sizeof(struct cts)) {
        struct cts cts = {.receiver = word(in), .limit = byte(in) * 2u};
        memcpy(payload, &cts, sizeof cts);
    }
    /* Exactly len bytes where ASan can see their end. */
    unsigned char *exact = malloc(len ? len : 1);
    if (!exact)
        abort();
    memcpy(exact, payload, len);
    mpico_arrive(fake_rank(0), byte(in) % FAKE_RANKS, &p, exact, len);
    free(exact);
    packets++;
}

static void cancel(struct input *in)
{
    struct party *p = &party[byte(in) % REQUESTS];
    if (!idle(p) && p->request.kind == REQUEST_RECV)
        mpico_recv_cancel(fake_rank(0), &p->request);
}

static void probed(struct input *in)
{
    const struct type *type;
    size_t count;
    struct rank *r = fake_rank(0);
    struct message *m = mpico_match_find(&r->match, comm_context(r->world), MPI_ANY_SOURCE, MPI_ANY_TAG);
    struct party *p = m ? party_for(in, &type, &count) : NULL;
    if (!p)
        return;
    mpico_match_take(&r->match, m);
    memset(&p->request, 0, sizeof p->request);
    mpico_recv_init(&p->request, p->buf, count, type, m->packet.source, m->packet.tag, r->world,
                    comm_context(r->world));
    mpico_recv_message(r, &p->request, m);
}

static void act(struct input *in)
{
    switch (byte(in) % 16) {
    case 0:
    case 1:
        post(in);
        break;
    case 2:
    case 3:
        begin_send(in);
        break;
    case 4:
        cancel(in);
        break;
    case 5:
        probed(in);
        break;
    case 6:
        fake_room(0, byte(in) % FAKE_RANKS, byte(in) % 16 - 8);
        break;
    case 7:
        for (int i = 0; i < FAKE_RANKS; i++)
            fake_lose(0, i);
        mpico_progress(fake_rank(0));
        break;
    case 8:
    case 9:
    case 10:
        piece_comes(in);
        break;
    default:
        packet_comes(in);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, data + size};
    uint8_t shape = byte(&in);
    fake_start((struct fake_wire){.lends = shape & 1,
                                  .get = shape & 2   ? FAKE_GET_INVENTS
                                         : shape & 4 ? FAKE_GET_FAILS
                                                     : FAKE_GET_ABSENT,
                                  .eager_bytes = shape & 8    ? 16
                                                 : shape & 32 ? 300
                                                              : 0,
                                  .borrows = shape >> 6 & 1,
                                  .places = shape >> 7 & 1,
                                  .arena_bytes = shape & 16 ? 24 * 1024 : 64 * 1024});
    while (in.at < in.end) {
        act(&in);
        check_lines(fake_rank(0));
    }
    for (int i = 0; i < REQUESTS; i++) {
        check_guard(&party[i]);
        free(party[i].buf);
        party[i] = (struct party){0};
    }
    return 0;
}

#if !MPICO_LIBFUZZER
#include "replay.h"

int main(int argc, char **argv) { return replay_main(argc, argv, PROGRAM, &packets, RANDOM_PACKETS, "packets"); }
#endif
