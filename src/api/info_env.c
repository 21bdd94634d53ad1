/* info_env.c: MPI_INFO_ENV: how the program was started, as far as it is known (MPI 5.0, sections 10.4 and 11.2.1). */
#include <string.h>

#include "../base/text.h"
#include "carried.h"
#include "info.h"
#include "state.h"

/* Nothing is put for what is not known. That includes "thread_level", what the launcher was asked for: the program's own request is
 * none of it, and what is said here is the same before, during and after the time between MPI_Init and MPI_Finalize. */
static int put(struct rank *r, struct info *info, const char *key, const char *value)
{
    return value && *value && strlen(value) < MPI_MAX_INFO_VAL ? api_info_put(r, info, key, value) : MPI_SUCCESS;
}

/* The arguments with a blank between them; cut where they are too long. */
static void join(int argc, char **argv, char *text, size_t room)
{
    size_t at = 0;
    text[0] = 0;
    for (int i = 1; i < argc && argv[i]; i++)
        at += mpico_text_format(text + at, room - at, "%s%s", i > 1 ? " " : "", argv[i]);
}

static int describe(struct rank *r, int argc, char **argv, struct info *info)
{
    char text[MPI_MAX_INFO_VAL];
    int e;
    if (argc > 0 && argv) {
        join(argc, argv, text, sizeof text);
        if ((e = put(r, info, "command", argv[0])) || (e = put(r, info, "argv", text)))
            return e;
    }
    mpico_text_format(text, sizeof text, "%d", r->world_size);
    if ((e = put(r, info, "maxprocs", text)) || (e = put(r, info, "soft", text)) ||
        (e = put(r, info, "host", r->machine->processor ? r->machine->processor(r) : NULL)))
        return e;
    return put(r, info, "arch", r->machine->arch);
}

int api_info_describe(struct rank *r, int argc, char **argv, struct info **info)
{
    int e = api_info_make(r, info);
    if (!e && (e = describe(r, argc, argv, *info)))
        api_info_release(r, *info);
    return e;
}

/* Made anew once MPI_Init has told the program's arguments. */
int api_info_env(struct rank *r, struct info **info)
{
    struct api *api = api_state(r);
    if (api->env && (!api->argv || api_info_value(api->env, "command"))) {
        *info = api->env;
        return MPI_SUCCESS;
    }
    int e = api_info_describe(r, api->argc, api->argv, info);
    if (e)
        return e;
    (*info)->fixed = 1;
    if (api->env)
        api_info_release(r, api->env);
    api->env = *info;
    return MPI_SUCCESS;
}

#pragma weak MPI_Info_create_env = PMPI_Info_create_env
int PMPI_Info_create_env(int argc, char *argv[], MPI_Info *info)
{
    struct rank *r = api_enter_any("MPI_Info_create_env");
    struct info *i = NULL;
    int e = check_pointer(r, info, "info");
    if (!e)
        e = api_info_describe(r, argc, argv, &i);
    if (e)
        return api_error(r, NULL, e);
    *info = api_info_handle(i);
    return MPI_SUCCESS;
}
