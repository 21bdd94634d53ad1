/* fake_images.h: programs of fake_program.h loaded as images, as the runner would do it. All assert success. */
#ifndef FAKE_IMAGES_H
#define FAKE_IMAGES_H

#include "../../ports/fiber/image.h"

enum { WINDOW = 8192 };
extern _Thread_local char images_window[WINDOW];
extern char images_why[512];
extern char *images_no_words[];

struct images *images_loaded(const char *name, int copies);
/* It must not load, and say `because`. */
void images_refused(const char *name, const char *because);
/* Make a copy and run its constructors. */
void images_made(struct images *, int i);
/* Call a function without arguments that the program exports. */
int images_call(struct images *, int i, const char *name);
int *images_variable(struct images *, int i, const char *name);
/* The copy that has this address, or -1. */
int images_owner(struct images *, const void *address);

#endif
