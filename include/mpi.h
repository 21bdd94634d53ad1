/* mpi.h: the C interface of MPI 5.0, with the standard's application binary interface (ABI).
 *
 * Every handle is a pointer to an incomplete struct; predefined ones are small numbers that no object can
 * have as its address. A program compiled with this header runs with any library of the same ABI,
 * and the other way round. Declared are the functions that this library has.
 */
#ifndef MPI_H_ABI
#define MPI_H_ABI

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION 5
#define MPI_SUBVERSION 0
#define MPI_ABI_VERSION 1
#define MPI_ABI_SUBVERSION 0

/* ---- Types ---- */

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset;
typedef int64_t MPI_Count;

typedef struct MPI_ABI_Comm *MPI_Comm;
typedef struct MPI_ABI_Datatype *MPI_Datatype;
typedef struct MPI_ABI_Errhandler *MPI_Errhandler;
typedef struct MPI_ABI_File *MPI_File;
typedef struct MPI_ABI_Group *MPI_Group;
typedef struct MPI_ABI_Info *MPI_Info;
typedef struct MPI_ABI_Message *MPI_Message;
typedef struct MPI_ABI_Op *MPI_Op;
typedef struct MPI_ABI_Request *MPI_Request;
typedef struct MPI_ABI_Session *MPI_Session;
typedef struct MPI_ABI_Win *MPI_Win;

typedef struct {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int MPI_internal[5]; /* the library's */
} MPI_Status;

/* ---- Handles ---- */

#define MPI_OP_NULL ((MPI_Op)0x20)
#define MPI_SUM     ((MPI_Op)0x21)
#define MPI_MIN     ((MPI_Op)0x22)
#define MPI_MAX     ((MPI_Op)0x23)
#define MPI_PROD    ((MPI_Op)0x24)
#define MPI_BAND    ((MPI_Op)0x28)
#define MPI_BOR     ((MPI_Op)0x29)
#define MPI_BXOR    ((MPI_Op)0x2a)
#define MPI_LAND    ((MPI_Op)0x30)
#define MPI_LOR     ((MPI_Op)0x31)
#define MPI_LXOR    ((MPI_Op)0x32)
#define MPI_MINLOC  ((MPI_Op)0x38)
#define MPI_MAXLOC  ((MPI_Op)0x39)
#define MPI_REPLACE ((MPI_Op)0x3c)
#define MPI_NO_OP   ((MPI_Op)0x3d)

#define MPI_COMM_NULL  ((MPI_Comm)0x100)
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_COMM_SELF  ((MPI_Comm)0x102)

#define MPI_GROUP_NULL  ((MPI_Group)0x108)
#define MPI_GROUP_EMPTY ((MPI_Group)0x109)

#define MPI_WIN_NULL        ((MPI_Win)0x110)
#define MPI_FILE_NULL       ((MPI_File)0x118)
#define MPI_SESSION_NULL    ((MPI_Session)0x120)
#define MPI_MESSAGE_NULL    ((MPI_Message)0x128)
#define MPI_MESSAGE_NO_PROC ((MPI_Message)0x129)
#define MPI_INFO_NULL       ((MPI_Info)0x130)
#define MPI_INFO_ENV        ((MPI_Info)0x131)

#define MPI_ERRHANDLER_NULL  ((MPI_Errhandler)0x140)
#define MPI_ERRORS_ARE_FATAL ((MPI_Errhandler)0x141)
#define MPI_ERRORS_ABORT     ((MPI_Errhandler)0x142)
#define MPI_ERRORS_RETURN    ((MPI_Errhandler)0x143)

#define MPI_REQUEST_NULL ((MPI_Request)0x180)

