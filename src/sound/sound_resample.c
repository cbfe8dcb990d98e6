/* sound_resample.c - soxr, at its very high quality, on one thread, so that equal input gives equal
 * bits. */
#include "sound/sound.h"

#if TARE_SOUND

#include <math.h>
#include <sndfile.h>
#include <soxr.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static tare_status convert(sound *out, const sound *in, size_t room, tare_error *err)
{
    size_t used = 0;
    soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    soxr_quality_spec_t quality = soxr_quality_spec(SOXR_VHQ, 0);
    soxr_runtime_spec_t one = soxr_runtime_spec(1);
    soxr_error_t failed = soxr_oneshot(in->rate, out->rate, 1, in->sample, in->count, &used,
                                       out->sample, room, &out->count, &io, &quality, &one);
    if (failed)
        return error_set(err, TARE_E_DATA, "sound.resample", NULL, "from %g to %g samples a "
                         "second: %s", in->rate, out->rate, soxr_strerror(failed));
    return TARE_OK;
}

tare_status sound_resample(sound *out, const mem *m, const sound *in, double rate, tare_error *err)
{
    tare_status status = TARE_OK;
    double length = ceil((double)in->count * (rate / in->rate));
    *out = (sound){NULL, 0, rate, in->channels, in->format};
    if (!(in->rate >= 1 && rate >= 1 && rate <= SOUND_RATE_MOST)
        || length > (double)SOUND_SAMPLES_MOST)
        FAIL(err, TARE_E_DATA, "sound.resample", NULL, "%zu samples at %g a second cannot become "
             "%g a second", in->count, in->rate, rate);
    size_t room = rate == in->rate ? in->count : (size_t)length + 1;
    TRY_NEW(out->sample = mem_new(m, room, sizeof *out->sample));
    if (rate == in->rate) {
        memcpy(out->sample, in->sample, in->count * sizeof *in->sample);
        out->count = in->count;
        goto done;
    }
    TRY(convert(out, in, room, err));
    if (out->count == 0)
        FAIL(err, TARE_E_DATA, "sound.resample", NULL, "too short to have a sample at %g a second",
             rate);
done:
    if (status != TARE_OK) sound_free(out, m);
    return status;
}

void sound_library(char out[SOUND_LIBRARY_TEXT])
{
    snprintf(out, SOUND_LIBRARY_TEXT, "%.40s, %.40s", sf_version_string(), soxr_version());
}

#else

#include "base/error.h"

tare_status sound_resample(sound *out, const mem *m, const sound *in, double rate, tare_error *err)
{
    (void)m;
    (void)in;
    (void)rate;
    *out = (sound){.sample = NULL};
    return error_set(err, TARE_E_DATA, "sound.absent", NULL, "this tare was built without sound");
}

void sound_library(char out[SOUND_LIBRARY_TEXT])
{
    out[0] = '\0';
}

#endif
