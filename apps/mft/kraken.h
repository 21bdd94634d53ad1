/* The check of the normal modes against what KRAKEN printed for the same environment. */
#ifndef MFT_KRAKEN_H
#define MFT_KRAKEN_H

/* Solves the environment file's modes and compares every wavenumber with the print-out. Prints a table to stdout.
   0 when all agree to 1e-4 relative, 1 when not, -1 after complaining of a file. */
int kraken_check(const char *folder, const char *env_name, const char *print_name);

#endif
