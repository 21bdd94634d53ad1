/* watch.c: see watch.h. A deadlock is certain without any time limit: every rank that could still send sleeps
 * and waits, and no packet has moved between two looks. `sleeping` is cleared by whoever rings a rank, so a rank
 * that has mail but no CPU yet does not count as asleep. Where several threads of a rank may call MPI, each of its process's must sleep
 * in it; a thread that is elsewhere may still send, and so may one that cannot be counted: then the job lives.
 */
#include "watch.h"

#include "machine.h"

static int waits(const struct view *v) { return v->attached && v->note.state == NOTE_WAITING; }

void watch_read(struct watch *w, struct job *job)
{
    for (int i = 0; i < w->ranks; i++) {
        struct slot *slot = job_slot(job, (uint32_t)i);
        struct view *v = &w->view[i];
        v->attached = atomic_load(&slot->pid) != 0;
        v->finalized = atomic_load(&slot->finalized) == 1; /* 2: it may come back */
        v->sleeping = atomic_load(&slot->sleeping) != 0;
        note_read(&v->note, &slot->note);
        v->threads = waits(v) && v->note.threads ? machine_threads(atomic_load(&slot->pid)) : 0;
    }
}

static int out_of_the_game(const struct view *v) { return v->ended || v->finalized; }

/* All that could send sleep: the one thread that may call MPI, or as many as the process has. */
static int is_stuck(const struct view *v)
{
    return waits(v) && v->sleeping && (!v->note.threads || (int)v->note.threads == v->threads);
}

enum watch_result watch_judge(struct watch *w, uint64_t now_ns)
{
    uint64_t progress = 0;
    int waiting = 0, awake = 0;
    for (int i = 0; i < w->ranks; i++) {
        const struct view *v = &w->view[i];
        progress += v->note.progress;
        if (out_of_the_game(v))
            continue;
        waiting += waits(v);
        awake += !is_stuck(v);
    }
    int moved = progress != w->progress;
    int all_stuck = waiting > 0 && awake == 0;
    int twice = all_stuck && w->all_stuck && !moved;
    if (moved || waiting == 0 || w->changed_ns == 0)
        w->changed_ns = now_ns;
    w->progress = progress;
    w->all_stuck = all_stuck;
    if (twice)
        return WATCH_DEADLOCK;
    return w->hang_ns && now_ns - w->changed_ns >= w->hang_ns ? WATCH_HANG : WATCH_FINE;
}
