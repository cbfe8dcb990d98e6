#include "support/check.h"

#include <string.h>

#include "report/html.h"

static mem m;
static text t;

static int setup(void **state)
{
    (void)state;
    text_init(&t, &m);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    text_free(&t);
    return 0;
}

static void test_text(void **state)
{
    (void)state;
    html_text(&t, "<b a=\"1\" c='2'>&amp;</b>\xFF");
    assert_string_equal(t.data, "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;"
                                "\xEF\xBF\xBD");
}

static void test_attribute(void **state)
{
    (void)state;
    html_attribute(&t, "alt", "\"><script>\n'");
    assert_string_equal(t.data, " alt=\"&quot;&gt;&lt;script&gt; &#39;\"");
}

static void test_long_names_are_cut(void **state)
{
    (void)state;
    char name[10001];
    memset(name, '<', sizeof name - 1);
    name[sizeof name - 1] = 0;
    html_name(&t, name);
    assert_true(t.length < 10000); /* 2080 entities of 4 bytes, not 10000 */
    assert_null(strchr(strchr(t.data, '>') + 1, '"'));
    assert_non_null(strstr(t.data, "\xE2\x80\xA6</bdi>"));
    text_clear(&t);
    html_name(&t, "short");
    assert_string_equal(t.data, "<bdi>short</bdi>");
}

static void test_json_cannot_end_its_script(void **state)
{
    (void)state;
    const char *json = "{\"a\":\"</script><!-- &amp;\"}";
    html_json(&t, json, strlen(json));
    assert_string_equal(t.data, "{\"a\":\"\\u003c/script\\u003e\\u003c!-- \\u0026amp;\"}");
}

/* RFC 4648, section 10. */
static void test_base64(void **state)
{
    (void)state;
    static const char *const plain[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar"};
    static const char *const coded[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=",
                                        "Zm9vYmFy"};
    for (size_t k = 0; k < 7; k++) {
        text_clear(&t);
        text_add(&t, "");
        html_base64(&t, (const unsigned char *)plain[k], strlen(plain[k]));
        assert_string_equal(t.data, coded[k]);
    }
    text_clear(&t);
    html_base64(&t, (const unsigned char *)"\xFF\xFE\xFB", 3);
    assert_string_equal(t.data, "//77");
}

/* The W3C text of Content Security Policy Level 2 gives this pair as its example. */
static void test_policy_hash(void **state)
{
    (void)state;
    const char *script = "alert('Hello, world.');";
    html_csp_hash(&t, script, strlen(script));
    assert_string_equal(t.data, "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='");
}

int main(void)
{
    m = mem_system();
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_text), TEST(test_attribute), TEST(test_long_names_are_cut),
        TEST(test_json_cannot_end_its_script), TEST(test_base64),
        TEST(test_policy_hash)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
