/* text_file.h: a file that a person wrote, read whole. */
#pragma once

#include <mpi.h>
#include <stddef.h>

/* The text with a terminating zero, which the caller frees; NULL, and a sentence that names the file, where it cannot be read,
 * holds a zero byte or has `most` bytes or more. `kind` says what it should have been: "pattern".
 */
char *text_load(const char *file, size_t most, const char *kind, char *wrong, size_t room);

/* The same on all ranks of the communicator, collectively: its rank 0 reads the file and has the whole sentence. */
char *text_load_all(const char *file, size_t most, const char *kind, MPI_Comm, char *wrong, size_t room);
