/* The EXIF reader on blocks written out by hand (TIFF 6.0, EXIF 2.3). */
#include <string.h>

#include "image/exif.h"
#include "support/check.h"

#define LITTLE "II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0"
#define BIG "MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0\x08\0\0\0\0\0\0"
#define OF(literal) exif_orientation((const unsigned char *)(literal), sizeof(literal) - 1)

static void reads_both_orders(void **state)
{
    (void)state;
    assert_int_equal(OF(LITTLE), 6);
    assert_int_equal(OF(BIG), 8);
    assert_int_equal(OF("Exif\0\0" LITTLE), 6);
    /* as LONG and as BYTE, which some writers use */
    assert_int_equal(OF("II*\0\x08\0\0\0\1\0\x12\1\4\0\1\0\0\0\5\0\0\0"), 5);
    assert_int_equal(OF("II*\0\x08\0\0\0\1\0\x12\1\1\0\1\0\0\0\7\0\0\0"), 7);
}

static void distrusts(void **state)
{
    (void)state;
    assert_int_equal(OF(""), 0);
    assert_int_equal(OF("Exif\0\0"), 0);
    assert_int_equal(OF("IM*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0"), 0);
    assert_int_equal(OF("II*\0\xff\xff\xff\xff\1\0\x12\1\3\0\1\0\0\0\6\0\0\0"), 0); /* far */
    assert_int_equal(OF("II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\0\0\0\0"), 0);       /* value 0 */
    assert_int_equal(OF("II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\x09\0\0\0"), 0);     /* value 9 */
    assert_int_equal(OF("II*\0\x08\0\0\0\1\0\x12\1\3\0\2\0\0\0\6\0\0\0"), 0);       /* count 2 */
    assert_int_equal(OF("II*\0\x08\0\0\0\1\0\x12\1\5\0\1\0\0\0\6\0\0\0"), 0);       /* RATIONAL */
    assert_int_equal(OF("II*\0\x08\0\0\0\xff\xff\x12\1\3\0\1\0\0\0\6\0\0\0"), 6);   /* many said */
}

static void short_blocks(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof LITTLE - 1; n++) {
        unsigned char *block = malloc(n > 0 ? n : 1); /* of the exact length, for sanitizers */
        assert_non_null(block);
        memcpy(block, LITTLE, n);
        int got = exif_orientation(block, n);
        assert_int_equal(got, n >= 22 ? 6 : 0);
        free(block);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_both_orders),
                                       cmocka_unit_test(distrusts),
                                       cmocka_unit_test(short_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
