/* unsupported_file.c: files (MPI 5.0, chapter 14). The library has none: it knows no operating system, and a board has no disk.
 * Every call answers MPI_ERR_UNSUPPORTED_OPERATION, through the error handler of MPI_FILE_NULL, as no other file handle can exist.
 * The page on conformance reads the names below.
 */
#include "fast.h"
#include "slots.h"
#include "state.h"

static int no_files(struct rank *r)
{
    int e = mpico_fault(r, MPI_ERR_UNSUPPORTED_OPERATION, "this library has no files");
    uintptr_t returned = (uintptr_t)MPI_ERRORS_RETURN; /* without the calls for error handlers of files */
    return api_error_file ? api_error_file(r, e) : api_error_slots(r, &(struct slots){.errhandler = &returned}, e);
}

/* All members of the communicator call: its first tells the user. */
static int no_files_of(struct rank *r, MPI_Comm comm)
{
    const struct comm *c = api_comm(r, comm);
    api_state(r)->told |= c && c->rank != 0;
    return no_files(r);
}

/* A function with these arguments, none of which is looked at. Macros, as the eighty differ in nothing else. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define PRAGMA(text) _Pragma(#text)
#define UNSUPPORTED(name, arguments)                                                                                   \
    PRAGMA(weak MPI_##name = PMPI_##name)                                                                              \
    int PMPI_##name arguments                                                                                          \
    {                                                                                                                  \
        struct rank *r = api_enter("MPI_" #name);                                                                      \
        return no_files(r);                                                                                            \
    }

#define UNSUPPORTED_OF(name, comm, arguments)                                                                          \
    PRAGMA(weak MPI_##name = PMPI_##name)                                                                              \
    int PMPI_##name arguments                                                                                          \
    {                                                                                                                  \
        struct rank *r = api_enter("MPI_" #name);                                                                      \
        return no_files_of(r, comm);                                                                                   \
    }

/* The arguments of what reads (void) or writes (const void): at once, later (POSTED) or in two halves (BEGUN). */
#define DATA(memory, number) (MPI_File fh, memory * buf, number count, MPI_Datatype type, MPI_Status * status)
#define DATA_AT(memory, number)                                                                                        \
    (MPI_File fh, MPI_Offset offset, memory * buf, number count, MPI_Datatype type, MPI_Status * status)
#define POSTED(memory, number) (MPI_File fh, memory * buf, number count, MPI_Datatype type, MPI_Request * request)
#define POSTED_AT(memory, number)                                                                                      \
    (MPI_File fh, MPI_Offset offset, memory * buf, number count, MPI_Datatype type, MPI_Request * request)
#define BEGUN(memory, number) (MPI_File fh, memory * buf, number count, MPI_Datatype type)
#define BEGUN_AT(memory, number) (MPI_File fh, MPI_Offset offset, memory * buf, number count, MPI_Datatype type)

/* ---- Files and views ---- */

UNSUPPORTED_OF(File_open, comm, (MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh))
UNSUPPORTED(File_close, (MPI_File * fh))
UNSUPPORTED(File_delete, (const char *filename, MPI_Info info))
UNSUPPORTED(File_get_amode, (MPI_File fh, int *amode))
UNSUPPORTED(File_get_atomicity, (MPI_File fh, int *flag))
UNSUPPORTED(File_get_byte_offset, (MPI_File fh, MPI_Offset offset, MPI_Offset *disp))
UNSUPPORTED(File_get_group, (MPI_File fh, MPI_Group *group))
UNSUPPORTED(File_get_info, (MPI_File fh, MPI_Info *info_used))
UNSUPPORTED(File_get_position, (MPI_File fh, MPI_Offset *offset))
UNSUPPORTED(File_get_position_shared, (MPI_File fh, MPI_Offset *offset))
UNSUPPORTED(File_get_size, (MPI_File fh, MPI_Offset *size))
UNSUPPORTED(File_get_type_extent, (MPI_File fh, MPI_Datatype type, MPI_Aint *extent))
UNSUPPORTED(File_get_type_extent_c, (MPI_File fh, MPI_Datatype type, MPI_Count *extent))
UNSUPPORTED(File_get_view, (MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype, char *datarep))
UNSUPPORTED(File_preallocate, (MPI_File fh, MPI_Offset size))
UNSUPPORTED(File_seek, (MPI_File fh, MPI_Offset offset, int whence))
UNSUPPORTED(File_seek_shared, (MPI_File fh, MPI_Offset offset, int whence))
UNSUPPORTED(File_set_atomicity, (MPI_File fh, int flag))
UNSUPPORTED(File_set_info, (MPI_File fh, MPI_Info info))
UNSUPPORTED(File_set_size, (MPI_File fh, MPI_Offset size))
UNSUPPORTED(File_set_view, (MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                            const char *datarep, MPI_Info info))
UNSUPPORTED(File_sync, (MPI_File fh))
UNSUPPORTED(Register_datarep, (const char *datarep, MPI_Datarep_conversion_function *read_conversion_fn,
                               MPI_Datarep_conversion_function *write_conversion_fn,
                               MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state))
UNSUPPORTED(Register_datarep_c, (const char *datarep, MPI_Datarep_conversion_function_c *read_conversion_fn,
                                 MPI_Datarep_conversion_function_c *write_conversion_fn,
                                 MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state))

