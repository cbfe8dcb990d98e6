/* *.index.json and its shards. */
#include <string.h>
#include <unistd.h>

#include "checkpoint_fixture.h"
#include "support/check.h"
#include "support/failing_mem.h"

static weights_folder w;

#define U8(name, from, to) \
    "\"" name "\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[" from "," to "]}"

static void write_text(const char *name, const char *content)
{
    weights_write(&w, name, content, strlen(content));
}

static void write_shards(void)
{
    weights_write_safetensors(&w, "one.safetensors",
                              "{" U8("b", "0", "2") "," U8("c", "2", "4") "}", "bbcc", 4);
    weights_write_safetensors(&w, "two.safetensors",
                              "{\"__metadata__\":{\"format\":\"pt\"}," U8("a", "0", "2") "}", "aa",
                              2);
}

#define INDEX(map) "{\"metadata\":{\"total_size\":6},\"weight_map\":{" map "}}"
#define GOOD "\"a\":\"two.safetensors\",\"b\":\"one.safetensors\",\"c\":\"one.safetensors\""

static void check_good(const checkpoint *c)
{
    assert_int_equal(c->kind, CHECKPOINT_SAFETENSORS);
    assert_int_equal(c->file_count, 3);
    assert_int_equal(c->tensor_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const checkpoint_tensor *t = &c->tensor[i];
        double got[2];
        tare_error err;
        assert_int_equal(t->name[0], 'a' + (int)i);
        assert_ok(checkpoint_doubles(got, c, t, &err));
        assert_true(got[0] == 'a' + (double)i && got[1] == got[0]);
        assert_non_null(strstr(c->file[t->file].path, i == 0 ? "/two." : "/one."));
        assert_ptr_equal(t->data, c->file[t->file].bytes + t->offset);
    }
    assert_true(strcmp(c->file[1].sha256, c->file[2].sha256) != 0);
}

static void shards_are_read_as_one(void **state)
{
    (void)state;
    checkpoint *c;
    tare_error err;
    write_shards();
    write_text("model.safetensors.index.json", INDEX(GOOD));
    assert_ok(checkpoint_open(&c, w.context, weights_path(&w, "model.safetensors.index.json"),
                              &err));
    check_good(c);
    assert_ok(checkpoint_settle(c, &err));
    checkpoint_close(c);
    write_text("any.name", "\xef\xbb\xbf \n" INDEX(GOOD)); /* with a byte order mark */
    assert_ok(checkpoint_open(&c, w.context, weights_path(&w, "any.name"), &err));
    check_good(c);
    checkpoint_close(c);
}

/* From inside the folder: a path without a slash. */
static void a_path_without_a_folder(void **state)
{
    (void)state;
    char before[4096];
    checkpoint *c;
    tare_error err;
    write_shards();
    write_text("i.json", INDEX(GOOD));
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(w.folder), 0);
    assert_ok(checkpoint_open(&c, w.context, "i.json", &err));
    assert_string_equal(c->file[1].path, "two.safetensors");
    checkpoint_close(c);
    assert_int_equal(chdir(before), 0);
}

