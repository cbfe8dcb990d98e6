/* Prompts to ids. tests/data/tokens was written by tests/ref/make_tokens.py: the ids are those of
 * open_clip_torch 3.3.0 (SimpleTokenizer, with ftfy 6.3) and of Hugging Face's tokenizers 0.23.3,
 * put together as transformers' CLIPTokenizerFast and as BERT's. The ids of the spec (scorers 8.3)
 * are OpenAI's. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/os.h"
#include "base/text.h"
#include "scorer/token/tokens.h"
#include "support/check.h"
#include "support/failing_mem.h"

#define FOLDER TARE_SOURCE_DIR "/tests/data/tokens/"
enum { MOST = 4096 };

typedef struct desk {
    tare_context *context;
    arena a;
    json_value *rows;
} desk;

static int set_up(void **state)
{
    desk *d = test_calloc(1, sizeof *d);
    tare_error err;
    char *bytes;
    size_t length;
    json_limits limits = JSON_LIMITS_DEFAULT;
    assert_ok(tare_context_new(&d->context, NULL, &err));
    arena_init(&d->a, &d->context->mem);
    assert_ok(os_read_file(&bytes, &length, &d->context->mem, FOLDER "prompts.json", 1 << 20,
                           &err));
    assert_ok(json_parse(&d->rows, &d->a, "prompts.json", bytes, length, &limits, &err));
    mem_free(&d->context->mem, bytes);
    *state = d;
    return 0;
}

static int tear_down(void **state)
{
    desk *d = *state;
    arena_free(&d->a);
    tare_context_free(d->context);
    test_free(d);
    return 0;
}

static bool same(const token_list *have, const json_value *want)
{
    bool equal = want->length == have->count;
    for (size_t i = 0; equal && i < have->count; i++)
        equal = (double)have->id[i] == want->children[i].number;
    return equal;
}

/* All prompts of the table by one vocabulary. `plain_only`: those that other implementations may
 * read otherwise are left out. Returns how many were compared. */
static size_t compare(desk *d, tokenizer_kind kind, const char *path, const char *column,
                      bool plain_only)
{
    tare_error err;
    tokenizer *t;
    size_t compared = 0;
    assert_ok(tokenizer_open(&t, d->context, kind, path, &err));
    assert_int_equal(strlen(tokenizer_hash(t)), 64);
    for (size_t i = 0; i < d->rows->length; i++) {
        const json_value *row = &d->rows->children[i];
        const char *prompt = json_member(row, "prompt")->text;
        token_list list;
        assert_ok(tokenizer_run(&list, &d->a, t, prompt, MOST, &err));
        if (plain_only && list.may_differ) continue;
        if (!same(&list, json_member(row, column)))
            fail_msg("%s, row %zu: other ids than %s", path, i, column);
        assert_int_equal(list.whole, list.count);
        for (size_t k = 0; k < list.count; k++)
            assert_true(list.id[k] >= 0 && (size_t)list.id[k] < tokenizer_words(t));
        compared++;
    }
    tokenizer_close(t);
    return compared;
}

static void clip_as_published_code(void **state)
{
    desk *d = *state;
    assert_int_equal(compare(d, TOKENIZER_CLIP, FOLDER "bpe.txt.gz", "open_clip", true), 18);
    assert_int_equal(compare(d, TOKENIZER_CLIP, FOLDER "bpe.txt.gz", "clip", false),
                     d->rows->length);
    compare(d, TOKENIZER_CLIP, FOLDER "clip", "clip", false);
    compare(d, TOKENIZER_CLIP, FOLDER "clip/merges.txt", "clip", false);
    compare(d, TOKENIZER_CLIP, FOLDER "clip_pairs.json", "clip", false);
    compare(d, TOKENIZER_BY_FILE, FOLDER "clip_strings.json", "clip", false);
}

