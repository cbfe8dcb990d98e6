#include "scorer/onnx/onnx_wave.h"

#include <string.h>

#include "base/error.h"
#include "sound/sound.h"

static size_t segments_in(const onnx_wave_input *in, size_t count)
{
    if (in->counted == ONNX_WHOLE_HOPS) count -= count % in->hop;
    return count < in->length ? 1 : 1 + (count - in->length) / in->hop;
}

/* Whole copies one after the other until a segment is full, as DNSMOS's own code does it; or
 * silence. */
static tare_status lengthen(sound *s, const mem *m, const onnx_wave_input *in, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t count = s->count, copies = (in->length + count - 1) / count;
    if (count >= in->length) goto done;
    size_t want = in->when_short == ONNX_SHORT_REPEAT ? copies * count : in->length;
    float *more;
    TRY_NEW(more = mem_resize(m, s->sample, want, sizeof *more));
    s->sample = more;
    for (size_t i = count; i < want; i++)
        more[i] = in->when_short == ONNX_SHORT_REPEAT ? more[i - count] : 0;
    s->count = want;
done:
    return status;
}

tare_status onnx_wave_make(onnx_wave *out, const mem *m, const image *recording,
                           const onnx_wave_input *in, tare_error *err)
{
    tare_status status = TARE_OK;
    const sound given = {(float *)(void *)recording->rgb, image_pixels(recording), recording->rate,
                         1, ""};
    sound own = {NULL, 0, 0, 0, NULL};
    *out = (onnx_wave){NULL, 0, 0};
    TRY(sound_resample(&own, m, &given, in->rate, err));
    TRY(lengthen(&own, m, in, err));
    *out = (onnx_wave){own.sample, own.count, segments_in(in, own.count)};
    own.sample = NULL;
done:
    sound_free(&own, m);
    return status;
}

void onnx_wave_free(onnx_wave *w, const mem *m)
{
    mem_free(m, w->sample);
    w->sample = NULL;
}

void onnx_wave_cut(float *out, const onnx_wave *w, const onnx_wave_input *in, size_t first,
                   size_t n)
{
    for (size_t k = 0; k < n; k++) {
        size_t segment = first + k < w->segments ? first + k : w->segments - 1;
        memcpy(out + k * in->length, w->sample + segment * in->hop, in->length * sizeof *out);
    }
}
