/* fuzz_options.c: whatever the command line, the parser understands it or says why not, and reads no word that is
 * not there. The input is the words, each ending with a zero byte. As fuzz_arrive.c: with MPICO_LIBFUZZER 0 a
 * test that replays files and then words of its own.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../ports/process/mpiexec/options.h"

#ifndef MPICO_LIBFUZZER
#define MPICO_LIBFUZZER 0
#endif

enum { WORDS = 64, INPUT = 4096, ROUNDS = 100000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct options *o, enum options_result result, const char *why)
{
    if (result == OPTIONS_WRONG && !*why)
        abort();
    if (result != OPTIONS_RUN)
        return;
    int ranks = 0;
    for (int i = 0; i < o->parts; i++) {
        ranks += o->part[i].ranks;
        if (!o->part[i].argv[0] || !*o->part[i].argv[0] || o->part[i].ranks < 1)
            abort();
        for (char **word = o->part[i].argv; *word; word++)
            if (strcmp(*word, ":") == 0)
                abort();
    }
    if (o->parts < 1 || ranks != o->ranks || ranks > (o->fibers ? OPTIONS_FIBERS : OPTIONS_RANKS))
        abort();
    for (int i = 0; i < o->envs + o->owns; i++) {
        const char *text = i < o->envs ? o->env[i] : o->own[i - o->envs].text;
        if (!strchr(text, '=') || *text == '=')
            abort();
    }
    if (*o->notices && o->notices[strlen(o->notices) - 1] != '\n')
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct options options;
    char why[64] = "";
    if (size > INPUT)
        return 0;
    char *text = calloc(size + 1, 1);
    char *argv[WORDS + 2] = {"mpiexec"};
    int argc = 1;
    memcpy(text, data, size);
    for (char *at = text; at < text + size && argc <= WORDS; at += strlen(at) + 1)
        argv[argc++] = at;
    check(&options, options_parse(&options, argc, argv, why, sizeof why), why);
    options_release(&options);
    free(text);
    return 0;
}

#if !MPICO_LIBFUZZER
#define CONFIG "fuzz_options.config"
static const char *const dictionary[] = {"-n",
                                         "2",
                                         "-x",
                                         "A=1",
                                         ":",
                                         "prog",
                                         "-l",
                                         "--stdin",
                                         "none",
                                         "-np",
                                         "1e",
                                         "",
                                         "-",
                                         "=",
                                         "--hang-timeout",
                                         "--timeout=",
                                         "-wdir",
                                         "0",
                                         "-env",
                                         "-genv",
                                         "A",
                                         "-soft",
                                         "1:9:2,3",
                                         "9:1:-3",
                                         "-host",
                                         "localhost:2",
                                         "-hosts",
                                         "--fibers",
                                         "-N",
                                         "-ppn",
                                         "--mca",
                                         "btl",
                                         "--bind-to",
                                         "-configfile",
                                         "-machinefile",
                                         "/dev/null",
                                         CONFIG,
                                         "-arch",
                                         "--map-by",
                                         "-initial-errhandler",
                                         "mpi_errors_return",
                                         "--cut",
                                         "0-1",
                                         "--board",
                                         "-path",
                                         "--prefix"};

/* Its words are drawn from the dictionary, too: each run writes another one. */
static void write_config(unsigned *seed)
{
    static const char *const lines[] = {"-n 2 p\n", "# c\n", "q 'a b' \"c\" \\\n d\n", "-env A 1", " : ", "\n",
                                        "'",        "\\"};
    FILE *f = fopen(CONFIG, "w");
    for (int i = rand_r(seed) % 6; f && i > 0; i--)
        fputs(lines[(size_t)rand_r(seed) % (sizeof lines / sizeof lines[0])], f);
    if (!f || fclose(f))
        abort();
}

static size_t own_words(unsigned *seed, uint8_t *out)
{
    size_t len = 0;
    for (int words = rand_r(seed) % 12; words > 0; words--) {
        const char *word = dictionary[(size_t)rand_r(seed) % (sizeof dictionary / sizeof dictionary[0])];
        memcpy(out + len, word, strlen(word) + 1);
        len += strlen(word) + 1;
    }
    if (len && rand_r(seed) % 4 == 0)
        out[(size_t)rand_r(seed) % len] = (uint8_t)rand_r(seed);
    return len;
}

int main(int argc, char **argv)
{
    static uint8_t data[INPUT];
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (!f)
            return 1;
        LLVMFuzzerTestOneInput(data, fread(data, 1, sizeof data, f));
        fclose(f);
    }
    unsigned seed = 1;
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 100 == 0)
            write_config(&seed);
        LLVMFuzzerTestOneInput(data, own_words(&seed, data));
    }
    remove(CONFIG);
    return 0;
}
#endif