/* Datatypes: of addresses and counts; */
#define MPI_DATATYPE_NULL ((MPI_Datatype)0x200)
#define MPI_AINT          ((MPI_Datatype)0x201)
#define MPI_COUNT         ((MPI_Datatype)0x202)
#define MPI_OFFSET        ((MPI_Datatype)0x203)
#define MPI_PACKED        ((MPI_Datatype)0x207)
/* of C, by name; */
#define MPI_SHORT                     ((MPI_Datatype)0x208)
#define MPI_INT                       ((MPI_Datatype)0x209)
#define MPI_LONG                      ((MPI_Datatype)0x20a)
#define MPI_LONG_LONG                 ((MPI_Datatype)0x20b)
#define MPI_LONG_LONG_INT             MPI_LONG_LONG
#define MPI_UNSIGNED_SHORT            ((MPI_Datatype)0x20c)
#define MPI_UNSIGNED                  ((MPI_Datatype)0x20d)
#define MPI_UNSIGNED_LONG             ((MPI_Datatype)0x20e)
#define MPI_UNSIGNED_LONG_LONG        ((MPI_Datatype)0x20f)
#define MPI_FLOAT                     ((MPI_Datatype)0x210)
#define MPI_C_FLOAT_COMPLEX           ((MPI_Datatype)0x212)
#define MPI_C_COMPLEX                 MPI_C_FLOAT_COMPLEX
#define MPI_CXX_FLOAT_COMPLEX         ((MPI_Datatype)0x213)
#define MPI_DOUBLE                    ((MPI_Datatype)0x214)
#define MPI_C_DOUBLE_COMPLEX          ((MPI_Datatype)0x216)
#define MPI_CXX_DOUBLE_COMPLEX        ((MPI_Datatype)0x217)
#define MPI_LONG_DOUBLE               ((MPI_Datatype)0x220)
#define MPI_C_LONG_DOUBLE_COMPLEX     ((MPI_Datatype)0x224)
#define MPI_CXX_LONG_DOUBLE_COMPLEX   ((MPI_Datatype)0x225)
#define MPI_C_BOOL                    ((MPI_Datatype)0x238)
#define MPI_CXX_BOOL                  ((MPI_Datatype)0x239)
#define MPI_WCHAR                     ((MPI_Datatype)0x23c)
#define MPI_CHAR                      ((MPI_Datatype)0x243)
#define MPI_SIGNED_CHAR               ((MPI_Datatype)0x244)
#define MPI_UNSIGNED_CHAR             ((MPI_Datatype)0x245)
#define MPI_BYTE                      ((MPI_Datatype)0x247)
/* of C, by width; */
#define MPI_INT8_T   ((MPI_Datatype)0x240)
#define MPI_UINT8_T  ((MPI_Datatype)0x241)
#define MPI_INT16_T  ((MPI_Datatype)0x248)
#define MPI_UINT16_T ((MPI_Datatype)0x249)
#define MPI_INT32_T  ((MPI_Datatype)0x250)
#define MPI_UINT32_T ((MPI_Datatype)0x251)
#define MPI_INT64_T  ((MPI_Datatype)0x258)
#define MPI_UINT64_T ((MPI_Datatype)0x259)
/* of a value and its index, for MPI_MINLOC and MPI_MAXLOC; */
#define MPI_FLOAT_INT         ((MPI_Datatype)0x228)
#define MPI_DOUBLE_INT        ((MPI_Datatype)0x229)
#define MPI_LONG_INT          ((MPI_Datatype)0x22a)
#define MPI_2INT              ((MPI_Datatype)0x22b)
#define MPI_SHORT_INT         ((MPI_Datatype)0x22c)
#define MPI_LONG_DOUBLE_INT   ((MPI_Datatype)0x22d)
#define MPI_2REAL             ((MPI_Datatype)0x230)
#define MPI_2DOUBLE_PRECISION ((MPI_Datatype)0x231)
#define MPI_2INTEGER          ((MPI_Datatype)0x232)
/* of Fortran, by name and by bytes. */
#define MPI_LOGICAL          ((MPI_Datatype)0x218)
#define MPI_INTEGER          ((MPI_Datatype)0x219)
#define MPI_REAL             ((MPI_Datatype)0x21a)
#define MPI_COMPLEX          ((MPI_Datatype)0x21b)
#define MPI_DOUBLE_PRECISION ((MPI_Datatype)0x21c)
#define MPI_DOUBLE_COMPLEX   ((MPI_Datatype)0x21d)
#define MPI_CHARACTER        ((MPI_Datatype)0x21e)
#define MPI_LOGICAL1         ((MPI_Datatype)0x2c0)
#define MPI_LOGICAL2         ((MPI_Datatype)0x2c8)
#define MPI_LOGICAL4         ((MPI_Datatype)0x2d0)
#define MPI_LOGICAL8         ((MPI_Datatype)0x2d8)
#define MPI_LOGICAL16        ((MPI_Datatype)0x2e0)
#define MPI_INTEGER1         ((MPI_Datatype)0x2c1)
#define MPI_INTEGER2         ((MPI_Datatype)0x2c9)
#define MPI_INTEGER4         ((MPI_Datatype)0x2d1)
#define MPI_INTEGER8         ((MPI_Datatype)0x2d9)
#define MPI_INTEGER16        ((MPI_Datatype)0x2e1)
#define MPI_REAL2            ((MPI_Datatype)0x2ca)
#define MPI_REAL4            ((MPI_Datatype)0x2d2)
#define MPI_REAL8            ((MPI_Datatype)0x2da)
#define MPI_REAL16           ((MPI_Datatype)0x2e2)
#define MPI_COMPLEX4         ((MPI_Datatype)0x2d3)
#define MPI_COMPLEX8         ((MPI_Datatype)0x2db)
#define MPI_COMPLEX16        ((MPI_Datatype)0x2e3)
#define MPI_COMPLEX32        ((MPI_Datatype)0x2eb)

