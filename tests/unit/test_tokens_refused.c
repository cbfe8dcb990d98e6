/* Vocabularies that are none: each says the file, the line if there is one, and what is wrong. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os.h"
#include "base/text.h"
#include "scorer/token/tokens.h"
#include "support/check.h"

#define FOLDER TARE_SOURCE_DIR "/tests/data/tokens/"

typedef struct desk {
    tare_context *context;
    char folder[64], path[128];
} desk;

static int set_up(void **state)
{
    desk *d = test_calloc(1, sizeof *d);
    tare_error err;
    assert_ok(tare_context_new(&d->context, NULL, &err));
    strcpy(d->folder, "/tmp/tare_tokens_XXXXXX");
    assert_non_null(mkdtemp(d->folder));
    *state = d;
    return 0;
}

static int tear_down(void **state)
{
    static const char *const names[] = {"f", "vocab.json", "merges.txt"};
    desk *d = *state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(d->path, sizeof d->path, "%s/%s", d->folder, names[i]);
        unlink(d->path);
    }
    rmdir(d->folder);
    tare_context_free(d->context);
    test_free(d);
    return 0;
}

static void put(desk *d, const char *name, const void *bytes, size_t length)
{
    tare_error err;
    snprintf(d->path, sizeof d->path, "%s/%s", d->folder, name);
    assert_ok(os_write_file(d->path, bytes, length, &err));
}

static void refused(desk *d, tokenizer_kind kind, const char *path, const char *code,
                    const char *where_end)
{
    tare_error err = {TARE_OK, "", "", ""};
    tokenizer *t = (tokenizer *)d;
    assert_int_not_equal(tokenizer_open(&t, d->context, kind, path, &err), TARE_OK);
    assert_null(t);
    assert_string_equal(err.code, code);
    size_t n = strlen(err.where), m = strlen(where_end);
    if (n < m || strcmp(err.where + n - m, where_end) != 0)
        fail_msg("the error is at \"%s\", not at \"%s\"", err.where, where_end);
}

static void lines(void **state)
{
    static const struct {
        tokenizer_kind kind;
        const char *text, *code, *where;
    } cases[] = {
        {TOKENIZER_BERT, "[UNK]\n[CLS]\n[SEP]\na\n[CLS]\n", "vocabulary.twice", "f:5"},
        {TOKENIZER_BERT, "[UNK]\n[CLS]\n\n[SEP]\n", "vocabulary.symbol", "f:3"},
        {TOKENIZER_BERT, "[UNK]\n[CLS]\na\n", "vocabulary.kind", "f"},
        {TOKENIZER_CLIP, "head\na b\na c\nab c</w>\na b\n", "vocabulary.twice", "f:5"},
        {TOKENIZER_CLIP, "head\na b\nabx c\n", "vocabulary.merge", "f:3"},
        {TOKENIZER_CLIP, "head\na b\nabc\n", "vocabulary.merge", "f:3"},
        {TOKENIZER_CLIP, "head\na b c\n", "vocabulary.merge", "f:2"},
        {TOKENIZER_CLIP, "head\na b\n\nc d\n", "vocabulary.merge", "f:3"},
        {TOKENIZER_CLIP, "head\n", "vocabulary.size", "f"},
        {TOKENIZER_CLIP, "", "vocabulary.size", "f"},
        {TOKENIZER_CLIP, "\x1F\x8B no gzip", "table.gzip", "f"},
        {TOKENIZER_BY_FILE, "[UNK]\n", "vocabulary.kind", "f"},
        {TOKENIZER_BY_FILE, "{}", "vocabulary.kind", "f"},
        {TOKENIZER_BY_FILE, "{\"model\": {\"type\": \"Unigram\"}}", "vocabulary.kind", "f"},
        {TOKENIZER_CLIP, "{\"model\": {\"type\": \"WordPiece\"}}", "vocabulary.kind", "f"},
        {TOKENIZER_BERT, "{\"model\": {\"type\": \"BPE\"}}", "vocabulary.kind", "f"},
        {TOKENIZER_CLIP, "{\n\"model\": {\"type\": \"BPE\", \"merges\": [[\"a\", \"b\"]]}}",
         "vocabulary.kind", "f:2"},
        {TOKENIZER_CLIP, "{\"model\": {\"type\": \"BPE\", \"end_of_word_suffix\": \"</w>\",\n"
         "\"merges\": [\"a b\"], \"vocab\": {\"a\": 0,\n\"b\": 0}}}", "vocabulary.twice", "f:3"},
        {TOKENIZER_CLIP, "{\"model\": {\"type\": \"BPE\", \"end_of_word_suffix\": \"</w>\",\n"
         "\"merges\": [\"a b\"], \"vocab\": {\"a\": 0,\n\"b\": 1.5}}}", "vocabulary.id", "f:3"},
        {TOKENIZER_CLIP, "{\"model\": {\"type\": \"BPE\", \"end_of_word_suffix\": \"</w>\",\n"
         "\"merges\": [\"a b\"], \"vocab\": {\"a\": 0,\n\"b\": 9999999}}}", "vocabulary.id", "f:3"},
        {TOKENIZER_CLIP, "{\"model\": {\"type\": \"BPE\", \"end_of_word_suffix\": \"</w>\",\n"
         "\"merges\": [\"a b\"], \"vocab\": {\"a\": 0,\n\"b\": 1}}}", "vocabulary.size", "f"},
        {TOKENIZER_BERT, "{\"normalizer\": {\"type\": \"BertNormalizer\"}, \"model\": {\"type\": "
         "\"WordPiece\", \"continuing_subword_prefix\": \"##\",\n\"vocab\": {\"[UNK]\": 0, "
         "\"[CLS]\": 1, \"[SEP]\": 3}}}", "vocabulary.size", "f"},
        {TOKENIZER_BERT, "{\"normalizer\": null,\n \"model\": {\"type\": \"WordPiece\", "
         "\"continuing_subword_prefix\": \"##\", \"vocab\": {}}}", "vocabulary.kind", "f:1"},
        {TOKENIZER_BERT, "{\n\"model\": {\"type\": \"WordPiece\", \"vocab\": {}}}",
         "vocabulary.kind", "f:2"},
    };
    desk *d = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put(d, "f", cases[i].text, strlen(cases[i].text));
        refused(d, cases[i].kind, d->path, cases[i].code, cases[i].where);
    }
}

static void files_and_folders(void **state)
{
    desk *d = *state;
    tare_error err;
    tokenizer *t;
    char *bytes;
    size_t length;
    refused(d, TOKENIZER_CLIP, d->folder, "vocabulary.none", d->folder);
    refused(d, TOKENIZER_CLIP, "/nowhere/at/all", "io.open", "/nowhere/at/all");
    assert_ok(os_read_file(&bytes, &length, &d->context->mem, FOLDER "clip/vocab.json", 1 << 20,
                           &err));
    put(d, "vocab.json", bytes, length);
    refused(d, TOKENIZER_CLIP, d->folder, "vocabulary.none", d->folder);
    refused(d, TOKENIZER_CLIP, d->path, "io.open", "merges.txt");
    put(d, "merges.txt", "#version: 0.2\nt h\nth zz\n", 24);
    refused(d, TOKENIZER_CLIP, d->folder, "vocabulary.merge", "merges.txt:3");
    put(d, "merges.txt", "#version: 0.2\nt h\nt h\n", 22);
    refused(d, TOKENIZER_CLIP, d->folder, "vocabulary.twice", "merges.txt:3");
    put(d, "merges.txt", "t h\r\n", 5);
    assert_ok(tokenizer_open(&t, d->context, TOKENIZER_CLIP, d->folder, &err));
    tokenizer_close(t);
    mem_free(&d->context->mem, bytes);
}

/* The gzip file, cut anywhere: never taken for a whole one. */
static void cut_gzip(void **state)
{
    desk *d = *state;
    tare_error err;
    char *bytes;
    size_t length;
    assert_ok(os_read_file(&bytes, &length, &d->context->mem, FOLDER "bpe.txt.gz", 1 << 20, &err));
    for (size_t n = 2; n < length; n += 7) {
        put(d, "f", bytes, n);
        refused(d, TOKENIZER_CLIP, d->path, "table.gzip", "f");
    }
    mem_free(&d->context->mem, bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_and_folders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cut_gzip, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
