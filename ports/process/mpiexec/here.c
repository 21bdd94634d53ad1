/* here.c: see here.h. */
#include "here.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>

static const struct utsname *system_names(void)
{
    static struct utsname names;
    if (!*names.nodename && uname(&names))
        strcpy(names.nodename, "localhost");
    return &names;
}

const char *here_name(void) { return system_names()->nodename; }

int here_runs(const char *arch)
{
    const struct utsname *u = system_names();
    int is_amd64 = strcasecmp(arch, "amd64") == 0 || strcasecmp(arch, "x86-64") == 0;
    return strcasecmp(arch, is_amd64 ? "x86_64" : u->machine) == 0 ? is_amd64 ? strcmp(u->machine, "x86_64") == 0 : 1
                                                                   : strcasecmp(arch, u->sysname) == 0;
}

/* The same address as one of this host's interfaces? */
static int is_own(int family, const void *address)
{
    struct ifaddrs *all, *i;
    int found = 0;
    if (getifaddrs(&all))
        return 0;
    for (i = all; i && !found; i = i->ifa_next) {
        if (!i->ifa_addr || i->ifa_addr->sa_family != family)
            continue;
        const void *own = family == AF_INET ? (const void *)&((struct sockaddr_in *)(void *)i->ifa_addr)->sin_addr
                                            : (const void *)&((struct sockaddr_in6 *)(void *)i->ifa_addr)->sin6_addr;
        found = memcmp(own, address, family == AF_INET ? 4 : 16) == 0;
    }
    freeifaddrs(all);
    return found;
}

static int same_short_name(const char *one, const char *other)
{
    size_t len = strcspn(one, ".");
    return len && len == strcspn(other, ".") && strncasecmp(one, other, len) == 0 && (!one[len] || !other[len]);
}

int here_is(const char *name)
{
    struct in_addr four;
    struct in6_addr six;
    if (inet_pton(AF_INET, name, &four) == 1)
        return ntohl(four.s_addr) >> 24 == 127 || is_own(AF_INET, &four);
    if (inet_pton(AF_INET6, name, &six) == 1)
        return is_own(AF_INET6, &six);
    return strcasecmp(name, "localhost") == 0 || strcasecmp(name, "localhost.localdomain") == 0 ||
           strcasecmp(name, here_name()) == 0 || same_short_name(name, here_name());
}