/* ---- Addresses that mean something else ---- */

#define MPI_BOTTOM           ((void *)0)
#define MPI_IN_PLACE         ((void *)1)
#define MPI_BUFFER_AUTOMATIC ((void *)2)
#define MPI_ARGV_NULL        ((char **)0)
#define MPI_ARGVS_NULL       ((char ***)0)
#define MPI_ERRCODES_IGNORE  ((int *)0)
#define MPI_STATUS_IGNORE    ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE  ((MPI_Status *)0)
#define MPI_UNWEIGHTED       ((int *)10)
#define MPI_WEIGHTS_EMPTY    ((int *)11)

/* ---- Numbers ---- */

enum { MPI_ANY_SOURCE = -1, MPI_ANY_TAG = -2, MPI_PROC_NULL = -3, MPI_ROOT = -4, MPI_UNDEFINED = -32766 };

enum { /* error classes */
    MPI_SUCCESS = 0,
    MPI_ERR_BUFFER = 1, MPI_ERR_COUNT = 2, MPI_ERR_TYPE = 3, MPI_ERR_TAG = 4, MPI_ERR_COMM = 5,
    MPI_ERR_RANK = 6, MPI_ERR_REQUEST = 7, MPI_ERR_ROOT = 8, MPI_ERR_GROUP = 9, MPI_ERR_OP = 10,
    MPI_ERR_TOPOLOGY = 11, MPI_ERR_DIMS = 12, MPI_ERR_ARG = 13, MPI_ERR_UNKNOWN = 14, MPI_ERR_TRUNCATE = 15,
    MPI_ERR_OTHER = 16, MPI_ERR_INTERN = 17, MPI_ERR_PENDING = 18, MPI_ERR_IN_STATUS = 19, MPI_ERR_ACCESS = 20,
    MPI_ERR_AMODE = 21, MPI_ERR_ASSERT = 22, MPI_ERR_BAD_FILE = 23, MPI_ERR_BASE = 24, MPI_ERR_CONVERSION = 25,
    MPI_ERR_DISP = 26, MPI_ERR_DUP_DATAREP = 27, MPI_ERR_FILE_EXISTS = 28, MPI_ERR_FILE_IN_USE = 29,
    MPI_ERR_FILE = 30, MPI_ERR_INFO_KEY = 31, MPI_ERR_INFO_NOKEY = 32, MPI_ERR_INFO_VALUE = 33, MPI_ERR_INFO = 34,
    MPI_ERR_IO = 35, MPI_ERR_KEYVAL = 36, MPI_ERR_LOCKTYPE = 37, MPI_ERR_NAME = 38, MPI_ERR_NO_MEM = 39,
    MPI_ERR_NOT_SAME = 40, MPI_ERR_NO_SPACE = 41, MPI_ERR_NO_SUCH_FILE = 42, MPI_ERR_PORT = 43, MPI_ERR_QUOTA = 44,
    MPI_ERR_READ_ONLY = 45, MPI_ERR_RMA_ATTACH = 46, MPI_ERR_RMA_CONFLICT = 47, MPI_ERR_RMA_RANGE = 48,
    MPI_ERR_RMA_SHARED = 49, MPI_ERR_RMA_SYNC = 50, MPI_ERR_SERVICE = 51, MPI_ERR_SIZE = 52, MPI_ERR_SPAWN = 53,
    MPI_ERR_UNSUPPORTED_DATAREP = 54, MPI_ERR_UNSUPPORTED_OPERATION = 55, MPI_ERR_WIN = 56,
    MPI_ERR_RMA_FLAVOR = 57, MPI_ERR_PROC_ABORTED = 58, MPI_ERR_VALUE_TOO_LARGE = 59, MPI_ERR_SESSION = 60,
    MPI_ERR_ERRHANDLER = 61, MPI_ERR_ABI = 62,
    MPI_ERR_LASTCODE = 0x3fff
};

