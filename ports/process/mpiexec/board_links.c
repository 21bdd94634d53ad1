/* board_links.c: a socket pair a link; two, with mpiexec between them, for a link that is to be disturbed. The descriptors are inherited
 * by all nodes, which does no harm: nobody learns the numbers of others.
 */
#include "board_links.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FIRST_FD = 100 /* above what a program finds at 0..4 */ };

static int link_of(const struct options *o, int a, int b) { return (a + 1) % o->world == b ? a : b; }

int board_link_disturbed(const struct options *o, int rank)
{
    if (o->noise > 0)
        return 1;
    for (int i = 0; i < o->faults; i++) {
        const struct fault *f = &o->fault[i];
        if (f->kind == FAULT_CUT && link_of(o, f->rank, f->other) == rank)
            return 1;
        if (f->kind == FAULT_BABBLE && (f->rank == rank || f->rank == (rank + 1) % o->world))
            return 1;
    }
    return 0;
}

static int lift(int *fd)
{
    int high = fcntl(*fd, F_DUPFD, FIRST_FD);
    close(*fd);
    *fd = high;
    return high < 0 ? -1 : 0;
}

static int pair(int *one, int *other)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return -1;
    int e = lift(&ends[0]) | lift(&ends[1]);
    *one = ends[0];
    *other = ends[1];
    return e;
}

static void more_files(void)
{
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

struct board_link *board_links_open(const struct options *o)
{
    struct board_link *link = calloc((size_t)o->world, sizeof *link);
    int e = link ? 0 : -1;
    more_files();
    for (int i = 0; i < o->world && !e; i++) {
        struct board_link *l = &link[i];
        if (board_link_disturbed(o, i)) {
            e = pair(&l->left_end, &l->between[0]) | pair(&l->between[1], &l->right_end);
        } else {
            l->between[0] = l->between[1] = -1;
            e = pair(&l->left_end, &l->right_end);
        }
    }
    if (!e)
        return link;
    free(link);
    return NULL;
}
