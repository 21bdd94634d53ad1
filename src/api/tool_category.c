/* tool_category.c: categories of variables (MPI 5.0, section 15.3.9). They never change, and none is part of another. */
#include <string.h>

#include "tool.h"

static const struct category {
    const char *name, *description;
} categories[CATEGORIES] = {
    [CATEGORY_MESSAGES] = {"messages", "How messages travel, and those under way"},
    [CATEGORY_COLLECTIVES] = {"collectives", "How collectives are done and checked"},
    [CATEGORY_MEMORY] = {"memory", "What the rank's memory is used for"},
};

static int enter_category(int cat_index)
{
    struct rank *r;
    int e = tool_enter(&r);
    if (e)
        return e;
    return cat_index < 0 || cat_index >= CATEGORIES ? MPI_T_ERR_INVALID_INDEX : MPI_SUCCESS;
}

/* The members of a category among `all` variables: how many, and the first `len` of them. */
static int members(int category, int all, int (*category_of)(int), int len, int indices[])
{
    int found = 0;
    for (int i = 0; i < all; i++) {
        if (category_of(i) != category)
            continue;
        if (found < len && indices)
            indices[found] = i;
        found++;
    }
    return found;
}

#pragma weak MPI_T_category_get_num = PMPI_T_category_get_num
int PMPI_T_category_get_num(int *num_cat)
{
    int e = enter_category(0);
    if (!e)
        tool_give(num_cat, CATEGORIES);
    return e;
}

#pragma weak MPI_T_category_get_index = PMPI_T_category_get_index
int PMPI_T_category_get_index(const char *name, int *cat_index)
{
    int e = enter_category(0);
    if (e)
        return e;
    if (!name || !cat_index)
        return MPI_T_ERR_INVALID;
    for (int i = 0; i < CATEGORIES; i++) {
        if (strcmp(name, categories[i].name) != 0)
            continue;
        *cat_index = i;
        return MPI_SUCCESS;
    }
    return MPI_T_ERR_INVALID_NAME;
}

#pragma weak MPI_T_category_get_info = PMPI_T_category_get_info
int PMPI_T_category_get_info(int cat_index, char *name, int *name_len, char *desc, int *desc_len, int *num_cvars,
                             int *num_pvars, int *num_categories)
{
    int e = enter_category(cat_index);
    if (e)
        return e;
    tool_give_text(categories[cat_index].name, name, name_len);
    tool_give_text(categories[cat_index].description, desc, desc_len);
    tool_give(num_cvars, members(cat_index, CVARS, tool_cvar_category, 0, NULL));
    tool_give(num_pvars, members(cat_index, PVARS, tool_pvar_category, 0, NULL));
    tool_give(num_categories, 0);
    return MPI_SUCCESS;
}

#pragma weak MPI_T_category_get_cvars = PMPI_T_category_get_cvars
int PMPI_T_category_get_cvars(int cat_index, int len, int indices[])
{
    int e = enter_category(cat_index);
    if (!e)
        members(cat_index, CVARS, tool_cvar_category, len, indices);
    return e;
}

#pragma weak MPI_T_category_get_pvars = PMPI_T_category_get_pvars
int PMPI_T_category_get_pvars(int cat_index, int len, int indices[])
{
    int e = enter_category(cat_index);
    if (!e)
        members(cat_index, PVARS, tool_pvar_category, len, indices);
    return e;
}

#pragma weak MPI_T_category_get_categories = PMPI_T_category_get_categories
int PMPI_T_category_get_categories(int cat_index, int len, int indices[])
{
    (void)len, (void)indices;
    return enter_category(cat_index);
}

#pragma weak MPI_T_category_get_num_events = PMPI_T_category_get_num_events
int PMPI_T_category_get_num_events(int cat_index, int *num_events)
{
    int e = enter_category(cat_index);
    if (!e)
        tool_give(num_events, 0);
    return e;
}

#pragma weak MPI_T_category_get_events = PMPI_T_category_get_events
int PMPI_T_category_get_events(int cat_index, int len, int indices[])
{
    (void)len, (void)indices;
    return enter_category(cat_index);
}

#pragma weak MPI_T_category_changed = PMPI_T_category_changed
int PMPI_T_category_changed(int *update_number)
{
    int e = enter_category(0);
    if (!e)
        tool_give(update_number, 0);
    return e;
}