enum { MPI_THREAD_SINGLE = 0, MPI_THREAD_FUNNELED = 1024, MPI_THREAD_SERIALIZED = 2048, MPI_THREAD_MULTIPLE = 4096 };
enum { MPI_IDENT = 201, MPI_CONGRUENT = 202, MPI_SIMILAR = 203, MPI_UNEQUAL = 204 };
enum { MPI_CART = 211, MPI_GRAPH = 212, MPI_DIST_GRAPH = 213 };
enum {
    MPI_COMM_TYPE_SHARED = 221, MPI_COMM_TYPE_HW_UNGUIDED = 222, MPI_COMM_TYPE_HW_GUIDED = 223,
    MPI_COMM_TYPE_RESOURCE_GUIDED = 224
};

enum { /* datatypes: array order and distribution, how one was made, Fortran's classes */
    MPI_ORDER_C = 12, MPI_ORDER_FORTRAN = 15,
    MPI_DISTRIBUTE_NONE = 16, MPI_DISTRIBUTE_BLOCK = 17, MPI_DISTRIBUTE_CYCLIC = 18, MPI_DISTRIBUTE_DFLT_DARG = 19,
    MPI_COMBINER_NAMED = 101, MPI_COMBINER_DUP = 102, MPI_COMBINER_CONTIGUOUS = 103, MPI_COMBINER_VECTOR = 104,
    MPI_COMBINER_HVECTOR = 105, MPI_COMBINER_INDEXED = 106, MPI_COMBINER_HINDEXED = 107,
    MPI_COMBINER_INDEXED_BLOCK = 108, MPI_COMBINER_HINDEXED_BLOCK = 109, MPI_COMBINER_STRUCT = 110,
    MPI_COMBINER_SUBARRAY = 111, MPI_COMBINER_DARRAY = 112, MPI_COMBINER_F90_REAL = 113,
    MPI_COMBINER_F90_COMPLEX = 114, MPI_COMBINER_F90_INTEGER = 115, MPI_COMBINER_RESIZED = 116,
    MPI_COMBINER_VALUE_INDEX = 117,
    MPI_TYPECLASS_INTEGER = 192, MPI_TYPECLASS_REAL = 193, MPI_TYPECLASS_COMPLEX = 194
};

