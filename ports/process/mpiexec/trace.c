/* trace.c: see trace.h. The file is written under another name and renamed when it is whole, so that nobody ever reads half
 * a trace under the name asked for. The memory is sparse: what no rank has written costs nothing.
 */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine.h"
#include "runner.h"

enum { LIMIT_DEFAULT_MB = 1024, LINKS_SHARE = 8 /* an eighth of the room is for the links */ };
static const char preload[] = "LD_PRELOAD";

/* ---- Memory ---- */

static uint64_t in_pages(uint64_t bytes) { return (bytes + TRACE_PAGE - 1) / TRACE_PAGE * TRACE_PAGE; }

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* All tables of peers that a rank can come to have, one behind the other: each is twice the one before. */
static uint64_t peers_bytes(uint32_t ranks)
{
    uint64_t entries = TRACE_PEERS_MIN;
    while (entries < 2 * (uint64_t)ranks + 2)
        entries *= 2;
    return 2 * entries * sizeof(struct trace_peer);
}

void trace_layout(struct trace_file *f, uint32_t ranks, uint64_t limit_bytes)
{
    uint64_t record = sizeof(struct trace_record), of_links = limit_bytes / LINKS_SHARE;
    f->magic = TRACE_MAGIC;
    f->version = TRACE_VERSION;
    f->ranks = ranks;
    f->links = TRACE_LINKS_MIN + ranks * TRACE_LINKS_A_RANK;
    f->records = least(TRACE_REGION_BYTES, (limit_bytes - of_links) / ranks) / record;
    f->link_records = of_links / record;
    f->peers_bytes = peers_bytes(ranks);
    f->peers_at = in_pages(sizeof(struct trace_region) + f->records * record);
    f->region_at = in_pages(sizeof *f);
    f->region_bytes = in_pages(f->peers_at + f->peers_bytes);
    f->links_at = f->region_at + ranks * f->region_bytes;
    f->link_names_at = f->links_at + in_pages(sizeof(struct trace_region) + f->link_records * record);
    f->bytes = in_pages(f->link_names_at + (uint64_t)f->links * TRACE_NAME_BYTES);
}

/* Its descriptor, which programs inherit; negative with the reason in `why`. */
static int make_memory(struct tracer *t, int ranks, char *why, unsigned room)
{
    struct trace_file plan = {.start_ns = machine_now_ns()};
    trace_layout(&plan, (uint32_t)ranks, t->limit_bytes);
    int fd = memfd_create("mpico-trace", 0);
    void *all = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, (off_t)plan.bytes) == 0)
        all = mmap(NULL, plan.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (all == MAP_FAILED) {
        snprintf(why, room, "no memory for the trace of %d ranks: %s", ranks, strerror(errno));
        return -1;
    }
    t->file = all;
    *t->file = plan;
    return fd;
}

/* ---- The environment of the ranks ---- */

/* Where the options have a variable already, or where the next one goes. */
static const char **place(struct options *o, const char *name)
{
    size_t len = strlen(name);
    for (int i = 0; i < o->envs; i++)
        if (strncmp(o->env[i], name, len) == 0 && o->env[i][len] == '=')
            return &o->env[i];
    return &o->env[o->envs++];
}

/* The library that can be traced comes before the one that the program asks for; what was to be loaded first still is
 * loaded. */
static int add_preload(struct options *o, char *why, unsigned room)
{
    char library[PATH_MAX], *word;
    runner_beside("lib/mpico/traced/libmpi_abi.so.1", library);
    if (access(library, R_OK)) {
        snprintf(why, room, "--trace: this build has no library for it");
        return -1;
    }
    const char *old = getenv(preload);
    const char **at = place(o, preload);
    if (*at)
        old = *at + sizeof preload;
    if (asprintf(&word, "%s=%s%s%s", preload, library, old && *old ? ":" : "", old ? old : "") < 0)
        return -1;
    *at = word;
    return 0;
}

static int add_environment(struct options *o, int fd, char *why, unsigned room)
{
    char *word;
    if (asprintf(&word, TRACE_VARIABLE "=%d", fd) < 0)
        return -1;
    *place(o, TRACE_VARIABLE) = word;
    return o->one_child ? 0 : add_preload(o, why, room); /* the runners' libraries can be traced as they are */
}

/* ---- The file ---- */

/* A file that was not there, and whose name (the X of it are replaced) nobody can have foreseen and linked to another place; with the
 * permissions of any new file. */
static FILE *open_new(char *name)
{
    int fd = mkostemp(name, O_CLOEXEC);
    mode_t mask = umask(0);
    umask(mask);
    if (fd < 0)
        return NULL;
    FILE *out = fchmod(fd, 0666 & ~mask) == 0 ? fdopen(fd, "we") : NULL;
    if (out)
        return out;
    close(fd);
    unlink(name);
    return NULL;
}

static int open_file(struct tracer *t)
{
    struct stat st;
    int there = stat(t->path, &st) == 0;
    if (there && S_ISDIR(st.st_mode))
        errno = EISDIR;
    else if (there && !S_ISREG(st.st_mode))
        t->out = fopen(t->path, "we");
    else if (there && access(t->path, W_OK))
        return -1;
    else if (snprintf(t->temp, sizeof t->temp, "%s.XXXXXX", t->path) >= (int)sizeof t->temp)
        errno = ENAMETOOLONG;
    else
        t->out = open_new(t->temp);
    return t->out ? 0 : -1;
}

int tracer_open(struct tracer *t, struct options *o, char *why, unsigned room)
{
    *t = (struct tracer){.path = o->trace};
    if (!o->trace)
        return 0;
    t->limit_bytes = (uint64_t)(o->trace_limit_mb ? o->trace_limit_mb : LIMIT_DEFAULT_MB) << 20;
    if (open_file(t)) {
        snprintf(why, room, "cannot write the trace '%s': %s", t->path, strerror(errno));
        t->temp[0] = 0;
        return 1;
    }
    int fd = make_memory(t, o->world, why, room);
    if (fd >= 0 && add_environment(o, fd, why, room) == 0)
        return 0;
    tracer_drop(t);
    return 1;
}

void tracer_drop(struct tracer *t)
{
    if (t->out)
        fclose(t->out);
    if (t->out && t->temp[0])
        unlink(t->temp);
    t->out = NULL;
    t->file = NULL;
}

int tracer_close(struct tracer *t, uint64_t now_ns, char *why, unsigned room)
{
    if (!t->file)
        return 0;
    trace_write(t->out, t->file, now_ns);
    int bad = ferror(t->out);
    bad |= fclose(t->out);
    t->out = NULL;
    if (!bad && (!t->temp[0] || rename(t->temp, t->path) == 0))
        return 0;
    snprintf(why, room, "cannot write the trace '%s': %s", t->path, strerror(errno));
    if (t->temp[0])
        unlink(t->temp);
    return -1;
}

int tracer_has(const struct tracer *t, int rank)
{
    return t->file && trace_region_of(t->file, (uint32_t)rank)->claimed;
}

uint64_t tracer_dropped(const struct tracer *t)
{
    uint64_t dropped = t->file ? trace_links_of(t->file)->dropped : 0;
    for (uint32_t i = 0; t->file && i < t->file->ranks; i++)
        dropped += tracer_has(t, (int)i) ? trace_region_of(t->file, i)->dropped : 0;
    return dropped;
}
