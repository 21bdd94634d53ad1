/* Eight sensors, shared out among the nodes; in each round all nodes learn the mean and the variance of all samples, and rank
 * 0 the largest sample and where it was taken. Sensor 5 begins to drift in round 3; the node that reads it notices
 * by itself, because it knows the mean of all, and tells the others, who leave it out.
 *
 * All arithmetic is on whole numbers, whose sum does not depend on the order: the output is the same for any number of
 * nodes, on any machine. Bounds: samples have 12 bits, at most 2^9 are summed, so that the largest product below stays
 * under 2^54.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

enum { ROOT = 0, SENSORS = 8, SAMPLES = 64, ROUNDS = 8, FAULTY = 5, FAULT_ROUND = 3, FAULT_DRIFT = 12 };

struct sums {
    int64_t count, sum, squares;
};

struct peak { /* MPI_2INT */
    int value, sensor;
};

/* Noise without state, so that any node can read any sensor: a mixed counter, of which four bytes are summed to a bell. */
static int noise(uint32_t at)
{
    uint32_t z = (at + 1) * 0x9e3779b9u;
    z = (z ^ (z >> 16)) * 0x85ebca6bu;
    z = (z ^ (z >> 13)) * 0xc2b2ae35u;
    z ^= z >> 16;
    int sum = (int)(z & 255) + (int)(z >> 8 & 255) + (int)(z >> 16 & 255) + (int)(z >> 24);
    return (sum - 510) / 8;
}

/* What an analogue converter of 12 bits would say. */
static int read_sensor(int sensor, int round, int i)
{
    int drift = sensor == FAULTY && round >= FAULT_ROUND ? (round - FAULT_ROUND + 1) * FAULT_DRIFT : 0;
    return 2000 + drift + noise(((uint32_t)round * SENSORS + (uint32_t)sensor) * SAMPLES + (uint32_t)i);
}

static struct sums measure(int sensor, int round, struct peak *peak)
{
    struct sums s = {SAMPLES, 0, 0};
    for (int i = 0; i < SAMPLES; i++) {
        int x = read_sensor(sensor, round, i);
        s.sum += x;
        s.squares += (int64_t)x * x;
        /* Of equal samples the lower sensor's counts, as with MPI_MAXLOC. */
        if (x > peak->value)
            *peak = (struct peak){x, sensor};
    }
    return s;
}

/* The variance times count^2. */
static int64_t spread(struct sums s) { return s.count * s.squares - s.sum * s.sum; }

/* Is the mean of `own` farther from the mean of all than one standard deviation of all samples? */
static int departs(struct sums own, struct sums all)
{
    int64_t distance = own.sum * all.count - all.sum * own.count; /* times both counts */
    return distance * distance > spread(all) * own.count * own.count;
}

static void print_round(int round, struct sums all, struct peak peak)
{
    long tenths = (long)((all.sum * 10 + all.count / 2) / all.count);
    printf("round %d: mean %ld.%ld, variance %ld, maximum %d at sensor %d\n", round, tenths / 10, tenths % 10,
           (long)(spread(all) / (all.count * all.count)), peak.value, peak.sensor);
}

/* One round; returns the sensors left out from now on, one bit a sensor, the same on all nodes. */
static int run_round(int round, int rank, int size, int faulty)
{
    struct sums own[SENSORS], mine = {0, 0, 0}, all;
    struct peak peak = {-1, SENSORS}, highest;
    int found = faulty;

    for (int s = rank; s < SENSORS; s += size) {
        if (faulty >> s & 1)
            continue;
        own[s] = measure(s, round, &peak);
        mine.count += own[s].count;
        mine.sum += own[s].sum;
        mine.squares += own[s].squares;
    }
    MPI_Allreduce(&mine, &all, 3, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(&peak, &highest, 1, MPI_2INT, MPI_MAXLOC, ROOT, MPI_COMM_WORLD);
    for (int s = rank; s < SENSORS; s += size)
        if (!(faulty >> s & 1) && departs(own[s], all))
            found |= 1 << s;
    MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    if (rank == ROOT)
        print_round(round, all, highest);
    return found;
}

int main(int argc, char **argv)
{
    int rank, size, faulty = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < ROUNDS; round++) {
        int now = run_round(round, rank, size, faulty);
        for (int s = 0; s < SENSORS; s++)
            if (rank == ROOT && (now & ~faulty) >> s & 1)
                printf("round %d: sensor %d departs from the others and is left out\n", round, s);
        faulty = now;
    }
    MPI_Finalize();
    return faulty != 1 << FAULTY;
}
