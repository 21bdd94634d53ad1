/* errhandler_file.c: error handlers of files; without one, MPI_FILE_NULL has the one that MPI_File_open calls (MPI 5.0, section 9.3.4). */
#include "errhandler.h"

/* MPI_FILE_NULL is what errors of no open file are raised on. */
static int find(struct rank *r, MPI_File file, struct slots *s)
{
    struct api *api = api_state(r);
    if (!api->file_errhandler)
        api->file_errhandler = (uintptr_t)MPI_ERRORS_RETURN;
    *s = (struct slots){
        .kind = ERRHANDLER_FILE, .handle = (uintptr_t)MPI_FILE_NULL, .errhandler = &api->file_errhandler};
    if (file == MPI_FILE_NULL)
        return MPI_SUCCESS;
    return check_file_slots ? check_file_slots(r, file, s)
                            : mpico_fault(r, MPI_ERR_FILE, "file: the handle is no file");
}

int api_error_file(struct rank *r, int e)
{
    struct slots s;
    find(r, MPI_FILE_NULL, &s);
    return api_error_slots(r, &s, e);
}

#pragma weak MPI_File_create_errhandler = PMPI_File_create_errhandler
int PMPI_File_create_errhandler(MPI_File_errhandler_function *file_errhandler_fn, MPI_Errhandler *errhandler)
{
    struct rank *r = api_enter("MPI_File_create_errhandler");
    /* Handles of all kinds are pointers, so one type of function serves. */
    int e = api_errhandler_make(r, ERRHANDLER_FILE, (MPI_Comm_errhandler_function *)file_errhandler_fn, errhandler);
    return e ? api_error(r, NULL, e) : MPI_SUCCESS;
}

#pragma weak MPI_File_set_errhandler = PMPI_File_set_errhandler
int PMPI_File_set_errhandler(MPI_File file, MPI_Errhandler errhandler)
{
    struct rank *r = api_enter("MPI_File_set_errhandler");
    struct slots s;
    int e = find(r, file, &s);
    if (!e)
        e = api_errhandler_set(r, ERRHANDLER_FILE, s.errhandler, errhandler);
    return e ? api_error_slots(r, &s, e) : MPI_SUCCESS;
}

#pragma weak MPI_File_get_errhandler = PMPI_File_get_errhandler
int PMPI_File_get_errhandler(MPI_File file, MPI_Errhandler *errhandler)
{
    struct rank *r = api_enter("MPI_File_get_errhandler");
    struct slots s;
    int e = find(r, file, &s);
    if (!e)
        e = api_errhandler_get(r, *s.errhandler, errhandler);
    return e ? api_error_slots(r, &s, e) : MPI_SUCCESS;
}

#pragma weak MPI_File_call_errhandler = PMPI_File_call_errhandler
int PMPI_File_call_errhandler(MPI_File fh, int errorcode)
{
    struct rank *r = api_enter("MPI_File_call_errhandler");
    struct slots s;
    int e = find(r, fh, &s);
    if (e)
        return api_error_slots(r, &s, e);
    api_error_slots(r, &s, api_errhandler_called(r, errorcode));
    return MPI_SUCCESS;
}
