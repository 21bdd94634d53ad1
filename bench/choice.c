/* What each algorithm of a collective takes, all in one run, turn by turn. For bench/choice.py.
 *
 * choice --call allreduce --algorithms doubling,halving,ring 8 1024 ...: lengths in bytes of the whole vector, of what one rank
 * contributes in gather, scatter, allgather, alltoall and reduce_scatter_block. The algorithms are forced by the control variable mpico_coll.
 *
 * The time of a call is that of a loop of calls over their number, on the slowest rank, in the usual way; told is the median over blocks, a
 * JSON line a length and algorithm. Without --algorithms the library chooses, and the name is "".
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectives.h"
#include "common.h"

enum { MOST_ALGORITHMS = 8, BLOCKS_MOST = 101, TRIAL = 3, NAME = 64 };

struct work {
    const char *name;
    void (*call)(int);
    int algorithms;
    char algorithm[MOST_ALGORITHMS][NAME]; /* "": the library's choice */
    int rank, size, blocks;
    double block_us; /* how long a block is to take */
    MPI_T_cvar_handle forced;
};

static void force(const struct work *w, const char *algorithm)
{
    char text[256] = "";
    if (*algorithm)
        snprintf(text, sizeof text, "%s=%s", w->name, algorithm);
    if (MPI_T_cvar_write(w->forced, text) != MPI_SUCCESS)
        give_up("the library does not know that algorithm");
}

/* Microseconds of a call on the slowest rank, the same on all. */
static double block_us(const struct work *w, int n, int rounds)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const uint64_t start = now_ns();
    for (int i = 0; i < rounds; i++)
        w->call(n);
    double mine = (double)(now_ns() - start) / rounds / 1000, slowest;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

static int rounds_for(const struct work *w, int n)
{
    force(w, w->algorithm[0]);
    block_us(w, n, 1);
    double rounds = w->block_us / block_us(w, n, TRIAL);
    return rounds < 2 ? 2 : rounds > 1e4 ? 10000 : (int)rounds;
}

static void measure(const struct work *w, int bytes)
{
    static double us[MOST_ALGORITHMS][BLOCKS_MOST];
    int n = bytes / (int)sizeof(float), rounds = rounds_for(w, n);
    for (int b = -1; b < w->blocks; b++) /* the first one is not counted */
        for (int a = 0; a < w->algorithms; a++) {
            force(w, w->algorithm[a]);
            us[a][b < 0 ? 0 : b] = block_us(w, n, rounds);
        }
    for (int a = 0; a < w->algorithms && w->rank == 0; a++)
        printf("{\"bench\": \"choice\", \"call\": \"%s\", \"ranks\": %d, \"bytes\": %d, \"algorithm\": \"%s\", \"us\": "
               "%.3f}\n",
               w->name, w->size, bytes, w->algorithm[a], median(us[a], w->blocks));
    fflush(stdout);
}

static void read_algorithms(struct work *w, const char *text)
{
    do {
        size_t len = strcspn(text, ",");
        if (w->algorithms == MOST_ALGORITHMS || len >= NAME)
            give_up("too many algorithms, or too long a name");
        memcpy(w->algorithm[w->algorithms++], text, len);
        text += len + (text[len] == ',');
    } while (*text);
}

static void open_control(struct work *w)
{
    int provided, index, count;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    if (MPI_T_cvar_get_index("mpico_coll", &index) != MPI_SUCCESS ||
        MPI_T_cvar_handle_alloc(index, NULL, &w->forced, &count) != MPI_SUCCESS)
        give_up("this library has no control variable mpico_coll");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct work w = {.name = option(argc, argv, "--call", "allreduce")};
    MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.size);
    w.blocks = option_int(argc, argv, "--blocks", 11);
    w.block_us = 1000.0 * option_int(argc, argv, "--ms", 10);
    if (w.blocks < 1 || w.blocks > BLOCKS_MOST)
        give_up("--blocks is from 1 to 101");
    for (size_t c = 0; c < sizeof collectives / sizeof *collectives; c++)
        if (strcmp(w.name, collectives[c].name) == 0)
            w.call = collectives[c].call;
    if (!w.call)
        give_up("--call names a collective, as in allreduce");
    read_algorithms(&w, option(argc, argv, "--algorithms", ""));
    open_control(&w);
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) == 0) {
            i++;
            continue;
        }
        int bytes = atoi(argv[i]);
        if (bytes < 0 || bytes > 1 << 24)
            give_up("lengths are bytes, up to 16777216");
        out = calloc((size_t)w.size, (size_t)bytes + 1);
        in = calloc((size_t)w.size, (size_t)bytes + 1);
        if (!out || !in)
            give_up("no memory for the buffers");
        measure(&w, bytes);
        free(out);
        free(in);
    }
    MPI_T_finalize();
    MPI_Finalize();
    return 0;
}
