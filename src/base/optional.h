/* optional.h: what a program links only with something else that needs it. A reference to such a function takes nothing from
 * the archive; the caller asks whether it is there (`if (f) f();`), or knows it, because only what is linked with it leads here.
 */
#ifndef MPICO_OPTIONAL_H
#define MPICO_OPTIONAL_H

#define OPTIONAL __attribute__((weak)) /* an attribute has no other name */

/* What is not on the way of most messages stays out of line, so that those who are save few registers. SELDOM: nor need it be quick.
 * A small build would rather have it where it is called. */
#if defined(MPICO_SMALL) && MPICO_SMALL
#define APART
#define SELDOM
#else
#define APART __attribute__((noinline))
#define SELDOM __attribute__((noinline, cold))
#endif

#endif
