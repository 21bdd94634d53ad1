/* attr.h: attributes (MPI 5.0, section 7.7): values that a program hangs on a communicator, a datatype or a window under a key,
 * with functions of its own that are called when the object is copied and when the value goes.
 *
 * An object has one pointer, `struct attr *attributes`, NULL while it has none. Whoever copies or frees objects calls the two functions
 * below when that pointer is not NULL: then they are linked, otherwise perhaps not.
 */
#ifndef MPICO_API_ATTR_H
#define MPICO_API_ATTR_H

#include "fast.h"

enum attr_kind { ATTR_COMM, ATTR_TYPE, ATTR_WIN };

/* After an object was copied: its attributes go to the copy, those that their keys' functions let. On an error (a function's, or
 * no memory) the copy has lost what it had got, and is to be freed. Calls the program. */
OPTIONAL int api_attr_copy(struct rank *, enum attr_kind, uintptr_t from_handle, const struct attr *from,
                           uintptr_t to_handle, struct attr **to);
/* Before an object is freed: all its attributes go, the latest first. On an error of a key's function the object stays, with
 * that attribute and those after it. Calls the program. */
OPTIONAL int api_attr_drop(struct rank *, enum attr_kind, uintptr_t handle, struct attr **attributes);

/* Those of a predefined datatype. */
OPTIONAL const struct attr *api_attr_of_predefined(const struct rank *, const struct type *);

/* ---- What a family of MPI functions is made of. Each returns 0 or an error class. ---- */

typedef void attr_function(void); /* an MPI_X_copy_attr_function or MPI_X_delete_attr_function */

int api_keyval_make(struct rank *, enum attr_kind, attr_function *copy, attr_function *delete, int *keyval,
                    void *extra_state);
int api_keyval_free(struct rank *, enum attr_kind, int *keyval);
int api_attr_set(struct rank *, enum attr_kind, uintptr_t handle, struct attr **attributes, int keyval, void *value);
int api_attr_get(struct rank *, enum attr_kind, const struct attr *attributes, int keyval, void *value, int *flag);
int api_attr_delete(struct rank *, enum attr_kind, uintptr_t handle, struct attr **attributes, int keyval);

/* The address of a communicator's predefined value, or NULL. */
const int *api_attr_predefined(struct rank *, int keyval);

#endif
