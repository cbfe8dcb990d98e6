/* exec: splitting of commands, and the lines of the protocol, without any process. */
#include <string.h>

#include "base/mem.h"
#include "scorer/exec_protocol.h"
#include "scorer/exec_split.h"
#include "support/check.h"
#include "support/failing_mem.h"

static tare_error err;

/* ---- splitting: the rules of exec_split.h ------------------------------------- */

static void check_split(const char *command, const char *joined)
{
    mem m = mem_system();
    arena a;
    char **words, got[512] = "";
    size_t n;
    arena_init(&a, &m);
    assert_ok(exec_split(&words, &n, &a, command, &err));
    for (size_t i = 0; i < n; i++) {
        strcat(got, words[i]);
        strcat(got, "|");
    }
    assert_null(words[n]);
    assert_string_equal(got, joined);
    arena_free(&a);
}

static void test_split(void **state)
{
    (void)state;
    check_split("python3 my.py", "python3|my.py|");
    check_split("  a\t b\n", "a|b|");
    check_split("'my program' \"two words\"", "my program|two words|");
    check_split("a\\ b c\\\\d", "a b|c\\d|");
    check_split("pre'fix'\"ed\"", "prefixed|");
    check_split("a '' \"\" b", "a|||b|");
    check_split("'a\\b' \"a\\b\" \"a\\\"b\" \"a\\\\b\"", "a\\b|a\\b|a\"b|a\\b|");
    check_split("\"it's\" 'say \"x\"'", "it's|say \"x\"|");
    /* Nothing of a shell: */
    check_split("a $HOME *.c ; b > c && `d` ~ # e", "a|$HOME|*.c|;|b|>|c|&&|`d`|~|#|e|");
}

static void test_split_errors(void **state)
{
    (void)state;
    mem m = mem_system();
    arena a;
    char **words, *many = malloc(EXEC_COMMAND_MAX + 2);
    size_t n;
    arena_init(&a, &m);
    static const char *const bad[] = {"", "   ", "a 'b", "a \"b", "a\\", "\"a\\\"", "'' a"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(exec_split(&words, &n, &a, bad[i], &err), TARE_E_USAGE);
    memset(many, 'x', EXEC_COMMAND_MAX + 1);
    many[EXEC_COMMAND_MAX + 1] = '\0';
    assert_int_equal(exec_split(&words, &n, &a, many, &err), TARE_E_USAGE);
    for (int i = 0; i < 2 * EXEC_WORDS_MAX + 1; i++) many[i] = i % 2 ? ' ' : 'x';
    many[2 * EXEC_WORDS_MAX + 1] = '\0';
    assert_int_equal(exec_split(&words, &n, &a, many, &err), TARE_E_USAGE);
    many[2 * EXEC_WORDS_MAX] = '\0';
    assert_ok(exec_split(&words, &n, &a, many, &err));
    assert_int_equal(n, EXEC_WORDS_MAX);
    arena_free(&a);
    free(many);
}

/* ---- hello -------------------------------------------------------------------- */

static tare_status hello(exec_hello *out, const char *line)
{
    mem m = mem_system();
    return exec_hello_read(out, &m, (exec_bytes){line, strlen(line)}, &err);
}

static void test_hello(void **state)
{
    (void)state;
    exec_hello h;
    /* The example of scorers 1.5. */
    assert_ok(hello(&h, "{\"name\":\"x\",\"version\":\"3\",\"fingerprint\":\"ab\","
                        "\"prompt\":\"required\",\"max_batch\":16,\"size\":[224,200],"
                        "\"higher_is_better\":false}"));
    assert_string_equal(h.name, "x");
    assert_string_equal(h.version, "3");
    assert_string_equal(h.fingerprint, "ab");
    assert_int_equal(h.prompt, EXEC_PROMPT_REQUIRED);
    assert_int_equal(h.max_batch, 16);
    assert_int_equal(h.width, 224);
    assert_int_equal(h.height, 200);
    assert_true(h.lower_is_better && !h.paths);
    assert_ok(hello(&h, "{\"name\":\"x\",\"fingerprint\":null,\"size\":null,\"later\":{\"a\":1}}"));
    assert_string_equal(h.fingerprint, "");
    assert_true(!h.lower_is_better && h.max_batch == 0 && h.width == 0);
}

static void test_hello_errors(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "", "hello", "[]", "3", "{}", "{\"name\":\"\"}", "{\"name\":5}", "{\"name\":\"a\\nb\"}",
        "{\"name\":\"x\",\"max_batch\":0}", "{\"name\":\"x\",\"max_batch\":1.5}",
        "{\"name\":\"x\",\"size\":[224]}", "{\"name\":\"x\",\"size\":[0,1]}",
        "{\"name\":\"x\",\"size\":224}", "{\"name\":\"x\",\"prompt\":\"maybe\"}",
        "{\"name\":\"x\",\"higher_is_better\":1}", "{\"name\":\"x\",\"image\":\"jpeg\"}",
        "{\"error\":\"no GPU\"}", "{\"name\":\"x\",\"name\":\"y\"}", "{\"name\":\"x\"} {}",
        "{\"name\":\"x\",\"fingerprint\":7}"};
    exec_hello h;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (hello(&h, bad[i]) != TARE_E_INSTRUMENT) fail_msg("accepted: %s", bad[i]);
    char *deep = malloc(5000);
    memset(deep, '[', 4999);
    deep[4999] = '\0';
    assert_int_equal(hello(&h, deep), TARE_E_INSTRUMENT);
    free(deep);
    char name[400] = "{\"name\":\"";
    memset(name + 9, 'n', 300);
    strcpy(name + 309, "\"}");
    assert_int_equal(hello(&h, name), TARE_E_INSTRUMENT);
    assert_int_equal(hello(&h, "Loading model..."), TARE_E_INSTRUMENT);
    assert_non_null(strstr(err.message, "Loading model..."));
}

