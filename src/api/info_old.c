/* info_old.c: deprecated forms of MPI_Info_get_string (MPI 5.0, section 16.3): the length and the value apart. */
#include <string.h>

#include "info.h"

static int look_up(struct rank *r, MPI_Info info, const char *key, const int *flag, const char **value)
{
    struct info *i;
    int e;
    if ((e = check_info(r, info, &i)) || (e = check_pointer(r, flag, "flag")))
        return e;
    if (!key || !*key || strlen(key) >= MPI_MAX_INFO_KEY)
        return mpico_fault(r, MPI_ERR_INFO_KEY, "key: %s", key ? "is empty or too long" : "is a null pointer");
    *value = api_info_value(i, key);
    return MPI_SUCCESS;
}

#pragma weak MPI_Info_get = PMPI_Info_get
int PMPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag)
{
    struct rank *r = api_enter_any("MPI_Info_get");
    const char *found;
    int e;
    if ((e = look_up(r, info, key, flag, &found)) || (e = check_pointer(r, value, "value")))
        return api_error(r, NULL, e);
    if (valuelen < 0)
        return api_error(r, NULL, mpico_fault(r, MPI_ERR_ARG, "valuelen: %d is negative", valuelen));
    *flag = found != NULL;
    if (found) {
        size_t len = strlen(found);
        if (len > (size_t)valuelen)
            len = (size_t)valuelen;
        memcpy(value, found, len);
        value[len] = 0;
    }
    return MPI_SUCCESS;
}

#pragma weak MPI_Info_get_valuelen = PMPI_Info_get_valuelen
int PMPI_Info_get_valuelen(MPI_Info info, const char *key, int *valuelen, int *flag)
{
    struct rank *r = api_enter_any("MPI_Info_get_valuelen");
    const char *found;
    int e;
    if ((e = look_up(r, info, key, flag, &found)) || (e = check_pointer(r, valuelen, "valuelen")))
        return api_error(r, NULL, e);
    *flag = found != NULL;
    if (found)
        *valuelen = (int)strlen(found);
    return MPI_SUCCESS;
}
