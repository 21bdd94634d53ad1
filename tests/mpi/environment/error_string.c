/* Every class of the standard up to the RMA ones has a text of its own, and is its own class. */
#include "check.h"

int main(int argc, char **argv)
{
    const int classes[] = {MPI_SUCCESS,    MPI_ERR_BUFFER,   MPI_ERR_COUNT,     MPI_ERR_TYPE,     MPI_ERR_TAG,
                           MPI_ERR_COMM,   MPI_ERR_RANK,     MPI_ERR_REQUEST,   MPI_ERR_ROOT,     MPI_ERR_GROUP,
                           MPI_ERR_OP,     MPI_ERR_ARG,      MPI_ERR_UNKNOWN,   MPI_ERR_TRUNCATE, MPI_ERR_OTHER,
                           MPI_ERR_INTERN, MPI_ERR_PENDING,  MPI_ERR_IN_STATUS, MPI_ERR_KEYVAL,   MPI_ERR_NO_MEM,
                           MPI_ERR_INFO,   MPI_ERR_TOPOLOGY, MPI_ERR_DIMS,      MPI_ERR_WIN,      MPI_ERR_FILE,
                           MPI_ERR_SPAWN};
    enum { CLASSES = sizeof classes / sizeof classes[0] };
    static char text[CLASSES][MPI_MAX_ERROR_STRING];
    check_start(&argc, &argv);
    CHECK(MPI_SUCCESS == 0, "%d", MPI_SUCCESS);
    for (int i = 0; i < CLASSES; i++) {
        int length = -1, class = -1;
        CHECK_OK(MPI_Error_string(classes[i], text[i], &length));
        CHECK(length > 0 && length < MPI_MAX_ERROR_STRING && strlen(text[i]) == (size_t)length, "class %d: length %d",
              classes[i], length);
        MPI_Error_class(classes[i], &class);
        CHECK(class == classes[i] && class <= MPI_ERR_LASTCODE, "class of %d is %d", classes[i], class);
        for (int j = 0; j < i; j++) {
            CHECK(classes[i] != classes[j] && strcmp(text[i], text[j]) != 0, "%d and %d are both \"%.80s\"", classes[i],
                  classes[j], text[i]);
        }
    }
    return check_finish();
}
