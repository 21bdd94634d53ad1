/* settings.c: see settings.h. An empty value is as none. */
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>

#include "value.h"
#include "variables.h"

static const char *value_of(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static int refuse(const char *name, const char *value, const char *wanted)
{
    fprintf(stderr, "mpico: %s=%s: it %s\n", name, value, wanted);
    return -1;
}

static int bytes(const char *name, size_t *out)
{
    const char *value = value_of(name);
    return value && mpico_value_bytes(value, out) ? refuse(name, value, VALUE_BYTES_WANTED) : 0;
}

static int on_off(const char *name, uint8_t *out)
{
    const char *value = value_of(name);
    return value && mpico_value_switch(value, out) ? refuse(name, value, VALUE_SWITCH_WANTED) : 0;
}

#define READ_BYTES(name, field, meaning, usual) | bytes(name, &s->field)
#define READ_SWITCH(name, field, meaning, usual) | on_off(name, &s->field)
#define READ_TEXT(name, field, meaning, usual) | ((s->field = value_of(name)), 0)
#define READ_NOTHING(name, field, meaning, usual)

int mpico_settings_read(struct settings *s)
{
    return 0 MPICO_VARIABLES(READ_BYTES, READ_SWITCH, READ_TEXT, READ_NOTHING);
}

const char *mpico_settings_model(void) { return getenv("MPICO_LOGGP"); }
