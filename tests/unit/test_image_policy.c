/* The files of tests/ref/image_policies/ by every policy, against the table that image_policies.py
 * made of Pillow's bytes (published) and the formulas in NumPy (canonical, strict); and what
 * happens to them when memory runs out. */
#include <string.h>

#include "base/hash.h"
#include "base/os.h"
#include "image/image.h"
#include "support/check.h"
#include "support/failing_mem.h"

#define FOLDER TARE_SOURCE_DIR "/tests/ref/"
enum { FILE_NAME, POLICY, ALPHA, REASON, MODE, WIDTH, HEIGHT, ICC, SAMPLES, RGB, NOTE, FIELDS };

static mem m;
static tare_error err;

static char *slurp(const char *name, size_t *length)
{
    char path[512], *bytes = NULL;
    snprintf(path, sizeof path, FOLDER "%s", name);
    assert_ok(os_read_file(&bytes, length, &m, path, 1 << 20, &err));
    return bytes;
}

static image_decoding decoding_of(char *const field[FIELDS])
{
    image_decoding how = IMAGE_DECODING_DEFAULT;
    while (strcmp(image_policy_name(how.policy), field[POLICY]) != 0) how.policy++;
    assert_true(image_alpha_parse(&how, field[ALPHA]));
    return how;
}

static void check_hash(const void *bytes, size_t count, const char *want)
{
    unsigned char digest[SHA256_BYTES];
    char hex[SHA256_HEX];
    if (strcmp(want, "-") == 0) return; /* test_image_cicp.c knows */
    sha256_of(bytes, count, digest);
    sha256_hex(digest, hex);
    assert_string_equal(hex, want);
}

static void check_good(image *i, char *const field[FIELDS])
{
    assert_string_equal(image_mode_name(i->mode), field[MODE]);
    assert_int_equal(i->channels, image_mode_channels(i->mode));
    assert_int_equal(i->width, atoi(field[WIDTH]));
    assert_int_equal(i->height, atoi(field[HEIGHT]));
    assert_string_equal(image_icc_name(i->icc), field[ICC]);
    assert_string_equal(*i->note ? i->note : "-", field[NOTE]);
    assert_true((i->palette != NULL) == (i->mode == IMAGE_PALETTE));
    check_hash(i->rgb, image_pixels(i) * (size_t)i->channels, field[SAMPLES]);
    assert_ok(image_to_rgb(i, &m, &err));
    assert_int_equal(i->mode, IMAGE_RGB);
    check_hash(i->rgb, image_pixels(i) * 3, field[RGB]);
}

static void check_row(char *const field[FIELDS])
{
    char name[256];
    size_t length;
    image i;
    image_decoding how = decoding_of(field);
    snprintf(name, sizeof name, "image_policies/%s", field[FILE_NAME]);
    char *bytes = slurp(name, &length);
    tare_status status = image_decode(&i, &m, bytes, length, name, &how, &err);
    print_message("%s, %s: %s\n", name, field[POLICY], i.note);
    if (strcmp(field[REASON], "ok") == 0) {
        assert_ok(status);
        check_good(&i, field);
    } else {
        assert_true(status == TARE_E_DATA || status == TARE_E_LIMIT);
        assert_string_equal(tare_reason_name(i.reason), field[REASON]);
        assert_null(i.rgb);
        assert_true(strlen(i.note) > 0);
        if (strcmp(field[NOTE], "-") != 0) assert_string_equal(i.note, field[NOTE]);
    }
    image_free(&i, &m);
    mem_free(&m, bytes);
}

/* The k-th allocation fails, for every k: MEMORY without a reason, and nothing is kept. */
static void check_memory(char *const field[FIELDS])
{
    char name[256];
    size_t length;
    image_decoding how = decoding_of(field);
    snprintf(name, sizeof name, "image_policies/%s", field[FILE_NAME]);
    char *bytes = slurp(name, &length);
    for (long k = 1; k < 50; k++) {
        failing_mem f;
        mem scarce = failing_mem_start(&f, k);
        image i;
        tare_status status = image_decode(&i, &scarce, bytes, length, name, &how, &err);
        if (status == TARE_OK) status = image_to_rgb(&i, &scarce, &err);
        bool failed = failing_mem_failed(&f);
        if (status == TARE_E_MEMORY) {
            assert_true(failed);
            assert_int_equal(i.reason, TARE_R_NONE);
        }
        image_free(&i, &scarce);
        assert_int_equal(failing_mem_live(&f), 0);
        if (!failed) break;
        assert_true(k < 49);
    }
    mem_free(&m, bytes);
}

