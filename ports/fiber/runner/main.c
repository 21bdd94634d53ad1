/* main.c: the process in which ranks of --fibers and --machine live. It only lends its thread-local storage:
 * `window` is the only such variable of the executable, which places it right at the thread pointer, where
 * programs linked as executables expect theirs. Everything else is in the library, so that a program's calls find
 * the same copy of it.
 */
#include <stddef.h>

int mpico_runner(int argc, char **argv, char *window, size_t window_bytes);

enum { WINDOW_BYTES = 16 * 1024, WINDOW_ALIGNMENT = 64 };

static _Thread_local _Alignas(WINDOW_ALIGNMENT) char window[WINDOW_BYTES];

int main(int argc, char **argv) { return mpico_runner(argc, argv, window, sizeof window); }