static void bert_as_published_code(void **state)
{
    desk *d = *state;
    assert_int_equal(compare(d, TOKENIZER_BERT, FOLDER "vocab.txt", "bert", false),
                     d->rows->length);
    compare(d, TOKENIZER_BERT, FOLDER, "bert", false);
    compare(d, TOKENIZER_BERT, FOLDER "bert.json", "bert", false);
    compare(d, TOKENIZER_BY_FILE, FOLDER "bert.json", "bert", false);
}

/* The published vocabulary is not shipped: TARE_TEST_BPE names it. */
static void published_vocabulary(void **state)
{
    desk *d = *state;
    const char *path = getenv("TARE_TEST_BPE");
    if (path == NULL) skip();
    assert_int_equal(compare(d, TOKENIZER_CLIP, path, "published", true), 18);
}

static void known_without_vocabulary(void **state)
{
    desk *d = *state;
    static const int64_t want[2][4] = {{49406, 320, 1125, 49407}, {101, 1037, 6302, 102}};
    static const char *const same_to_both[] = {"a photo", "A photo", " a  PHOTO\n", "\ta\nphoto"};
    static const char *const others[] = {"", "a", "a photo.", "aphoto", "a photos", "the photo"};
    tare_error err;
    token_list list;
    for (int kind = TOKENIZER_CLIP; kind <= TOKENIZER_BERT; kind++) {
        tokenizer *t;
        assert_ok(tokenizer_open(&t, d->context, (tokenizer_kind)kind, NULL, &err));
        assert_string_equal(tokenizer_hash(t), "");
        assert_int_equal(tokenizer_words(t), 0);
        for (size_t i = 0; i < sizeof same_to_both / sizeof same_to_both[0]; i++) {
            assert_ok(tokenizer_run(&list, &d->a, t, same_to_both[i], 77, &err));
            assert_int_equal(list.count, 4);
            assert_memory_equal(list.id, want[kind], sizeof want[kind]);
            assert_false(list.may_differ);
        }
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
            assert_int_equal(tokenizer_run(&list, &d->a, t, others[i], 77, &err), TARE_E_DATA);
            assert_string_equal(err.code, "prompt.vocabulary");
            assert_non_null(strstr(err.message, kind == TOKENIZER_BERT ? "vocab.txt"
                                                                       : "merges.txt"));
        }
        tokenizer_close(t);
    }
}

static void cut_keeps_the_end(void **state)
{
    desk *d = *state;
    tare_error err;
    tokenizer *t;
    token_list whole, list;
    const char *prompt = "a photo of a person and of another person";
    assert_ok(tokenizer_open(&t, d->context, TOKENIZER_CLIP, FOLDER "bpe.txt.gz", &err));
    assert_ok(tokenizer_run(&whole, &d->a, t, prompt, MOST, &err));
    for (size_t most = 2; most <= whole.count + 1; most++) {
        assert_ok(tokenizer_run(&list, &d->a, t, prompt, most, &err));
        assert_int_equal(list.whole, whole.count);
        assert_int_equal(list.count, most < whole.count ? most : whole.count);
        assert_memory_equal(list.id, whole.id, (list.count - 1) * sizeof *list.id);
        assert_int_equal(list.id[list.count - 1], 813);
    }
    tokenizer_close(t);
}

static void what_may_differ(void **state)
{
    desk *d = *state;
    static const char *const plain[] = {"a photo", "tab\there\n", "it's 5 % <b>", "[sep]"};
    static const char *const doubtful[] = {"fish & chips", "caf\xC3\xA9", "bell\x07", "del\x7F",
                                           "end <|endoftext|>", "[SEP] and"};
    tare_error err;
    tokenizer *t;
    token_list list;
    assert_ok(tokenizer_open(&t, d->context, TOKENIZER_BERT, FOLDER "vocab.txt", &err));
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        assert_ok(tokenizer_run(&list, &d->a, t, plain[i], 77, &err));
        assert_false(list.may_differ);
    }
    for (size_t i = 0; i < sizeof doubtful / sizeof doubtful[0]; i++) {
        assert_ok(tokenizer_run(&list, &d->a, t, doubtful[i], 77, &err));
        assert_true(list.may_differ);
        for (size_t k = 1; k + 1 < list.count; k++) assert_int_not_equal(list.id[k], 3);
    }
    tokenizer_close(t);
}

