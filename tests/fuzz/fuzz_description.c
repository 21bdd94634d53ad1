/* fuzz_description.c: whatever the text of a machine file, it is a machine that can be, or the reader says in which
 * line it is not; and what was read, written as JSON, is bounded and ends. As fuzz_options.c: with MPICO_LIBFUZZER 0 a
 * test that replays files and then texts of its own: right ones, damaged a little.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../sim/description.h"

#ifndef MPICO_LIBFUZZER
#define MPICO_LIBFUZZER 0
#endif

enum { INPUT = 4096, OUTPUT = 16384, ROUNDS = 60000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const costs[] = {"call", "copy"};
static long accepted, refused;

static void check_refusal(const char *why, const char *text, size_t len)
{
    int line = 0, lines = 1;
    for (size_t i = 0; i < len; i++)
        lines += text[i] == '\n';
    if (sscanf(why, "fuzz.toml:%d: ", &line) != 1 || line < 1 || line > lines || strlen(why) < 15)
        abort();
}

static void check_machine(const struct description *d)
{
    static char json[OUTPUT];
    long long places = 1;
    if (!*d->name || !*d->source || !isfinite(d->clock_hz) || d->clock_hz < 1 || d->flops_per_cycle <= 0 ||
        d->compute_bytes_per_cycle <= 0 || !(d->cost[0] >= 0 && d->cost[1] >= 0))
        abort();
    if (d->network == NETWORK_RING && !(d->ring.bytes_per_second > 0 && *d->ring.discipline))
        abort();
    if (d->network == NETWORK_CROSSBAR)
        places = (long long)d->crossbar.ports << d->crossbar.cube_dimensions;
    if (d->network == NETWORK_MESH && (d->mesh.axes < 1 || d->mesh.axes > DESCRIPTION_AXES))
        abort();
    for (int axis = 0; d->network == NETWORK_MESH && axis < d->mesh.axes; axis++)
        places *= d->mesh.extent[axis];
    if (places < 1 || places > 1000000)
        abort();
    FILE *f = fmemopen(json, sizeof json, "w");
    if (!f)
        abort();
    description_json(d, costs, 2, f);
    fclose(f);
    if (*json != '{' || strcmp(json + strlen(json) - 3, "}}\n"))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct description d;
    char why[600] = "";
    char *text = malloc(size ? size : 1); /* of its exact length, for the sanitizer */
    if (!text)
        return 0;
    memcpy(text, data, size);
    if (description_parse(&d, "fuzz.toml", text, size, costs, 2, why, sizeof why))
        refused++, check_refusal(why, text, size);
    else
        accepted++, check_machine(&d);
    free(text);
    return 0;
}

#if !MPICO_LIBFUZZER
static const char head[] =
    "name = \"x\"\nsource = 'y\\'\n[processor]\nclock_hz = 1e9\nflops_per_cycle = 2\n"
    "compute_bytes_per_cycle = 0.5\nprogress = \"calls\"\n[cost]\ncall = 7\ncopy = 0.25\n[network]\n";
static const char ring[] =
    "kind = \"ring\"\nbytes_per_second = 1_000\nfull_duplex = true\nreliable = false\nerror_rate = 1e-3\n";
static const char mesh[] =
    "kind = \"mesh\"\nextent = [4, 2]\nwormhole = true\ncycle_hz = 1e6\nflit_bytes = 4\nbuffer_flits = 3\n"
    "router_cycles = 2\nvirtual_channels = 2\n";
static const char crossbar[] =
    "kind = \"crossbar\"\nports = 8\ncycle_hz = 250\ncycle_words = 16\nword_bytes = 4\narbiter_cycles = 1\n";
static const char loggp[] = "kind = \"loggp\"\nlatency_ns = 1000\ngap_ns = 50\ngap_ns_per_byte = 0.1\n";
static const char *const networks[] = {ring, mesh, crossbar, loggp};
static const char *const pieces[] = {
    "\n", "=",         "[",      "]",     "\"",   "'",       "\\u00e9", "\\U0010ffff", "#",    "-1", "1e9", "_",
    ".",  "[network]", "[cost]", "[a]\n", "true", "1000000", "[1,2,3]", "\xc3\xa9",    "\xff", "e",  "+",   "inf"};

static size_t own_text(unsigned *seed, uint8_t *out)
{
    size_t len = (size_t)snprintf((char *)out, INPUT, "%s%s", head, networks[rand_r(seed) % 4]);
    for (int damages = rand_r(seed) % 4; damages > 0; damages--) {
        const char *piece = pieces[(size_t)rand_r(seed) % (sizeof pieces / sizeof pieces[0])];
        size_t at = (size_t)rand_r(seed) % len, add = strlen(piece), cut = (size_t)rand_r(seed) % 8;
        cut = cut > len - at ? len - at : cut;
        memmove(out + at + add, out + at + cut, len - at - cut);
        memcpy(out + at, piece, add);
        len += add - cut;
    }
    if (rand_r(seed) % 8 == 0)
        out[(size_t)rand_r(seed) % len] = (uint8_t)rand_r(seed);
    return rand_r(seed) % 16 ? len : (size_t)rand_r(seed) % len;
}

int main(int argc, char **argv)
{
    static uint8_t data[INPUT + 64];
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (!f)
            return 1;
        LLVMFuzzerTestOneInput(data, fread(data, 1, INPUT, f));
        fclose(f);
    }
    unsigned seed = 1;
    for (int i = 0; i < ROUNDS; i++)
        LLVMFuzzerTestOneInput(data, own_text(&seed, data));
    printf("%ld accepted, %ld refused\n", accepted, refused);
    return accepted < ROUNDS / 8 || refused < ROUNDS / 8; /* else the texts are too wrong, or hardly wrong */
}
#endif
