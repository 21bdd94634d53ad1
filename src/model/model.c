/* model.c: reading a model's numbers. They come from the environment, so nothing about them is believed. */
#include "model.h"

/* Beyond, sums over the steps of a collective could leave 64 bits. */
static const uint64_t number_most = UINT64_C(1) << 56;

/* The number at *text, which goes behind it. -1: there is none, or it is too large. */
static int number(const char **text, uint64_t *n)
{
    const char *c = *text;
    while (*c == ' ')
        c++;
    const char *first = c;
    for (*n = 0; *c >= '0' && *c <= '9'; c++) {
        *n = *n * 10 + (uint64_t)(*c - '0');
        if (*n > number_most)
            return -1;
    }
    *text = c;
    return c == first ? -1 : 0;
}

static int read_segment(struct model_segment *s, const char **text)
{
    uint64_t *const members[] = {&s->from, &s->rendezvous, &s->latency,  &s->send,   &s->send_byte,
                                 &s->recv, &s->recv_byte,  &s->way_byte, &s->copiers};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (number(text, members[i]))
            return -1;
    return 0;
}

int mpico_model_read(struct model *m, const char *text)
{
    uint64_t *const members[] = {&m->processors, &m->gap,       &m->step,         &m->change,
                                 &m->hop,        &m->copy_byte, &m->combine_byte, &m->segments};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (number(&text, members[i]))
            return -1;
    if (m->processors == 0 || m->segments == 0 || m->segments > MODEL_SEGMENTS)
        return -1;
    for (uint64_t i = 0; i < m->segments; i++)
        if (read_segment(&m->segment[i], &text) ||
            (i ? m->segment[i].from <= m->segment[i - 1].from : m->segment[0].from))
            return -1;
    while (*text == ' ')
        text++;
    return *text ? -1 : 0;
}
