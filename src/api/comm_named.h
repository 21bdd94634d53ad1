/* comm_named.h: what the two calls share that make a communicator without another one, by a string that all say. */
#ifndef MPICO_API_COMM_NAMED_H
#define MPICO_API_COMM_NAMED_H

#include "comm.h"

/* 0, or an error class and the sentence in the rank. The error handler is checked first: others are reported to it. */
int check_named(struct rank *, const char *stringtag, MPI_Errhandler, MPI_Comm *newcomm);
/* The tag, on MPI_COMM_WORLD, that the string stands for. */
int comm_named_tag(const char *stringtag);
/* As api_error(), with the error handler of a communicator that does not exist yet. */
int comm_named_error(struct rank *, MPI_Errhandler, int e);

#endif
