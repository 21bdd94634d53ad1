/* board_conf.h: what board.conf says of a board: lines "key = value"; '#' begins a line of comment. */
#ifndef MPIEXEC_BOARD_CONF_H
#define MPIEXEC_BOARD_CONF_H

enum board_kind {
    BOARD_RING,  /* one emulator a rank, wired to two neighbours by inherited sockets */
    BOARD_PIPES, /* one process a rank, wired the same way, sockets on descriptors 3 (left) and 4 (right) */
    BOARD_CHIP   /* one emulator for all ranks */
};

enum { BOARD_VALUE = 2048 };

struct board_conf {
    enum board_kind kind;
    int max_ranks;
    unsigned long identity;     /* address of the words rank and size; 0: the board learns them otherwise */
    char emulator[BOARD_VALUE]; /* a command line; empty: the program runs by itself */
    char package[64];           /* Debian's package with the emulator; may be empty */
    char folder[BOARD_VALUE];
};

/* Read the file of board `name`: a folder if it has a '/', else the one of that name in `boards`. 0; or negative with the reason, and
 * the known names where the name is not one, in `why`. */
int board_conf_read(struct board_conf *, const char *name, const char *boards, char *why, unsigned room);

#endif
