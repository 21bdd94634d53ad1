/* here.h: what this host is called. */
#ifndef MPIEXEC_HERE_H
#define MPIEXEC_HERE_H

/* Is it a name or an address of this host? A name with a domain is, if the part before the first dot is, and the host knows no other domain;
 * nobody else is asked. */
int here_is(const char *name);
/* Is it a name of this processor or of this system, as in x86_64 or Linux, in letters of either case? */
int here_runs(const char *arch);
/* The host's own name, in static memory. */
const char *here_name(void);

#endif