static const struct {
    const char *map;
    tare_status status;
    const char *code, *message, *where;
} bad[] = {
    {GOOD ",\"d\":\"three.safetensors\"", TARE_E_IO, "io.open", "there is no such shard",
     "/three.safetensors"},
    {GOOD ",\"d\":\"one.safetensors\"", TARE_E_DATA, "safetensors.index",
     "tensor d should stand in one.safetensors and does not", "/i.json"},
    {"\"a\":\"two.safetensors\",\"b\":\"one.safetensors\"", TARE_E_DATA, "safetensors.index",
     "tensor c stands in this shard and not in the index", "/one.safetensors"},
    {"\"a\":\"one.safetensors\",\"b\":\"one.safetensors\",\"c\":\"two.safetensors\"", TARE_E_DATA,
     "safetensors.index", "tensor c stands in this shard, and the index says that it is in two",
     "/one.safetensors"},
    {"\"a\":\"../two.safetensors\"", TARE_E_DATA, "safetensors.index",
     "only from the folder of their index", "/i.json"},
    {"\"a\":\"/etc/hostname\"", TARE_E_DATA, "safetensors.index", "only from", "/i.json"},
    {"\"a\":\"..\"", TARE_E_DATA, "safetensors.index", "only from the folder", "/i.json"},
    {"\"a\":\"\"", TARE_E_DATA, "safetensors.index", "only from the folder", "/i.json"},
    {"\"a\":\"two\\u0000.safetensors\"", TARE_E_DATA, "safetensors.index", "only from", "/i.json"},
    {"\"a\":7", TARE_E_DATA, "safetensors.index", "(no text)", "/i.json"},
    {"\"a\\u0000\":\"two.safetensors\",\"a\":\"two.safetensors\"", TARE_E_DATA,
     "safetensors.index", "NUL", "/i.json"},
    {GOOD ",\"a\":\"two.safetensors\"", TARE_E_DATA, "json.duplicate_key", "twice", "/i.json:1:"},
    {"", TARE_E_DATA, "safetensors.index", "names no tensor", "/i.json"},
    {"\"a\":\"page.safetensors\"", TARE_E_DATA, "checkpoint.kind", "a web page",
     "/page.safetensors"},
    {"\"a\":\"shard.bin\"", TARE_E_DATA, "safetensors.index", "this shard is no safetensors file",
     "/shard.bin"},
    {"\"a\":\"i.json\"", TARE_E_DATA, "safetensors.index", "this shard is no safetensors file",
     "/i.json"},
    {"\"a\":\"cut.safetensors\"", TARE_E_DATA, "safetensors.truncated", "tensor a",
     "/cut.safetensors"},
};

static void indexes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    char index[512];
    write_shards();
    write_text("page.safetensors", "<!DOCTYPE html><html>Sign in</html>");
    weights_write(&w, "shard.bin", "PK\3\4 and so on", 14);
    weights_write_safetensors(&w, "cut.safetensors", "{" U8("a", "0", "2") "}", "a", 1);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(index, sizeof index, INDEX("%s"), bad[i].map);
        write_text("i.json", index);
        tare_error err = weights_refused(&w, "i.json", bad[i].status);
        if (strcmp(err.code, bad[i].code) != 0 || strstr(err.message, bad[i].message) == NULL
            || strstr(err.where, bad[i].where) == NULL)
            fail_msg("%s: %s [%s] %s", bad[i].map, err.where, err.code, err.message);
    }
    write_text("i.json", "{\"weight_map\":[]}");
    assert_string_equal(weights_refused(&w, "i.json", TARE_E_DATA).code, "safetensors.index");
    write_text("i.json", "{\"weight_map\":{\"a\":");
    assert_string_equal(weights_refused(&w, "i.json", TARE_E_DATA).code, "json.truncated");
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    write_shards();
    write_text("i.json", INDEX(GOOD));
    for (long k = 1;; k++) {
        failing_mem f;
        mem m = failing_mem_start(&f, k);
        tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
        tare_context *c = NULL;
        checkpoint *opened = NULL;
        tare_error err = {TARE_OK, "", "", ""};
        o.threads = 1;
        o.resize = m.resize;
        o.user = m.user;
        tare_status status = tare_context_new(&c, &o, &err);
        if (status == TARE_OK)
            status = checkpoint_open(&opened, c, weights_path(&w, "i.json"), &err);
        assert_int_equal(status, failing_mem_failed(&f) ? TARE_E_MEMORY : TARE_OK);
        assert_int_equal(err.status, status);
        assert_true((opened != NULL) == (status == TARE_OK));
        checkpoint_close(opened);
        tare_context_free(c);
        assert_int_equal(failing_mem_live(&f), 0);
        if (!failing_mem_failed(&f)) {
            assert_true(k > 20);
            break;
        }
    }
}

static int begin(void **state)
{
    (void)state;
    weights_begin(&w);
    return 0;
}

static int end(void **state)
{
    (void)state;
    weights_end(&w);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shards_are_read_as_one),
        cmocka_unit_test(a_path_without_a_folder),
        cmocka_unit_test(indexes_that_do_not_fit_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