static void bad_prompts(void **state)
{
    desk *d = *state;
    tare_error err;
    tokenizer *t;
    token_list list;
    text long_one;
    assert_ok(tokenizer_open(&t, d->context, TOKENIZER_CLIP, FOLDER "bpe.txt.gz", &err));
    assert_int_equal(tokenizer_run(&list, &d->a, t, "ab\xC3(", 77, &err), TARE_E_DATA);
    assert_string_equal(err.code, "prompt.utf8");
    assert_non_null(strstr(err.message, "byte 3"));
    text_init(&long_one, &d->context->mem);
    for (int i = 0; i <= TOKENS_PROMPT_MOST; i++) text_add(&long_one, "th" + i % 2);
    long_one.data[TOKENS_PROMPT_MOST + 1] = '\0';
    assert_int_equal(tokenizer_run(&list, &d->a, t, long_one.data, 77, &err), TARE_E_LIMIT);
    assert_string_equal(err.code, "prompt.long");
    long_one.data[TOKENS_PROMPT_MOST] = '\0';
    assert_ok(tokenizer_run(&list, &d->a, t, long_one.data, 77, &err));
    assert_int_equal(list.count, 77);
    assert_true(list.whole > 10000);
    text_free(&long_one);
    tokenizer_close(t);
}

/* A mark stands behind another of a higher class in a long run: the longest prompt, of the kind
 * that a sort by neighbours takes minutes for. */
static void long_runs_of_marks(void **state)
{
    desk *d = *state;
    tare_error err;
    token_list list;
    text t;
    text_init(&t, &d->context->mem);
    text_add(&t, "a");
    while (t.length + 4 <= TOKENS_PROMPT_MOST) text_add(&t, "\xCC\x80\xCC\x96");
    double began = os_seconds();
    for (int kind = TOKENIZER_CLIP; kind <= TOKENIZER_BERT; kind++) {
        tokenizer *k;
        assert_ok(tokenizer_open(&k, d->context, (tokenizer_kind)kind,
                                 kind == TOKENIZER_BERT ? FOLDER "vocab.txt" : FOLDER "bpe.txt.gz",
                                 &err));
        assert_ok(tokenizer_run(&list, &d->a, k, t.data, MOST, &err));
        tokenizer_close(k);
    }
    assert_true(os_seconds() - began < 20);
    text_free(&t);
}

static void memory_runs_out(void **state)
{
    desk *d = *state;
    static const char *const files[] = {"bpe.txt.gz", "clip", "clip_pairs.json", "bert.json",
                                        "vocab.txt"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[400];
        snprintf(path, sizeof path, FOLDER "%s", files[i]);
        tokenizer_kind kind = i < 3 ? TOKENIZER_CLIP : TOKENIZER_BERT;
        tare_status status = TARE_E_MEMORY;
        for (long fail_at = 1; status == TARE_E_MEMORY; fail_at += 1 + fail_at / 16) {
            failing_mem f;
            mem m = failing_mem_start(&f, fail_at);
            tare_context context = {.mem = m};
            tokenizer *t = NULL;
            token_list list;
            arena a;
            tare_error err;
            arena_init(&a, &m);
            status = tokenizer_open(&t, &context, kind, path, &err);
            if (status == TARE_OK)
                status = tokenizer_run(&list, &a, t, "caf\xC3\xA9 \xE7\x85\xA7 photo", 8, &err);
            tokenizer_close(t);
            arena_free(&a);
            assert_int_equal(failing_mem_live(&f), 0);
        }
        assert_int_equal(status, TARE_OK);
    }
    (void)d;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clip_as_published_code), cmocka_unit_test(bert_as_published_code),
        cmocka_unit_test(published_vocabulary),   cmocka_unit_test(known_without_vocabulary),
        cmocka_unit_test(cut_keeps_the_end),      cmocka_unit_test(what_may_differ),
        cmocka_unit_test(bad_prompts),            cmocka_unit_test(long_runs_of_marks),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
