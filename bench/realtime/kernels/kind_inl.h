/* kind_inl.h: the templates over one kind of vector, which the file that includes this has chosen. */
#include <stdint.h>

#include "kind.h"

#include "fft_short_inl.h"
#include "fft_long_inl.h"
#include "fold_inl.h"
#include "turn_inl.h"

#define KIND                                                                                                           \
    {                                                                                                                  \
        WIDTH, SHORT_ROW_LEAST, fft_short, fft_long, fold, weigh, fold_eight, stream, turn_part                        \
    }
