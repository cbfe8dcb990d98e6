/* Pixels to tensors: the cases of tests/ref/onnx_prepare.tsv (Pillow and NumPy), the numbers of
 * scorers 8.2, and half precision against its definition. */
#include "support/check.h"

#include <string.h>

#include "base/hash.h"
#include "scorer/onnx/onnx_half.h"
#include "scorer/onnx/onnx_prepare.h"
#include "support/failing_mem.h"

static tare_error err;

static image picture(const mem *m, image_mode mode, int w, int h)
{
    image made;
    assert_ok(image_new(&made, m, w, h, &err));
    made.mode = mode;
    made.channels = image_mode_channels(mode);
    size_t n = image_pixels(&made) * (size_t)made.channels;
    if (made.channels > 3) {
        made.rgb = mem_resize(m, made.rgb, n, 1);
        assert_non_null(made.rgb);
    }
    for (size_t i = 0; i < n; i++) {
        unsigned char byte = (unsigned char)((uint32_t)(i * 2654435761u) >> 24);
        made.rgb[i] = mode == IMAGE_BILEVEL ? (byte >= 128 ? 255 : 0) : byte;
    }
    if (mode == IMAGE_PALETTE) {
        made.palette = mem_new(m, 256, sizeof *made.palette);
        assert_non_null(made.palette);
        for (size_t i = 0; i < 768; i++)
            made.palette[i / 3][i % 3] = (unsigned char)((uint32_t)(i * 2654435761u) >> 24);
        for (size_t i = 0; i < 256; i++) made.palette[i][3] = 255;
    }
    return made;
}

/* ---- the table ----------------------------------------------------------------------------- */

enum { COLUMNS = 29, LINE_MOST = 600 };

typedef struct reference {
    char line[LINE_MOST], *word[COLUMNS];
    onnx_image_input in;
    image_mode mode;
    int w, h;
} reference;

static int one_of(const char *word, const char *const *words)
{
    int k = 0;
    while (words[k] && strcmp(words[k], word) != 0) k++;
    if (!words[k]) fail_msg("%s is in no list", word);
    return k;
}

static void read_reference(reference *c)
{
    static const char *const fits[] = {"short", "long", "stretch", "none", NULL};
    static const char *const crops[] = {"none", "center-round", "center-floor", "topleft", NULL};
    static const char *const pads[] = {"none", "center", "topleft", NULL};
    static const char *const backends[] = {"pillow", "tensor", "tensor-smooth", NULL};
    static const char *const kernels[] = {"nearest", "box", "bilinear", "hamming", "bicubic",
                                          "lanczos", NULL};
    size_t count = 0;
    for (char *word = strtok(c->line, " \n"); word && count < COLUMNS; word = strtok(NULL, " \n"))
        c->word[count++] = word;
    assert_int_equal(count, COLUMNS);
    char **w = c->word;
    for (c->mode = IMAGE_RGB; strcmp(image_mode_name(c->mode), w[1]) != 0; c->mode++)
        assert_true(c->mode < IMAGE_BILEVEL);
    c->w = atoi(w[2]);
    c->h = atoi(w[3]);
    int backend = one_of(w[11], backends);
    c->in = (onnx_image_input){
        .layout = strcmp(w[4], "nhwc") ? ONNX_NCHW : ONNX_NHWC,
        .type = !strcmp(w[5], "f16") ? ORT_F16 : !strcmp(w[5], "u8") ? ORT_U8 : ORT_F32,
        .bgr = !strcmp(w[6], "bgr"), .height = atoi(w[7]), .width = atoi(w[8]),
        .fit = (onnx_fit)one_of(w[9], fits),
        .how = {(resize_kernel)one_of(w[10], kernels),
                strcmp(w[12], "pillow13") ? RESIZE_ACROSS_FIRST : RESIZE_PILLOW13},
        .tensor = backend > 0, .antialias = backend == 2, .before_rgb = atoi(w[13]) != 0,
        .crop = (onnx_crop)one_of(w[14], crops),
        .pad = (onnx_pad)one_of(w[15], pads), .divide = atof(w[19]),
        .fit_height = atoi(w[26]), .fit_width = atoi(w[27])};
    for (int k = 0; k < 3; k++) {
        c->in.pad_colour[k] = atof(w[16 + k]);
        c->in.mean[k] = atof(w[20 + k]);
        c->in.std[k] = atof(w[23 + k]);
    }
}

