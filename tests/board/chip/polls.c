/* Rank 0 asks in a loop whether a message has come, while rank 1 computes before it sends one. Where a rank that
 * spins keeps the emulator to itself, this takes minutes. */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 50, WORK = 20000 };

int main(int argc, char **argv)
{
    int me;
    unsigned long asked = 0;
    volatile unsigned sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int i = 0; i < ROUNDS; i++) {
        if (me == 1) {
            for (unsigned k = 0; k < WORK; k++)
                sum += k;
            MPI_Send(NULL, 0, MPI_BYTE, 0, i, MPI_COMM_WORLD);
        }
        for (int come = 0; me == 0 && !come; asked++)
            MPI_Iprobe(1, i, MPI_COMM_WORLD, &come, MPI_STATUS_IGNORE);
        if (me == 0)
            MPI_Recv(NULL, 0, MPI_BYTE, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (me == 0)
        printf("asked %s\n", asked > ROUNDS ? "more than once" : "once");
    MPI_Finalize();
    return 0;
}
