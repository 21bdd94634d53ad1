/* named.c: the predefined datatypes as the processor has them. The short table of small builds knows no integers of 128 bits
 * and no long double of its own, which processors of 64 bits and RISC-V have.
 */
#if defined(__SIZEOF_INT128__) || __SIZEOF_LONG_DOUBLE__ != __SIZEOF_DOUBLE__
#include "type/named.c"
#else
#include "type/named_small.c"
#endif
