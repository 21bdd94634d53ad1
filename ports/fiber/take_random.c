/* take_random.c: a rank's own random numbers. Programs draw the same ones in every rank from the same seed, and count on it; the
 * C library keeps one state a process. Here each rank has a state, and the C library computes with it. From what
 * seed and with what numbers is as in a process.
 */
#include <stdlib.h>

#include "own.h"

/* The state of random() and rand(), which are one; NULL: no rank. */
static struct random_data *drawing(void)
{
    struct fiber *f = fiber_self();
    if (!f)
        return NULL;
    struct random_own *own = &f->own->random;
    if (!own->data.state)
        initstate_r(1, own->state, sizeof own->state, &own->data);
    return &own->data;
}

static struct drand48_data *drawing48(void)
{
    struct fiber *f = fiber_self();
    return f ? &f->own->random.data48 : NULL;
}

/* ---- random(), rand() ---- */

long random(void)
{
    struct random_data *d = drawing();
    int32_t number;
    if (d)
        return random_r(d, &number) ? 0 : number;
    long (*real)(void) = fiber_real("random");
    return real();
}

void srandom(unsigned seed)
{
    struct random_data *d = drawing();
    if (d) {
        srandom_r(seed, d);
        return;
    }
    void (*real)(unsigned) = fiber_real("srandom");
    real(seed);
}

int rand(void) { return (int)random(); }
void srand(unsigned seed) { srandom(seed); }

/* Where the caller may find the old state again: a word before its numbers. */
static char *before(const struct random_data *d) { return (char *)(d->state - 1); }

char *initstate(unsigned seed, char *state, size_t len)
{
    struct random_data *d = drawing();
    if (!d) {
        char *(*real)(unsigned, char *, size_t) = fiber_real("initstate");
        return real(seed, state, len);
    }
    char *old = before(d);
    return initstate_r(seed, state, len, d) ? NULL : old;
}

char *setstate(char *state)
{
    struct random_data *d = drawing();
    if (!d) {
        char *(*real)(char *) = fiber_real("setstate");
        return real(state);
    }
    char *old = before(d);
    return setstate_r(state, d) ? NULL : old;
}

/* ---- drand48() and its kin ---- */

double erand48(unsigned short x[3])
{
    struct drand48_data *d = drawing48();
    double number = 0;
    if (d) {
        erand48_r(x, d, &number);
        return number;
    }
    double (*real)(unsigned short *) = fiber_real("erand48");
    return real(x);
}

double drand48(void)
{
    struct drand48_data *d = drawing48();
    double number = 0;
    if (d) {
        drand48_r(d, &number);
        return number;
    }
    double (*real)(void) = fiber_real("drand48");
    return real();
}

long nrand48(unsigned short x[3])
{
    struct drand48_data *d = drawing48();
    long number = 0;
    if (d) {
        nrand48_r(x, d, &number);
        return number;
    }
    long (*real)(unsigned short *) = fiber_real("nrand48");
    return real(x);
}

long lrand48(void)
{
    struct drand48_data *d = drawing48();
    long number = 0;
    if (d) {
        lrand48_r(d, &number);
        return number;
    }
    long (*real)(void) = fiber_real("lrand48");
    return real();
}

long jrand48(unsigned short x[3])
{
    struct drand48_data *d = drawing48();
    long number = 0;
    if (d) {
        jrand48_r(x, d, &number);
        return number;
    }
    long (*real)(unsigned short *) = fiber_real("jrand48");
    return real(x);
}

long mrand48(void)
{
    struct drand48_data *d = drawing48();
    long number = 0;
    if (d) {
        mrand48_r(d, &number);
        return number;
    }
    long (*real)(void) = fiber_real("mrand48");
    return real();
}

void srand48(long seed)
{
    struct drand48_data *d = drawing48();
    if (d) {
        srand48_r(seed, d);
        return;
    }
    void (*real)(long) = fiber_real("srand48");
    real(seed);
}

unsigned short *seed48(unsigned short x[3])
{
    struct drand48_data *d = drawing48();
    if (!d) {
        unsigned short *(*real)(unsigned short *) = fiber_real("seed48");
        return real(x);
    }
    seed48_r(x, d);
    return d->__old_x;
}

void lcong48(unsigned short p[7])
{
    struct drand48_data *d = drawing48();
    if (d) {
        lcong48_r(p, d);
        return;
    }
    void (*real)(unsigned short *) = fiber_real("lcong48");
    real(p);
}
