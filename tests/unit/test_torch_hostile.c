/* What a file of torch can say that is not so, or that no scorer needs: refused with the tensor's
 * name, or opaque. Scorers 4.2, 9.3. */
#include <limits.h>
#include <string.h>
#include <time.h>

#include "scorer/checkpoint/torch_tree.h"
#include "support/check.h"
#include "torch_fixture.h"

typedef struct answer {
    text tensors;
    size_t opaque;
    tare_status status;
    tare_error err;
} answer;

static mem system_mem;
static answer last;

/* The pickle, in an archive with one storage of 8 float32. Releases it. */
static answer *ask(text *pickle)
{
    text archive;
    text_init(&archive, &system_mem);
    text_free(&last.tensors);
    memset(&last, 0, sizeof last);
    text_init(&last.tensors, &system_mem);
    torch_archive_make(&archive, pickle);
    last.status = torch_read_bytes(&system_mem, &archive, torch_zip_read, &last.tensors,
                                   &last.opaque, &last.err);
    text_free(&archive);
    text_free(pickle);
    return &last;
}

static void check_refused(const answer *a, tare_status status, const char *code, const char *word)
{
    assert_int_equal(a->status, status);
    assert_string_equal(a->err.code, code);
    if (strstr(a->err.message, word) == NULL)
        fail_msg("no \"%s\" in \"%s\"", word, a->err.message);
}

static void check_read(const answer *a, const char *tensors, size_t opaque)
{
    if (a->status != TARE_OK) fail_msg("%s: %s", a->err.code, a->err.message);
    assert_string_equal(a->tensors.data != NULL ? a->tensors.data : "", tensors);
    assert_int_equal(a->opaque, opaque);
}

static answer *ask_tensor(const pk_tensor *v)
{
    text t;
    text_init(&t, &system_mem);
    pk_one_tensor(&t, v);
    return ask(&t);
}

