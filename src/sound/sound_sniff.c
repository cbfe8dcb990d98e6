#include <string.h>

#include "sound/sound.h"

static bool at(const unsigned char *b, size_t length, size_t offset, const char *magic)
{
    size_t n = strlen(magic);
    return offset + n <= length && !memcmp(b + offset, magic, n);
}

bool sound_sniff(const void *bytes, size_t length)
{
    const unsigned char *b = bytes;
    if (at(b, length, 0, "RIFF") || at(b, length, 0, "RF64")) return at(b, length, 8, "WAVE");
    if (at(b, length, 0, "FORM"))
        return at(b, length, 8, "AIFF") || at(b, length, 8, "AIFC");
    bool mp3 = length > 1 && b[0] == 0xff && (b[1] & 0xe6) == 0xe2; /* a frame of layer III */
    return mp3 || at(b, length, 0, "fLaC") || at(b, length, 0, "OggS") ||
           at(b, length, 0, ".snd") || at(b, length, 0, "ID3");
}

void sound_free(sound *s, const mem *m)
{
    if (!s) return;
    mem_free(m, s->sample);
    memset(s, 0, sizeof *s);
}
