/* Skin thresholds and feather weights: scorer audit 2.3, 2.4, 15.3, 15.4. */
#include <math.h>
#include <string.h>

#include "perturb/mask.h"
#include "support/check.h"

static mem m;
static tare_error err;

static int in_set(const unsigned char rgb[3], mask_set set)
{
    unsigned char bytes[3] = {rgb[0], rgb[1], rgb[2]}, mask;
    image i = {.width = 1, .height = 1, .channels = 3, .rgb = bytes};
    mask_of_skin(&mask, &i, set);
    return mask;
}

/* Monk skin tones 1..10, Google's published hex values. */
static const unsigned char monk[10][3] = {
    {0xf6, 0xed, 0xe4}, {0xf3, 0xe7, 0xdb}, {0xf7, 0xea, 0xd0}, {0xea, 0xda, 0xba},
    {0xd7, 0xbd, 0x96}, {0xa0, 0x7e, 0x56}, {0x82, 0x5c, 0x43}, {0x60, 0x41, 0x34},
    {0x3a, 0x31, 0x2a}, {0x29, 0x24, 0x20}};

static void monk_tones(void **state)
{
    (void)state;
    for (int k = 0; k < 10; k++) {
        int tone = k + 1;
        assert_int_equal(in_set(monk[k], MASK_DEFAULT), tone != 10);
        assert_int_equal(in_set(monk[k], MASK_TIGHT),
                         tone != 1 && tone != 2 && tone != 3 && tone != 9 && tone != 10);
        assert_int_equal(in_set(monk[k], MASK_LOOSE), 1);
    }
}

/* Cb and Cr of 15.3 decide the sets; neutral grey has 128 exactly, which the loose set takes. */
static void single_colours(void **state)
{
    (void)state;
    static const struct { unsigned char rgb[3]; double cb, cr; } colours[] = {
        {{255, 255, 255}, 128, 128}, {{255, 0, 0}, 84.9723, 255.5},
        {{255, 219, 172}, 98.4255, 149.8217}, {{241, 194, 125}, 85.5694, 157.1105},
        {{224, 172, 105}, 85.7257, 159.4479}, {{198, 134, 66}, 83.2009, 165.5292},
        {{141, 85, 36}, 94.0508, 159.9843}, {{60, 32, 20}, 117.2754, 142.9757},
        {{77, 77, 77}, 128, 128}, {{0, 0, 0}, 128, 128}};
    static const double sets[3][4] = {
        {77, 127, 133, 173}, {82, 122, 138, 168}, {72, 132, 128, 178}};
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
        for (int s = 0; s < 3; s++)
            assert_int_equal(in_set(colours[i].rgb, (mask_set)s),
                             colours[i].cb >= sets[s][0] && colours[i].cb <= sets[s][1] &&
                             colours[i].cr >= sets[s][2] && colours[i].cr <= sets[s][3]);
}

/* The integers against the sets' definition, rounded nowhere: hundredths of Cb, Cr are exact in
 * units of 1e-6. */
static void thresholds_are_exact(void **state)
{
    (void)state;
    size_t inside = 0;
    for (int r = 0; r < 256; r += 3)
        for (int g = 0; g < 256; g += 3)
            for (int b = 0; b < 256; b += 5) {
                long cb = 128000000 - 168736L * r - 331264L * g + 500000L * b;
                long cr = 128000000 + 500000L * r - 418688L * g - 81312L * b;
                int want = cb >= 77000000 && cb <= 127000000 && cr >= 133000000 &&
                           cr <= 173000000;
                unsigned char rgb[3] = {(unsigned char)r, (unsigned char)g, (unsigned char)b};
                assert_int_equal(in_set(rgb, MASK_DEFAULT), want);
                inside += (size_t)want;
            }
    assert_true(inside > 1000);
    assert_string_equal(mask_set_name(MASK_LOOSE), "loose");
    assert_null(mask_set_name((mask_set)3));
}

static void user_masks(void **state)
{
    (void)state;
    unsigned char rgb[12] = {0}, user[12] = {127, 127, 127, 128, 128, 128, 255, 255, 255, 0, 0, 0};
    unsigned char mask[4];
    image i = {.width = 2, .height = 2, .channels = 3, .rgb = rgb};
    image u = {.width = 2, .height = 2, .channels = 3, .rgb = user};
    assert_ok(mask_of_image(mask, &i, &u, &err));
    assert_memory_equal(mask, "\0\1\1\0", 4);
    assert_int_equal(mask_count(mask, 4), 2);
    u.width = 4;
    u.height = 1;
    assert_int_equal(mask_of_image(mask, &i, &u, &err), TARE_E_DATA);
    assert_string_equal(err.code, "perturb.mask_size");
}

