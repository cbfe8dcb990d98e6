/* The containers around a pickle, whole and broken: archives of torch and legacy files. Scorers
 * 4.1, 9.3. */
#include <string.h>
#include <sys/mman.h>

#include "base/os.h"
#include "support/check.h"
#include "support/failing_mem.h"
#include "torch_fixture.h"

#define FOLDER TARE_SOURCE_DIR "/tests/data/checkpoints/"

typedef tare_status (*reader)(checkpoint *c, tare_error *err);

static mem system_mem;
static const pk_tensor two = {.count = 8, .rank = 1, .dim = {2}, .stride = {1}};

static void check(text *bytes, reader read, tare_status status, const char *code, const char *list)
{
    text tensors;
    tare_error err = {TARE_OK, "", "", ""};
    text_init(&tensors, &system_mem);
    tare_status got = torch_read_bytes(&system_mem, bytes, read, &tensors, NULL, &err);
    if (got != status || strcmp(err.code, code) != 0)
        fail_msg("status %d, %s: %s", (int)got, err.code, err.message);
    if (status == TARE_OK) assert_string_equal(tensors.data, list);
    text_free(&tensors);
    text_free(bytes);
}

static text one_tensor(void)
{
    text t;
    text_init(&t, &system_mem);
    pk_one_tensor(&t, &two);
    return t;
}

/* Archive of these parts; one without bytes is the pickle. */
static text archive_of(const zip_part *part, size_t count)
{
    text pickle = one_tensor(), out;
    zip_part whole[8];
    text_init(&out, &system_mem);
    for (size_t i = 0; i < count; i++) {
        whole[i] = part[i];
        if (part[i].bytes != NULL) continue;
        whole[i].bytes = pickle.data;
        whole[i].length = pickle.length;
    }
    zip_make(&out, whole, count);
    text_free(&pickle);
    return out;
}

static const char data[32];

