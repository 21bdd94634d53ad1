/* fake_lane.h: a cable in memory between two ends, in virtual time. It knows where the frames of src/net/hop.h begin and end, and
 * drops, damages, doubles, overtakes or delays each with the probability asked for; it holds so many bytes, can be
 * cut in each direction, and can babble. The same seed gives the same faults.
 *
 *     struct cable *c = cable_alloc(4096, seed);
 *     mpico_hop_open(&a, cable_lane(c, 0), ...); mpico_hop_open(&b, cable_lane(c, 1), ...);
 *     for (;; c->now++) { mpico_hop_turn(&a, c->now); mpico_hop_turn(&b, c->now); }
 */
#ifndef MPICO_FAKE_LANE_H
#define MPICO_FAKE_LANE_H

#include <stdint.h>

#include "../../src/net/lane.h"

/* Of a million frames. */
struct cable_faults {
    uint32_t drop, corrupt, duplicate;
    uint32_t reorder; /* comes 1 to 3 ticks late: others overtake it */
    uint32_t delay;   /* 5 to 44 */
    uint32_t noise;   /* 1 to 32 random bytes come before it */
};

/* One direction: `way[0]` carries what end 0 sends. */
struct cable_way {
    struct cable_faults faults;
    uint32_t latency;        /* ticks */
    size_t put_max, get_max; /* at most so many bytes a call; 0: any */
    size_t rate;             /* takes at most so many bytes a tick; 0: any */
    size_t babble;           /* instead of anything else, so many random bytes a tick */
    int cut;                 /* what is sent, and what is under way, is lost */
    uint64_t frames, dropped, corrupted, duplicated, reordered, delayed, noisy; /* counters of frames */
    uint64_t bytes;                                                             /* sent */

    /* fake_lane.c's own */
    struct cable_piece *first;
    size_t held, built, babble_left, rate_left;
    uint32_t babble_tick, rate_tick;
    uint8_t building[1 << 16];
};

struct cable {
    uint32_t now; /* the test moves it */
    size_t capacity;
    uint64_t random;
    struct cable_way way[2];
    /* Sees every whole frame as it was sent. 0: the cable loses it. Optional. */
    int (*watch)(struct cable *, int from, const uint8_t *frame, size_t len);
    void *context; /* the watcher's */
    struct cable_end {
        struct lane lane;
        struct cable *cable;
        int side;
    } end[2];
};

struct cable *cable_alloc(size_t capacity, uint64_t seed);
void cable_free(struct cable *);
struct lane *cable_lane(struct cable *, int side);
/* The same in both directions. */
void cable_faults(struct cable *, struct cable_faults);
/* Each of drop, corrupt, duplicate, reorder, delay; and noise. */
struct cable_faults cable_all_faults(uint32_t per_million);
void cable_cut(struct cable *); /* both directions */
/* These bytes come to the other end as they are, after all that is under way. */
void cable_inject(struct cable *, int from, const void *bytes, size_t len);
/* End `side` starts again: the frame that it has half sent goes as far as it is. */
void cable_break_off(struct cable *, int side);
uint32_t cable_draw(struct cable *, uint32_t below);

#endif
