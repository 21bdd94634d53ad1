/* variables.h: the environment variables that a user sets, in one table. The library reads from it what concerns it (settings.c); mpiexec
 * checks the values before it starts a job, and prints the table (--help-env), which README.md repeats. It is a macro because the
 * library has no room for sentences that it never prints.
 *
 * BYTES, SWITCH and TEXT (name, field of struct settings, meaning, default); MPIEXEC: the same, but not for the library.
 */
#ifndef MPICO_HOST_VARIABLES_H
#define MPICO_HOST_VARIABLES_H

#define MPICO_VARIABLES(BYTES, SWITCH, TEXT, MPIEXEC)                                                                  \
    BYTES("MPICO_EAGER_BYTES", eager_bytes,                                                                            \
          "messages up to this many bytes (16384, or 16K) travel with their header; longer ones ask the receiver "     \
          "first. It can only lower the wire's own limit",                                                             \
          "the wire's limit: 16 KiB for a small job, less for a large one")                                            \
    SWITCH("MPICO_SINGLE_COPY", single_copy,                                                                           \
           "0: long messages go through shared memory in pieces, instead of one copy between the processes", "1")      \
    SWITCH("MPICO_CHECK", checking,                                                                                    \
           "1: compare collective calls across the ranks; refuse buffers that overlap; list at MPI_Finalize what was " \
           "never freed or received",                                                                                  \
           "0")                                                                                                        \
    SWITCH("MPICO_ERRORS_RETURN", errors_return,                                                                       \
           "1: errors return to the program (MPI_ERRORS_RETURN) until it chooses otherwise, as with mpiexec "          \
           "-initial-errhandler mpi_errors_return",                                                                    \
           "0")                                                                                                        \
    TEXT("MPICO_COLL", coll, "algorithms to use where they fit, such as allreduce=ring,bcast=binomial",                \
         "the library chooses")                                                                                        \
    MPIEXEC("MPICO_MODEL", , "for mpiexec: the parameter file by which collectives choose, as --model",                \
            "the shipped one for processes")

#endif
