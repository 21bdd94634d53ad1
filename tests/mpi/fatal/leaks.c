/* Leaves one thing of each kind, at lines that the report has to name, and some things that are no leaks. */
#include <mpi.h>

static void add(void *in, void *inout, int *n, MPI_Datatype *type) { (void)in, (void)inout, (void)n, (void)type; }
static void handler(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code; }

static void no_leaks(void)
{
    MPI_Comm comm;
    MPI_Group group, same;
    MPI_Datatype type, copy;
    MPI_Info info;
    int x = 0, y;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_group(comm, &group);
    MPI_Comm_group(comm, &same);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_dup(type, &copy);
    MPI_Info_create(&info);
    MPI_Comm_set_info(MPI_COMM_WORLD, info); /* which keeps a copy */
    MPI_Sendrecv(&x, 1, MPI_INT, 0, 1, &y, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Group_free(&same);
    MPI_Type_free(&type);
    MPI_Type_free(&copy);
    MPI_Info_free(&info);
}

static int sent, received;

static void leave_messages(void)
{
    MPI_Request request;
    MPI_Message message;
    MPI_Irecv(&received, 1, MPI_INT, 0, 77, MPI_COMM_SELF, &request);
    MPI_Send_init(&sent, 1, MPI_INT, 0, 78, MPI_COMM_SELF, &request);
    MPI_Send(&sent, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
    MPI_Send(&sent, 1, MPI_INT, 0, 4, MPI_COMM_SELF);
    MPI_Mprobe(0, 3, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
}

static void leave_objects(void)
{
    static int memory;
    MPI_Comm comm;
    MPI_Group group;
    MPI_Datatype type;
    MPI_Win win;
    MPI_Info info;
    MPI_Errhandler errhandler;
    MPI_Op op;
    int key;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "twin");
    MPI_Comm_group(comm, &group);
    for (int i = 0; i < 3; i++)
        MPI_Type_vector(3, 1, 2, MPI_INT, &type);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Info_create(&info);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, 0);
    MPI_Comm_create_errhandler(handler, &errhandler);
    MPI_Op_create(add, 1, &op);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    no_leaks();
    leave_messages();
    leave_objects();
    MPI_Finalize();
    return 0;
}
