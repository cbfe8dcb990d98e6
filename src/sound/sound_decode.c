/* sound_decode.c - libsndfile over bytes in memory. */
#include "sound/sound.h"

#if TARE_SOUND

#include <math.h>
#include <sndfile.h>
#include <string.h>

#include "base/error.h"

/* ---- The bytes as a file --------------------------------------------------------------------- */

typedef struct memory_file {
    const unsigned char *bytes;
    sf_count_t length, at;
} memory_file;

static sf_count_t file_length(void *user)
{
    return ((memory_file *)user)->length;
}

static sf_count_t file_seek(sf_count_t offset, int whence, void *user)
{
    memory_file *f = user;
    sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? f->at : f->length;
    if (offset < -from || offset > f->length - from) return -1;
    return f->at = from + offset;
}

static sf_count_t file_read(void *to, sf_count_t count, void *user)
{
    memory_file *f = user;
    sf_count_t n = count < f->length - f->at ? count : f->length - f->at;
    if (n <= 0) return 0;
    memcpy(to, f->bytes + f->at, (size_t)n);
    f->at += n;
    return n;
}

static sf_count_t file_write(const void *from, sf_count_t count, void *user)
{
    (void)from;
    (void)count;
    (void)user;
    return 0; /* it is only read */
}

static sf_count_t file_tell(void *user)
{
    return ((memory_file *)user)->at;
}

/* ---- Decoding -------------------------------------------------------------------------------- */

static const char *format_name(int format)
{
    static const struct { int format; const char *name; } names[] = {
        {SF_FORMAT_WAV, "wav"},   {SF_FORMAT_WAVEX, "wav"}, {SF_FORMAT_RF64, "wav"},
        {SF_FORMAT_AIFF, "aiff"}, {SF_FORMAT_FLAC, "flac"}, {SF_FORMAT_OGG, "ogg"},
        {SF_FORMAT_AU, "au"},
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if ((format & SF_FORMAT_TYPEMASK) == names[k].format) return names[k].name;
    return "other";
}

static tare_status check_info(const SF_INFO *info, const char *name, tare_error *err)
{
    if (info->frames <= 0)
        return error_set(err, TARE_E_DATA, "sound.samples", name, "the recording has no samples");
    if (info->samplerate < 1 || info->samplerate > SOUND_RATE_MOST || info->channels < 1 ||
        info->channels > SOUND_CHANNELS_MOST)
        return error_set(err, TARE_E_LIMIT, "sound.long", name, "%d channels at %d samples a "
                         "second; at most %d and %d", info->channels, info->samplerate,
                         SOUND_CHANNELS_MOST, SOUND_RATE_MOST);
    if ((uint64_t)info->frames > SOUND_SAMPLES_MOST)
        return error_set(err, TARE_E_LIMIT, "sound.long", name, "%lld samples; at most %zu",
                         (long long)info->frames, SOUND_SAMPLES_MOST);
    return TARE_OK;
}

static uint32_t little(const unsigned char *b)
{
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* The library takes a WAV file whose end is missing for a shorter one. 0 and all ones are sizes of
 * writers that could not go back. */
static tare_status check_whole(const unsigned char *b, size_t length, const char *name,
                               tare_error *err)
{
    if (length < 12 || memcmp(b, "RIFF", 4) != 0) return TARE_OK;
    for (size_t at = 12; at + 8 <= length;) {
        uint32_t size = little(b + at + 4);
        size_t left = length - at - 8;
        if (!memcmp(b + at, "data", 4)) {
            if (size <= left || size == UINT32_MAX) return TARE_OK;
            return error_set(err, TARE_E_DATA, "sound.decode", name, "the recording is cut short: "
                             "%u bytes of sound are promised and %zu are there", size, left);
        }
        if (size > left) break;
        at += 8 + size + (size & 1);
    }
    return TARE_OK;
}

enum { BLOCK = 4096 };

/* The mean of the channels, in double and in their order. A file may end before the frames that its
 * header promises. */
static tare_status read_mono(sound *out, SNDFILE *f, const SF_INFO *info, const mem *m,
                             const char *name, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t channels = (size_t)info->channels, room = (size_t)info->frames;
    float *block = NULL;
    sf_count_t got;
    TRY_NEW(block = mem_new(m, BLOCK * channels, sizeof *block));
    TRY_NEW(out->sample = mem_new(m, room, sizeof *out->sample));
    while (out->count < room && (got = sf_readf_float(f, block, BLOCK)) > 0)
        for (sf_count_t i = 0; i < got && out->count < room; i++) {
            double sum = 0;
            for (size_t c = 0; c < channels; c++) sum += block[(size_t)i * channels + c];
            if (!isfinite(sum))
                FAIL(err, TARE_E_DATA, "sound.samples", name, "sample %zu is not finite",
                     out->count);
            out->sample[out->count++] = (float)(sum / (double)channels);
        }
    if (sf_error(f) != SF_ERR_NO_ERROR)
        FAIL(err, TARE_E_DATA, "sound.decode", name, "%s, after %zu of %zu samples",
             sf_strerror(f), out->count, room);
    if (out->count < room)
        FAIL(err, TARE_E_DATA, "sound.decode", name, "the recording ends after %zu of the %zu "
             "samples that its header promises", out->count, room);
done:
    mem_free(m, block);
    return status;
}

tare_status sound_decode(sound *out, const mem *m, const void *bytes, size_t length,
                         const char *name, tare_error *err)
{
    tare_status status = TARE_OK;
    static SF_VIRTUAL_IO calls = {file_length, file_seek, file_read, file_write, file_tell};
    memory_file file = {bytes, (sf_count_t)length, 0};
    SF_INFO info = {0};
    *out = (sound){.sample = NULL};
    SNDFILE *f = sf_open_virtual(&calls, SFM_READ, &info, &file);
    if (!f)
        FAIL(err, TARE_E_DATA, "sound.decode", name, "no recording that can be read: %s",
             sf_strerror(NULL));
    TRY(check_info(&info, name, err));
    TRY(check_whole(bytes, length, name, err));
    out->rate = info.samplerate;
    out->channels = info.channels;
    out->format = format_name(info.format);
    TRY(read_mono(out, f, &info, m, name, err));
done:
    if (f) sf_close(f);
    if (status != TARE_OK) sound_free(out, m);
    return status;
}

#else

#include "base/error.h"

tare_status sound_decode(sound *out, const mem *m, const void *bytes, size_t length,
                         const char *name, tare_error *err)
{
    (void)m;
    (void)bytes;
    (void)length;
    *out = (sound){.sample = NULL};
    return error_set(err, TARE_E_DATA, "sound.absent", name, "a recording, and this tare was built "
                     "without sound: build it with libsndfile and libsoxr (TARE_SOUND=ON)");
}

#endif
