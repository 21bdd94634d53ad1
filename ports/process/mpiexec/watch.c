/* watch.c: see watch.h. A deadlock is certain without any time limit: every rank that could still send sleeps
 * and waits, and no packet has moved between two looks. `sleeping` is cleared by whoever rings a rank, so a rank
 * that has mail but no CPU yet does not count as asleep.
 */
#include "watch.h"

#include <string.h>

enum { TRIES = 8 };

/* The owner may write meanwhile: `stamp` is odd then, and different afterwards. The last try is taken as it is. */
static void copy_note(struct note *to, struct note *from)
{
    for (int i = 0; i < TRIES; i++) {
        uint32_t before = __atomic_load_n(&from->stamp, __ATOMIC_ACQUIRE);
        memcpy(to, from, sizeof *to);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (before % 2 == 0 && __atomic_load_n(&from->stamp, __ATOMIC_RELAXED) == before)
            return;
    }
}

void watch_read(struct watch *w, struct job *job)
{
    for (int i = 0; i < w->ranks; i++) {
        struct slot *slot = job_slot(job, (uint32_t)i);
        struct view *v = &w->view[i];
        v->attached = atomic_load(&slot->pid) != 0;
        v->finalized = atomic_load(&slot->finalized) == 1; /* 2: it may come back */
        v->sleeping = atomic_load(&slot->sleeping) != 0;
        copy_note(&v->note, &slot->note);
    }
}

static int out_of_the_game(const struct view *v) { return v->ended || v->finalized; }
static int waits(const struct view *v) { return v->attached && v->note.state == NOTE_WAITING; }

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
        awake += !waits(v) || !v->sleeping;
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