static void views(void **state)
{
    (void)state;
    static const int64_t most = INT64_MAX;
    const struct { pk_tensor t; const char *why; } wrong[] = {
        {{.count = 8, .rank = 1, .dim = {9}, .stride = {1}}, "past the end"},
        {{.count = 8, .offset = 8, .rank = 0}, "past the end"},
        {{.count = 8, .offset = 5, .rank = 2, .dim = {2, 2}, .stride = {2, 1}}, "past the end"},
        {{.count = 8, .rank = 2, .dim = {2, 4}, .stride = {5, 1}}, "past the end"},
        {{.count = 8, .offset = most, .rank = 1, .dim = {2}, .stride = {1}}, "past the end"},
        {{.count = 8, .offset = 1, .rank = 1, .dim = {2}, .stride = {most}}, "beyond"},
        {{.count = 8, .rank = 2, .dim = {most, most}, .stride = {most, most}}, "beyond"},
        {{.count = 8, .rank = 3, .dim = {most, most, 4}, .stride = {0, 0, 0}}, "beyond"},
        {{.count = 8, .rank = 2, .dim = {3, 3}, .stride = {most, most}}, "beyond"},
        {{.count = 8, .offset = 7, .rank = 1, .dim = {2}, .stride = {-1}}, "stride"},
        {{.count = 8, .rank = 1, .dim = {-1}, .stride = {1}}, "dimension"},
        {{.count = 8, .offset = -1, .rank = 1, .dim = {2}, .stride = {1}}, "offset"},
        {{.count = 8, .rank = 1, .stride_rank = 2, .dim = {2}, .stride = {1, 1}}, "belong"},
        {{.count = 8, .rank = 17, .dim = {1}, .stride = {1}}, "16 dimensions"},
        {{.count = 9, .rank = 1, .dim = {2}, .stride = {1}}, "longer than it is"},
        {{.count = most, .rank = 1, .dim = {2}, .stride = {1}}, "longer than it is"},
        {{.count = 8, .key = "1", .rank = 1, .dim = {2}, .stride = {1}}, "lacks the entry"},
        {{.count = 8, .key = "", .rank = 1, .dim = {2}, .stride = {1}}, "lacks the entry"},
        {{.count = -1, .rank = 1, .dim = {2}, .stride = {1}}, "no length"},
        {{.storage = "DoubleStorage", .count = 8, .rank = 0}, "longer than it is"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        answer *a = ask_tensor(&wrong[i].t);
        check_refused(a, TARE_E_DATA, "torch.tensor", "tensor w ");
        check_refused(a, TARE_E_DATA, "torch.tensor", wrong[i].why);
    }
    const struct { pk_tensor t; const char *list; } right[] = {
        {{.count = 8, .offset = 7, .rank = 0}, "w f32 []|"},
        {{.count = 8, .rank = 2, .dim = {1000, 8}, .stride = {0, 1}}, "w f32 [1000,8]|"},
        {{.count = 8, .rank = 2, .dim = {1, 8}, .stride = {most, 1}}, "w f32 [1,8]|"},
        {{.count = 8, .rank = 2, .dim = {3, 3}, .stride = {1, 1}}, "w f32 [3,3]|"},
        {{.count = 8, .offset = 6, .rank = 1, .dim = {2}, .stride = {1}}, "w f32 [2]|"},
        {{.count = 0, .key = "none", .rank = 2, .dim = {0, 4}, .stride = {4, 1}}, "w f32 [0,4]|"},
        {{.storage = "BoolStorage", .count = 32, .rank = 1, .dim = {3}, .stride = {1}},
         "w bool [3]|"},
        {{.storage = "UntypedStorage", .count = 32, .rank = 1, .dim = {3}, .stride = {1}},
         "w u8 [3]|"}};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        check_read(ask_tensor(&right[i].t), right[i].list, 0);
    const pk_tensor unknown[] = {{.storage = "ComplexFloatStorage", .count = 4},
                                 {.storage = "Storage", .count = 4},
                                 {.storage = "FloatStorag", .count = 4},
                                 {.storage = "XFloatStorage", .count = 4}};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        check_read(ask_tensor(&unknown[i]), "", 1);
}

/* Storages of CUDA and of newer torch; a tensor whose type stands beside an untyped storage. */
static void storage_forms(void **state)
{
    (void)state;
    static const struct { const char *module, *name, *list; size_t opaque; } forms[] = {
        {"torch.cuda", "HalfStorage", "w f16 [2]|", 0},
        {"torch.storage", "BFloat16Storage", "w bf16 [2]|", 0},
        {"torch.storage", "_UntypedStorage", "w u8 [2]|", 0},
        {"torchs", "HalfStorage", "", 1}};
    text t;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        text_init(&t, &system_mem);
        PK(&t, "}U\1wctorch._utils\n_rebuild_tensor_v2\n(");
        pk_storage(&t, forms[i].module, forms[i].name, "0", 16);
        PK(&t, "K\0K\2\x85K\1\x85\x89NtRs.");
        check_read(ask(&t), forms[i].list, forms[i].opaque);
    }
    static const struct { const char *dtype, *list; size_t opaque; } dtypes[] = {
        {"uint16", "w u16 [16]|", 0}, {"float64", NULL, 0}, {"bfloat16", "w bf16 [16]|", 0},
        {"float8_e5m2", "", 1}};
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        text_init(&t, &system_mem);
        PK(&t, "}U\1wctorch._utils\n_rebuild_tensor_v3\n(");
        pk_storage(&t, "torch.storage", "UntypedStorage", "0", 32);
        text_add_format(&t, "I0\nI16\n\x85I1\n\x85\x89Nctorch\n%s\ntRs.", dtypes[i].dtype);
        answer *a = ask(&t);
        if (dtypes[i].list != NULL) check_read(a, dtypes[i].list, dtypes[i].opaque);
        else check_refused(a, TARE_E_DATA, "torch.tensor", "past the end"); /* 16 in 32 bytes */
    }
}

