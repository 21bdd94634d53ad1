/* slots.h: where objects that this part of src/api does not know keep what it serves them: attributes, name, hints, error
 * handler. Whoever has such objects defines the function that finds them, and is linked whenever one exists.
 */
#ifndef MPICO_API_SLOTS_H
#define MPICO_API_SLOTS_H

#include "attr.h"

struct slots {
    uintptr_t handle;
    struct attr **attributes;
    char **name;
    struct info **info;
    uintptr_t *errhandler; /* as in struct comm */
    int kind;              /* enum errhandler_kind */
};

/* The window's, session's, file's slots: those its kind has. Else an error class, with the sentence. */
OPTIONAL int check_win_slots(struct rank *, MPI_Win, struct slots *);
OPTIONAL int check_session_slots(struct rank *, MPI_Session, struct slots *);
OPTIONAL int check_file_slots(struct rank *, MPI_File, struct slots *);

/* A predefined attribute of a window (MPI_WIN_BASE and so on): what MPI_Win_get_attr gives; NULL when `keyval` is none. The value
 * of MPI_WIN_BASE is the address itself, so that `found` tells. */
OPTIONAL void *api_win_predefined(struct rank *, MPI_Win, int keyval, int *found);

/* ---- What is served ---- */

/* MPI_X_set_name and MPI_X_get_name: a name too long is cut. `fallback` for an object that was given none. */
int api_name_set(struct rank *, char **slot, const char *name);
int api_name_get(struct rank *, const char *name, const char *fallback, char *out, int *resultlen);

/* The hints go. */
OPTIONAL void api_info_release(struct rank *, struct info *);
/* MPI_X_set_info: a copy of the hints stays, beside those of other keys. MPI_X_get_info: a copy is given out. */
int api_info_set(struct rank *, struct info **slot, MPI_Info);
int api_info_get(struct rank *, const struct info *, MPI_Info *out);

/* A window, session or file has failed: as api_error(). */
SELDOM int api_error_slots(struct rank *, const struct slots *, int e);
/* An error that belongs to no open file. */
OPTIONAL int api_error_file(struct rank *, int e);
/* Such an object goes: it needs its error handler, hints and name no more. (Its attributes go before: api_attr_drop().) */
void api_slots_release(struct rank *, const struct slots *);

#endif
