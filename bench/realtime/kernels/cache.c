/* cache.c: Linux tells the sizes of the caches of a processor in files; sysconf() counts a last cache several times over on some
 * machines and is not asked. */
#include "cache.h"

#include <stdio.h>

/* Of the largest cache of that level; 0: not told. */
static size_t told(int level)
{
    size_t largest = 0;
    for (int index = 0; index < 8; index++) {
        char name[80];
        int is = 0;
        unsigned long kib = 0;
        snprintf(name, sizeof name, "/sys/devices/system/cpu/cpu0/cache/index%d/level", index);
        FILE *file = fopen(name, "r");
        if (file == NULL)
            break;
        if (fscanf(file, "%d", &is) != 1)
            is = 0;
        fclose(file);
        snprintf(name, sizeof name, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
        if (is != level || (file = fopen(name, "r")) == NULL)
            continue;
        if (fscanf(file, "%luK", &kib) == 1 && kib * 1024 > largest)
            largest = kib * 1024;
        fclose(file);
    }
    return largest;
}

size_t cache_second(void)
{
    size_t bytes = told(2);
    return bytes > 0 ? bytes : (size_t)1 << 20;
}

size_t cache_largest(void)
{
    size_t third = told(3), second = told(2), bytes = third > second ? third : second;
    return bytes > 0 ? bytes : (size_t)32 << 20;
}