/* The type of every member: None in its place is refused, or it does not matter. */
static void members(void **state)
{
    (void)state;
    static const char *const storage[] = {"U\7storage", "ctorch\nFloatStorage\n", "U\1" "0",
                                          "U\3cpu", "I8\n"};
    static const char *const call[] = {"", "I0\n", "I2\n\x85", "I1\n\x85", "\x89", "N"};
    for (int wrong = 0; wrong < 11; wrong++)
        for (int list = 0; list < 2; list++) {
            text t;
            text_init(&t, &system_mem);
            PK(&t, "}U\1wctorch._utils\n_rebuild_tensor_v2\n(");
            if (wrong == 5) {
                PK(&t, "N");
            } else {
                PK(&t, "(");
                for (int i = 0; i < 5; i++)
                    text_add(&t, wrong != i ? storage[i] : list ? "]" : "N");
                PK(&t, "tQ");
            }
            for (int i = 1; i < 6; i++)
                text_add(&t, wrong != 5 + i ? call[i] : list ? "]" : "N");
            PK(&t, "tRs.");
            answer *a = ask(&t);
            if (wrong == 3 || wrong >= 9) check_read(a, "w f32 [2]|", 0);
            else check_refused(a, TARE_E_DATA, "torch.tensor", "tensor w ");
        }
    text t;
    text_init(&t, &system_mem);
    PK(&t, "}U\1wctorch._utils\n_rebuild_tensor_v2\n)Rs.");
    check_refused(ask(&t), TARE_E_DATA, "torch.tensor", "arguments");
    text_init(&t, &system_mem);
    PK(&t, "}U\1wctorch._utils\n_rebuild_tensor_v2\n(NQK\0))\x89NtRs.");
    check_refused(ask(&t), TARE_E_DATA, "torch.tensor", "described");
}

static const pk_tensor two = {.count = 8, .rank = 1, .dim = {2}, .stride = {1}};

static void harmless(void **state)
{
    (void)state;
    text t;
    text_init(&t, &system_mem);
    PK(&t, "}(U\1xcos\nsystem\nU\7rm -r ~\x85RU\1w");
    pk_tensor_call(&t, &two);
    PK(&t, "U\1ycargparse\nNamespace\n)\x81}U\1t");
    pk_tensor_call(&t, &two);
    PK(&t, "sbU\1zcbuiltins\neval\nu.");
    check_read(ask(&t), "w f32 [2]|", 3);

    /* Python 2's OrderedDict; parameters; a parameter of what is none. */
    text_init(&t, &system_mem);
    PK(&t, "ccollections\nOrderedDict\n](](U\1a");
    pk_tensor_call(&t, &two);
    PK(&t, "e](U\1bctorch._utils\n_rebuild_parameter\n(");
    pk_tensor_call(&t, &two);
    PK(&t, "\x88NtReNe\x85R(U\1cctorch._utils\n_rebuild_parameter\n)R"
           "U\1dctorch._utils\n_rebuild_parameter\nN\x85RU\1ecos\nsystem\n]\x85Ru.");
    check_read(ask(&t), "a f32 [2]|b f32 [2]|", 4);

    /* Objects of TorchScript; one of another root, and one without a dict, are opaque. */
    text_init(&t, &system_mem);
    PK(&t, "c__torch__.m\nM\n)\x81}(U\1sc__torch__\nS\n)\x81}U\1w");
    pk_tensor_call(&t, &two);
    PK(&t, "sbU\1oc__torch__x\nS\n)\x81}U\1w");
    pk_tensor_call(&t, &two);
    PK(&t, "sbU\1nc__torch__\nN\n)\x81Nbub.");
    check_read(ask(&t), "s.w f32 [2]|", 2);
}

