/* report.c: see report.h. The graph of who waits for whom has an edge from a waiting rank to each peer that it
 * names; a cycle is looked for along the first edge of each.
 */
#include "report.h"

#include <string.h>

enum { ANY = -1, LINE = 800, CYCLES = 4, NEAR_MISSES = 16 };
/* The ABI's MPI_ANY_TAG; the launcher reads it without mpi.h. */
enum { ANY_TAG = -2 };

static int waits(const struct view *v) { return !v->ended && v->attached && v->note.state == NOTE_WAITING; }

static int shown_waits(const struct note *n) { return n->waits < NOTE_WAITS ? (int)n->waits : NOTE_WAITS; }
static int shown_held(const struct note *n) { return n->held < NOTE_HELD ? (int)n->held : NOTE_HELD; }

/* Another process writes it: it may lack its end. */
static void say_call(FILE *out, const char call[32]) { fprintf(out, "%.32s", call[0] ? call : "an MPI call"); }

/* ---- One rank ---- */

static void say_peer(FILE *out, const struct note_wait *w)
{
    static const char *const how[] = {[NOTE_FOR_RECV] = "from",
                                      [NOTE_FOR_SEND] = "to",
                                      [NOTE_FOR_COLL] = "waits for",
                                      [NOTE_FOR_PROBE] = "for a message from",
                                      [NOTE_FOR_ROOM] = "waits for room at"};
    const char *word = w->what <= NOTE_FOR_ROOM && how[w->what] ? how[w->what] : "with";
    if (w->peer == ANY)
        fprintf(out, " %s any rank", word);
    else
        fprintf(out, " %s rank %d", word, w->peer);
}

static void say_wait(FILE *out, const struct note_wait *w)
{
    if (w->what == NOTE_FOR_PROGRAM) {
        fprintf(out, " for MPI_Grequest_complete");
        return;
    }
    say_peer(out, w);
    if (w->what == NOTE_FOR_COLL)
        return; /* tag and bytes are the algorithm's, not the program's */
    if (w->tag == ANY_TAG)
        fprintf(out, ", any tag");
    else
        fprintf(out, ", tag %d", w->tag);
    fprintf(out, " (communicator context %u), %llu bytes", w->context, (unsigned long long)w->bytes);
}

static void say_call_waiting(FILE *out, const struct note *n, unsigned call)
{
    int shown = shown_waits(n);
    const char *between = "";
    say_call(out, n->call[call]);
    for (int i = 0; i < shown; i++) {
        if (n->wait[i].call != call)
            continue;
        fputs(between, out);
        say_wait(out, &n->wait[i]);
        between = ";";
    }
}

/* Those that are not shown, and those that do not wait. */
static void say_other_threads(FILE *out, const struct view *v, unsigned shown)
{
    unsigned waiting = v->note.threads, all = v->threads > 0 ? (unsigned)v->threads : 0, more = waiting - shown;
    if (waiting > shown)
        fprintf(out, "; %u more thread%s", more, more == 1 ? " waits" : "s wait");
    if (waiting && all > waiting)
        fprintf(out, "; %u of %u threads do%s not wait in MPI", all - waiting, all, all - waiting == 1 ? "es" : "");
}

static void say_waiting(FILE *out, const struct view *v)
{
    const struct note *n = &v->note;
    unsigned calls = n->calls < NOTE_CALLS ? n->calls : NOTE_CALLS;
    for (unsigned i = 0; i < calls; i++) {
        fputs(i ? "; another thread: " : "", out);
        say_call_waiting(out, n, i);
    }
    int shown = shown_waits(n);
    if (n->waits_all > (uint32_t)shown && shown > 0)
        fprintf(out, "; and %u more", n->waits_all - (uint32_t)shown);
    say_other_threads(out, v, calls);
}

static void say_rank(FILE *out, const struct view *v)
{
    if (v->ended)
        fprintf(out, v->finalized ? "finished" : "has ended");
    else if (v->finalized || v->note.state == NOTE_FINALIZED)
        fprintf(out, "has called MPI_Finalize");
    else if (!v->attached)
        fprintf(out, "running (has not called MPI_Init)");
    else if (v->note.state == NOTE_WAITING)
        say_waiting(out, v);
    else
        fprintf(out, "running (not in an MPI call)");
}

static void text_of(const struct view *v, char text[LINE])
{
    text[0] = 0;
    FILE *f = fmemopen(text, LINE, "w");
    if (!f)
        return;
    say_rank(f, v);
    fclose(f);
    text[LINE - 1] = 0;
}

/* ---- All ranks ---- */

