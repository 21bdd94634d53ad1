/* near.c: see near.h. The distance is the fewest letters to insert, delete or replace (R. A. Wagner and M. J. Fischer, "The string-to-string
 * correction problem", JACM 21(1), 1974), one row of the table at a time.
 */
#include "near.h"

#include <string.h>

enum { LONGEST = 40, LETTERS_AN_ERROR = 3, PREFIX_LEAST = 4 };

static int least(int a, int b) { return a < b ? a : b; }

static int distance(const char *one, const char *other)
{
    int row[LONGEST + 1], len = (int)strlen(other);
    for (int i = 0; i <= len; i++)
        row[i] = i;
    for (int line = 1; *one; one++, line++) {
        int diagonal = row[0];
        row[0] = line;
        for (int i = 1; i <= len; i++) {
            int replace = diagonal + (*one != other[i - 1]);
            diagonal = row[i];
            row[i] = least(replace, 1 + least(row[i], row[i - 1]));
        }
    }
    return row[len];
}

int near_score(const char *word, const char *name)
{
    size_t word_len = strlen(word), name_len = strlen(name);
    if (word_len > LONGEST || name_len > LONGEST || strcmp(word, name) == 0)
        return 0;
    if (word_len >= PREFIX_LEAST && strncmp(word, name, word_len) == 0)
        return LONGEST;
    int errors = distance(word, name), most = least((int)word_len, (int)name_len) / LETTERS_AN_ERROR;
    return errors <= most ? LONGEST - errors : 0;
}