/* ---- Data ---- */

UNSUPPORTED(File_iread, POSTED(void, int))
UNSUPPORTED(File_iread_c, POSTED(void, MPI_Count))
UNSUPPORTED(File_iread_all, POSTED(void, int))
UNSUPPORTED(File_iread_all_c, POSTED(void, MPI_Count))
UNSUPPORTED(File_iread_at, POSTED_AT(void, int))
UNSUPPORTED(File_iread_at_c, POSTED_AT(void, MPI_Count))
UNSUPPORTED(File_iread_at_all, POSTED_AT(void, int))
UNSUPPORTED(File_iread_at_all_c, POSTED_AT(void, MPI_Count))
UNSUPPORTED(File_iread_shared, POSTED(void, int))
UNSUPPORTED(File_iread_shared_c, POSTED(void, MPI_Count))
UNSUPPORTED(File_iwrite, POSTED(const void, int))
UNSUPPORTED(File_iwrite_c, POSTED(const void, MPI_Count))
UNSUPPORTED(File_iwrite_all, POSTED(const void, int))
UNSUPPORTED(File_iwrite_all_c, POSTED(const void, MPI_Count))
UNSUPPORTED(File_iwrite_at, POSTED_AT(const void, int))
UNSUPPORTED(File_iwrite_at_c, POSTED_AT(const void, MPI_Count))
UNSUPPORTED(File_iwrite_at_all, POSTED_AT(const void, int))
UNSUPPORTED(File_iwrite_at_all_c, POSTED_AT(const void, MPI_Count))
UNSUPPORTED(File_iwrite_shared, POSTED(const void, int))
UNSUPPORTED(File_iwrite_shared_c, POSTED(const void, MPI_Count))
UNSUPPORTED(File_read, DATA(void, int))
UNSUPPORTED(File_read_c, DATA(void, MPI_Count))
UNSUPPORTED(File_read_all, DATA(void, int))
UNSUPPORTED(File_read_all_c, DATA(void, MPI_Count))
UNSUPPORTED(File_read_all_begin, BEGUN(void, int))
UNSUPPORTED(File_read_all_begin_c, BEGUN(void, MPI_Count))
UNSUPPORTED(File_read_all_end, (MPI_File fh, void *buf, MPI_Status *status))
UNSUPPORTED(File_read_at, DATA_AT(void, int))
UNSUPPORTED(File_read_at_c, DATA_AT(void, MPI_Count))
UNSUPPORTED(File_read_at_all, DATA_AT(void, int))
UNSUPPORTED(File_read_at_all_c, DATA_AT(void, MPI_Count))
UNSUPPORTED(File_read_at_all_begin, BEGUN_AT(void, int))
UNSUPPORTED(File_read_at_all_begin_c, BEGUN_AT(void, MPI_Count))
UNSUPPORTED(File_read_at_all_end, (MPI_File fh, void *buf, MPI_Status *status))
UNSUPPORTED(File_read_ordered, DATA(void, int))
UNSUPPORTED(File_read_ordered_c, DATA(void, MPI_Count))
UNSUPPORTED(File_read_ordered_begin, BEGUN(void, int))
UNSUPPORTED(File_read_ordered_begin_c, BEGUN(void, MPI_Count))
UNSUPPORTED(File_read_ordered_end, (MPI_File fh, void *buf, MPI_Status *status))
UNSUPPORTED(File_read_shared, DATA(void, int))
UNSUPPORTED(File_read_shared_c, DATA(void, MPI_Count))
UNSUPPORTED(File_write, DATA(const void, int))
UNSUPPORTED(File_write_c, DATA(const void, MPI_Count))
UNSUPPORTED(File_write_all, DATA(const void, int))
UNSUPPORTED(File_write_all_c, DATA(const void, MPI_Count))
UNSUPPORTED(File_write_all_begin, BEGUN(const void, int))
UNSUPPORTED(File_write_all_begin_c, BEGUN(const void, MPI_Count))
UNSUPPORTED(File_write_all_end, (MPI_File fh, const void *buf, MPI_Status *status))
UNSUPPORTED(File_write_at, DATA_AT(const void, int))
UNSUPPORTED(File_write_at_c, DATA_AT(const void, MPI_Count))
UNSUPPORTED(File_write_at_all, DATA_AT(const void, int))
UNSUPPORTED(File_write_at_all_c, DATA_AT(const void, MPI_Count))
UNSUPPORTED(File_write_at_all_begin, BEGUN_AT(const void, int))
UNSUPPORTED(File_write_at_all_begin_c, BEGUN_AT(const void, MPI_Count))
UNSUPPORTED(File_write_at_all_end, (MPI_File fh, const void *buf, MPI_Status *status))
UNSUPPORTED(File_write_ordered, DATA(const void, int))
UNSUPPORTED(File_write_ordered_c, DATA(const void, MPI_Count))
UNSUPPORTED(File_write_ordered_begin, BEGUN(const void, int))
UNSUPPORTED(File_write_ordered_begin_c, BEGUN(const void, MPI_Count))
UNSUPPORTED(File_write_ordered_end, (MPI_File fh, const void *buf, MPI_Status *status))
UNSUPPORTED(File_write_shared, DATA(const void, int))
UNSUPPORTED(File_write_shared_c, DATA(const void, MPI_Count))
