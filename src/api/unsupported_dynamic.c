/* unsupported_dynamic.c: processes that come later, and meeting those of other jobs (MPI 5.0, chapter 11). Ranks are the launcher's
 * affair, so these calls answer MPI_ERR_UNSUPPORTED_OPERATION. The page on conformance reads the names below.
 */
#include "fast.h"

/* To the error handler of the communicator, where the call has one. */
static int no_jobs(struct rank *r, MPI_Comm comm)
{
    return api_error(
        r, api_comm(r, comm),
        mpico_fault(r, MPI_ERR_UNSUPPORTED_OPERATION,
                    "this library neither starts processes nor meets other jobs: start all ranks with mpiexec"));
}

/* A function with these arguments, of which only the communicator is looked at. Macros, as they differ in nothing else. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define PRAGMA(text) _Pragma(#text)
#define UNSUPPORTED(name, comm, arguments)                                                                             \
    PRAGMA(weak MPI_##name = PMPI_##name)                                                                              \
    int PMPI_##name arguments                                                                                          \
    {                                                                                                                  \
        struct rank *r = api_enter("MPI_" #name);                                                                      \
        return no_jobs(r, comm);                                                                                       \
    }

UNSUPPORTED(Comm_spawn, comm,
            (const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
             MPI_Comm *intercomm, int array_of_errcodes[]))
UNSUPPORTED(Comm_spawn_multiple, comm,
            (int count, char *array_of_commands[], char **array_of_argv[], const int array_of_maxprocs[],
             const MPI_Info array_of_info[], int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]))
UNSUPPORTED(Comm_accept, comm, (const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm))
UNSUPPORTED(Comm_connect, comm, (const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm))
UNSUPPORTED(Comm_join, MPI_COMM_SELF, (int fd, MPI_Comm *intercomm))
UNSUPPORTED(Open_port, MPI_COMM_SELF, (MPI_Info info, char *port_name))
UNSUPPORTED(Close_port, MPI_COMM_SELF, (const char *port_name))
UNSUPPORTED(Publish_name, MPI_COMM_SELF, (const char *service_name, MPI_Info info, const char *port_name))
UNSUPPORTED(Unpublish_name, MPI_COMM_SELF, (const char *service_name, MPI_Info info, const char *port_name))
UNSUPPORTED(Lookup_name, MPI_COMM_SELF, (const char *service_name, MPI_Info info, char *port_name))
