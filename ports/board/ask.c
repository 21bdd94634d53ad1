/* ask.c: somebody asks over the console what this node is doing. In an interrupt, so that it is answered whatever the program does. */
#include "base/text.h"
#include "board.h"
#include "board_port.h"
#include "core/rank.h"

static size_t waits_for(char *text, size_t room, const struct note_wait *w)
{
    static const char *const what[] = {[NOTE_FOR_RECV] = "a message from",
                                       [NOTE_FOR_SEND] = "the receiver,",
                                       [NOTE_FOR_COLL] = "a collective, now for",
                                       [NOTE_FOR_ROOM] = "room to send to"};
    size_t n = mpico_text_format(text, room, " waits for %s ", what[w->what % 6] ? what[w->what % 6] : "");
    if (w->peer < 0)
        n += mpico_text_format(text + n, room - n, "any rank");
    else
        n += mpico_text_format(text + n, room - n, "rank %d", (int)w->peer);
    return w->tag < 0 ? n : n + mpico_text_format(text + n, room - n, ", tag %d", (int)w->tag);
}

static void (*const fill)(struct rank *) __attribute__((used)) = mpico_note_fill; /* link it */

void mpico_board_asked(void)
{
    char line[160];
    const struct rank *r = rank_self();
    const struct note *note = r->note;
    if (r->state != RANK_RUNNING || !note) {
        mpico_board_say(r->state == RANK_FINALIZED ? "has called MPI_Finalize" : "not in the job yet");
        return;
    }
    size_t n = mpico_text_format(line, sizeof line, "%s", r->call ? r->call : "in the program");
    if (note->state == NOTE_WAITING && note->waits)
        waits_for(line + n, sizeof line - n, &note->wait[0]);
    mpico_board_say(line);
}
