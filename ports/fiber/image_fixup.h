/* image_fixup.h: which words of a pattern hold addresses that move with a copy. */
#ifndef MPICO_FIBER_IMAGE_FIXUP_H
#define MPICO_FIBER_IMAGE_FIXUP_H

#include "image_parts.h"

/* What a relocation makes of its word. */
enum fixup_kind {
    FIXUP_NOTHING,
    FIXUP_OWN,      /* an address in this very image */
    FIXUP_SYMBOL,   /* the address of a symbol, anywhere, plus the addend */
    FIXUP_FUNCTION, /* what a resolver returned */
    FIXUP_COPY,     /* a variable of a library, moved here with its contents */
    FIXUP_TLS,      /* a module's number or an offset: the same for all copies */
    FIXUP_UNKNOWN
};

enum fixup_kind image_fixup_kind(const Elf64_Rela *);

/* Fill m->fixup. Contents of such words that the file leaves to be zero are saved. */
int image_fixup_find(struct images *, struct image *);

#endif
