/* settings.h: the few settings that ports on a host read from the environment. */
#ifndef MPICO_HOST_SETTINGS_H
#define MPICO_HOST_SETTINGS_H

#include "core/rank.h"

/* What the environment names; the rest stays as it is. Negative: a value is none that is allowed, which was said. */
int mpico_settings_read(struct settings *);
/* struct machine.model: what mpiexec has read from a parameter file. */
const char *mpico_settings_model(void);

#endif
