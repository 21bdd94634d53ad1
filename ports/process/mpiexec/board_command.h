/* board_command.h: the command line that starts a node. */
#ifndef MPIEXEC_BOARD_COMMAND_H
#define MPIEXEC_BOARD_COMMAND_H

#include "board_conf.h"
#include "board_links.h"

struct board_node {
    const struct board_conf *conf;
    const struct board_link *links; /* all of the ring; NULL where there are none */
    int rank, ranks;
    char **argv; /* the program and its arguments */
};

/* Its words, which end with NULL and live as long as the process. NULL when they are too many or too long. */
char **board_command(const struct board_node *);

#endif
