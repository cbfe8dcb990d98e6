/* What a file is, by its first bytes, and what is said of files that are something else. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checkpoint_fixture.h"
#include "scorer/checkpoint/checkpoint_sniff.h"
#include "support/check.h"

static weights_folder w;

static const struct {
    const char *bytes;
    size_t length;
    const char *message;
} others[] = {
#define BYTES(text) (text), sizeof(text) - 1
    {BYTES("<!DOCTYPE html>\n<html><title>Log in</title>"), "a web page, not weights"},
    {BYTES("\xEF\xBB\xBF\r\n <HTML lang=en>"), "a web page, not weights"},
    {BYTES("<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>"), "a web page"},
    {BYTES("version https://git-lfs.github.com/spec/v1\noid sha256:21dd\nsize 3714759\n"),
     "a pointer of Git LFS, not the weights themselves: run `git lfs pull`"},
    {BYTES("\x1f\x8b\x08\0\0\0\0\0"), "compressed with gzip"},
    {BYTES("BZh91AY&SY"), "compressed (bzip2"},
    {BYTES("\xFD" "7zXZ\0"), "compressed (bzip2, xz"},
    {BYTES("\x28\xB5\x2F\xFD\0\0"), "compressed (bzip2, xz or zstd)"},
    {BYTES("\x89HDF\r\n\x1a\n\0\0"), "an HDF5 file (Keras)"},
    {BYTES("GGUF\3\0\0\0"), "a GGUF file"},
    {BYTES("\x93NUMPY\1\0v\0{'descr'"), "one array of NumPy"},
    {BYTES("PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), "a zip archive without any entry"},
    {BYTES("\x08\x08\x12\x07pytorch\x1a\x05"), "very likely an ONNX model"},
    {BYTES("{\"tare_scorer\": 1, \"name\": \"x\"}"), "a manifest of tare, not a file of weights"},
    {BYTES("{\"hidden_act\": {\"weight_map\": 1}}"), "neither an index of shards"},
    {BYTES("{\"weight_map\": {}, \"modelTopology\": {}}"), "neither an index of shards"},
    {BYTES("a line\x1b[0m of text"), "it has 18 bytes and begins with 61 20 6c 69 6e 65 1b 5b 30 "
                                     "6d 20 6f 66 20 74 65 (\"a line.[0m of te\")"},
    {BYTES("\x80"), "it has 1 byte and begins with 80"},
    {BYTES("\x80\x09."), "no file of weights that tare knows"},
};

static void files_that_are_something_else(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        weights_write(&w, "model.safetensors", others[i].bytes, others[i].length);
        tare_error err = weights_refused(&w, "model.safetensors", TARE_E_DATA);
        assert_string_equal(err.code, "checkpoint.kind");
        assert_string_equal(err.where, weights_path(&w, "model.safetensors"));
        if (strstr(err.message, others[i].message) == NULL) fail_msg("%s", err.message);
    }
    weights_write(&w, "model.safetensors", "{\"weight_map\": }", 16);
    assert_string_equal(weights_refused(&w, "model.safetensors", TARE_E_DATA).code, "json.syntax");
}

/* As torch 0.1 wrote, and as people pack: "ustar" stands at byte 257. */
static void a_tar_archive(void **state)
{
    (void)state;
    char tar[512] = "sys_info";
    memcpy(tar + 257, "ustar", 5);
    weights_write(&w, "old.pt", tar, sizeof tar);
    assert_non_null(strstr(weights_refused(&w, "old.pt", TARE_E_DATA).message, "a tar archive"));
    weights_write(&w, "old.pt", tar, 261);
    assert_null(strstr(weights_refused(&w, "old.pt", TARE_E_DATA).message, "a tar archive"));
}