static void check_hash(const reference *c, const void *tensor, size_t bytes)
{
    unsigned char digest[SHA256_BYTES];
    char hex[SHA256_HEX];
    sha256_of(tensor, bytes, digest);
    sha256_hex(digest, hex);
    hex[16] = '\0';
    if (strcmp(hex, c->word[28] + 4) != 0)
        fail_msg("%s: %s, want %s", c->word[0], hex, c->word[28] + 4);
}

/* Each element within 2e-5 of a value of the planes, in units of what is normalised. */
static void check_near(const reference *c, const float *tensor, size_t n)
{
    double sum = 0, unit = 0;
    for (int k = 0; k < 3; k++)
        unit = fmax(unit, fmax(255 / c->in.divide, fabs(c->in.mean[k])) / c->in.std[k]);
    for (size_t i = 0; i < n; i++) sum += tensor[i];
    char *at = c->word[28] + 5;
    for (size_t k = 0; k < 9; k++) {
        double want = strtod(at, &at), got = k ? tensor[(k - 1) * 7919 % n] : sum;
        double off = fabs(got - want), most = unit * (k ? 2e-5 : 2e-6 * (double)n) + 1e-7;
        if (!(off <= most))
            fail_msg("%s, place %zu: %.9g, want %.9g", c->word[0], k, got, want);
        at += *at == ':';
    }
}

static void every_case_of_the_reference(void **state)
{
    (void)state;
    mem m = mem_system();
    reference c;
    size_t cases = 0;
    FILE *file = fopen(TARE_SOURCE_DIR "/tests/ref/onnx_prepare.tsv", "r");
    assert_non_null(file);
    while (fgets(c.line, sizeof c.line, file)) {
        if (c.line[0] == '#') continue;
        read_reference(&c);
        image pixels = picture(&m, c.mode, c.w, c.h);
        size_t bytes = onnx_prepare_bytes(&c.in);
        void *tensor = mem_new(&m, bytes, 1);
        tare_reason reason;
        char note[160];
        assert_ok(onnx_prepare_image(tensor, &reason, note, &m, &pixels, &c.in, &err));
        const char *want = c.word[28];
        if ((reason != TARE_R_NONE) != !strcmp(want, "refused"))
            fail_msg("%s: reason %d, want %s (%s)", c.word[0], (int)reason, want, note);
        if (reason != TARE_R_NONE) {
            assert_int_equal(reason, TARE_R_UNSUPPORTED_PIXELS);
            assert_true(strlen(note) > 20);
        } else if (!strncmp(want, "sha:", 4)) check_hash(&c, tensor, bytes);
        else check_near(&c, tensor, bytes / sizeof(float));
        mem_free(&m, tensor);
        image_free(&pixels, &m);
        cases++;
    }
    fclose(file);
    assert_true(cases > 120);
}

/* ---- scorers 8.2 ---------------------------------------------------------------------------- */

static const onnx_image_input clip = {
    .type = ORT_F32, .height = 224, .width = 224, .fit = ONNX_FIT_SHORT,
    .how = {RESIZE_BICUBIC, RESIZE_ACROSS_FIRST},
    .crop = ONNX_CROP_CENTER_ROUND, .divide = 255,
    .mean = {.48145466, .4578275, .40821073}, .std = {.26862954, .26130258, .27577711}};

/* Scorers 3.1: with its longer side at 224 HPSv2's loader neither resizes nor pads. */
static void longer_side_at_the_size(void **state)
{
    (void)state;
    onnx_image_input in = {.type = ORT_F32, .height = 224, .width = 224, .fit = ONNX_FIT_LONG,
                           .pad = ONNX_PAD_CENTER, .tensor = true, .divide = 255};
    onnx_placing at;
    char note[160];
    assert_true(onnx_prepare_place(&at, note, &in, 224, 168));
    in.when_equal = ONNX_EQUAL_SKIP_PAD;
    assert_false(onnx_prepare_place(&at, note, &in, 224, 168));
    assert_non_null(strstr(note, "neither resizes nor pads"));
    assert_true(onnx_prepare_place(&at, note, &in, 224, 224));
    assert_true(onnx_prepare_place(&at, note, &in, 448, 336));
    assert_int_equal(at.top, 28);
}

