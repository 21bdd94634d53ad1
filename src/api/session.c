/* session.c: opening and closing sessions (MPI 5.0, section 11.3). */
#include "session.h"

#include <string.h>

#include "carried.h"
#include "errhandler.h"
#include "info.h"
#include "start.h"
#include "state.h"

static MPI_Session handle_of(const struct session *s) { return (MPI_Session)(void *)(uintptr_t)s; }

int check_session(struct rank *r, MPI_Session handle, struct session **session)
{
    struct session *s = (struct session *)(void *)handle;
    if (handle == MPI_SESSION_NULL)
        return mpico_fault(r, MPI_ERR_SESSION, "session: MPI_SESSION_NULL is no session");
    if (!api_is_object(r, (uintptr_t)s) || s->magic != SESSION_MAGIC)
        return mpico_fault(r, MPI_ERR_SESSION, "session: the handle is no session (finalized, or never set)");
    *session = s;
    return MPI_SUCCESS;
}

int check_session_slots(struct rank *r, MPI_Session handle, struct slots *slots)
{
    struct session *s = NULL;
    int e = check_session(r, handle, &s);
    if (!e)
        *slots = (struct slots){.handle = (uintptr_t)s, .errhandler = &s->errhandler, .kind = ERRHANDLER_SESSION};
    return e;
}

int api_session_error(struct rank *r, const struct session *s, int e)
{
    struct slots slots = {0};
    if (!s || check_session_slots(r, handle_of(s), &slots))
        return api_error(r, NULL, e);
    return api_error_slots(r, &slots, e);
}

struct bsends *api_session_bsends(const struct session *s) { return s->bsends; }

/* ---- Opening and closing ---- */

static const char *const level_names[] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED",
                                          "MPI_THREAD_MULTIPLE"};
static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
enum { LEVELS = sizeof levels / sizeof levels[0] };

/* What the hints ask for. */
static int level_asked(struct rank *r, MPI_Info handle, int *level)
{
    struct info *info = NULL;
    *level = MPI_THREAD_SINGLE;
    int e = handle == MPI_INFO_NULL ? MPI_SUCCESS : check_info(r, handle, &info);
    const char *name = info ? api_info_value(info, "thread_level") : NULL;
    for (int i = 0; name && i < LEVELS; i++)
        if (strcmp(name, level_names[i]) == 0)
            *level = levels[i];
    return e;
}

static int open_session(struct rank *r, int level, MPI_Errhandler errhandler, struct session **session)
{
    struct session *s = mpico_heap_alloc(&r->heap, sizeof *s);
    if (!s)
        return mpico_fault(r, MPI_ERR_NO_MEM, "no memory for a session");
    *s = (struct session){.magic = SESSION_MAGIC, .errhandler = (uintptr_t)MPI_ERRORS_ARE_FATAL};
    int e = api_errhandler_set(r, ERRHANDLER_SESSION, &s->errhandler, errhandler);
    s->level = api_thread_level(r, level); /* before the library is up: other threads look at that alone */
    if (!e && ((SMALL && r->state == RANK_FINALIZED) || api_up(r, r->call, NULL, NULL)))
        e = mpico_fault(r, MPI_ERR_OTHER, "the library has left the job, and cannot come back in this place");
    if (e) {
        mpico_heap_free(&r->heap, s);
        return e;
    }
    *session = s;
    return MPI_SUCCESS;
}

/* A session that did not come about: the handler given for it is told. */
static int no_session(struct rank *r, MPI_Errhandler errhandler, int e)
{
    uintptr_t handler = (uintptr_t)MPI_ERRORS_ARE_FATAL;
    if (api_errhandler_set(r, ERRHANDLER_SESSION, &handler, errhandler))
        return api_error(r, NULL, e);
    const struct slots slots = {
        .handle = (uintptr_t)MPI_SESSION_NULL, .errhandler = &handler, .kind = ERRHANDLER_SESSION};
    e = api_error_slots(r, &slots, e);
    api_errhandler_drop(r, handler);
    return e;
}

#pragma weak MPI_Session_init = PMPI_Session_init
int PMPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
    struct rank *r = api_enter_any("MPI_Session_init");
    struct session *s = NULL;
    int e, level;
    if ((e = check_pointer(r, session, "session")) || (e = level_asked(r, info, &level)) ||
        (e = open_session(r, level, errhandler, &s)))
        return no_session(r, errhandler, e);
    api_state(r)->sessions++;
    *session = handle_of(s);
    return MPI_SUCCESS;
}

/* What comes from it and still lives, against the rules, must not look at it any more. */
static void forget(struct rank *r, const struct session *s)
{
    for (struct list *l = r->comms.next; l != &r->comms; l = l->next) {
        struct comm *c = list_entry(l, struct comm, all);
        if (c->session == s)
            c->session = NULL;
    }
}

static void close_session(struct rank *r, struct session *s)
{
    api_bsends_flush(r, s->bsends);
    mpico_heap_free(&r->heap, s->bsends);
    forget(r, s);
    api_errhandler_drop(r, s->errhandler);
    s->magic = 0;
    mpico_heap_free(&r->heap, s);
}

/* The last one's end is the library's, unless MPI_Finalize is to come. */
static int close_last(struct rank *r)
{
    struct api *api = api_state(r);
    int e = api_down(r);
    if (!SMALL && api_say_leaks)
        api_say_leaks(r);
    if (r->machine->away && api->world == WORLD_BEFORE) {
        rank_enter(r, RANK_FINALIZED);
        r->machine->away(r, 1);
    } else {
        mpico_rank_fini(r);
    }
    return e;
}

#pragma weak MPI_Session_finalize = PMPI_Session_finalize
int PMPI_Session_finalize(MPI_Session *session)
{
    struct rank *r = api_enter_any("MPI_Session_finalize");
    struct session *s = NULL;
    int e = check_pointer(r, session, "session");
    if (e || (e = check_session(r, *session, &s)))
        return api_error(r, NULL, e);
    close_session(r, s);
    *session = MPI_SESSION_NULL;
    if (--api_state(r)->sessions || api_state(r)->world == WORLD_UP)
        return MPI_SUCCESS;
    e = close_last(r);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_Session_get_info = PMPI_Session_get_info
int PMPI_Session_get_info(MPI_Session session, MPI_Info *info_used)
{
    struct rank *r = api_enter_any("MPI_Session_get_info");
    struct session *s = NULL;
    struct info *info = NULL;
    int e, level = 0;
    if ((e = check_session(r, session, &s)) || (e = check_pointer(r, info_used, "info_used")) ||
        (e = api_info_make(r, &info)))
        return api_session_error(r, s, e);
    while (levels[level] != s->level)
        level++;
    if ((e = api_info_put(r, info, "thread_level", level_names[level]))) {
        api_info_release(r, info);
        return api_session_error(r, s, e);
    }
    *info_used = api_info_handle(info);
    return MPI_SUCCESS;
}
