/* say.c: the library's own lines on the console, each with the rank before it. */
#include <string.h>

#include "base/text.h"
#include "board.h"
#include "board_port.h"

static void put(const char *text) { board_write(text, strlen(text)); }

void mpico_board_say(const char *line)
{
    char mark[32];
    int rank, size;
    if (board_identity(&rank, &size))
        put("mpico: ");
    else
        board_write(mark, mpico_text_format(mark, sizeof mark, "mpico: rank %d: ", rank));
    put(line);
    put("\n");
}
