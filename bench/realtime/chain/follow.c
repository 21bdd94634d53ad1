/* follow.c: the shape of the block from the source to the sink, and what the sink expects. */
#include "chain/kind.h"

static bool follow(const struct function *functions, int n, struct shape in, struct shape *out, struct complaint *wrong)
{
    *out = in;
    for (int i = 0; i < n; i++) {
        if (!functions[i].kind->fits(&functions[i], in, out, wrong)) {
            wrong->place = functions[i].place;
            return false;
        }
        in = *out;
    }
    return true;
}

/* What the sink expects where the file does not say. */
static bool expect_all(struct chain *c, struct complaint *wrong)
{
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < c->nodes[i].n; k++) {
            if (c->n_expected == EXPECTED_MOST) {
                complain(wrong, c->nodes[i].place, "more than %d functions in the chain", EXPECTED_MOST);
                return false;
            }
            c->expected[c->n_expected++] = c->nodes[i].functions[k];
        }
    return true;
}

bool chain_follow(struct chain *c, struct place end, struct complaint *wrong)
{
    struct shape shape = c->block, expected;
    if (!c->source.line || c->n == 0 || !c->sink.line) {
        complain(wrong, end, "a chain has a source, at least one node and a sink; there is no %s",
                 !c->source.line ? "source"
                 : c->n == 0     ? "node"
                                 : "sink");
        return false;
    }
    for (int i = 0; i < c->n; i++) {
        c->nodes[i].in = shape;
        if (!follow(c->nodes[i].functions, c->nodes[i].n, shape, &shape, wrong))
            return false;
        c->nodes[i].out = shape;
    }
    if (c->n_expected == 0 && !expect_all(c, wrong))
        return false;
    if (!follow(c->expected, c->n_expected, c->block, &expected, wrong))
        return false;
    if (expected.rows == shape.rows && expected.columns == shape.columns)
        return true;
    complain(wrong, c->sink, "the sink expects %d x %d, but %d x %d come to it", expected.rows, expected.columns,
             shape.rows, shape.columns);
    return false;
}
