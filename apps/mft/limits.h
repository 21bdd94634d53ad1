/* Sizes that bound every array filled from a file. Fixed arrays keep the structures plain bytes, which rank 0 can
   broadcast. */
#ifndef MFT_LIMITS_H
#define MFT_LIMITS_H

enum {
    MAX_LAYERS = 6,
    MAX_PROFILE = 512, /* points of one layer's profile */
    MAX_PHONES = 24,   /* a multiple of 8: loops over phones have a constant length and vectorise */
    MAX_TONES = 16,
    MAX_MODES = 64,
    MAX_FIXES = 4096, /* lines of two days of position log */
    MAX_LEGS = 64,
    LINE_BYTES = 1024
};

#endif