/* ---- requests ------------------------------------------------------------------- */

static void test_request(void **state)
{
    (void)state;
    mem m = mem_system();
    text out;
    text_init(&out, &m);
    /* Base64: RFC 4648 section 10. */
    exec_wire_item items[] = {
        {.key = "b1/d+5", .png = (const unsigned char *)"f", .png_length = 1, .prompt = "a \"p\""},
        {.key = "b2", .png = (const unsigned char *)"fo", .png_length = 2},
        {.key = "b3", .png = (const unsigned char *)"foobar", .png_length = 6},
        {.key = "b\n4", .path = "/tmp/a b.png"}};
    exec_request q = {7, items, 4};
    exec_request_write(&out, &q);
    assert_false(out.failed);
    assert_string_equal(out.data,
                        "{\"op\":\"score\",\"id\":7,\"items\":["
                        "{\"key\":\"b1/d+5\",\"image\":{\"png\":\"Zg==\"},"
                        "\"prompt\":\"a \\\"p\\\"\"},"
                        "{\"key\":\"b2\",\"image\":{\"png\":\"Zm8=\"}},"
                        "{\"key\":\"b3\",\"image\":{\"png\":\"Zm9vYmFy\"}},"
                        "{\"key\":\"b\\n4\",\"image\":{\"path\":\"/tmp/a b.png\"}}]}\n");
    text_free(&out);
}

/* ---- replies -------------------------------------------------------------------- */

static exec_reply reply_with(const mem *m, scorer_result r[2], char why[EXEC_WHY_MAX],
                             const char *line)
{
    static const exec_wire_item items[] = {{.key = "a"}, {.key = "b"}};
    exec_request q = {7, items, 2};
    return exec_reply_read(r, why, m, &q, (exec_bytes){line, strlen(line)});
}

static exec_reply reply(scorer_result r[2], const char *line)
{
    char why[EXEC_WHY_MAX] = "";
    mem m = mem_system();
    exec_reply kind = reply_with(&m, r, why, line);
    assert_true(kind != EXEC_REPLY_BAD || *why);
    return kind;
}

#define SCORES(list) "{\"id\":7,\"scores\":[" list "]}"

static void test_replies(void **state)
{
    (void)state;
    scorer_result r[2];
    assert_int_equal(reply(r, SCORES("{\"key\":\"b\",\"score\":-2},"
                                     "{\"key\":\"a\",\"score\":5.13}")),
                     EXEC_REPLY_SCORES);
    assert_true(r[0].value == 5.13 && r[1].value == -2);
    assert_int_equal(reply(r, SCORES("{\"key\":\"a\",\"score\":NaN},"
                                     "{\"key\":\"b\",\"score\":null}")),
                     EXEC_REPLY_SCORES);
    assert_int_equal(r[0].status, TARE_R_SCORE_NONFINITE);
    assert_int_equal(r[1].status, TARE_R_SCORE_NONFINITE);
    assert_true(isnan(r[0].value) && isnan(r[1].value));
    assert_int_equal(reply(r, SCORES("{\"key\":\"a\",\"score\":1,\"error\":\"no face\"},"
                                     "{\"key\":\"b\",\"score\":1,\"error\":null}")),
                     EXEC_REPLY_SCORES);
    assert_int_equal(r[0].status, TARE_R_SCORER_ERROR);
    assert_string_equal(r[0].note, "no face");
    assert_int_equal(r[1].status, TARE_R_NONE);
    assert_int_equal(reply(r, "{\"id\":6,\"scores\":[]}"), EXEC_REPLY_STALE);
}

