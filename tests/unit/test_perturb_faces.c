/* Two photographs with published ITA values: scorer audit 15.3. Skipped where they are absent. */
#include <string.h>

#include "base/os.h"
#include "image/resize.h"
#include "perturb/measure.h"
#include "support/check.h"

#define SKIN TARE_SHARED_DIR "/data/skin/"

static mem m;
static tare_error err;

static void load(image *i, const char *path)
{
    char *bytes = NULL;
    size_t length;
    assert_ok(os_read_file(&bytes, &length, &m, path, 64 << 20, &err));
    assert_ok(image_decode(i, &m, bytes, length, path, NULL, &err));
    mem_free(&m, bytes);
}

/* acorbin3/derm_ita's default: a border of 24 px removed, trimmed means. */
static void derm_ita(void **state)
{
    (void)state;
    image whole, inner;
    measure_tone t;
    load(&whole, SKIN "derm_ita_000b6317.jpg");
    assert_int_equal(whole.width, 500);
    assert_int_equal(whole.height, 383);
    image_rect rect = {24, 24, whole.width - 48, whole.height - 48};
    assert_ok(image_crop(&inner, &m, &whole, rect, &err));
    assert_ok(measure_tone_of(&t, &m, &inner, NULL, ITA_TRIMMED, ITA_ATAN2, &err));
    assert_close(t.ita, 63.17057942677103);
    image_free(&whole, &m);
    image_free(&inner, &m);
}

/* SonyResearch/skin-tone-extraction: label 1, studio-range YCbCr thresholds, rgbmean. */
static void ffhq(void **state)
{
    (void)state;
    image face, labels;
    measure_tone t;
    size_t labelled = 0;
    load(&face, SKIN "ffhq_00000.png");
    load(&labels, SKIN "ffhq_00000_labels.png");
    assert_int_equal(labels.width, face.width);
    size_t n = image_pixels(&face);
    unsigned char *mask = mem_new(&m, n, 1);
    assert_non_null(mask);
    for (size_t i = 0; i < n; i++) {
        const unsigned char *p = face.rgb + 3 * i;
        double r = p[0], g = p[1], b = p[2];
        double cb = 128 + (-37.797 * r - 74.203 * g + 112 * b) / 255;
        double cr = 128 + (112 * r - 93.786 * g - 18.214 * b) / 255;
        int skin = labels.rgb[3 * i] == 1;
        labelled += (size_t)skin;
        mask[i] = skin && cr >= 136 && cr <= 173 && cb >= 77 && cb <= 127;
    }
    assert_int_equal(labelled, 304334);
    assert_ok(measure_tone_of(&t, &m, &face, mask, ITA_RGBMEAN, ITA_ATAN2, &err));
    assert_int_equal(t.pixels, 78667);
    assert_close(t.ita, -21.47787062920);
    mem_free(&m, mask);
    image_free(&face, &m);
    image_free(&labels, &m);
}

int main(void)
{
    NEED_SHARED();
    m = mem_system();
    const struct CMUnitTest tests[] = {cmocka_unit_test(derm_ita), cmocka_unit_test(ffhq)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
