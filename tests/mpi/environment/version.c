/* Version, library version and processor name: available, terminated, of the length they say. */
#include "check.h"

int main(int argc, char **argv)
{
    int version = 0, subversion = -1, length = -1;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Get_version(&version, &subversion); /* allowed before MPI_Init */
    CHECK(version == MPI_VERSION && subversion == MPI_SUBVERSION, "%d.%d", version, subversion);
    MPI_Get_library_version(text, &length);
    CHECK(length > 0 && length < MPI_MAX_LIBRARY_VERSION_STRING && strlen(text) == (size_t)length, "length %d", length);
    check_start(&argc, &argv);
    char name[MPI_MAX_PROCESSOR_NAME];
    length = -1;
    MPI_Get_processor_name(name, &length);
    CHECK(length > 0 && length < MPI_MAX_PROCESSOR_NAME && strlen(name) == (size_t)length, "length %d", length);
    MPI_Finalize();
    MPI_Get_version(&version, &subversion);
    CHECK(version == MPI_VERSION, "after MPI_Finalize: %d", version);
    return 0;
}
