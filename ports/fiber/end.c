/* end.c: how a job of fibers ends, in the words in which mpiexec speaks of a job of processes.
 * A rank that fails ends the job at once, unless it has called MPI_Finalize: then its status counts in the end.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../report/report.h"
#include "../report/verdict.h"
#include "core/rank.h"
#include "own.h"

enum { TEXT_ROOM = 1024 };

static _Atomic int late_status, ending;

int end_late_status(void) { return atomic_load(&late_status); }

/* The first thread that ends the process does so; another one has nothing left to say. */
static void only_once(void)
{
    static _Thread_local int mine;
    if (!mine && atomic_exchange(&ending, 1))
        for (;;)
            pause();
    mine = 1;
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    char text[TEXT_ROOM];
    va_list list;
    va_start(list, format);
    int len = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    output_say(text, len < (int)sizeof text ? (size_t)len : sizeof text - 1);
}

static void say_rank(const struct fiber *f, const char *what)
{
    if (!fiber_job->options.quiet)
        say("mpiexec: rank %d (pid %d, %s) %s\n", f->rank, (int)getpid(), f->own->program, what);
}

void fiber_end_job(struct fiber *f, int code, const char *why)
{
    char text[TEXT_ROOM];
    code = code & 0xff ? code & 0xff : 1;
    fiber_step_out();
    only_once();
    fiber_flush();
    if (why && !f)
        say("mpico: %s\n", why);
    else if (why) {
        int len = snprintf(text, sizeof text, "mpico: rank %d: %s\n", f->rank, why);
        output_put(f, 2, text, len < (int)sizeof text ? (size_t)len : sizeof text - 1);
        output_flush(f, 2);
    }
    if (f) {
        snprintf(text, sizeof text, "aborted the job: exit code %d", code);
        say_rank(f, text);
    }
    _exit(code);
}

/* ---- One rank ---- */

void end_judge(struct fiber *f)
{
    char why[TEXT_ROOM];
    struct slot seen = {.pid = f->initialized ? (int32_t)getpid() : 0, .finalized = f->finalized};
    struct verdict v = verdict_of(&seen, W_EXITCODE(f->exit_code, 0), why, sizeof why);
    if (v.status == 0 || (v.late && atomic_load(&late_status)))
        return;
    fiber_step_out();
    if (!v.late) {
        only_once();
        fiber_flush();
    }
    say_rank(f, why);
    if (!v.late)
        _exit(v.status);
    atomic_store(&late_status, v.status);
    fiber_step_in(f);
}

/* ---- All ranks ---- */

static int is_running(const struct fiber *f)
{
    for (const struct fiber_thread *t = fiber_threads(); t; t = t->next)
        if (__atomic_load_n(&t->fiber, __ATOMIC_RELAXED) == f)
            return 1;
    return 0;
}

/* A fiber stops only inside a call; when it has not come to note what it waits for, the call's name is known. */
static struct view view_of(const struct fiber *f)
{
    struct view v = {.attached = f->initialized, .finalized = f->finalized, .ended = f->ended};
    const struct rank *r = f->state;
    if (!v.attached) /* before that the rank has no note */
        return v;
    note_read(&v.note, r->note);
    if (v.finalized || is_running(f) || v.note.state != NOTE_RUNNING)
        return v;
    v.note.state = NOTE_WAITING;
    v.note.waits = v.note.waits_all = v.note.held = v.note.held_all = v.note.threads = 0;
    v.note.calls = 1;
    const char *call = __atomic_load_n(&r->call, __ATOMIC_RELAXED);
    strncpy(v.note.call[0], call ? call : "", sizeof v.note.call[0] - 1);
    return v;
}

void fiber_report(struct fiber_job *job, const char *headline)
{
    char *text = NULL;
    size_t len = 0;
    struct view *view = calloc((size_t)job->ranks, sizeof *view);
    struct fiber *f = fiber_step_out();
    FILE *out = open_memstream(&text, &len);
    if (view && out) {
        for (int i = 0; i < job->ranks; i++)
            view[i] = view_of(&job->fiber[i]);
        fprintf(out, "mpiexec: %s\n", headline);
        report_write(out, view, job->ranks);
    }
    if (out)
        fclose(out);
    output_say(text ? text : headline, text ? len : strlen(headline));
    free(text);
    free(view);
    fiber_step_in(f);
}