/* "0", "0-3", "0-3,7": the ranks from `first` on whose text is `text`. */
static void say_group(FILE *out, const struct view *v, int ranks, int first, const char *text)
{
    char other[LINE];
    int from = first, last = first;
    const char *comma = "";
    for (int i = first + 1; i <= ranks; i++) {
        if (i < ranks) {
            text_of(&v[i], other);
            if (strcmp(other, text))
                continue;
        }
        if (i < ranks && i == last + 1) {
            last = i;
            continue;
        }
        fprintf(out, from == last ? "%s%d" : "%s%d-%d", comma, from, last);
        comma = ",";
        from = last = i;
    }
}

/* Has an earlier rank said the same, and counted this one in? */
static int said_before(const struct view *v, int rank, const char *text)
{
    char other[LINE];
    for (int i = 0; i < rank; i++) {
        text_of(&v[i], other);
        if (strcmp(other, text) == 0)
            return 1;
    }
    return 0;
}

static void say_ranks(FILE *out, const struct view *v, int ranks)
{
    char text[LINE];
    for (int i = 0; i < ranks; i++) {
        text_of(&v[i], text);
        if (ranks < REPORT_GROUPED) {
            fprintf(out, "rank %d: %s\n", i, text);
        } else if (!said_before(v, i, text)) {
            fprintf(out, "rank ");
            say_group(out, v, ranks, i, text);
            fprintf(out, ": %s\n", text);
        }
    }
}

/* ---- Why ---- */

/* Whom the rank waits for, or -1: nobody, or anybody. */
static int next_of(const struct view *v, int ranks, int rank)
{
    if (!waits(&v[rank]))
        return -1;
    for (int i = 0; i < shown_waits(&v[rank].note); i++) {
        int peer = v[rank].note.wait[i].peer;
        if (peer >= 0 && peer < ranks)
            return peer;
    }
    return -1;
}

/* Does the chain from `start` come back to it, through higher ranks alone? Then this is the cycle's first rank. */
static int begins_cycle(const struct view *v, int ranks, int start)
{
    int at = next_of(v, ranks, start);
    for (int steps = 0; at > start && steps < ranks; steps++)
        at = next_of(v, ranks, at);
    return at == start;
}

static void say_cycles(FILE *out, const struct view *v, int ranks)
{
    int found = 0;
    for (int i = 0; i < ranks && found < CYCLES; i++) {
        if (!begins_cycle(v, ranks, i))
            continue;
        found++;
        fprintf(out, "cycle: %d", i);
        int at = i;
        do
            fprintf(out, " -> %d", at = next_of(v, ranks, at));
        while (at != i);
        fprintf(out, "\n");
    }
}

static int is_near_miss(const struct note_wait *w, const struct note_wait *kept)
{
    if (w->what != NOTE_FOR_RECV && w->what != NOTE_FOR_PROBE)
        return 0;
    if (w->peer != ANY && w->peer != kept->peer)
        return 0;
    if (kept->context & 1) /* a message of a collective (src/core/comm.h): not the program's to miss */
        return 0;
    return w->context != kept->context || (w->tag != ANY_TAG && w->tag != kept->tag);
}

static void say_near_miss(FILE *out, int rank, const struct note_wait *w, const struct note_wait *kept)
{
    fprintf(out, "near miss: rank %d holds tag %d from rank %d", rank, kept->tag, kept->peer);
    if (w->context != kept->context)
        fprintf(out, " in communicator context %u, it asks in context %u", kept->context, w->context);
    else
        fprintf(out, ", it asks for tag %d", w->tag);
    fprintf(out, "\n");
}

static void say_near_misses(FILE *out, const struct view *v, int ranks)
{
    int left = NEAR_MISSES;
    for (int r = 0; r < ranks; r++) {
        const struct note *n = &v[r].note;
        if (!waits(&v[r]))
            continue;
        for (int i = 0; i < shown_waits(n); i++)
            for (int k = 0; k < shown_held(n); k++)
                if (is_near_miss(&n->wait[i], &n->kept[k]) && left-- > 0)
                    say_near_miss(out, r, &n->wait[i], &n->kept[k]);
    }
}

static void say_waits_for_the_gone(FILE *out, const struct view *v, int ranks)
{
    int left = NEAR_MISSES;
    for (int r = 0; r < ranks; r++) {
        int peer = next_of(v, ranks, r);
        if (peer >= 0 && (v[peer].ended || v[peer].finalized) && left-- > 0)
            fprintf(out, "rank %d waits for rank %d, which has left MPI\n", r, peer);
    }
}

void report_write(FILE *out, const struct view *v, int ranks)
{
    say_ranks(out, v, ranks);
    say_cycles(out, v, ranks);
    say_near_misses(out, v, ranks);
    say_waits_for_the_gone(out, v, ranks);
}
