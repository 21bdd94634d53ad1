/* session.h: a session (MPI 5.0, section 11.3): a handle that holds the library up, with an error handler and a buffer. */
#ifndef MPICO_API_SESSION_H
#define MPICO_API_SESSION_H

#include "bsend.h"

enum { SESSION_MAGIC = 0x73657331 };

struct session {
    uint32_t magic;
    int level;             /* of threads */
    uintptr_t errhandler;  /* as in struct comm */
    struct bsends *bsends; /* buffered sends on communicators that come from it */
};

/* The session of a handle: 0, or MPI_ERR_SESSION. */
int check_session(struct rank *, MPI_Session, struct session **);
/* As api_error(), to the session's error handler (NULL: there is none to ask). */
int api_session_error(struct rank *, const struct session *, int e);

#endif
