/* state.h: what src/api remembers for a rank, behind r->api. */
#ifndef MPICO_API_STATE_H
#define MPICO_API_STATE_H

#include "../base/list.h"
#include "../core/rank.h"
#include "mpi.h"

enum { ERRHANDLER_MAGIC = 0x65727231 };

enum errhandler_kind { ERRHANDLER_COMM, ERRHANDLER_WIN, ERRHANDLER_FILE, ERRHANDLER_SESSION };

/* The program's error handler. `refs` counts its handles, and the windows, files and sessions that name it; communicators do
 * not count, as they may be freed below this layer: a handler without a handle lives on while a communicator names it. */
struct errhandler {
    uint32_t magic;
    uint32_t refs;
    enum errhandler_kind kind;
    MPI_Comm_errhandler_function *function;
    struct list all;
};

struct attr_place;
struct keyval;
struct code;
struct info;
struct own_type;
struct win;
struct by_range;
struct type_name;

enum world_state { WORLD_BEFORE, WORLD_UP, WORLD_OVER }; /* MPI_Init and MPI_Finalize were called */

struct api {
    uint8_t world;         /* enum world_state */
    uint8_t said_char;     /* checking mode: a reduction of characters was told of */
    uint8_t told;          /* that a call is not supported: once is enough */
    uint32_t sessions;     /* that are open */
    uint32_t part_tags;    /* given to partitioned sends so far */
    int meetings;          /* intercommunicators that this rank has had a part in making: inter.c */
    int last_class;        /* of the error reported last, with r->fault as its sentence */
    const char *last_call; /* where */
    struct list errhandlers;
    /* Where errors are raised that belong to no object. The standard says MPI_COMM_SELF (MPI 5.0, section 9.3), but most programs
     * set the handler of MPI_COMM_WORLD alone, as was right before MPI 4: that one counts until MPI_COMM_SELF's is set; always in small
     * builds, as MPI 1 has it. */
    struct comm *unattached;
    const void *main_thread; /* rank_thread() of the one that called MPI_Init */
    void *ops;               /* the program's reduction operations */
    struct keyval *keyvals;  /* keys of attributes */
    int keyvals_made;
    struct attr_place *type_attributes; /* of predefined types */
    struct code *codes;                 /* the program's error classes and codes */
    int last_code;                      /* the highest of all codes so far: MPI_LASTUSEDCODE */
    struct info *env;                   /* MPI_INFO_ENV, once it was asked for */
    int argc;                           /* as MPI_Init was told */
    char **argv;
    uintptr_t file_errhandler;       /* of MPI_FILE_NULL; 0: MPI_ERRORS_RETURN */
    struct own_type *types;          /* the program's datatypes, */
    struct by_range *types_by_range; /* those of Fortran by precision and range, */
    struct type_name *type_names;    /* and what predefined ones were called */
    struct win *windows;             /* those that live */
    /* What MPI_Finalize has to wait for, once the program has used it. */
    void (*flush)(struct rank *), (*finish_detached)(struct rank *);
};

static inline struct api *api_state(const struct rank *r) { return r->api; }
static inline struct comm *api_unattached(const struct rank *r) { return SMALL ? r->world : api_state(r)->unattached; }

#endif
