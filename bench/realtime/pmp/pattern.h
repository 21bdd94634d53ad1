/* pattern.h: a pattern of messages as a program for each node, and the order in which a node executes it.
 *
 * A node's actions lie in one array as they were written; loops are not unrolled. All counts of a period are bounded when the
 * pattern is read (ACTIONS_MOST), so that they fit an int afterwards.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/complaint.h"

enum { NODES_MOST = 16384, NEST_MOST = 16, ACTIONS_MOST = 10000000 };

struct action {
    char kind;        /* 'R', 'S', 'W', 'L', or 'E', which ends the node's sequence or the body of a loop */
    int to, bytes;    /* S */
    double fraction;  /* W */
    int count;        /* L */
    int pair;         /* L: the index of its body's E; that E: the index of its L; the last E: -1 */
    int line, column; /* where it was written, from 1 */
};

struct code {
    struct action *actions;
    int n;            /* with its last E; 0 before the node has been read */
    int line, column; /* of the node's number */
};

struct pattern {
    struct code *nodes;
    int n;
};

void pattern_free(struct pattern *);

/* The next S, R or W of a node in the order of execution, or NULL at its end; zeroed but for the code at first. */
struct cursor {
    const struct action *code;
    int at, depth, left[NEST_MOST];
};
const struct action *cursor_next(struct cursor *);

/* What a node does in a period. */
struct totals {
    long long actions, sends, receives, bytes_sent; /* as executed */
    int largest_sent;                               /* bytes */
};
struct totals code_totals(const struct code *);

/* Calls visit() for every S, R and W as written, with how often it is executed in a period. */
void code_visit(const struct code *, void (*visit)(void *with, const struct action *, long long times), void *with);
