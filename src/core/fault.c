/* fault.c: the sentence of an error, kept in the rank until somebody reports it. */
#include <stdarg.h>

#include "../base/text.h"
#include "rank.h"

int mpico_fault(struct rank *r, int error_class, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mpico_text_vformat(r->fault, sizeof r->fault, format, args);
    va_end(args);
    return error_class;
}