enum { /* windows */
    MPI_LOCK_EXCLUSIVE = 301, MPI_LOCK_SHARED = 302,
    MPI_WIN_FLAVOR_CREATE = 311, MPI_WIN_FLAVOR_ALLOCATE = 312, MPI_WIN_FLAVOR_DYNAMIC = 313,
    MPI_WIN_FLAVOR_SHARED = 314, MPI_WIN_UNIFIED = 321, MPI_WIN_SEPARATE = 322,
    MPI_MODE_NOCHECK = 1024, MPI_MODE_NOPRECEDE = 2048, MPI_MODE_NOPUT = 4096, MPI_MODE_NOSTORE = 8192,
    MPI_MODE_NOSUCCEED = 16384
};

enum { /* files */
    MPI_MODE_APPEND = 1, MPI_MODE_CREATE = 2, MPI_MODE_DELETE_ON_CLOSE = 4, MPI_MODE_EXCL = 8, MPI_MODE_RDONLY = 16,
    MPI_MODE_RDWR = 32, MPI_MODE_SEQUENTIAL = 64, MPI_MODE_UNIQUE_OPEN = 128, MPI_MODE_WRONLY = 256,
    MPI_SEEK_CUR = 401, MPI_SEEK_END = 402, MPI_SEEK_SET = 403
};
#define MPI_DISPLACEMENT_CURRENT ((MPI_Offset)-1)

enum { /* keys of predefined attributes */
    MPI_KEYVAL_INVALID = 0,
    MPI_TAG_UB = 501, MPI_IO = 502, MPI_HOST = 503, MPI_WTIME_IS_GLOBAL = 504, MPI_APPNUM = 505,
    MPI_LASTUSEDCODE = 506, MPI_UNIVERSE_SIZE = 507,
    MPI_WIN_BASE = 601, MPI_WIN_DISP_UNIT = 602, MPI_WIN_SIZE = 603, MPI_WIN_CREATE_FLAVOR = 604, MPI_WIN_MODEL = 605
};

#define MPI_MAX_DATAREP_STRING         128
#define MPI_MAX_ERROR_STRING           512
#define MPI_MAX_INFO_KEY               256
#define MPI_MAX_INFO_VAL               1024
#define MPI_MAX_LIBRARY_VERSION_STRING 8192
#define MPI_MAX_OBJECT_NAME            128
#define MPI_MAX_PORT_NAME              1024
#define MPI_MAX_PROCESSOR_NAME         256
#define MPI_MAX_STRINGTAG_LEN          1024
#define MPI_MAX_PSET_NAME_LEN          1024
#define MPI_BSEND_OVERHEAD             512

/* ---- The program's functions ---- */

typedef void(MPI_User_function)(void *in, void *inout, int *len, MPI_Datatype *type);
typedef void(MPI_User_function_c)(void *in, void *inout, MPI_Count *len, MPI_Datatype *type);
typedef void(MPI_Comm_errhandler_function)(MPI_Comm *comm, int *error_code, ...);
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;

/* ---- Functions ----
 *
 * Each has two names: MPI_X, which a tool may replace, and PMPI_X, which it calls then. The macro
 * declares both from one line, so that they cannot differ. */
#define MPI_ABI_CALL(result, name, arguments) \
    result MPI_##name arguments;              \
    result PMPI_##name arguments

