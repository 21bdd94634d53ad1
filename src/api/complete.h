/* complete.h: what the wait and test calls share. */
#ifndef MPICO_API_COMPLETE_H
#define MPICO_API_COMPLETE_H

#include "api.h"

/* The errors of the requests one call completed. */
struct outcome {
    int error;         /* of the last one */
    int first;         /* how many failed; the rank's sentence is of the first */
    struct comm *comm; /* whose handler is called, with a reference; or NULL */
};

/* The request of a checked handle, NULL if null or inactive. */
struct request *complete_active(MPI_Request);
/* Hand over the result of a done (or no) request, and free it unless it is persistent. */
void complete_one(struct rank *, MPI_Request *, MPI_Status *, struct outcome *);
/* The same for all of an array; reports the errors. */
int complete_all(struct rank *, int count, MPI_Request *, MPI_Status *);
/* Call the error handler with `e`; returns the code for the program. */
int complete_report(struct rank *, struct outcome *, int e);
int complete_check_array(struct rank *, int count, const MPI_Request *);

/* ---- Kinds of requests that are linked only with what makes them ---- */

/* A generalized request: its functions are called. 0, or an error class and the sentence in the rank. */
OPTIONAL int api_general_query(struct rank *, struct request *, MPI_Status *);
OPTIONAL int api_general_free(struct rank *, struct request *);
OPTIONAL int api_general_cancel(struct rank *, const struct request *);
/* A partitioned one: MPI_Start, MPI_Request_free. */
OPTIONAL int api_parts_start(struct rank *, struct request *);
OPTIONAL int api_parts_free(struct rank *, struct request *);

#endif