static void names(void **state)
{
    (void)state;
    static const struct { const char *key; size_t length; } bad[] = {{"a\0b", 3}, {"\xff", 1},
                                                                     {"\xed\xa0\x80", 3}};
    text t;
    for (size_t i = 0; i < 3; i++) {
        text_init(&t, &system_mem);
        PK(&t, "}U");
        text_add_char(&t, (char)bad[i].length);
        text_add_bytes(&t, bad[i].key, bad[i].length);
        pk_tensor_call(&t, &two);
        PK(&t, "s.");
        check_refused(ask(&t), TARE_E_DATA, "torch.name", "a name at the top of the file is not");
    }
    text_init(&t, &system_mem);
    PK(&t, "}U\1a}U\1\xff");
    pk_tensor_call(&t, &two);
    PK(&t, "ss.");
    check_refused(ask(&t), TARE_E_DATA, "torch.name", "a name below a is not UTF-8");
    for (int length = TORCH_NAME_MOST; length <= TORCH_NAME_MOST + 1; length++) {
        char key[TORCH_NAME_MOST + 2];
        memset(key, 'k', (size_t)length);
        key[length] = '\0';
        text_init(&t, &system_mem);
        PK(&t, "}");
        pk_text(&t, key);
        pk_tensor_call(&t, &two);
        PK(&t, "s.");
        answer *a = ask(&t);
        if (length == TORCH_NAME_MOST) assert_int_equal(a->status, TARE_OK);
        else check_refused(a, TARE_E_DATA, "torch.name",
                           "names at the top of the file are longer than 1024");
    }
    text_init(&t, &system_mem); /* nobody should read "the tensor  cannot" */
    PK(&t, "}U");
    text_add_char(&t, '\0');
    pk_tensor_call(&t, &(pk_tensor){.count = 1, .rank = 1, .dim = {2}, .stride = {1}});
    PK(&t, "s.");
    check_refused(ask(&t), TARE_E_DATA, "torch.tensor", "the tensor \"\" cannot");
    text_init(&t, &system_mem);
    PK(&t, "}(U\3a.b");
    pk_tensor_call(&t, &two);
    PK(&t, "U\1a}U\1b");
    pk_tensor_call(&t, &two);
    PK(&t, "su.");
    check_refused(ask(&t), TARE_E_DATA, "checkpoint.duplicate", "a.b");
}

/* d(n + 1) = {a: d(n), b: d(n)}, sixty levels: 2^60 places and 61 dicts. */
static void sharing(void **state)
{
    (void)state;
    text t;
    clock_t before = clock();
    text_init(&t, &system_mem);
    PK(&t, "}q\0");
    for (int level = 0; level < 60; level++) PK(&t, "0}q\1(U\1ah\0U\1bh\0uh\1q\0");
    PK(&t, ".");
    check_refused(ask(&t), TARE_E_LIMIT, "torch.visits", "too many places");
    assert_true((double)(clock() - before) / CLOCKS_PER_SEC < 5);

    text_init(&t, &system_mem); /* holds itself twice */
    PK(&t, "}q\0(U\1ah\0U\1bh\0u.");
    assert_int_equal(ask(&t)->status, TARE_E_LIMIT);
    text_init(&t, &system_mem); /* holds itself once, among much */
    PK(&t, "}q\0(U\1ah\0U\1b](");
    for (int i = 0; i < 400; i++) PK(&t, "K\1");
    PK(&t, "eu.");
    check_refused(ask(&t), TARE_E_LIMIT, "torch.depth", "128");
}

static void depth(void **state)
{
    (void)state;
    for (int levels = TORCH_DEPTH_MOST; levels <= TORCH_DEPTH_MOST + 1; levels++) {
        text t;
        text_init(&t, &system_mem);
        for (int i = 0; i < levels; i++) PK(&t, "]");
        PK(&t, "N");
        for (int i = 0; i < levels; i++) PK(&t, "a");
        PK(&t, ".");
        answer *a = ask(&t);
        if (levels == TORCH_DEPTH_MOST) check_read(a, "", 1);
        else check_refused(a, TARE_E_LIMIT, "torch.depth", "128");
    }
    text t; /* deep, and within something opaque */
    text_init(&t, &system_mem);
    PK(&t, "cos\nsystem\n");
    for (int i = 0; i < 100000; i++) PK(&t, "]");
    for (int i = 0; i < 99999; i++) PK(&t, "a");
    PK(&t, "\x85R.");
    check_read(ask(&t), "", 1);
}

int main(void)
{
    system_mem = mem_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views), cmocka_unit_test(storage_forms), cmocka_unit_test(members),
        cmocka_unit_test(harmless), cmocka_unit_test(names), cmocka_unit_test(sharing),
        cmocka_unit_test(depth)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    text_free(&last.tensors);
    return failed;
}
