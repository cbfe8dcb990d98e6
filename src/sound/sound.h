/* sound.h - recordings in: WAV, FLAC, Ogg, AIFF, MP3 to mono samples, and to another rate.
 *
 * libsndfile and soxr, where tare was built with them (TARE_SOUND); else every call says that it
 * was not. */
#ifndef SOUND_SOUND_H
#define SOUND_SOUND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "tare.h"

typedef struct sound {
    float *sample;  /* [count] mono: the mean of the channels, 1.0 is full scale */
    size_t count;
    double rate;    /* samples a second */
    int channels;   /* in the file */
    const char *format; /* "wav"; static */
} sound;

enum { SOUND_RATE_MOST = 768000, SOUND_CHANNELS_MOST = 64 };
#define SOUND_SAMPLES_MOST ((size_t)1 << 27) /* about 47 minutes at 48 kHz */

/* By the first bytes, never by name; 16 are enough. */
bool sound_sniff(const void *bytes, size_t length);

/* `name` stands in errors. Whole numbers are divided by their full scale. Errors: DATA
 * ("sound.decode": what the library says; "sound.samples": a sample that is not finite, none at
 * all), LIMIT ("sound.long"), MEMORY; DATA ("sound.absent": built without). */
tare_status sound_decode(sound *out, const mem *m, const void *bytes, size_t length,
                         const char *name, tare_error *err);
/* A copy at `rate`, by soxr's very high quality; the same rate: the same samples. Errors: MEMORY,
 * DATA ("sound.resample"). */
tare_status sound_resample(sound *out, const mem *m, const sound *in, double rate, tare_error *err);
void sound_free(sound *s, const mem *m); /* leaves it empty; NULL ok */
/* "libsndfile-1.2.0, libsoxr-0.1.3", or "" where it was built without. */
enum { SOUND_LIBRARY_TEXT = 96 };
void sound_library(char out[SOUND_LIBRARY_TEXT]);

#endif
