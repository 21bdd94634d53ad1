/* print.c: what `realtime pairs` has measured. */
#include "pairs.h"

#include "common/report.h"

#include <stdio.h>

static double rate_of(const struct pairs *p, const struct pair_result *r)
{
    return r->seconds > 0 ? 1e-6 * p->bytes * r->received / r->seconds : 0;
}

static void print_text(const struct pairs *p, const struct pair_result *results)
{
    double sum = 0, unsent = 0;
    printf("from    to   received  unsent  MB/s\n");
    for (int i = 0; i < pairs_count(p); i++) {
        const struct pair_result *r = &results[i];
        printf("%4d  %4d %10.0f %7.0f  %.2f\n", i, pairs_receiver(p, i), r->received, p->messages - r->sent,
               rate_of(p, r));
        sum += rate_of(p, r);
        unsent += p->messages - r->sent;
    }
    double all = (double)p->messages * pairs_count(p);
    printf("sum %.2f MB/s in %.4g s; unsent %.1f %% of all messages, %.1f %% of messages times processors\n", sum,
           results[0].run_s, 100 * unsent / all, 50 * unsent / all);
}

static void print_pair(const struct pairs *p, int pair, const struct pair_result *r)
{
    report_begin("pair");
    report_whole("from", pair);
    report_whole("to", pairs_receiver(p, pair));
    report_whole("received", (long long)r->received);
    report_whole("unsent", p->messages - (long long)r->sent);
    report_number("seconds", r->seconds);
    report_number("MBps", rate_of(p, r));
    report_end();
}

static void print_sum(const struct pairs *p, const struct pair_result *results)
{
    static const char *const names[] = {
        [ADJACENT] = "adjacent", [SYMMETRIC] = "symmetric", [ASYMMETRIC] = "asymmetric"};
    double sum = 0, unsent = 0, all = (double)p->messages * pairs_count(p);
    for (int i = 0; i < pairs_count(p); i++) {
        sum += rate_of(p, &results[i]);
        unsent += p->messages - results[i].sent;
    }
    report_begin("pairs");
    report_text("layout", names[p->layout]);
    report_whole("pairs", pairs_count(p));
    report_whole("bytes", p->bytes);
    report_whole("messages", p->messages);
    report_flag("acks", p->acks);
    report_number("seconds", results[0].run_s);
    report_number("sum_MBps", sum);
    report_number("unsent_percent", 100 * unsent / all);
    report_number("unsent_percent_by_processors", 50 * unsent / all);
    report_end();
}

void pairs_print(const struct pairs *p, const struct pair_result *results)
{
    if (p->text) {
        print_text(p, results);
        return;
    }
    for (int i = 0; i < pairs_count(p); i++)
        print_pair(p, i, &results[i]);
    print_sum(p, results);
}
