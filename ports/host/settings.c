/* settings.c: see settings.h. */
#include "settings.h"

#include <stdlib.h>

void mpico_settings_read(struct settings *s)
{
    const char *v;
    if ((v = getenv("MPICO_EAGER_BYTES")))
        s->eager_bytes = strtoull(v, NULL, 0);
    if ((v = getenv("MPICO_SINGLE_COPY")))
        s->single_copy = atoi(v) != 0;
    if ((v = getenv("MPICO_CHECK")))
        s->checking = atoi(v) != 0;
    s->coll = getenv("MPICO_COLL");
}

const char *mpico_settings_model(void) { return getenv("MPICO_LOGGP"); }
