/* Where does the sound come from? Eight hydrophones in a line, half a wavelength apart, shared out among the nodes; a
 * conventional (Bartlett) beamformer for one tone. For each snapshot every node turns its phones' samples into complex
 * amplitudes, an MPI_Allgather of a few bytes gives all of them to all nodes, and each node adds up the power of its share
 * of the bearings. apps/mft is its big brother, with an ocean.
 *
 * The power of a bearing is one node's work from first to last and its sums run in the order of phones and snapshots, so the
 * number of nodes changes nothing. Machines may differ in the last bits of a product followed by a sum; whole per cents are
 * printed.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

enum {
    ROOT = 0,
    MAX_RANKS = 64,
    PHONES = 8,
    SAMPLES = 32, /* of a snapshot; the tone has a period of PERIOD samples */
    PERIOD = 8,
    BEARINGS = 33, /* -80 to 80 degrees */
    FIRST_DEG = -80,
    STEP_DEG = 5,
    TARGET_DEG = 20,
    SHIP_DEG = -45 /* farther away: half the target's amplitude */
};

struct settings { /* known to the root alone, until it tells the others */
    int snapshots, seed;
};

struct amplitude {
    float re, im;
};

struct best { /* MPI_FLOAT_INT */
    float power;
    int bearing;
};

/* The sine of an angle in turns, |turns| < 2^15, to 4e-6: of our own, because the bits of a library's differ. */
static float sine(float turns)
{
    turns -= (float)(int)turns;
    if (turns > 0.5f)
        turns -= 1.0f;
    if (turns < -0.5f)
        turns += 1.0f;
    if (turns > 0.25f)
        turns = 0.5f - turns;
    if (turns < -0.25f)
        turns = -0.5f - turns;
    float x = turns * 6.28318531f, s = x * x;
    return x * (1.0f - s / 6.0f * (1.0f - s / 20.0f * (1.0f - s / 42.0f * (1.0f - s / 72.0f))));
}

static float cosine(float turns) { return sine(turns + 0.25f); }

/* -0.5 to 0.5, without state. */
static float noise(uint32_t at)
{
    uint32_t z = (at + 1) * 0x9e3779b9u;
    z = (z ^ (z >> 16)) * 0x85ebca6bu;
    z = (z ^ (z >> 13)) * 0xc2b2ae35u;
    return (float)(int)((z ^ (z >> 16)) >> 16) / 65536.0f - 0.5f;
}

/* How much later, in turns of the tone, a wave from `bearing` reaches a phone than it reaches the one before. */
static float delay(int bearing_deg) { return 0.5f * sine((float)bearing_deg / 360.0f); }

static struct amplitude listen(int phone, int snapshot, int seed)
{
    uint32_t at = ((uint32_t)seed * 1024u + (uint32_t)snapshot) * PHONES;
    float target = noise(at) - (float)phone * delay(TARGET_DEG); /* a phase of its own in each snapshot */
    float ship = noise(at + 1) - (float)phone * delay(SHIP_DEG);
    struct amplitude sum = {0, 0};

    for (int t = 0; t < SAMPLES; t++) {
        float turns = (float)t / (float)PERIOD;
        float x = sine(turns + target) + 0.5f * sine(turns + ship);
        x += noise((at + (uint32_t)phone + 1u) * SAMPLES + (uint32_t)t);
        sum.re += x * sine(turns);
        sum.im += x * cosine(turns);
    }
    return sum;
}

/* Turn all phones towards a bearing and add them up: |sum|^2. */
static float steer(const struct amplitude *phones, float delay_turns)
{
    struct amplitude sum = {0, 0};
    for (int i = 0; i < PHONES; i++) {
        float c = cosine((float)i * delay_turns), s = sine((float)i * delay_turns);
        sum.re += phones[i].re * c - phones[i].im * s;
        sum.im += phones[i].im * c + phones[i].re * s;
    }
    return sum.re * sum.re + sum.im * sum.im;
}

/* Every node's share is as long as the longest, so that blocks are equal; what is beyond `all` is not used. */
static int share(int all, int size) { return (all + size - 1) / size; }

static void print_map(const float *power, float most)
{
    for (int b = 0; b < BEARINGS; b++) {
        int percent = (int)(power[b] / most * 100.0f + 0.5f);
        printf("%4d deg %3d %%", FIRST_DEG + b * STEP_DEG, percent);
        for (int i = 0; i < percent / 4; i++)
            printf(i ? "#" : " #");
        printf("\n");
    }
}

/* The power from each of this node's bearings, over all snapshots. */
static void form_beams(struct settings set, int rank, int size, const float *delays, float *power)
{
    static struct amplitude all[PHONES + MAX_RANKS];
    struct amplitude mine[PHONES] = {{0, 0}};
    int phones = share(PHONES, size), bearings = share(BEARINGS, size);

    for (int k = 0; k < set.snapshots; k++) {
        for (int i = 0; i < phones && rank * phones + i < PHONES; i++)
            mine[i] = listen(rank * phones + i, k, set.seed);
        MPI_Allgather(mine, 2 * phones, MPI_FLOAT, all, 2 * phones, MPI_FLOAT, MPI_COMM_WORLD);
        for (int b = 0; b < bearings; b++)
            power[b] += steer(all, delays[b]);
    }
}

int main(int argc, char **argv)
{
    static float table[BEARINGS + MAX_RANKS], map[BEARINGS + MAX_RANKS], delays[BEARINGS], power[BEARINGS];
    struct settings set = {0, 0};
    struct best mine = {-1.0f, BEARINGS}, best;
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > MAX_RANKS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    int bearings = share(BEARINGS, size);
    if (rank == ROOT) {
        set = (struct settings){16, 2024};
        for (int b = 0; b < BEARINGS; b++)
            table[b] = delay(FIRST_DEG + b * STEP_DEG);
    }
    MPI_Bcast(&set, 2, MPI_INT, ROOT, MPI_COMM_WORLD);
    MPI_Scatter(table, bearings, MPI_FLOAT, delays, bearings, MPI_FLOAT, ROOT, MPI_COMM_WORLD);
    form_beams(set, rank, size, delays, power);
    MPI_Gather(power, bearings, MPI_FLOAT, map, bearings, MPI_FLOAT, ROOT, MPI_COMM_WORLD);
    for (int b = 0; b < bearings && rank * bearings + b < BEARINGS; b++)
        if (power[b] > mine.power)
            mine = (struct best){power[b], rank * bearings + b};
    MPI_Reduce(&mine, &best, 1, MPI_FLOAT_INT, MPI_MAXLOC, ROOT, MPI_COMM_WORLD);
    if (rank == ROOT) {
        print_map(map, best.power);
        printf("The loudest bearing is %d degrees.\n", FIRST_DEG + best.bearing * STEP_DEG);
    }
    MPI_Finalize();
    return rank == ROOT && FIRST_DEG + best.bearing * STEP_DEG != TARGET_DEG;
}