/* environment */
MPI_ABI_CALL(int, Init, (int *argc, char ***argv));
MPI_ABI_CALL(int, Init_thread, (int *argc, char ***argv, int required, int *provided));
MPI_ABI_CALL(int, Query_thread, (int *provided));
MPI_ABI_CALL(int, Is_thread_main, (int *flag));
MPI_ABI_CALL(int, Finalize, (void));
MPI_ABI_CALL(int, Initialized, (int *flag));
MPI_ABI_CALL(int, Finalized, (int *flag));
MPI_ABI_CALL(int, Abort, (MPI_Comm comm, int error_code));
MPI_ABI_CALL(double, Wtime, (void));
MPI_ABI_CALL(double, Wtick, (void));
MPI_ABI_CALL(int, Get_version, (int *version, int *subversion));
MPI_ABI_CALL(int, Get_library_version, (char *version, int *length));
MPI_ABI_CALL(int, Get_processor_name, (char *name, int *length));
MPI_ABI_CALL(int, Abi_get_version, (int *major, int *minor));
MPI_ABI_CALL(int, Alloc_mem, (MPI_Aint size, MPI_Info info, void *baseptr));
MPI_ABI_CALL(int, Free_mem, (void *base));

/* errors */
MPI_ABI_CALL(int, Error_string, (int error_code, char *string, int *length));
MPI_ABI_CALL(int, Error_class, (int error_code, int *error_class));
MPI_ABI_CALL(int, Comm_create_errhandler, (MPI_Comm_errhandler_function *function, MPI_Errhandler *errhandler));
MPI_ABI_CALL(int, Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler errhandler));
MPI_ABI_CALL(int, Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler *errhandler));
MPI_ABI_CALL(int, Comm_call_errhandler, (MPI_Comm comm, int error_code));
MPI_ABI_CALL(int, Errhandler_free, (MPI_Errhandler *errhandler));

/* communicators and groups */
MPI_ABI_CALL(int, Comm_rank, (MPI_Comm comm, int *rank));
MPI_ABI_CALL(int, Comm_size, (MPI_Comm comm, int *size));
MPI_ABI_CALL(int, Comm_group, (MPI_Comm comm, MPI_Group *group));
MPI_ABI_CALL(int, Comm_compare, (MPI_Comm comm1, MPI_Comm comm2, int *result));
MPI_ABI_CALL(int, Comm_dup, (MPI_Comm comm, MPI_Comm *newcomm));
MPI_ABI_CALL(int, Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *newcomm));
MPI_ABI_CALL(int, Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm));
MPI_ABI_CALL(int, Comm_free, (MPI_Comm *comm));
MPI_ABI_CALL(int, Group_size, (MPI_Group group, int *size));
MPI_ABI_CALL(int, Group_rank, (MPI_Group group, int *rank));
MPI_ABI_CALL(int, Group_translate_ranks, (MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int
             ranks2[]));
MPI_ABI_CALL(int, Group_compare, (MPI_Group group1, MPI_Group group2, int *result));
MPI_ABI_CALL(int, Group_union, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup));
MPI_ABI_CALL(int, Group_intersection, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup));
MPI_ABI_CALL(int, Group_difference, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup));
MPI_ABI_CALL(int, Group_incl, (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup));
MPI_ABI_CALL(int, Group_excl, (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup));
MPI_ABI_CALL(int, Group_range_incl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup));
MPI_ABI_CALL(int, Group_range_excl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup));
MPI_ABI_CALL(int, Group_free, (MPI_Group *group));

/* messages: blocking, nonblocking, persistent */
MPI_ABI_CALL(int, Send, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm));
MPI_ABI_CALL(int, Bsend, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm));
MPI_ABI_CALL(int, Ssend, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm));
MPI_ABI_CALL(int, Rsend, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm));
MPI_ABI_CALL(int, Recv, (void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status
             *status));
MPI_ABI_CALL(int, Isend, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request
             *request));
