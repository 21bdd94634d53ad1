/* test_process_copy.c: which failures of the kernel's copy are every message's, and which are one buffer's. The kernel is the test's. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>

#include <cmocka.h>

#include "../../ports/process/process.h"

enum { BYTES = 100, RANKS = 2 };

static int calls, failure; /* errno of the next calls; 0: they copy half of what is asked */
static char theirs[BYTES], ours[BYTES];

static ssize_t fake_readv(pid_t pid, const struct iovec *here, unsigned long a, const struct iovec *there,
                          unsigned long b, unsigned long flags)
{
    assert_int_equal(pid, 77);
    assert_true(a == 1 && b == 1 && flags == 0);
    calls++;
    if (failure) {
        errno = failure;
        return -1;
    }
    size_t len = (here->iov_len + 1) / 2;
    memcpy(here->iov_base, there->iov_base, len);
    return (ssize_t)len;
}

static ssize_t fake_writev(pid_t pid, const struct iovec *here, unsigned long a, const struct iovec *there,
                           unsigned long b, unsigned long flags)
{
    (void)pid, (void)here, (void)a, (void)there, (void)b, (void)flags;
    return -1;
}

int mpico_process_nudge(struct process *p, int dest)
{
    (void)p, (void)dest;
    return MPICO_AGAIN;
}

#define process_vm_readv fake_readv
#define process_vm_writev fake_writev
#include "../../ports/process/copy.c"

static struct rank rank;
static struct {
    struct job job;
    struct slot slot[RANKS];
} job;
static struct process process;

static int setup(void **state)
{
    (void)state;
    calls = failure = 0;
    memset(ours, 0, sizeof ours);
    memset(theirs, 'x', sizeof theirs);
    job.job.slot_at = (uint64_t)((char *)job.slot - (char *)&job);
    job.slot[1].pid = 77;
    rank.world_rank = 0;
    process = (struct process){.link = {.rank = &rank}, .job = &job.job};
    return 0;
}

static int get(void) { return mpico_process_get(&process.link, 1, ours, (uint64_t)(uintptr_t)theirs, BYTES); }

static void all_is_copied_however_little_a_call_moves(void **state)
{
    (void)state;
    assert_int_equal(get(), 0);
    assert_memory_equal(ours, theirs, BYTES);
    assert_true(calls > 1);
}

static void what_one_buffer_cannot_is_asked_again_of_the_next(void **state)
{
    (void)state;
    const int own[] = {EFAULT, ENOMEM, ESRCH, EINVAL};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        failure = own[i];
        assert_true(get() < 0);
        failure = 0;
        assert_int_equal(get(), 0);
    }
}

static void what_is_forbidden_is_not_asked_again(void **state)
{
    (void)state;
    const int forbidden[] = {EPERM, EACCES, ENOSYS};
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        setup(state);
        failure = forbidden[i];
        assert_true(get() < 0);
        failure = 0;
        assert_true(get() < 0);
        assert_int_equal(calls, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(all_is_copied_however_little_a_call_moves, setup),
        cmocka_unit_test_setup(what_one_buffer_cannot_is_asked_again_of_the_next, setup),
        cmocka_unit_test_setup(what_is_forbidden_is_not_asked_again, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
