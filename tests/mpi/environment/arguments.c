/* The program's own arguments survive MPI_Init on every rank. Without arguments, only argv[0] is there. */
#include "check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    CHECK(argv[0] && argv[0][0], "no program name, %d arguments", argc);
    CHECK(!argv[argc], "argv[%d] is not NULL", argc);
    if (argc > 1) {
        CHECK(argc == 4, "%d arguments", argc);
        CHECK(!strcmp(argv[1], "one") && !strcmp(argv[2], "-two") && !strcmp(argv[3], "--three=3"), "%s %s %s", argv[1],
              argv[2], argv[3]);
    }
    return check_finish();
}
