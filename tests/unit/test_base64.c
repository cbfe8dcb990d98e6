/* Base64: the test vectors of RFC 4648, section 10, all bytes as Python's base64 writes them, and
 * what is refused. */
#include <string.h>

#include "base/base64.h"
#include "support/check.h"

static void vectors_of_the_rfc(void **state)
{
    static const char *const pairs[][2] = {{"", ""}, {"Zg==", "f"}, {"Zm8=", "fo"},
                                           {"Zm9v", "foo"}, {"Zm9vYg==", "foob"},
                                           {"Zm9vYmE=", "fooba"}, {"Zm9vYmFy", "foobar"}};
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        unsigned char out[8];
        size_t count = 9, bad, length = strlen(pairs[k][0]);
        assert_true(base64_room(length) <= sizeof out);
        assert_true(base64_decode(out, &count, pairs[k][0], length, &bad));
        assert_int_equal(count, strlen(pairs[k][1]));
        assert_memory_equal(out, pairs[k][1], count);
    }
}

/* python3 -c "import base64; print(base64.b64encode(bytes(range(0, 256, 5))).decode())" */
static void every_digit(void **state)
{
    static const char text[] = "AAUKDxQZHiMoLTI3PEFGS1BVWl9kaW5zeH2Ch4yRlpugpaqvtLm+w8jN0tfc4ebr"
                               "8PX6/w==";
    (void)state;
    unsigned char out[54];
    size_t count, bad;
    assert_true(base64_decode(out, &count, text, sizeof text - 1, &bad));
    assert_int_equal(count, 52);
    for (size_t k = 0; k < count; k++) assert_int_equal(out[k], 5 * k);
}

static void refuses(void **state)
{
    static const struct { const char *text; size_t bad; } wrong[] = {
        {"Z", 1}, {"Zg", 2}, {"Zg=", 3}, {"Zm9vY", 5},        /* not in fours         */
        {"Z===", 1}, {"====", 0}, {"Zg=a", 2}, {"Zg==Zg==", 2}, /* padding elsewhere   */
        {"Zm9-", 3}, {"Zm9_Zm9v", 3}, {"Zm 9", 2}, {"Zm9v\n", 5},
        {"Zh==", 1}, {"Zm9=", 2},                              /* bits that no byte takes */
    };
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        unsigned char out[8];
        size_t count, bad = 99;
        assert_false(base64_decode(out, &count, wrong[k].text, strlen(wrong[k].text), &bad));
        if (bad != wrong[k].bad) fail_msg("%s: at %zu", wrong[k].text, bad);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(vectors_of_the_rfc),
                                       cmocka_unit_test(every_digit), cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
