/* image_parts.h: what the files of the image loader share. image_needs.c finds a program's files (image_ask.c: by
 * asking the dynamic loader), image_file.c brings them into memory, image_elf.c reads and edits them, image_pattern.c
 * loads the pattern, image_amend.c binds it as a process of its own, image_copy.c plans and makes copies
 * (image_fixup.c: the words that move), image_private.c, image_tls.c and image_run.c serve them; image.c puts all together.
 *
 * Places of one copy: its images one after the other, each as long as the pattern's. What is only read is mapped from
 * one memfd (`layout`) that looks like a copy; the rest is private memory. So a copy costs two mappings an image.
 */
#ifndef MPICO_FIBER_IMAGE_PARTS_H
#define MPICO_FIBER_IMAGE_PARTS_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "image.h"
#include "image_elf.h"

/* A word of an image that holds an address in image `target`. */
struct image_fixup {
    uint64_t at;
    int target;
};

/* Pages of one kind, up to those of the next kind. */
struct image_part {
    uint64_t at, bytes;
    int writable;
};

/* What is not zero in writable pages, as it was before anything ran. */
struct image_saved {
    uint64_t at, bytes;
    uint8_t *contents;
};

struct image {
    char *file;
    int fd; /* of the edited file. Stays open: the loader knows the library by this number */
    struct elf elf;
    struct link_map *map;
    uintptr_t bias; /* of the pattern */
    uint64_t place; /* of elf.low in a copy */
    int parts;
    struct image_part part[ELF_LOADS_MAX];
    struct image_saved *saved;
    size_t saveds;
    struct image_fixup *fixup;
    size_t fixups;
    int needs[64], needs_count; /* images */
    char **alias;               /* what others call it */
    int aliases;
};

/* One stretch of memory to be exchanged when another copy runs. */
struct image_tls {
    enum { TLS_OF_PROGRAM, TLS_OF_LIBRARY, TLS_OF_RUNTIME, TLS_OF_EXCEPTIONS } kind;
    size_t bytes;
    size_t below;  /* of a program: distance to the thread pointer */
    size_t module; /* of a library, the program's or the compiler's */
    int image;
    const void *first; /* of a compiler's: what it begins with */
    size_t first_bytes;
    void *(*exceptions)(void);
};

enum { IMAGES_MAX = 256, IMAGE_PRIVATE = IMAGES_MAX };

struct images {
    struct image image[IMAGES_MAX]; /* 0: the program */
    int count;
    int order[IMAGES_MAX]; /* libraries before those that need them */
    int copies;
    uint8_t *slab; /* of copies 1, 2, ...; 0 is the pattern */
    size_t stride;
    int layout;
    struct image_tls tls[IMAGES_MAX + 2];
    int tls_count;
    uint64_t *private; /* variables of the C library, a row for each copy */
    size_t tls_bytes;
    void (*frames_add)(void *); /* NULL: nobody unwinds. Never removed, as copies are not */
    char **runtime;             /* paths of the compilers' libraries it needs, to be loaded before it */
    int runtimes;
    char *why; /* the sentence of a refusal, about "it" */
    size_t room;
};

/* Set `why`, about `file`. Always negative. */
__attribute__((format(printf, 3, 4))) int images_refuse(struct images *, const char *file, const char *format, ...);

/* Fill image[] and runtime[] beginning with the program's file: files in memory, read, not yet edited. */
int image_needs_find(struct images *, char *program);
/* A memfd that may hold code; negative with errno. */
int image_memory_file(const char *name);
/* A copy of a file in memory, mapped as elf.bytes; the next entry of image[], which owns the name. */
struct image *image_file_add(struct images *, char *file, enum elf_role);

/* What the dynamic loader would load for a program: lines "<tab>name => path (0xaddress)"; the caller frees. */
int image_ask_loader(struct images *, const char *file, char **text);
/* The path of a library in that text, or NULL; the caller frees. */
char *image_path_listed(const char *text, const char *name);

/* Load all of image[] with the dynamic loader, nothing of it run. */
int image_pattern_load(struct images *);

/* Bind in the pattern what the dynamic loader binds otherwise for libraries than for executables. */
int image_amend(struct images *);
/* The image of the pattern that has this address, IMAGE_PRIVATE for the first row of private variables; negative: none. */
int image_of(const struct images *, uint64_t address);

/* From the loaded pattern: parts, saved bytes, fixups, places, the layout file, addresses for all copies. */
int image_copy_plan(struct images *);
/* Keep these bytes of the pattern for all copies. 0, or negative after a refusal. */
int image_save(struct images *, struct image *, uint64_t at, uint64_t bytes);
/* Load bias of an image in a copy. */
uintptr_t image_bias(const struct images *, const struct image *, int copy);

/* Make the rows of private variables (image_private.c). 0, or negative after a refusal. */
int image_private_plan(struct images *);
void image_private_make(struct images *, int copy);
void image_private_release(struct images *);
/* Is the address in the first row, which is the pattern's? And the bytes from one row to the next. */
int image_private_has(const struct images *, uint64_t address);
uint64_t image_private_stride(void);

int image_tls_plan(struct images *, size_t window_bytes);
void image_frames_plan(struct images *);
void image_frames_add(struct images *, int copy);

#endif