static void walk(void (*check)(char *const field[FIELDS]))
{
    size_t length, rows = 0;
    char *table = slurp("image_policies.tsv", &length), *next;
    for (char *line = strchr(table, '\n') + 1; *line != '\0'; line = next, rows++) {
        char *field[FIELDS];
        size_t n = 0;
        next = strchr(line, '\n');
        *next++ = '\0';
        for (char *at = strtok(line, "\t"); at != NULL && n < FIELDS; at = strtok(NULL, "\t"))
            field[n++] = at;
        assert_int_equal(n, FIELDS);
        check(field);
    }
    assert_true(rows > 150);
    mem_free(&m, table);
}

static void same_as_the_formulas(void **state)
{
    (void)state;
    walk(check_row);
}

static void memory_runs_out(void **state)
{
    (void)state;
    walk(check_memory);
}

/* Files cut at every place, by the policies that look at all there is. */
static void cut_anywhere(void **state)
{
    static const char *const names[] = {"P_4_alpha_interlaced.png", "RGBA_16_much.png",
                                        "L_16_key.png", "cmyk_icc.jpg", "ycck_sampled.jpg"};
    (void)state;
    for (size_t v = 0; v < sizeof names / sizeof *names; v++)
        for (image_policy p = IMAGE_CANONICAL; p <= IMAGE_PUBLISHED; p++) {
            char name[256];
            size_t length;
            image_decoding how = IMAGE_DECODING_DEFAULT;
            how.policy = p;
            snprintf(name, sizeof name, "image_policies/%s", names[v]);
            char *bytes = slurp(name, &length);
            for (size_t cut = 0; cut < length; cut++) {
                image i;
                char *exact = mem_new(&m, cut, 1); /* so that a sanitizer sees the end */
                memcpy(exact, bytes, cut);
                tare_status status = image_decode(&i, &m, exact, cut, "cut", &how, &err);
                if (status == TARE_OK) fail_msg("%s cut at %zu of %zu", name, cut, length);
                assert_int_equal(i.reason, TARE_R_DECODE);
                assert_null(i.rgb);
                mem_free(&m, exact);
            }
            mem_free(&m, bytes);
        }
}

static void alpha_words(void **state)
{
    image_decoding how = IMAGE_DECODING_DEFAULT;
    (void)state;
    assert_true(image_alpha_parse(&how, "#0aFf80"));
    assert_int_equal(how.alpha, IMAGE_ALPHA_OVER);
    assert_int_equal(how.background[0], 0x0a);
    assert_int_equal(how.background[1], 0xff);
    assert_int_equal(how.background[2], 0x80);
    static const char *const wrong[] = {"", "#", "#12345", "#1234567", "#12345g", "123456",
                                        "White", "#12 456", "whit"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_false(image_alpha_parse(&how, wrong[k]));
    assert_int_equal(how.background[0], 0x0a); /* as it was */
    assert_true(image_alpha_parse(&how, "drop"));
    assert_int_equal(how.alpha, IMAGE_ALPHA_DROP);
    assert_true(image_alpha_parse(&how, "refuse"));
    assert_int_equal(how.alpha, IMAGE_ALPHA_REFUSE);
    assert_true(image_alpha_parse(&how, "black"));
    assert_int_equal(how.background[1], 0);
    assert_true(image_alpha_parse(&how, "white"));
    assert_int_equal(how.background[1], 255);
    assert_string_equal(image_policy_name(IMAGE_PUBLISHED), "published");
    assert_null(image_policy_name((image_policy)3));
}

/* Mode and bits of the file, whatever the policy makes of it, and where it refuses. */
static void says_what_is_stored(void **state)
{
    static const struct { const char *name; image_mode mode; unsigned bits; } cases[] = {
        {"L_1.png", IMAGE_BILEVEL, 1}, {"L_2.png", IMAGE_GREY, 2}, {"L_16.png", IMAGE_GREY, 16},
        {"P_4_alpha_p3.png", IMAGE_PALETTE, 4}, {"RGBA_16.png", IMAGE_RGBA, 16},
        {"LA_8.png", IMAGE_GREY_ALPHA, 8}, {"cmyk.jpg", IMAGE_CMYK, 8},
        {"ycc_420.jpg", IMAGE_RGB, 8}, {"huge.png", IMAGE_RGB, 0}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int policy = IMAGE_STRICT; policy <= IMAGE_PUBLISHED; policy++) {
            char name[256];
            size_t length;
            image i;
            image_decoding how = IMAGE_DECODING_DEFAULT;
            how.policy = (image_policy)policy;
            snprintf(name, sizeof name, "image_policies/%s", cases[k].name);
            char *bytes = slurp(name, &length);
            tare_status status = image_decode(&i, &m, bytes, length, name, &how, &err);
            assert_int_equal(i.stored, cases[k].mode);
            assert_int_equal(i.bits, cases[k].bits);
            if (status == TARE_OK && policy != IMAGE_PUBLISHED)
                assert_int_equal(i.mode, IMAGE_RGB);
            image_free(&i, &m);
            mem_free(&m, bytes);
        }
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_the_formulas), cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(cut_anywhere), cmocka_unit_test(says_what_is_stored),
        cmocka_unit_test(alpha_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