/* Scorer audit 15.4: the straight edge. */
static void straight_edge(void **state)
{
    enum { W = 80, H = 70 };
    static unsigned char mask[W * H];
    static double w[W * H], turned[W * H];
    static const double inside[4] = {.5664922693, .6922902527, .7987759468, .8794351467};
    (void)state;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) mask[y * W + x] = x >= 40;
    assert_ok(mask_feather(w, &m, mask, W, H, 3, &err));
    for (int y = 0; y < H; y += 23)
        for (int k = 0; k < 4; k++) {
            assert_within(w[y * W + 40 + k], inside[k], 0, 6e-11);
            assert_within(w[y * W + 39 - k], 1 - inside[k], 0, 6e-11);
        }
    assert_true(w[27] == 0 && w[28] > 0); /* radius 12, no further */
    assert_true(w[52] > 1 - 1e-14 && w[51] < 1 - 1e-6);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) mask[y * W + x] = y >= 35;
    assert_ok(mask_feather(turned, &m, mask, W, H, 3, &err));
    for (int k = -5; k < 5; k++) assert_close(turned[(35 + k) * W + 3], w[40 + k]);
}

static void bounds_and_limits(void **state)
{
    (void)state;
    unsigned char mask[6] = {1, 1, 1, 1, 1, 1};
    double w[6];
    assert_ok(mask_feather(w, &m, mask, 3, 2, 2.5, &err)); /* radius beyond the image, reflected */
    for (int i = 0; i < 6; i++) assert_true(w[i] <= 1 && w[i] > 1 - 1e-14);
    mask[1] = 0;
    assert_ok(mask_feather(w, &m, mask, 3, 2, 0, &err));
    for (int i = 0; i < 6; i++) assert_true(w[i] == mask[i]);
    assert_int_equal(mask_feather(w, &m, mask, 3, 2, NAN, &err), TARE_E_LIMIT);
    assert_int_equal(mask_feather(w, &m, mask, 3, 2, -1, &err), TARE_E_LIMIT);
    assert_int_equal(mask_feather(w, &m, mask, 3, 2, 1e9, &err), TARE_E_LIMIT);
    image i = {.width = 448, .height = 300};
    assert_close(mask_sigma(&i, 3), 3 * 300 / 224.0);
}

static int mirrored(int at, int n)
{
    int k = ((at % (2 * n)) + 2 * n) % (2 * n);
    return k < n ? k : 2 * n - 1 - k;
}

/* One weight by the definition: the kernel over the kernel, each sum from the far taps to the
 * centre. */
static double plain_weight(const unsigned char *mask, int width, int height, double sigma, int x,
                           int y)
{
    int radius = (int)floor(4 * sigma + 0.5);
    long double total = 0;
    for (int i = -radius; i <= radius; i++) total += expl(-0.5L * i * i / (sigma * sigma));
    double sum = 0;
    for (int i = -radius; i <= radius; i++)
        for (int j = -radius; j <= radius; j++) {
            int at = mirrored(y + i, height) * width + mirrored(x + j, width);
            if (mask[at])
                sum += (double)(expl(-0.5L * (i * i + j * j) / (sigma * sigma)) / total / total);
        }
    return sum < 1 ? sum : 1;
}

/* gcc 12 warns of the loop where it sees the sizes. */
__attribute__((noinline)) static void draw_mask(unsigned char *mask, size_t n)
{
    for (size_t i = 0; i < n; i++) mask[i] = (i * 2654435761u >> 7 & 3) == 0 && i > n / 5;
    mask[n - 1] = 1;
}

/* Widths and heights around the lengths that are summed together, masks off the corner. */
static void feathers_any_size(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 40}, {23, 5}, {24, 9}, {97, 3}, {131, 50}};
    static unsigned char mask[131 * 50];
    static double w[131 * 50];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int width = sizes[k][0], height = sizes[k][1];
        size_t n = (size_t)(width * height);
        draw_mask(mask, n);
        assert_ok(mask_feather(w, &m, mask, width, height, 2.3, &err));
        for (size_t i = 0; i < n; i += n > 500 ? 37 : 1) {
            int x = (int)i % width, y = (int)i / width;
            double wanted = plain_weight(mask, width, height, 2.3, x, y);
            assert_true(fabs(w[i] - wanted) <= 1e-14 + 1e-13 * wanted);
        }
    }
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(monk_tones), cmocka_unit_test(single_colours),
        cmocka_unit_test(thresholds_are_exact), cmocka_unit_test(user_masks),
        cmocka_unit_test(straight_edge), cmocka_unit_test(bounds_and_limits),
        cmocka_unit_test(feathers_any_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