static void archives(void **state)
{
    (void)state;
    static const struct { zip_part part[5]; size_t count; const char *code; } cases[] = {
        {{{"a/data.pkl", NULL, 0, 0}, {"a/data/0", data, 32, 0}}, 2, ""},
        {{{"a/b/c/data.pkl", NULL, 0, 0}, {"a/b/c/data/0", data, 32, 0}}, 2, ""},
        {{{"a/data.pkl", NULL, 0, 0}, {"a/data/0", data, 32, 0}, {"a/byteorder", "little", 6, 0}},
         3, ""},
        {{{"a/data.pkl", NULL, 0, 0}, {"a/data/0", data, 32, 0}, {"a/constants.pkl", "x", 1, 8}}, 3,
         ""},
        {{{"a/data.pkl", NULL, 0, 0}, {"a/data/0", data, 32, 0}, {"a/byteorder", "big", 3, 0}}, 3,
         "torch.byteorder"},
        {{{"a/data.pkl", NULL, 0, 0}, {"a/data/0", data, 32, 0}, {"a/byteorder", "little", 6, 8}},
         3, "torch.archive"},
        {{{"a/data.pkl", NULL, 0, 0}, {"b/data/0", data, 32, 0}}, 2, "torch.tensor"},
        {{{"a/data.pkl", NULL, 0, 0}, {"a/data/0", data, 31, 0}}, 2, "torch.tensor"},
        {{{"a/data.pkl", NULL, 0, 0}, {"a/data/0", data, 32, 8}}, 2, "torch.archive"},
        {{{"a/data.pkl", NULL, 0, 8}, {"a/data/0", data, 32, 0}}, 2, "torch.archive"},
        {{{"a/data.pkl", "", 0, 0}, {"a/data/0", data, 32, 0}}, 2, "pickle.truncated"},
        {{{"a/data.pkl", NULL, 0, 0}, {"b/data.pkl", NULL, 0, 0}}, 2, "torch.archive"},
        {{{"data.pkl", NULL, 0, 0}, {"data/0", data, 32, 0}}, 2, "torch.archive"},
        {{{"/data.pkl", NULL, 0, 0}, {"/data/0", data, 32, 0}}, 2, "torch.archive"},
        {{{"a/model.safetensors", data, 32, 0}}, 1, "torch.archive"},
        {{{"a/data.pkl", NULL, 0, 0}, {"a/data/0", data, 32, 0}, {"a/data/0", data, 32, 0}}, 3,
         "zip.duplicate"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text bytes = archive_of(cases[i].part, cases[i].count);
        print_message("case %zu\n", i);
        check(&bytes, torch_zip_read, *cases[i].code != '\0' ? TARE_E_DATA : TARE_OK,
              cases[i].code, "w f32 [2]|");
    }
}

/* One entry says what to do, once. */
static void packed_archives(void **state)
{
    (void)state;
    static const struct { int method[2]; const char *words; } cases[] = {
        {{0, 8}, "the entry a/data/0 is compressed"},
        {{8, 0}, "the entry a/data.pkl is compressed"},
        {{0, ZIP_LOCKED}, "the entry a/data/0 is encrypted"},
        {{0, ZIP_LOCKED + 8}, "the entry a/data/0 is encrypted"},
        {{ZIP_LOCKED, 0}, "the entry a/data.pkl is encrypted"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const zip_part part[] = {{"a/data.pkl", NULL, 0, cases[i].method[0]},
                                 {"a/data/0", data, 32, cases[i].method[1]}};
        text bytes = archive_of(part, 2);
        tare_error err;
        assert_int_equal(torch_read_bytes(&system_mem, &bytes, torch_zip_read, NULL, NULL, &err),
                         TARE_E_DATA);
        assert_string_equal(err.code, "torch.archive");
        if (strstr(err.message, cases[i].words) == NULL || strstr(err.message, "zip -0") == NULL)
            fail_msg("case %zu: %s", i, err.message);
        assert_null(strstr(err.message, "fetch"));
        assert_int_equal(strstr(err.message, "password") != NULL,
                         strstr(err.message, "encrypted") != NULL);
        text_free(&bytes);
    }
}

/* Keys that no entry of a zip can have. */
static void odd_keys(void **state)
{
    (void)state;
    char key[600];
    memset(key, 'k', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    for (size_t cut = 480; cut < sizeof key; cut += 8) {
        text pickle, bytes;
        text_init(&pickle, &system_mem);
        text_init(&bytes, &system_mem);
        pk_one_tensor(&pickle, &(pk_tensor){.key = key + cut, .count = 8, .rank = 0});
        torch_archive_make(&bytes, &pickle);
        check(&bytes, torch_zip_read, TARE_E_DATA, "torch.tensor", NULL);
        text_free(&pickle);
    }
    text pickle, bytes;
    text_init(&pickle, &system_mem);
    text_init(&bytes, &system_mem);
    pk_one_tensor(&pickle, &(pk_tensor){.key = key, .count = 8, .rank = 0});
    torch_archive_make(&bytes, &pickle);
    check(&bytes, torch_zip_read, TARE_E_DATA, "torch.tensor", NULL);
    text_free(&pickle);
}

static text legacy_one(void)
{
    text pickle = one_tensor(), out;
    text_init(&out, &system_mem);
    torch_legacy_make(&out, &pickle);
    text_free(&pickle);
    return out;
}

static void legacy(void **state)
{
    (void)state;
    text t = legacy_one();
    size_t end = t.length, storage = end - 40;
    check(&t, torch_legacy_read, TARE_OK, "", "w f32 [2]|");
    const struct { size_t at; char byte; const char *code; } wrong[] = {
        {4, 'm', "torch.magic"}, {13, 'X', "torch.magic"},
        {18, '\xea', "torch.protocol"}, {storage - 3, '1', "torch.storage"},
        {storage, 9, "torch.truncated"}, {storage, 7, "torch.tensor"},
        {storage + 7, 0x20, "torch.truncated"}, {storage + 7, 0x40, "torch.truncated"},
        {storage + 7, (char)0x80, "torch.truncated"}, {storage - 2, 'N', "torch.storage"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        t = legacy_one();
        t.data[wrong[i].at] = wrong[i].byte;
        print_message("case %zu\n", i);
        check(&t, torch_legacy_read, TARE_E_DATA, wrong[i].code, NULL);
    }
}

/* Everything but the object's pickle, said in other words. */
static void legacy_words(void **state)
{
    (void)state;
    static const char magic[] = "\x80\x02\x8a\x0al\xfc\x9c" "F\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.";
    static const char eight[] = "\10\0\0\0\0\0\0\0";
    static const struct { const char *system, *keys; int storages; const char *code; } cases[] = {
        {"}U\15little_endian\x88s.", "]U\1" "0a.", 1, ""},
        {"}(K\1K\2U\15little_endian\x88u.", "]U\1" "0a.", 1, ""},
        {"}U\15little_endian\x89s.", "]U\1" "0a.", 1, "torch.byteorder"},
        {"}U\15little_endianK\1s.", "]U\1" "0a.", 1, "torch.byteorder"},
        {"}.", "]U\1" "0a.", 1, "torch.byteorder"}, {"N.", "]U\1" "0a.", 1, "torch.byteorder"},
        {"}U\15little_endian\x88s.", "](U\1" "0U\1" "0e.", 2, "torch.storage"},
        {"}U\15little_endian\x88s.", "](U\1" "0U\1" "1e.", 2, "torch.storage"},
        {"}U\15little_endian\x88s.", "]K\1a.", 1, "torch.storage"},
        {"}U\15little_endian\x88s.", "}.", 1, "torch.storage"},
        {"}U\15little_endian\x88s.", "].", 1, "torch.tensor"},
        {"}U\15little_endian\x88s.", "]U\1" "0a.", 0, "torch.truncated"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text bytes, pickle = one_tensor();
        text_init(&bytes, &system_mem);
        text_add_bytes(&bytes, magic, sizeof magic - 1);
        text_add(&bytes, cases[i].system);
        text_add_bytes(&bytes, pickle.data, pickle.length);
        text_add(&bytes, cases[i].keys);
        for (int k = 0; k < cases[i].storages; k++) {
            text_add_bytes(&bytes, eight, 8);
            text_add_bytes(&bytes, data, 32);
        }
        print_message("case %zu\n", i);
        check(&bytes, torch_legacy_read, *cases[i].code != '\0' ? TARE_E_DATA : TARE_OK,
              cases[i].code, "w f32 [2]|");
        text_free(&pickle);
    }
}

/* The sixth member of a storage in files before torch 0.4: a part of it. */
static void legacy_views(void **state)
{
    (void)state;
    static const struct { const char *view, *code; } cases[] = {
        {"N", ""}, {"(U\1vK\6K\2t", ""}, {"(U\1vK\7K\1t", "torch.tensor"},
        {"(U\1vK\7K\2t", "torch.tensor"}, {"(U\1vK\6t", "torch.tensor"}, {"]", "torch.tensor"},
        {"(U\1vJ\xff\xff\xff\xffK\2t", "torch.tensor"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text object, bytes;
        text_init(&object, &system_mem);
        text_init(&bytes, &system_mem);
        PK(&object, "}U\1wctorch._utils\n_rebuild_tensor_v2\n((U\7storagectorch\nFloatStorage\n"
                    "U\1" "0U\3cpuK\10");
        text_add(&object, cases[i].view);
        text_add(&object, "tQ");
        PK(&object, "K\0K\2\x85K\1\x85\x89NtRs.");
        torch_legacy_make(&bytes, &object);
        print_message("case %zu\n", i);
        check(&bytes, torch_legacy_read, *cases[i].code != '\0' ? TARE_E_DATA : TARE_OK,
              cases[i].code, "w f32 [2]|");
        text_free(&object);
    }
    text object, bytes; /* one key, elements of two sizes */
    text_init(&object, &system_mem);
    text_init(&bytes, &system_mem);
    PK(&object, "(");
    pk_storage(&object, "torch", "FloatStorage", "0", 8);
    pk_storage(&object, "torch", "HalfStorage", "0", 8);
    PK(&object, "t.");
    torch_legacy_make(&bytes, &object);
    check(&bytes, torch_legacy_read, TARE_E_DATA, "torch.storage", NULL);
    text_free(&object);
}

static const struct { const char *file; reader read; } real[] = {
    {"nested.pt", torch_zip_read}, {"odd_legacy.pt", torch_legacy_read},
    {"script_traced.pt", torch_zip_read}, {"views_legacy.pt", torch_legacy_read}};
enum { REAL = sizeof real / sizeof *real };

static text slurp(const char *file)
{
    text t;
    char path[600], *bytes;
    tare_error err = {TARE_OK, "", "", ""};
    snprintf(path, sizeof path, FOLDER "%s", file);
    text_init(&t, &system_mem);
    assert_ok(os_read_file(&bytes, &t.length, &system_mem, path, 1 << 20, &err));
    t.data = bytes;
    return t;
}

/* Cut at every byte: nothing is read, and why is said. */
static void truncated(void **state)
{
    (void)state;
    for (size_t k = 0; k < REAL; k++) {
        text t = slurp(real[k].file);
        size_t whole = t.length;
        for (t.length = 0; t.length < whole; t.length++) {
            tare_error err = {TARE_OK, "", "", ""};
            tare_status status = torch_read_bytes(&system_mem, &t, real[k].read, NULL, NULL, &err);
            if (status != TARE_E_DATA) fail_msg("%s cut at %zu is read", real[k].file, t.length);
            assert_true(*err.code != '\0' && *err.message != '\0' && *err.where != '\0');
        }
        text_free(&t);
    }
}

/* Each allocation fails in turn: no leak, and the status says so. */
static void failing(void **state)
{
    (void)state;
    for (size_t n = 0; n < 2 * REAL; n++) {
        text t = slurp(real[n / 2].file);
        size_t cut = n % 2 == 0 ? 0 : t.length / 2; /* whole, and a broken one */
        t.length -= cut;
        for (long k = 1;; k++) {
            failing_mem f;
            mem m = failing_mem_start(&f, k);
            tare_error err = {TARE_OK, "", "", ""};
            tare_status status = torch_read_bytes(&m, &t, real[n / 2].read, NULL, NULL, &err);
            if (failing_mem_live(&f) != 0) fail_msg("%s: k = %ld leaks", real[n / 2].file, k);
            if (!failing_mem_failed(&f)) {
                assert_int_equal(status, cut == 0 ? TARE_OK : TARE_E_DATA);
                if (cut == 0) assert_true(k > 5);
                break;
            }
            assert_int_equal(status, TARE_E_MEMORY);
        }
        text_free(&t);
    }
}

/* A storage behind 5 GiB of another: places need more than 32 bits. Untouched pages cost
 * nothing. */
static void far_away(void **state)
{
    (void)state;
    const size_t length = (size_t)5 << 30, first = length - 4096;
    static const float value[2] = {1.5f, -2.5f};
    text object, opening;
    unsigned char *bytes = mmap(NULL, length, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bytes == MAP_FAILED) skip();
    text_init(&object, &system_mem);
    text_init(&opening, &system_mem);
    PK(&object, "}(U\1wctorch._utils\n_rebuild_tensor_v2\n(");
    pk_storage(&object, "torch", "FloatStorage", "1", 2);
    PK(&object, "K\0K\2\x85K\1\x85\x89NtRU\1zctorch._utils\n_rebuild_tensor_v2\n(");
    pk_storage(&object, "torch", "ByteStorage", "0", (int64_t)first);
    pk_int(&object, (int64_t)first - 1);
    PK(&object, "K\1\x85K\1\x85\x89NtRu.");
    PK(&opening, "\x80\x02\x8a\x0al\xfc\x9c" "F\xf9 j\xa8P\x19.\x80\x02M\xe9\x03."
                 "}U\15little_endian\x88s.");
    text_add_bytes(&opening, object.data, object.length);
    PK(&opening, "](U\1" "0U\1" "1e.");
    memcpy(bytes, opening.data, opening.length);
    unsigned char *at = bytes + opening.length;
    memcpy(at, &first, 8);
    at[8 + first - 1] = 77;
    memcpy(at + 8 + first, &(uint64_t){2}, 8);
    memcpy(at + 8 + first + 8, value, sizeof value);

    static tare_context context;
    tare_error err = {TARE_OK, "", "", ""};
    model_file file = {.path = "f", .descriptor = -1, .bytes = bytes, .length = length};
    checkpoint c = {.context = &context, .path = "f", .file = &file, .file_count = 1};
    double got[2];
    context.mem = system_mem;
    arena_init(&c.a, &context.mem);
    assert_ok(torch_legacy_read(&c, &err));
    assert_ok(checkpoint_finish(&c, &err));
    const checkpoint_tensor *w = checkpoint_find(&c, "w"), *z = checkpoint_find(&c, "z");
    assert_int_equal(w->offset, opening.length + 8 + first + 8);
    assert_ok(checkpoint_doubles(got, &c, w, &err));
    assert_true(got[0] == 1.5 && got[1] == -2.5);
    assert_int_equal(z->data[0], 77);
    arena_free(&c.a);
    text_free(&object);
    text_free(&opening);
    munmap(bytes, length);
}

int main(void)
{
    system_mem = mem_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(archives), cmocka_unit_test(packed_archives), cmocka_unit_test(odd_keys),
        cmocka_unit_test(legacy), cmocka_unit_test(legacy_words), cmocka_unit_test(legacy_views),
        cmocka_unit_test(truncated), cmocka_unit_test(failing), cmocka_unit_test(far_away)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
