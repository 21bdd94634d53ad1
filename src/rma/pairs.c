/* pairs.c: pairs with gaps (MPI_DOUBLE_INT, say), in accumulates. A basic element is to be combined as a whole, so it moves as it lies in
 * memory, from its first byte to its last, gaps inside with it: `unit` bytes each. Where it lies follows from where the first byte
 * of its data is, which a walk over the datatype finds: so derived types are no other case.
 */
#include <string.h>

#include "accumulate.h"
#include "task.h"

size_t mpico_rma_pairs_unit(const struct type *basic) { return basic->true_extent; }

/* The i-th element's place, from where the data begins. */
static ptrdiff_t place_of(const struct type *t, const struct type *pair, size_t i)
{
    struct strip s;
    mpico_strip_find(t, i * pair->size, pair->size, &s);
    return (ptrdiff_t)s.offset;
}

void mpico_rma_pairs_find(const struct type *t, const struct type *pair, size_t done, size_t left, struct strip *s)
{
    size_t unit = mpico_rma_pairs_unit(pair), i = done / unit, most = left / unit;
    ptrdiff_t at = place_of(t, pair, i), next;
    *s = (struct strip){.offset = at, .len = unit, .count = 1};
    for (; s->count < most; s->count++, at = next) {
        next = place_of(t, pair, i + (size_t)s->count);
        if (s->count == 1)
            s->stride = next - at;
        else if (next - at != s->stride)
            return;
    }
}

void mpico_rma_pairs_gather(const struct rma_data *d, const struct type *pair, size_t done, char *out, size_t len)
{
    size_t unit = mpico_rma_pairs_unit(pair);
    for (size_t i = done / unit; len; i++, out += unit, len -= unit)
        memcpy(out, (const char *)d->buf + place_of(d->type, pair, i), unit);
}

/* What lies in the gaps is the program's, and stays. */
void mpico_rma_pairs_scatter(const struct rma_data *d, const struct type *pair, size_t done, const char *in, size_t len)
{
    size_t unit = mpico_rma_pairs_unit(pair);
    for (size_t i = done / unit; len; i++, in += unit, len -= unit)
        mpico_type_copy(pair, in, (char *)d->buf + place_of(d->type, pair, i), 1);
}
