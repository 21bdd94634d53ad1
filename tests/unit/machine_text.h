/* machine_text.h: one short machine file a kind of network, for the tests of descriptions. In all of them [cost] stands in
 * line 8 and [network] in line 11.
 */
#ifndef MACHINE_TEXT_H
#define MACHINE_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/description.h"

enum { WHY = 600 };

#define HEAD                                                                                                           \
    "name = \"x\"\nsource = 'none'\n[processor]\nclock_hz = 1e9\nflops_per_cycle = 2\ncompute_bytes_per_cycle = 0.5\n" \
    "progress = \"interrupts\"\n[cost]\ncall = 7\ncopy = 0.25\n"
#define RING HEAD "[network]\nkind = \"ring\"\nbytes_per_second = 1000\nfull_duplex = true\nreliable = true\n"
#define MESH                                                                                                           \
    HEAD "[network]\nkind = \"mesh\"\nextent = [4, 2]\nwormhole = true\ncycle_hz = 1e6\nflit_bytes = 4\n"              \
         "buffer_flits = 3\nrouter_cycles = 2\n"
#define CROSSBAR                                                                                                       \
    HEAD "[network]\nkind = \"crossbar\"\nports = 8\ncycle_hz = 250\ncycle_words = 16\nword_bytes = "                  \
         "4\narbiter_cycles = 1\n"
#define LOGGP HEAD "[network]\nkind = \"loggp\"\nlatency_ns = 1000\ngap_ns = 50\ngap_ns_per_byte = 0.1\n"

static const char *const two_costs[] = {"call", "copy"};

static inline int parse(struct description *d, const char *text, char why[WHY])
{
    *why = 0;
    return description_parse(d, "x.toml", text, strlen(text), two_costs, 2, why, WHY);
}

static inline struct description parsed(const char *text)
{
    struct description d;
    char why[WHY];
    memset(&d, 0x55, sizeof d);
    if (parse(&d, text, why))
        fail_msg("%s", why);
    return d;
}

#endif
