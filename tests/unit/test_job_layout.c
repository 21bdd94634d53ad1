/* The shared memory of a job: everything on lines of its own, no overlap, and no more than is reasonable. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "../../ports/process/job.h"

static int is_power(uint32_t n) { return n && (n & (n - 1)) == 0; }

static void check(uint32_t size, uint64_t page_bytes)
{
    struct job job = {0};
    uint64_t bytes = job_layout(&job, size, 2, page_bytes);
    assert_int_equal(bytes, job.bytes);
    assert_int_equal(bytes % page_bytes, 0);
    assert_int_equal(job.magic, JOB_MAGIC);
    assert_int_equal(job.version, JOB_VERSION);
    assert_int_equal(job.size, size);
    assert_int_equal(job.cpus, 2);
    assert_true(is_power(job.cells) && is_power(job.data_bytes));
    assert_int_equal(job.slot_at % JOB_LINE, 0);
    assert_int_equal(job.ring_at % JOB_LINE, 0);
    assert_int_equal(job.ring_bytes % JOB_LINE, 0);
    assert_true(job.slot_at >= sizeof job);
    assert_true(job.ring_at >= job.slot_at + size * sizeof(struct slot));
    assert_true(job.ring_bytes >= 2 * JOB_LINE + (uint64_t)job.cells * JOB_LINE + job.data_bytes);
    assert_true(job.ring_at + (uint64_t)size * size * job.ring_bytes <= bytes);
}

static void every_size_fits(void **unused)
{
    (void)unused;
    for (uint32_t size = 1; size <= JOB_RANKS_MAX; size++)
        check(size, 4096);
}

static void pages_may_be_longer(void **unused)
{
    (void)unused;
    for (uint32_t size = 1; size <= JOB_RANKS_MAX; size++) {
        check(size, 16 * 1024);
        check(size, 64 * 1024);
    }
}

static void small_jobs_have_long_rings(void **unused)
{
    (void)unused;
    for (uint32_t size = 1; size <= 8; size++) {
        struct job job = {0};
        job_layout(&job, size, 1, 4096);
        assert_int_equal(job.data_bytes, 64 * 1024);
        assert_int_equal(job.cells, 128);
    }
}

static void memory_is_bounded_while_rings_can_shrink(void **unused)
{
    (void)unused;
    for (uint32_t size = 1; size <= JOB_RANKS_MAX; size++) {
        struct job job = {0};
        job_layout(&job, size, 1, 4096);
        int least = job.data_bytes == 4096 && job.cells == 16;
        assert_true(least || (uint64_t)size * size * job.ring_bytes <= 64u << 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_fits),
        cmocka_unit_test(pages_may_be_longer),
        cmocka_unit_test(small_jobs_have_long_rings),
        cmocka_unit_test(memory_is_bounded_while_rings_can_shrink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
