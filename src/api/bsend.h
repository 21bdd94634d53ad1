/* bsend.h: the buffers of buffered sends (MPI 5.0, section 3.6): the process's, a communicator's, a session's. A buffer holds
 * segments: a header, which is the send under way, and the packed message behind it. Segments stand in address order; a
 * new one takes the first gap that fits. Invariant: a segment leaves the list when its send is done.
 */
#ifndef MPICO_API_BSEND_H
#define MPICO_API_BSEND_H

#include "finish.h"

struct bsends {
    struct list segments;
    char *buf;
    size_t size, used;
    uint8_t automatic;   /* MPI_BUFFER_AUTOMATIC: segments are pieces of the heap */
    uint32_t made;       /* segments so far */
    struct list flushes; /* requests that wait until those made before them have left */
    void (*left)(struct rank *, struct bsends *, uint32_t number); /* tells them; NULL: there are none */
};

/* Attach to `place`, detach from it: 0 or an error class. Detaching waits for the messages in the buffer. */
int api_bsends_attach(struct rank *, struct bsends **place, void *buffer, MPI_Count size);
int api_bsends_detach(struct rank *, struct bsends **place, void *buffer_addr, MPI_Count *size);
/* Until the messages in this buffer (NULL: none) have left. */
void api_bsends_flush(struct rank *, const struct bsends *);
/* The buffer of a session that a communicator comes from; NULL: it has none. */
OPTIONAL struct bsends *api_session_bsends(const struct session *);
/* The size as the calls with int give it. */
static inline int bsends_size(MPI_Count bytes) { return bytes > INT32_MAX ? INT32_MAX : (int)bytes; }

#endif