MPI_ABI_CALL(int, Ibsend, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_ABI_CALL(int, Issend, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_ABI_CALL(int, Irsend, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_ABI_CALL(int, Irecv, (void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request
             *request));
MPI_ABI_CALL(int, Send_init, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_ABI_CALL(int, Bsend_init, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_ABI_CALL(int, Ssend_init, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_ABI_CALL(int, Rsend_init, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
             MPI_Request *request));
MPI_ABI_CALL(int, Recv_init, (void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request
             *request));
MPI_ABI_CALL(int, Start, (MPI_Request *request));
MPI_ABI_CALL(int, Startall, (int count, MPI_Request requests[]));
MPI_ABI_CALL(int, Sendrecv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void
             *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status
             *status));
MPI_ABI_CALL(int, Isendrecv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void
             *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request
             *request));
MPI_ABI_CALL(int, Sendrecv_replace, (void *buf, int count, MPI_Datatype type, int dest, int sendtag, int source, int
             recvtag, MPI_Comm comm, MPI_Status *status));
MPI_ABI_CALL(int, Isendrecv_replace, (void *buf, int count, MPI_Datatype type, int dest, int sendtag, int source, int
             recvtag, MPI_Comm comm, MPI_Request *request));
MPI_ABI_CALL(int, Buffer_attach, (void *buffer, int size));
MPI_ABI_CALL(int, Buffer_detach, (void *buffer_address, int *size));
MPI_ABI_CALL(int, Buffer_flush, (void));

/* messages: looking before receiving */
MPI_ABI_CALL(int, Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status));
MPI_ABI_CALL(int, Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status));
MPI_ABI_CALL(int, Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status));
MPI_ABI_CALL(int, Improbe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status));
MPI_ABI_CALL(int, Mrecv, (void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status));
MPI_ABI_CALL(int, Imrecv, (void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request));

/* requests and statuses */
MPI_ABI_CALL(int, Wait, (MPI_Request *request, MPI_Status *status));
MPI_ABI_CALL(int, Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]));
MPI_ABI_CALL(int, Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *status));
MPI_ABI_CALL(int, Waitsome, (int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status
             statuses[]));
MPI_ABI_CALL(int, Test, (MPI_Request *request, int *flag, MPI_Status *status));
MPI_ABI_CALL(int, Testall, (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]));
MPI_ABI_CALL(int, Testany, (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status));
MPI_ABI_CALL(int, Testsome, (int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status
             statuses[]));
MPI_ABI_CALL(int, Request_get_status, (MPI_Request request, int *flag, MPI_Status *status));
MPI_ABI_CALL(int, Request_free, (MPI_Request *request));
MPI_ABI_CALL(int, Cancel, (MPI_Request *request));
MPI_ABI_CALL(int, Test_cancelled, (const MPI_Status *status, int *flag));
MPI_ABI_CALL(int, Get_count, (const MPI_Status *status, MPI_Datatype type, int *count));
MPI_ABI_CALL(int, Get_elements, (const MPI_Status *status, MPI_Datatype type, int *count));
MPI_ABI_CALL(int, Get_elements_x, (const MPI_Status *status, MPI_Datatype type, MPI_Count *count));
MPI_ABI_CALL(int, Status_set_cancelled, (MPI_Status *status, int flag));
MPI_ABI_CALL(int, Status_set_elements, (MPI_Status *status, MPI_Datatype type, int count));
MPI_ABI_CALL(int, Status_set_elements_x, (MPI_Status *status, MPI_Datatype type, MPI_Count count));

/* datatypes */
MPI_ABI_CALL(int, Type_size, (MPI_Datatype type, int *size));
MPI_ABI_CALL(int, Type_size_x, (MPI_Datatype type, MPI_Count *size));
MPI_ABI_CALL(int, Type_get_extent, (MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent));
MPI_ABI_CALL(int, Type_get_extent_x, (MPI_Datatype type, MPI_Count *lb, MPI_Count *extent));
MPI_ABI_CALL(int, Type_get_true_extent, (MPI_Datatype type, MPI_Aint *true_lb, MPI_Aint *true_extent));
MPI_ABI_CALL(int, Type_get_true_extent_x, (MPI_Datatype type, MPI_Count *true_lb, MPI_Count *true_extent));