static void clip_of_the_specification(void **state)
{
    (void)state;
    mem m = mem_system();
    image pixels = picture(&m, IMAGE_RGB, 640, 480);
    size_t n = 3 * 224 * 224;
    float *tensor = mem_new(&m, n, sizeof *tensor);
    tare_reason reason;
    char note[160];
    onnx_placing at;
    assert_true(onnx_prepare_place(&at, note, &clip, 640, 480));
    assert_int_equal(at.width, 298);
    assert_int_equal(at.x, 37);
    assert_ok(onnx_prepare_image(tensor, &reason, note, &m, &pixels, &clip, &err));
    assert_int_equal(reason, TARE_R_NONE);
    assert_within(tensor[0], .12013142, 1e-7, 0);
    assert_within(tensor[1], -.04045137, 1e-6, 0);
    assert_within(tensor[2], .26611567, 1e-7, 0);
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += tensor[i];
    assert_within(sum, 28264.8536, 0, 1e-4);
    /* The bytes before normalisation. */
    onnx_image_input bytes = clip;
    bytes.type = ORT_U8;
    bytes.layout = ONNX_NHWC;
    bytes.divide = 1;
    for (int k = 0; k < 3; k++) bytes.mean[k] = 0, bytes.std[k] = 1;
    assert_int_equal(onnx_prepare_bytes(&bytes), n);
    assert_ok(onnx_prepare_image(tensor, &reason, note, &m, &pixels, &bytes, &err));
    unsigned char digest[SHA256_BYTES];
    char hex[SHA256_HEX];
    sha256_of(tensor, n, digest);
    sha256_hex(digest, hex);
    hex[16] = '\0';
    assert_string_equal(hex, "b9a9744dd7af45b3");
    mem_free(&m, tensor);
    image_free(&pixels, &m);
}

static void hpsv2_of_the_specification(void **state)
{
    (void)state;
    static const struct { bool antialias; double first[4], least, most, sum; } want[] = {
        {false, {.531445, -.027965, .679545, .225096}, -.069458, 1.069397, 56451.3191},
        {true, {.497792, .458945, .530177, .486958}, .412801, .585199, 56448.0341}};
    mem m = mem_system();
    image pixels = picture(&m, IMAGE_RGB, 640, 480);
    size_t n = 3 * 224 * 224, bar = 28 * 224;
    float *tensor = mem_new(&m, n, sizeof *tensor);
    tare_reason reason;
    char note[160];
    for (int k = 0; k < 2; k++) {
        onnx_image_input in = clip;
        in.fit = ONNX_FIT_LONG;
        in.crop = ONNX_CROP_NONE;
        in.pad = ONNX_PAD_CENTER;
        in.tensor = true;
        in.antialias = want[k].antialias;
        for (int c = 0; c < 3; c++) in.mean[c] = 0, in.std[c] = 1;
        assert_ok(onnx_prepare_image(tensor, &reason, note, &m, &pixels, &in, &err));
        assert_int_equal(reason, TARE_R_NONE);
        double sum = 0, least = 9, most = -9;
        for (size_t i = 0; i < n; i++) {
            size_t place = i % (224 * 224);
            bool inside = place >= bar && place < 196 * 224;
            if (!inside) assert_true(tensor[i] == 0.0f);
            else {
                sum += tensor[i];
                least = fmin(least, tensor[i]);
                most = fmax(most, tensor[i]);
            }
        }
        for (int i = 0; i < 4; i++)
            assert_within(tensor[bar + (size_t)i], want[k].first[i], 0, 2e-6);
        assert_within(least, want[k].least, 0, 2e-6);
        assert_within(most, want[k].most, 0, 2e-6);
        assert_within(sum, want[k].sum, 0, .02);
    }
    mem_free(&m, tensor);
    image_free(&pixels, &m);
}

/* ---- half precision ------------------------------------------------------------------------- */

static double value_of_half(uint16_t h)
{
    int exponent = h >> 10 & 31;
    double fraction = h & 1023;
    double size = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    return h & 0x8000 ? -size : size;
}

