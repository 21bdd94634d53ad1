/* fftw.c: the functions of libfftw3f that are used here, with types of our own: fftwf_complex is float[2]. */
#include "fftw.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <string.h>

struct dimension {
    int n, in_stride, out_stride;
};

static const unsigned PATIENT = 1U << 5, ESTIMATE = 1U << 6;

static struct {
    void *(*plan_many)(int rank, const int *n, int howmany, float *in, const int *in_embed, int in_stride,
                       int in_distance, float *out, const int *out_embed, int out_stride, int out_distance, int sign,
                       unsigned flags);
    void *(*plan_guru)(int rank, const struct dimension *, int howmany_rank, const struct dimension *, float *in,
                       float *out, int sign, unsigned flags);
    void (*execute)(const void *plan, float *in, float *out);
    void (*destroy)(void *plan);
    void (*set_timelimit)(double seconds);
    void (*forget_wisdom)(void);
    const char *version;
    unsigned flags;
} fftw;

/* A pointer to an object becomes one to a function only through memory, as POSIX has it for dlsym(). */
static bool find(void *library, const char *name, void *function)
{
    void *at = dlsym(library, name);
    memcpy(function, &at, sizeof at);
    return at != NULL;
}

bool fftw_open(void)
{
    if (fftw.execute != NULL)
        return true;
    void *library = NULL;
    static const char *const names[] = {"libfftw3f.so.3", "libfftw3f.3.dylib", "libfftw3f.so"};
    for (size_t i = 0; library == NULL && i < sizeof names / sizeof names[0]; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return false;
    fftw.version = dlsym(library, "fftwf_version");
    fftw.flags = PATIENT;
    return find(library, "fftwf_plan_many_dft", &fftw.plan_many) &&
           find(library, "fftwf_plan_guru_dft", &fftw.plan_guru) &&
           find(library, "fftwf_destroy_plan", &fftw.destroy) &&
           find(library, "fftwf_set_timelimit", &fftw.set_timelimit) &&
           find(library, "fftwf_forget_wisdom", &fftw.forget_wisdom) &&
           find(library, "fftwf_execute_dft", &fftw.execute);
}

const char *fftw_version(void) { return fftw.version != NULL ? fftw.version : "absent"; }

void fftw_patience(double seconds, bool patient)
{
    fftw.set_timelimit(seconds);
    fftw.flags = patient ? PATIENT : ESTIMATE;
}

static void *plan_once(int points, int howmany, float *in, float *out)
{
    return fftw.plan_many(1, &points, howmany, in, NULL, 1, points, out, NULL, 1, points, -1, fftw.flags);
}

/* The shortest of some runs. */
static double seconds_of(const void *plan, float *in, float *out)
{
    double least = INFINITY;
    for (int i = 0; i < 20; i++) {
        double start = MPI_Wtime();
        fftw.execute(plan, in, out);
        least = fmin(least, MPI_Wtime() - start);
    }
    return least;
}

/* A planner that measures is led astray by whatever else the machine does: small sizes are planned anew several times. */
void *fftw_plan_batch(int points, size_t howmany, float *in, float *out)
{
    if (howmany > INT_MAX)
        return NULL;
    void *best = plan_once(points, (int)howmany, in, out);
    int again = fftw.flags != PATIENT ? 0 : points <= 64 ? 3 : 1;
    double best_s = best != NULL && again > 0 ? seconds_of(best, in, out) : 0;
    for (int i = 0; i < again && best != NULL; i++) {
        fftw.forget_wisdom();
        void *plan = plan_once(points, (int)howmany, in, out);
        double s = plan != NULL ? seconds_of(plan, in, out) : INFINITY;
        fftw_plan_free(s < best_s ? best : plan);
        best = s < best_s ? plan : best;
        best_s = fmin(s, best_s);
    }
    return best;
}

void *fftw_plan_turn(size_t rows, size_t columns, float *in, float *out)
{
    if (rows > INT_MAX || columns > INT_MAX)
        return NULL;
    const struct dimension both[2] = {{(int)rows, (int)columns, 1}, {(int)columns, 1, (int)rows}};
    return fftw.plan_guru(0, NULL, 2, both, in, out, -1, fftw.flags);
}

/* The library does not write to the input of an out-of-place plan of complex numbers. */
void fftw_run(const void *plan, const float *in, float *out)
{
    float *from;
    memcpy(&from, &in, sizeof from);
    fftw.execute(plan, from, out);
}

void fftw_plan_free(void *plan)
{
    if (plan != NULL)
        fftw.destroy(plan);
}
