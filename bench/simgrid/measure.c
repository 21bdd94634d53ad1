/* measure.c: runs a command and writes what it needed into a file, as one JSON object; ends with its exit status.
 *
 *   measure FILE COMMAND [ARGUMENT]...
 *
 * A process of its own, and a small one: the kernel counts a child's peak memory from the fork on, so that of a child of Python
 * is never below Python's. The peak is that of the largest process of the command and of those it waited for.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec * 1e-6; }

static void tell(const char *path, double wall_s, const struct rusage *used)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(126);
    }
    fprintf(file, "{\"wall_s\": %.6f, \"cpu_s\": %.6f, \"peak_bytes\": %lld}\n", wall_s,
            seconds(used->ru_utime) + seconds(used->ru_stime), used->ru_maxrss * 1024LL);
    fclose(file);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: measure FILE COMMAND [ARGUMENT]...\n");
        return 2;
    }
    struct rusage used;
    int status;
    const double start = now_s();
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child) {
        perror("measure");
        return 126;
    }
    tell(argv[1], now_s() - start, &used);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