static void each_container_by_its_first_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        checkpoint_container want;
    } cases[] = {
        {BYTES("\2\0\0\0\0\0\0\0{}"), CONTAINER_SAFETENSORS},
        {BYTES("{\0\0\0\0\0\0\0{}"), CONTAINER_SAFETENSORS},       /* 123 bytes of header   */
        {BYTES("\x80\x02\0\0\0\0\0\0{}"), CONTAINER_SAFETENSORS},  /* 640: not a pickle     */
        {BYTES("PK\3\4\0\0\0\0{"), CONTAINER_ZIP},
        {BYTES("\x80\x02\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19."), CONTAINER_PICKLE},
        {BYTES("\x80\x04N."), CONTAINER_PICKLE},
        {BYTES("{\"metadata\": {\"modelTopology\": 1}, \"weight_map\": {}}"),
         CONTAINER_SAFETENSORS_INDEX},
        {BYTES("\n{\"format\": \"layers-model\", \"modelTopology\": {\"weight_map\": 1}}"),
         CONTAINER_TFJS},
        {BYTES("{\"weightsManifest\": []}"), CONTAINER_TFJS},
    };
    mem m = mem_system();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        checkpoint_container got = CONTAINER_ZIP;
        tare_error err;
        unsigned char *exact = malloc(cases[i].length); /* its end is the end */
        assert_non_null(exact);
        memcpy(exact, cases[i].bytes, cases[i].length);
        assert_ok(checkpoint_sniff(&got, &m, "f", exact, cases[i].length, &err));
        assert_int_equal(got, cases[i].want);
        free(exact);
    }
}

static void folders_and_other_things(void **state)
{
    (void)state;
    tare_error err = weights_refused(&w, "none.pt", TARE_E_IO);
    assert_string_equal(err.code, "io.open");
    assert_int_equal(mkdir(weights_path(&w, "hub"), 0700), 0);
    err = weights_refused(&w, "hub", TARE_E_DATA);
    assert_string_equal(err.code, "checkpoint.kind");
    assert_non_null(strstr(err.message, "this is a folder: give the file of weights in it ("));
    weights_write(&w, "hub/model.safetensors", "x", 1);
    err = weights_refused(&w, "hub", TARE_E_DATA);
    assert_non_null(strstr(err.message, weights_path(&w, "hub/model.safetensors")));
    weights_write(&w, "empty.pt", "", 0);
    err = weights_refused(&w, "empty.pt", TARE_E_DATA);
    assert_non_null(strstr(err.message, "empty"));
    assert_int_equal(mkfifo(weights_path(&w, "pipe.pt"), 0600), 0); /* must not be waited for */
    weights_refused(&w, "pipe.pt", TARE_E_DATA);
}

static const char small[] = "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}";

static void a_file_that_changes_while_it_is_read(void **state)
{
    (void)state;
    checkpoint *c;
    tare_error err;
    weights_write_safetensors(&w, "c.safetensors", small, "a", 1);
    assert_ok(checkpoint_open(&c, w.context, weights_path(&w, "c.safetensors"), &err));
    int fd = open(weights_path(&w, "c.safetensors"), O_WRONLY | O_APPEND | O_CLOEXEC);
    assert_int_equal(write(fd, "b", 1), 1);
    close(fd);
    assert_int_equal(checkpoint_settle(c, &err), TARE_E_DATA);
    assert_non_null(strstr(err.where, "c.safetensors"));
    checkpoint_close(c);
    checkpoint_close(NULL);
}

static void a_stop_is_heeded(void **state)
{
    (void)state;
    tare_context *c;
    checkpoint *opened;
    tare_error err;
    weights_write_safetensors(&w, "s.safetensors", small, "a", 1);
    assert_ok(tare_context_new(&c, NULL, &err));
    tare_context_stop(c);
    assert_int_equal(checkpoint_open(&opened, c, weights_path(&w, "s.safetensors"), &err),
                     TARE_E_STOPPED);
    assert_null(opened);
    tare_context_free(c);
}

/* The caller's path may go; links, as hubs have them, are followed. */
static void paths_and_links(void **state)
{
    (void)state;
    char path[128];
    checkpoint *c;
    tare_error err;
    weights_write_safetensors(&w, "blob", small, "a", 1);
    assert_int_equal(symlink("blob", weights_path(&w, "link.safetensors")), 0);
    snprintf(path, sizeof path, "%s", weights_path(&w, "link.safetensors"));
    assert_ok(checkpoint_open(&c, w.context, path, &err));
    memset(path, 'x', sizeof path - 1);
    assert_string_equal(c->path, weights_path(&w, "link.safetensors"));
    assert_string_equal(c->file[0].path, c->path);
    assert_true(c->tensor_count == 1 && c->tensor[0].data[0] == 'a');
    checkpoint_close(c);
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
        cmocka_unit_test(files_that_are_something_else),
        cmocka_unit_test(a_tar_archive),
        cmocka_unit_test(each_container_by_its_first_bytes),
        cmocka_unit_test(folders_and_other_things),
        cmocka_unit_test(a_file_that_changes_while_it_is_read),
        cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(paths_and_links),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
