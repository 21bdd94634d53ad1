/* near.h: which word was meant. */
#ifndef MPIEXEC_NEAR_H
#define MPIEXEC_NEAR_H

/* Is `word` likely a misspelling of `name`? 0: no; else the nearer, the larger. Equal words are no misspelling. */
int near_score(const char *word, const char *name);

#endif
