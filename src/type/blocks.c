/* blocks.c: types of blocks that stand in lists: indexed and struct. The list is read twice: first for what it spans and which
 * layout it needs, then into that layout. Blocks without data count only if they give a bound.
 */
#include "own.h"

const struct type mpico_type_lower_marker = {.predefined = 1, .bounds = TYPE_HAS_LOWER};
const struct type mpico_type_upper_marker = {.predefined = 1, .bounds = TYPE_HAS_UPPER};

/* One block of the list that holds data. */
struct entry {
    size_t at; /* its number in the list */
    const struct type *type;
    size_t len;
    ptrdiff_t place;
};

/* What is known of the blocks so far. */
struct survey {
    struct content content;
    struct bounds bounds;
    size_t used, runs; /* blocks with data; and blocks of bytes, where neighbours are one */
    struct entry first, last;
    ptrdiff_t step, end;   /* from one block to the next; behind the last run */
    uint8_t solid;         /* so far: each is one block of bytes, */
    uint8_t alike, steady; /* all are of one type; and of one length, at equal distances */
};

static int read_entry(const struct blocks *b, size_t i, struct entry *e)
{
    e->at = i;
    e->type = b->types[b->one_type ? 0 : i];
    e->len = (size_t)number(b->lens, i);
    return e->len && __builtin_mul_overflow(number(b->places, i), b->unit, &e->place) ? -1 : 0;
}

/* The next one from e->at on with data; 0: there is none. All were read before without overflow. */
static int next_entry(const struct blocks *b, struct entry *e, size_t from)
{
    for (; from < b->count; from++)
        if (!read_entry(b, from, e) && e->len && e->type->size)
            return 1;
    return 0;
}

static int is_solid(const struct entry *e)
{
    return !e->type->layout && (e->len == 1 || e->type->extent == e->type->size);
}

static void look_at_layout(struct survey *s, const struct entry *e)
{
    ptrdiff_t from = e->place + (ptrdiff_t)e->type->true_lower,
              step = (ptrdiff_t)((size_t)e->place - (size_t)s->last.place);
    if (s->used == 0) {
        s->first = *e;
        s->solid = s->alike = s->steady = 1;
    } else {
        s->steady &= !SMALL && e->len == s->first.len && (s->used == 1 || step == s->step);
        s->step = step;
    }
    s->solid &= (uint8_t)is_solid(e);
    s->alike &= e->type == s->first.type;
    s->runs += s->used == 0 || from != s->end;
    s->end = (ptrdiff_t)((size_t)from + e->len * e->type->size);
    s->last = *e;
    s->used++;
}

static int look(const struct blocks *b, struct survey *s)
{
    for (size_t i = 0; i < b->count; i++) {
        struct entry e;
        if (read_entry(b, i, &e))
            return -1;
        if (e.len == 0)
            continue;
        if (mpico_content_add(&s->content, e.type, e.len) ||
            mpico_bounds_add(&s->bounds, e.type, e.len, e.place, (ptrdiff_t)e.type->extent))
            return -1;
        if (e.type->size)
            look_at_layout(s, &e);
    }
    return 0;
}

/* Equal blocks at equal distances. */
static void lay_loop(struct own_type *o, const struct survey *s)
{
    const struct entry *e = &s->first;
    struct shape shape = shape_of(e->type);
    mpico_shape_repeat(&shape, &o->layout[0], e->len, (ptrdiff_t)e->type->extent);
    mpico_shape_repeat(&shape, &o->layout[1], s->used, s->step);
    if (!shape.layout)
        return; /* the bounds say where the block is */
    struct layout *room = shape.layout == &o->layout[0] ? &o->layout[0] : &o->layout[1];
    if (shape.layout != room) /* one element of another type, as it is */
        *room = (struct layout){
            .kind = LAYOUT_REPEAT, .size = shape.size, .count = 1, .len = shape.size, .child = shape.layout};
    room->offset += e->place;
    o->type.layout = room;
}

/* Blocks of bytes, or of one type with gaps. */
static void lay_blocks(struct own_type *o, const struct blocks *b, const struct survey *s, struct block *list)
{
    struct layout *l = &o->layout[0];
    struct block *next = list;
    size_t start = 0;
    ptrdiff_t end = 0;
    for (struct entry e = {0}; next_entry(b, &e, e.at); e.at++) {
        ptrdiff_t at = e.place + (e.type->layout ? 0 : (ptrdiff_t)e.type->true_lower);
        if (!s->solid || next == list || at != end)
            *next++ = (struct block){at, start};
        start += e.len * e.type->size;
        end = (ptrdiff_t)((size_t)at + e.len * e.type->size);
    }
    *next = (struct block){0, start};
    *l = (struct layout){.kind = LAYOUT_BLOCKS, .size = start, .count = (size_t)(next - list), .block = list};
    if (!s->solid) {
        l->child = s->first.type->layout;
        l->len = s->first.type->size;
        l->stride = (ptrdiff_t)s->first.type->extent;
    }
    o->type.layout = l;
}

static void lay_fields(struct own_type *o, const struct blocks *b, const struct survey *s, struct field *list)
{
    struct layout *loops = (struct layout *)(void *)(list + s->used + 1);
    struct field *next = list;
    size_t start = 0;
    for (struct entry e = {0}; next_entry(b, &e, e.at); e.at++) {
        struct shape shape = shape_of(e.type);
        mpico_shape_repeat(&shape, loops++, e.len, (ptrdiff_t)e.type->extent);
        *next++ = (struct field){e.place + (shape.layout ? 0 : shape.at), start, shape.layout};
        start += shape.size;
    }
    *next = (struct field){0, start, NULL};
    o->layout[0] = (struct layout){.kind = LAYOUT_FIELDS, .size = start, .count = s->used, .field = list};
    o->type.layout = &o->layout[0];
}

static void set_parts(struct own_type *o, const struct blocks *b, const struct survey *s)
{
    size_t part = 0;
    if (s->alike) {
        mpico_own_part(o, 0, s->first.type, s->content.size / s->first.type->size);
        return;
    }
    for (struct entry e = {0}; next_entry(b, &e, e.at); e.at++)
        mpico_own_part(o, part++, e.type, e.len);
}

int mpico_type_make_blocks(struct heap *h, const struct blocks *b, struct own_type **made)
{
    struct survey s = {0};
    if (look(b, &s))
        return TYPE_OVERFLOWS;
    int block = s.solid && s.runs == 1, loop = block || (!SMALL && s.alike && s.steady), blocks = s.solid || s.alike;
    size_t entries = (s.solid ? s.runs : s.used) + 1, parts = s.alike ? 1 : s.used, bytes;
    size_t each = blocks ? sizeof(struct block) : sizeof(struct field) + sizeof(struct layout);
    if (__builtin_mul_overflow(loop ? 0 : entries, each, &bytes))
        return TYPE_NO_MEMORY;
    int e = mpico_own_alloc(h, parts, bytes, made);
    if (e)
        return e;
    struct own_type *o = *made;
    void *list = &o->part[parts];
    if (s.used)
        set_parts(o, b, &s);
    if (!SMALL && loop && !block)
        lay_loop(o, &s);
    else if (!loop && blocks)
        lay_blocks(o, b, &s, list);
    else if (!loop)
        lay_fields(o, b, &s, list);
    return mpico_own_done(h, o, &s.content, &s.bounds);
}
