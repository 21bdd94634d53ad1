/* fdt.c: what the device tree says of this machine: how many harts, how much memory, how fast the clock ticks, and
 * the program's arguments (/chosen/bootargs). Format: Devicetree Specification 0.4, chapter 5. Every length is
 * checked against the tree's own size before it is used.
 */
#include <string.h>

#include "boot.h"

enum { FDT_MAGIC = 0xd00dfeed, FDT_HEADER = 40, FDT_MAX = 1 << 20, TOTAL = 4, STRUCTS = 8, STRINGS = 12 };
enum { BEGIN_NODE = 1, END_NODE = 2, PROPERTY = 3, NOTHING = 4, END = 9 };
enum { DEPTH_MAX = 3, NAME_MAX = 16 };

struct tree {
    const unsigned char *base;
    uint32_t total, at, strings;
    int depth;
    char name[DEPTH_MAX + 1][NAME_MAX]; /* of the nodes around; [1] is a child of the root */
};

static uint32_t word(const struct tree *t, uint32_t at)
{
    const unsigned char *b = t->base + at;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static int begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* A text within the tree, or an empty one. */
static const char *text_at(const struct tree *t, uint32_t at)
{
    return at < t->total && memchr(t->base + at, 0, t->total - at) ? (const char *)t->base + at : "";
}

static void enter(struct tree *t, struct chip *c)
{
    const char *name = text_at(t, t->at);
    t->at += (uint32_t)(strlen(name) + 4) & ~3u;
    t->depth++;
    if (t->depth <= 0 || t->depth > DEPTH_MAX)
        return;
    strncpy(t->name[t->depth - 1], name, NAME_MAX - 1);
    if (t->depth == 3 && begins(t->name[1], "cpus") && begins(name, "cpu@"))
        c->harts++;
}

static uint64_t pair(const struct tree *t, uint32_t at) { return (uint64_t)word(t, at) << 32 | word(t, at + 4); }

static void property(struct tree *t, struct chip *c, const char *name, uint32_t len)
{
    const char *node = t->name[1];
    if (t->depth != 2)
        return;
    if (begins(node, "memory@") && !strcmp(name, "reg") && len == 16 && pair(t, t->at) == memory_start)
        c->memory_end = memory_start + pair(t, t->at + 8);
    if (!strcmp(node, "cpus") && !strcmp(name, "timebase-frequency") && len == 4 && word(t, t->at))
        c->tick_ns = 1000000000u / word(t, t->at);
    if (!strcmp(node, "chosen") && !strcmp(name, "bootargs") && len && len <= sizeof c->arguments &&
        t->base[t->at + len - 1] == 0)
        memcpy(c->arguments, t->base + t->at, len);
}

/* One token; 0 at the end, or where the tree makes no sense. */
static int step(struct tree *t, struct chip *c)
{
    if (t->at > t->total - 12)
        return 0;
    uint32_t token = word(t, t->at), len;
    t->at += 4;
    switch (token) {
    case BEGIN_NODE:
        enter(t, c);
        return 1;
    case END_NODE:
        t->depth--;
        return 1;
    case PROPERTY:
        len = word(t, t->at);
        if (len > t->total - t->at - 8)
            return 0;
        t->at += 8;
        property(t, c, text_at(t, t->strings + word(t, t->at - 4)), len);
        t->at += (len + 3) & ~3u;
        return 1;
    default:
        return token == NOTHING;
    }
}

const char *mpico_fdt_read(const void *fdt, struct chip *c)
{
    struct tree t = {.base = fdt};
    if (!fdt || word(&t, 0) != FDT_MAGIC || word(&t, TOTAL) < FDT_HEADER || word(&t, TOTAL) > FDT_MAX)
        return "there is no device tree";
    t.total = word(&t, TOTAL);
    t.at = word(&t, STRUCTS);
    t.strings = word(&t, STRINGS);
    while (step(&t, c)) {
    }
    if (c->harts == 0 || c->memory_end == 0 || c->tick_ns == 0)
        return "the device tree does not tell the harts, the memory and the clock";
    return NULL;
}