static void test_bad_replies(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "", "nonsense", "7", "[]", "{}", "{\"id\":7}", "{\"id\":\"7\",\"scores\":[]}",
        "{\"id\":8,\"scores\":[]}", "{\"id\":-1,\"scores\":[]}", "{\"id\":7.5,\"scores\":[]}",
        "{\"id\":7,\"error\":\"all wrong\"}", "{\"id\":7,\"scores\":{}}", SCORES(""),
        SCORES("{\"key\":\"a\",\"score\":1}"),
        SCORES("{\"key\":\"a\",\"score\":1},{\"key\":\"a\",\"score\":1}"),
        SCORES("{\"key\":\"a\",\"score\":1},{\"key\":\"c\",\"score\":1}"),
        SCORES("{\"key\":\"a\",\"score\":1},{\"key\":\"b\",\"score\":1},"
               "{\"key\":\"c\",\"score\":1}"),
        SCORES("{\"key\":\"a\",\"score\":1},{\"key\":\"b\"}"),
        SCORES("{\"key\":\"a\",\"score\":1},{\"key\":\"b\",\"score\":\"1\"}"),
        SCORES("{\"key\":\"a\",\"score\":1},{\"key\":\"b\",\"score\":true}"),
        SCORES("{\"key\":\"a\",\"score\":1},{\"key\":\"b\",\"error\":1}"),
        SCORES("{\"key\":\"a\",\"score\":1},{\"key\":2,\"score\":1}"),
        SCORES("{\"key\":\"a\",\"score\":1},{\"key\":\"b\\u0000\",\"score\":1}"),
        SCORES("{\"key\":\"a\",\"score\":1},[\"b\",1]"), SCORES("1,2")};
    scorer_result r[2];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (reply(r, bad[i]) != EXEC_REPLY_BAD) fail_msg("accepted: %s", bad[i]);
}

static void test_long_notes_are_cut(void **state)
{
    (void)state;
    char line[2000] = SCORES("{\"key\":\"b\",\"score\":1},{\"key\":\"a\",\"error\":\"");
    size_t at = strlen(line) - 2;
    for (int i = 0; i < 300; i++, at += 2) memcpy(line + at, "\xc3\xa4", 2);
    strcpy(line + at, "\"}]}");
    scorer_result r[2];
    assert_int_equal(reply(r, line), EXEC_REPLY_SCORES);
    assert_true(strlen(r[0].note) < sizeof r[0].note);
    assert_int_equal(strlen(r[0].note) % 2, 0); /* whole characters */
    assert_true(strlen(r[0].note) > 150);
}

static void test_no_memory(void **state)
{
    (void)state;
    const char *good = SCORES("{\"key\":\"a\",\"score\":1},{\"key\":\"b\",\"score\":2}");
    const char *greeting = "{\"name\":\"x\",\"size\":[1,2]}";
    for (long k = 1;; k++) {
        failing_mem f;
        mem m = failing_mem_start(&f, k);
        char why[EXEC_WHY_MAX] = "";
        scorer_result r[2];
        exec_hello h;
        exec_reply kind = reply_with(&m, r, why, good);
        bool replied = failing_mem_failed(&f);
        assert_int_equal(kind, replied ? EXEC_REPLY_MEMORY : EXEC_REPLY_SCORES);
        if (!replied) {
            exec_bytes line = {greeting, strlen(greeting)};
            tare_status status = exec_hello_read(&h, &m, line, &err);
            assert_int_equal(status, failing_mem_failed(&f) ? TARE_E_MEMORY : TARE_OK);
        }
        assert_int_equal(failing_mem_live(&f), 0);
        if (!failing_mem_failed(&f)) break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split), cmocka_unit_test(test_split_errors),
        cmocka_unit_test(test_hello), cmocka_unit_test(test_hello_errors),
        cmocka_unit_test(test_request), cmocka_unit_test(test_replies),
        cmocka_unit_test(test_bad_replies), cmocka_unit_test(test_long_notes_are_cut),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
