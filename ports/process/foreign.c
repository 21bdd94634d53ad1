/* foreign.c: has another launcher started this process as one of several? It would be a job of one, and so would each of its peers, without a
 * word. What the launchers tell their processes:
 *
 *   hydra, srun --mpi=pmi2          PMI_SIZE
 *   Open MPI's mpirun               OMPI_COMM_WORLD_SIZE, PMIX_NAMESPACE, PMIX_RANK
 *   prterun                         PMIX_NAMESPACE, PMIX_RANK: no size
 *   srun --mpi=pmix                 these, the first as slurm.pmix.JOB.STEP, and what plain srun tells
 *   srun                            SLURM_STEP_NUM_TASKS; the script of a batch job is no step, and has no such variable
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"

static int refuse(const char *name, const char *value, const char *before)
{
    fprintf(stderr,
            "mpico: MPI_Init: %s=%s says that another launcher started this process as one of several ranks; "
            "start them with this library's mpiexec, as in `%smpiexec -n RANKS PROGRAM`, or unset the variable for "
            "jobs of one\n",
            name, value, before);
    return -1;
}

static int number_of(const char *name)
{
    const char *value = getenv(name);
    return value ? atoi(value) : 0;
}

/* PMIx does not say how many there are; some launchers do. */
static int alone(const char *space)
{
    int of_slurm = strncmp(space, "slurm.pmix.", 11) == 0;
    return number_of(of_slurm ? "SLURM_STEP_NUM_TASKS" : "OMPI_COMM_WORLD_SIZE") == 1;
}

int mpico_process_foreign(void)
{
    static const char sizes[][21] = {"SLURM_STEP_NUM_TASKS", "PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MPI_LOCALNRANKS"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (number_of(sizes[i]) > 1)
            return refuse(sizes[i], getenv(sizes[i]), i ? "" : "srun -n 1 -c RANKS ");
    const char *space = getenv("PMIX_NAMESPACE");
    return space && getenv("PMIX_RANK") && !alone(space) ? refuse("PMIX_NAMESPACE", space, "") : 0;
}
