/* slots.c: see slots.h. */
#include "slots.h"

#include "carried.h"
#include "errhandler.h"

void api_slots_release(struct rank *r, const struct slots *s)
{
    if (s->errhandler)
        api_errhandler_drop(r, *s->errhandler);
    if (s->info && *s->info)
        api_info_release(r, *s->info);
    if (s->name)
        mpico_heap_free(&r->heap, *s->name);
}