/* Every half is itself; between two neighbours the middle goes to the even one. */
static void halves(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 0x7c00; h++) {
        float x = (float)value_of_half((uint16_t)h);
        assert_int_equal(onnx_half(x), h);
        assert_int_equal(onnx_half(-x), h | 0x8000);
        double next = h == 0x7bff ? 65536 : value_of_half((uint16_t)(h + 1));
        float middle = (float)((value_of_half((uint16_t)h) + next) / 2);
        assert_int_equal(onnx_half(middle), h + (h & 1));
        assert_int_equal(onnx_half(nextafterf(middle, 0)), h);
        assert_int_equal(onnx_half(nextafterf(middle, INFINITY)), h + 1);
    }
    assert_int_equal(onnx_half(INFINITY), 0x7c00);
    assert_int_equal(onnx_half(-1e30f), 0xfc00);
    assert_int_equal(onnx_half(1e-40f), 0);
    assert_true((onnx_half(NAN) & 0x7fff) > 0x7c00);
}

/* ---- what cannot be ------------------------------------------------------------------------ */

static void bytes_are_not_normalised(void **state)
{
    (void)state;
    mem m = mem_system();
    image pixels = picture(&m, IMAGE_RGB, 224, 224);
    onnx_image_input in = clip;
    in.type = ORT_U8;
    unsigned char out[1];
    tare_reason reason;
    char note[160];
    assert_int_equal(onnx_prepare_image(out, &reason, note, &m, &pixels, &in, &err), TARE_E_BUG);
    in.type = ORT_I64;
    assert_int_equal(onnx_prepare_image(out, &reason, note, &m, &pixels, &in, &err), TARE_E_BUG);
    image_free(&pixels, &m);
}

/* hpsv2 1.2.0 keeps RGBA files in four channels, on which its model fails; grey with alpha becomes
 * RGB before. */
static void four_channels_are_refused(void **state)
{
    (void)state;
    static const struct { image_mode mode; bool refuse, taken; } of[] = {
        {IMAGE_RGBA, true, false}, {IMAGE_RGBA, false, true}, {IMAGE_GREY_ALPHA, true, true},
        {IMAGE_RGB, true, true}, {IMAGE_PALETTE, true, true}};
    mem m = mem_system();
    float tensor[3 * 4 * 4];
    onnx_image_input in = clip;
    in.height = in.width = 4;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        tare_reason reason;
        char note[160] = "";
        image pixels = picture(&m, of[k].mode, 5, 6);
        in.refuse_rgba = of[k].refuse;
        assert_ok(onnx_prepare_image(tensor, &reason, note, &m, &pixels, &in, &err));
        assert_int_equal(reason, of[k].taken ? TARE_R_NONE : TARE_R_UNSUPPORTED_PIXELS);
        assert_int_equal(strstr(note, "four channels") != NULL, !of[k].taken);
        image_free(&pixels, &m);
    }
}

static void no_memory(void **state)
{
    (void)state;
    mem whole = mem_system();
    image pixels = picture(&whole, IMAGE_PALETTE, 40, 30);
    void *tensor = mem_new(&whole, onnx_prepare_bytes(&clip), 1);
    for (int tensor_way = 0; tensor_way < 2; tensor_way++)
        for (long k = 1;; k++) {
            failing_mem f;
            mem m = failing_mem_start(&f, k);
            onnx_image_input in = clip;
            in.tensor = tensor_way;
            tare_reason reason;
            char note[160];
            tare_status status = onnx_prepare_image(tensor, &reason, note, &m, &pixels, &in, &err);
            assert_int_equal(failing_mem_live(&f), 0);
            assert_int_equal(status, failing_mem_failed(&f) ? TARE_E_MEMORY : TARE_OK);
            if (!failing_mem_failed(&f)) break;
        }
    mem_free(&whole, tensor);
    image_free(&pixels, &whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case_of_the_reference),
        cmocka_unit_test(longer_side_at_the_size),
        cmocka_unit_test(clip_of_the_specification),
        cmocka_unit_test(hpsv2_of_the_specification),
        cmocka_unit_test(halves),
        cmocka_unit_test(bytes_are_not_normalised),
        cmocka_unit_test(four_channels_are_refused),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