/* reduction operations */
MPI_ABI_CALL(int, Op_create, (MPI_User_function *function, int commute, MPI_Op *op));
MPI_ABI_CALL(int, Op_free, (MPI_Op *op));
MPI_ABI_CALL(int, Op_commutative, (MPI_Op op, int *commute));
MPI_ABI_CALL(int, Reduce_local, (const void *inbuf, void *inoutbuf, int count, MPI_Datatype type, MPI_Op op));

/* collectives, blocking and nonblocking */
MPI_ABI_CALL(int, Barrier, (MPI_Comm comm));
MPI_ABI_CALL(int, Ibarrier, (MPI_Comm comm, MPI_Request *request));
MPI_ABI_CALL(int, Bcast, (void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm));
MPI_ABI_CALL(int, Ibcast, (void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request));
MPI_ABI_CALL(int, Gather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
             MPI_Datatype recvtype, int root, MPI_Comm comm));
MPI_ABI_CALL(int, Igather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
             MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request));
MPI_ABI_CALL(int, Gatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
             recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm));
MPI_ABI_CALL(int, Igatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
             recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request));
MPI_ABI_CALL(int, Scatter, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
             MPI_Datatype recvtype, int root, MPI_Comm comm));
MPI_ABI_CALL(int, Iscatter, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
             MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request));
MPI_ABI_CALL(int, Scatterv, (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
             void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm));
MPI_ABI_CALL(int, Iscatterv, (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
             void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request));
MPI_ABI_CALL(int, Allgather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
             MPI_Datatype recvtype, MPI_Comm comm));
MPI_ABI_CALL(int, Iallgather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int
             recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
MPI_ABI_CALL(int, Allgatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
             recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm));
MPI_ABI_CALL(int, Iallgatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
             recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
MPI_ABI_CALL(int, Alltoall, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
             MPI_Datatype recvtype, MPI_Comm comm));
MPI_ABI_CALL(int, Ialltoall, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
             MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
MPI_ABI_CALL(int, Alltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
             void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm));
MPI_ABI_CALL(int, Ialltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype
             sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm
             comm, MPI_Request *request));
MPI_ABI_CALL(int, Alltoallw, (const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype
             sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
             MPI_Comm comm));
MPI_ABI_CALL(int, Ialltoallw, (const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype
             sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
             MPI_Comm comm, MPI_Request *request));
MPI_ABI_CALL(int, Reduce, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, int root,
             MPI_Comm comm));
MPI_ABI_CALL(int, Ireduce, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, int root,
             MPI_Comm comm, MPI_Request *request));
MPI_ABI_CALL(int, Allreduce, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm
             comm));
MPI_ABI_CALL(int, Iallreduce, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm
             comm, MPI_Request *request));
MPI_ABI_CALL(int, Reduce_scatter, (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype type,
             MPI_Op op, MPI_Comm comm));
MPI_ABI_CALL(int, Ireduce_scatter, (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype type,
             MPI_Op op, MPI_Comm comm, MPI_Request *request));
MPI_ABI_CALL(int, Reduce_scatter_block, (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype type, MPI_Op
             op, MPI_Comm comm));
MPI_ABI_CALL(int, Ireduce_scatter_block, (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype type, MPI_Op
             op, MPI_Comm comm, MPI_Request *request));
MPI_ABI_CALL(int, Scan, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm));
MPI_ABI_CALL(int, Iscan, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
             MPI_Request *request));
MPI_ABI_CALL(int, Exscan, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm
             comm));
MPI_ABI_CALL(int, Iexscan, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm
             comm, MPI_Request *request));

#undef MPI_ABI_CALL

#ifdef __cplusplus
}
#endif

#endif
