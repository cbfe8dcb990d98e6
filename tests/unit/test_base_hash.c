/* SHA-256 against FIPS 180-4's examples, and the map. */
#include "base/hash.h"

#include <string.h>

#include "base/sha256_blocks.h"
#include "support/check.h"

static void assert_digest(const void *bytes, size_t n, const char *want)
{
    unsigned char digest[SHA256_BYTES];
    char hex[SHA256_HEX];
    sha256_of(bytes, n, digest);
    sha256_hex(digest, hex);
    assert_string_equal(hex, want);
}

static void published_digests(void **state)
{
    (void)state;
    assert_digest("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_digest("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    char *million = malloc(1000000); /* one million a, FIPS 180-2 B.3 */
    assert_non_null(million);
    memset(million, 'a', 1000000);
    assert_digest(million, 1000000,
                  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(million);
}

/* The CPU's own instructions and the portable code, whole and in pieces of every size. */
static void pieces_and_both_codes_agree(void **state)
{
    (void)state;
    unsigned char data[5000], whole[SHA256_BYTES], parts[SHA256_BYTES];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i * 31 + i / 7);
    for (size_t n = 0; n < sizeof data; n += 61) {
        sha256 h;
        sha256_init(&h);
        h.path = SHA256_PORTABLE;
        sha256_add(&h, data, n);
        sha256_done(&h, whole);
        sha256_init(&h);
        if (sha256_fast_available()) h.path = SHA256_FAST;
        for (size_t at = 0, piece = 1; at < n; at += piece, piece = piece % 97 + 1) {
            if (piece > n - at) piece = n - at;
            sha256_add(&h, data + at, piece);
        }
        sha256_done(&h, parts);
        assert_memory_equal(whole, parts, SHA256_BYTES);
        sha256_of(data, n, parts);
        assert_memory_equal(whole, parts, SHA256_BYTES);
    }
}

static void map_numbers_keys_in_order(void **state)
{
    (void)state;
    mem m = mem_system();
    map *s = map_new(&m);
    bool fresh;
    char key[40];
    for (size_t i = 0; i < 50000; i++) {
        int n = snprintf(key, sizeof key, "key-%zu-%zu", i, i * 7919);
        assert_int_equal(map_add(s, key, (size_t)n, &fresh), i);
        assert_true(fresh);
        assert_int_equal(map_add(s, key, (size_t)n, &fresh), i);
        assert_false(fresh);
    }
    assert_int_equal(map_count(s), 50000);
    for (size_t i = 0; i < 50000; i++) {
        size_t length;
        int n = snprintf(key, sizeof key, "key-%zu-%zu", i, i * 7919);
        assert_int_equal(map_find(s, key, (size_t)n), i);
        assert_string_equal(map_key(s, i, &length), key);
        assert_int_equal(length, n);
    }
    assert_int_equal(map_find(s, "absent", 6), SIZE_MAX);
    /* Keys are bytes: empty, with NUL, prefixes of each other. */
    size_t empty = map_add(s, NULL, 0, NULL), nul = map_add(s, "\0", 1, NULL);
    size_t two = map_add(s, "\0\0", 2, NULL);
    assert_int_equal(empty, 50000);
    assert_int_equal(nul, 50001);
    assert_int_equal(two, 50002);
    assert_int_equal(map_find(s, "", 0), empty);
    map_free(s);
    map_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_digests),
        cmocka_unit_test(pieces_and_both_codes_agree),
        cmocka_unit_test(map_numbers_keys_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
