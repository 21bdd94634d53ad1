/* test_faults.c: very many messages through one link, both ways at once, while frames are dropped, damaged, doubled, reordered
 * and delayed and noise comes between them: none is lost, doubled, damaged or out of order.
 *
 *     net_faults MESSAGES FAULTS [SEED]     each kind of fault strikes FAULTS frames of a million
 */
#include <stdio.h>
#include <stdlib.h>

#include "fake_lane.h"
#include "fake_neighbours.h"

static void print_way(const struct cable_way *w, const struct hop *sender, const struct hop *receiver)
{
    printf(
        "  %llu frames, %llu bytes: %llu dropped, %llu damaged, %llu doubled, %llu reordered, %llu delayed, %llu with "
        "noise\n",
        (unsigned long long)w->frames, (unsigned long long)w->bytes, (unsigned long long)w->dropped,
        (unsigned long long)w->corrupted, (unsigned long long)w->duplicated, (unsigned long long)w->reordered,
        (unsigned long long)w->delayed, (unsigned long long)w->noisy);
    printf("    sender: %lu sent again; receiver: %lu damaged, %lu duplicates, %lu bytes of noise\n",
           (unsigned long)sender->resent, (unsigned long)receiver->damaged, (unsigned long)receiver->duplicates,
           (unsigned long)receiver->noise);
}

/* Every kind of fault has struck, about as often as it was asked to: no test that cannot fail. */
static int struck(const struct cable_way *w, uint32_t per_million)
{
    const uint64_t counts[] = {w->dropped, w->corrupted, w->duplicated, w->reordered, w->delayed, w->noisy};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i] * 2000000 < w->frames * per_million)
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s MESSAGES FAULTS-PER-MILLION [SEED]\n", argv[0]);
        return 2;
    }
    uint32_t messages = (uint32_t)strtoul(argv[1], NULL, 10), faults = (uint32_t)strtoul(argv[2], NULL, 10);
    static struct neighbours n;
    neighbours_init(&n, argc > 3 ? strtoul(argv[3], NULL, 10) : 1);
    n.times = (struct hop_times){.resend = 20, .heartbeat = 50, .dead = 5000};
    n.slot_bytes = 250;
    n.any_order = 1;
    cable_faults(n.cable, cable_all_faults(faults));
    for (int i = 0; i < 2; i++) {
        n.cable->way[i].latency = 1;
        n.end[i].to_send = messages;
        neighbours_open(&n, i, (uint32_t)i + 1);
    }
    int e = neighbours_run(&n, messages < 20000000 ? 20000 + 200 * messages : UINT32_MAX);
    printf("%lu messages each way, %lu faults of each kind in a million frames: %lu ticks\n", (unsigned long)messages,
           (unsigned long)faults, (unsigned long)n.cable->now);
    for (int i = 0; i < 2; i++)
        print_way(&n.cable->way[i], &n.end[i].hop, &n.end[!i].hop);
    for (int i = 0; e && i < 2; i++)
        fprintf(stderr, "end %d: state %d, trouble %d, %lu of %lu messages have come\n", i, n.end[i].hop.state,
                n.end[i].hop.trouble, (unsigned long)n.end[i].got, (unsigned long)messages);
    if (n.wrong)
        fprintf(stderr, "%s\n", n.wrong);
    if (!e && messages >= 10000 && (!struck(&n.cable->way[0], faults) || !struck(&n.cable->way[1], faults))) {
        fprintf(stderr, "the cable has not done what was asked of it\n");
        e = -1;
    }
    neighbours_fini(&n);
    return e != 0;
}
