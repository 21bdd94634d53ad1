/* assert.h: without NDEBUG, a wrong assumption is printed and ends the program. May be included several times. */
#undef assert
#undef static_assert
#define static_assert _Static_assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
__attribute__((noreturn)) void mpico_assert_fail(const char *condition, const char *file, int line);
#define assert(condition) ((condition) ? (void)0 : mpico_assert_fail(#condition, __FILE__, __LINE__))
#endif
