/* error_code.h: the program's own error classes and codes. */
#ifndef MPICO_API_ERROR_CODE_H
#define MPICO_API_ERROR_CODE_H

#include "api.h"

/* A class is a code of its own class. */
struct code {
    int code, class;
    char *text; /* NULL: none */
    struct code *next;
};

/* NULL when the program has not made it. Linked with what makes one. */
OPTIONAL struct code *api_code_find(const struct rank *, int code);

#endif
