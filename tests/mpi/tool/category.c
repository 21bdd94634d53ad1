/* MPI_T's categories hold every variable once. Of events and their sources there are none, and every call says so. */
#include "check.h"

enum { LONG = 200, MOST = 100 };

/* Each member named by some category, once. */
static void add(int category, int count, int (*members)(int, int, int[]), int *seen, int all)
{
    int indices[MOST];
    CHECK(count <= MOST, "%d members", count);
    CHECK(members(category, MOST, indices) == MPI_SUCCESS, "category %d", category);
    for (int i = 0; i < count; i++) {
        CHECK(indices[i] >= 0 && indices[i] < all && !seen[indices[i]], "category %d names %d", category, indices[i]);
        seen[indices[i]] = 1;
    }
}

static void sum_up(void)
{
    int categories = 0, cvars = 0, pvars = 0, changed = -1, seen_cvars[MOST] = {0}, seen_pvars[MOST] = {0};
    MPI_T_category_get_num(&categories);
    MPI_T_cvar_get_num(&cvars);
    MPI_T_pvar_get_num(&pvars);
    CHECK(MPI_T_category_changed(&changed) == MPI_SUCCESS && changed >= 0, "%d", changed);
    for (int i = 0; i < categories; i++) {
        char name[LONG], text[LONG];
        int name_len = LONG, text_len = LONG, c = -1, p = -1, sub = -1, index = -1, events = -1;
        CHECK(MPI_T_category_get_info(i, name, &name_len, text, &text_len, &c, &p, &sub) == MPI_SUCCESS && sub == 0,
              "category %d: %d parts", i, sub);
        CHECK(MPI_T_category_get_index(name, &index) == MPI_SUCCESS && index == i, "%s: %d", name, index);
        add(i, c, MPI_T_category_get_cvars, seen_cvars, cvars);
        add(i, p, MPI_T_category_get_pvars, seen_pvars, pvars);
        CHECK(MPI_T_category_get_num_events(i, &events) == MPI_SUCCESS && events == 0, "%d events", events);
        CHECK(MPI_T_category_get_events(i, MOST, seen_cvars) == MPI_SUCCESS, "category %d", i);
        CHECK(MPI_T_category_get_categories(i, MOST, seen_cvars) == MPI_SUCCESS, "category %d", i);
    }
    for (int i = 0; i < cvars; i++)
        CHECK(seen_cvars[i], "control variable %d is in no category", i);
    for (int i = 0; i < pvars; i++)
        CHECK(seen_pvars[i], "performance variable %d is in no category", i);
    int none = -1;
    CHECK(MPI_T_category_get_index("no such", &none) == MPI_T_ERR_INVALID_NAME, "%d", none);
    CHECK(MPI_T_category_get_cvars(categories, MOST, seen_cvars) == MPI_T_ERR_INVALID_INDEX, "beyond %d", categories);
}

static void no_events(void)
{
    int count = -1, index = -1;
    MPI_T_event_registration registration = NULL;
    MPI_Count stamp = 0;
    CHECK(MPI_T_event_get_num(&count) == MPI_SUCCESS && count == 0, "%d events", count);
    CHECK(MPI_T_source_get_num(&count) == MPI_SUCCESS && count == 0, "%d sources", count);
    CHECK(MPI_T_event_get_index("any", &index) == MPI_T_ERR_INVALID_NAME, "%d", index);
    CHECK(MPI_T_event_get_info(0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) ==
              MPI_T_ERR_INVALID_INDEX,
          "event 0");
    CHECK(MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &registration) == MPI_T_ERR_INVALID_INDEX, "event 0");
    CHECK(MPI_T_event_handle_free(registration, NULL, NULL) == MPI_T_ERR_INVALID_HANDLE, "no registration");
    CHECK(MPI_T_event_set_dropped_handler(registration, NULL) == MPI_T_ERR_INVALID_HANDLE, "no registration");
    CHECK(MPI_T_source_get_timestamp(0, &stamp) == MPI_T_ERR_INVALID_INDEX, "source 0");
    CHECK(MPI_T_source_get_info(0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == MPI_T_ERR_INVALID_INDEX,
          "source 0");
    MPI_Info info = MPI_INFO_NULL;
    CHECK(MPI_T_event_handle_get_info(registration, &info) == MPI_T_ERR_INVALID_HANDLE, "no registration");
    CHECK(MPI_T_event_handle_set_info(registration, info) == MPI_T_ERR_INVALID_HANDLE, "no registration");
    CHECK(MPI_T_event_callback_get_info(registration, MPI_T_CB_REQUIRE_NONE, &info) == MPI_T_ERR_INVALID_HANDLE,
          "no registration");
    CHECK(MPI_T_event_callback_set_info(registration, MPI_T_CB_REQUIRE_NONE, info) == MPI_T_ERR_INVALID_HANDLE,
          "no registration");
    CHECK(MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, info, NULL, NULL) ==
              MPI_T_ERR_INVALID_HANDLE,
          "no registration");
}

static void no_instances(void)
{
    int source = -1;
    MPI_Count stamp = 0;
    char data[8];
    CHECK(MPI_T_event_get_timestamp(NULL, &stamp) == MPI_T_ERR_INVALID_HANDLE, "no event");
    CHECK(MPI_T_event_get_source(NULL, &source) == MPI_T_ERR_INVALID_HANDLE, "no event");
    CHECK(MPI_T_event_read(NULL, 0, data) == MPI_T_ERR_INVALID_HANDLE, "no event");
    CHECK(MPI_T_event_copy(NULL, data) == MPI_T_ERR_INVALID_HANDLE, "no event");
}

int main(int argc, char **argv)
{
    int provided = -1, count = -1;
    check_start(&argc, &argv);
    CHECK(MPI_T_event_get_num(&count) == MPI_T_ERR_NOT_INITIALIZED, "%d", count);
    CHECK(MPI_T_category_get_num(&count) == MPI_T_ERR_NOT_INITIALIZED, "%d", count);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    sum_up();
    no_events();
    no_instances();
    MPI_T_finalize();
    return check_finish();
}
