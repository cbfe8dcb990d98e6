/* Pickles byte by byte: what each opcode of scorers 4.2 makes, and that everything else is refused
 * with its place. Expected trees follow Python's pickletools. */
#include "scorer/checkpoint/pickle.h"

#include <string.h>

#include "support/check.h"
#include "torch_fixture.h"

typedef struct reading {
    arena a;
    pickle p;
    tare_error err;
    tare_status status;
} reading;

static mem system_mem;

/* From a copy of just this size, so that a sanitiser sees a read past the end. */
static reading *read_bytes(const char *bytes, size_t length)
{
    static unsigned char *copy;
    static reading r;
    arena_free(&r.a);
    free(copy);
    copy = malloc(length > 0 ? length : 1);
    memcpy(copy, bytes, length);
    memset(&r, 0, sizeof r);
    arena_init(&r.a, &system_mem);
    r.status = pickle_read(&r.p, &r.a, "p", copy, length, &r.err);
    return &r;
}
#define READ(literal) read_bytes(literal, sizeof(literal) - 1)

static const pickle_node *root_of(const reading *r)
{
    if (r->status != TARE_OK) fail_msg("%s: %s", r->err.code, r->err.message);
    assert_non_null(r->p.root);
    return r->p.root;
}

static void numbers(void **state)
{
    (void)state;
    static const struct { const char *bytes; size_t length; int64_t value; } cases[] = {
#define CASE(literal, value) {literal, sizeof(literal) - 1, value}
        CASE("K\xff.", 255), CASE("M\xff\xff.", 65535), CASE("J\xff\xff\xff\xff.", -1),
        CASE("J\xff\xff\xff\x7f.", INT32_MAX), CASE("I-7\n.", -7),
        CASE("I9223372036854775807\n.", INT64_MAX), CASE("\x8a\x00.", 0), CASE("\x8a\x01\xff.", -1),
        CASE("\x8a\x02\xff\x00.", 255),
        CASE("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f.", INT64_MAX),
        CASE("\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80.", INT64_MIN)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pickle_node *n = root_of(read_bytes(cases[i].bytes, cases[i].length));
        assert_int_equal(n->kind, PICKLE_INT);
        assert_true(n->integer == cases[i].value);
    }
    assert_true(root_of(READ("G\x40\x09\x21\xfb\x54\x44\x2d\x18."))->number == 0x1.921fb54442d18p1);
    assert_true(root_of(READ("F-2.5e3\n."))->number == -2500);
    assert_int_equal(root_of(READ("N."))->kind, PICKLE_NONE);
    assert_int_equal(root_of(READ("I01\n."))->integer, 1);
    assert_int_equal(root_of(READ("I00\n."))->kind, PICKLE_BOOL);
    assert_int_equal(root_of(READ("\x88."))->integer, 1);
    assert_int_equal(root_of(READ("\x89."))->integer, 0);
}

static void wide_numbers(void **state)
{
    (void)state;
    char long_one[2 + 255 + 1] = "\x8a\xff";
    memset(long_one + 2, 7, 255);
    long_one[257] = '.';
    const pickle_node *n = root_of(read_bytes(long_one, sizeof long_one));
    assert_int_equal(n->kind, PICKLE_LONG);
    assert_int_equal(n->count, 255);
    assert_int_equal(n->bytes[254], 7);
}

static void texts(void **state)
{
    (void)state;
    static const char *const texts[] = {"X\2\0\0\0ab", "\x8c\2" "ab", "U\2" "ab",
                                        "T\2\0\0\0ab", "\x8d\2\0\0\0\0\0\0\0ab"};
    static const size_t text_lengths[] = {7, 4, 4, 7, 11};
    static const char *const bytes[] = {"C\2" "ab", "B\2\0\0\0ab", "\x8e\2\0\0\0\0\0\0\0ab"};
    static const size_t byte_lengths[] = {4, 7, 11};
    for (size_t i = 0; i < 8; i++) {
        char whole[16];
        size_t length = i < 5 ? text_lengths[i] : byte_lengths[i - 5];
        memcpy(whole, i < 5 ? texts[i] : bytes[i - 5], length);
        whole[length] = '.';
        const pickle_node *n = root_of(read_bytes(whole, length + 1));
        assert_int_equal(n->kind, i < 5 ? PICKLE_TEXT : PICKLE_BYTES);
        assert_int_equal(n->count, 2);
        assert_memory_equal(n->bytes, "ab", 2);
    }
    assert_true(pickle_is_text(root_of(READ("U\2ab.")), "ab"));
    assert_false(pickle_is_text(root_of(READ("U\2ab.")), "a"));
    assert_false(pickle_is_text(root_of(READ("C\2ab.")), "ab"));
}

static void containers(void **state)
{
    (void)state;
    static const struct { const char *bytes; pickle_kind kind; uint32_t count; } cases[] = {
        {").", PICKLE_TUPLE, 0}, {"].", PICKLE_LIST, 0}, {"}.", PICKLE_DICT, 0},
        {"(t.", PICKLE_TUPLE, 0}, {"(NNt.", PICKLE_TUPLE, 2}, {"(NNNl.", PICKLE_LIST, 3},
        {"(NNNNd.", PICKLE_DICT, 4}, {"N\x85.", PICKLE_TUPLE, 1}, {"NN\x86.", PICKLE_TUPLE, 2},
        {"NNN\x87.", PICKLE_TUPLE, 3}, {"]Na.", PICKLE_LIST, 1}, {"](NNe(Ne.", PICKLE_LIST, 3},
        {"}NNs.", PICKLE_DICT, 2}, {"}(NNNNu.", PICKLE_DICT, 4}, {"](e.", PICKLE_LIST, 0},
        {"N(NN0)0]000.", PICKLE_NONE, 0}, {"N(0.", PICKLE_NONE, 0}, {"}(u.", PICKLE_DICT, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pickle_node *n = root_of(read_bytes(cases[i].bytes, strlen(cases[i].bytes)));
        assert_int_equal(n->kind, cases[i].kind);
        if (n->kind != PICKLE_NONE) assert_int_equal(n->count, cases[i].count);
    }
}

static void calls(void **state)
{
    (void)state;
    const pickle_node *n = root_of(READ("cos\nsystem\nU\5false\x85R}b."));
    assert_true(pickle_is_call(n, "os", "system"));
    assert_false(pickle_is_call(n, "os", "syste"));
    assert_true(pickle_is_text(n->item[1]->item[0], "false"));
    assert_int_equal(n->state->kind, PICKLE_DICT);
    n = root_of(READ("\x80\4\x95\x12\0\0\0\0\0\0\0\x8c\1m\x8c\1n\x93)\x81(NNNNu(NNu."));
    assert_true(pickle_is_call(n, "m", "n"));
    assert_int_equal(n->entries, PICKLE_PAIRS);
    assert_int_equal(n->count, 2 + 6);
    n = root_of(READ("cm\nn\n)R(NNe."));
    assert_int_equal(n->entries, PICKLE_ITEMS);
    assert_int_equal(n->count, 2 + 2);
    reading *r = READ("K\1QK\2Q\x86.garbage");
    assert_int_equal(root_of(r)->item[0]->id->integer, 1);
    assert_int_equal(r->p.persistent->id->integer, 2);
    assert_int_equal(r->p.persistent->next->id->integer, 1);
    assert_null(r->p.persistent->next->next);
    assert_int_equal(r->p.used, 8);
}

static void memo(void **state)
{
    (void)state;
    const pickle_node *n = root_of(READ("K\1q\7K\2r\xff\xff\xff\xffK\3p4294967295\nK\4\x94"
                                        "h\7j\xff\xff\xff\xffg7\n(h\2t."));
    assert_int_equal(n->kind, PICKLE_TUPLE);
    assert_int_equal(n->item[0]->integer, 4); /* MEMOIZE: as many as there were, 2 */
    n = root_of(READ("]q\0h\0a.")); /* holds itself */
    assert_ptr_equal(n->item[0], n);
}

/* Numbers that fall on one another in a table of any size are still told apart. */
static void memo_many(void **state)
{
    (void)state;
    text t;
    text_init(&t, &system_mem);
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t number = i % 2 == 0 ? i << 18 : i;
        PK(&t, "M");
        text_add_bytes(&t, &(uint16_t){(uint16_t)i}, 2);
        PK(&t, "r");
        text_add_bytes(&t, &number, 4);
        PK(&t, "0");
    }
    PK(&t, "(");
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t number = i % 2 == 0 ? i << 18 : i;
        PK(&t, "j");
        text_add_bytes(&t, &number, 4);
    }
    PK(&t, "t.");
    const pickle_node *n = root_of(read_bytes(t.data, t.length));
    assert_int_equal(n->count, 5000);
    for (uint32_t i = 0; i < 5000; i++) assert_int_equal(n->item[i]->integer, i);
    text_free(&t);
}

static const char listed[] = "\x80\x95.c\x93X\x8c\x8dUTCB\x8eIJKM\x8a" "FGN\x88\x89]})(tld"
                             "\x85\x86\x87" "aesupqrghj\x94QR\x81" "b0";

static void every_other_opcode(void **state)
{
    (void)state;
    assert_int_equal(sizeof listed - 1, 49);
    for (int opcode = 0; opcode < 256; opcode++) {
        char bytes[3] = {'N', (char)opcode, '.'}, shown[16];
        bool known = memchr(listed, opcode, sizeof listed - 1) != NULL;
        reading *r = read_bytes(bytes, sizeof bytes);
        if (known) {
            if (r->status != TARE_OK) assert_string_not_equal(r->err.code, "pickle.opcode");
            continue;
        }
        assert_int_equal(r->status, TARE_E_DATA);
        assert_string_equal(r->err.code, "pickle.opcode");
        snprintf(shown, sizeof shown, "0x%02x", (unsigned)opcode);
        assert_non_null(strstr(r->err.message, shown));
        assert_non_null(strstr(r->err.message, "byte 1 "));
    }
}

typedef struct refusal {
    const char *bytes;
    size_t length;
    const char *code;
} refusal;
#define REFUSED(literal, code) {literal, sizeof(literal) - 1, code}

static void refused(void **state)
{
    (void)state;
    static const refusal cases[] = {
        REFUSED("\x80\6N.", "pickle.protocol"), REFUSED(".", "pickle.stack"),
        REFUSED("N(.", "pickle.stack"),
        /* memo */
        REFUSED("q\0", "pickle.stack"), REFUSED("\x94", "pickle.stack"),
        REFUSED("N(q\0", "pickle.stack"), REFUSED("h\0", "pickle.memo"),
        REFUSED("Nq\1h\0", "pickle.memo"), REFUSED("Np4294967296\n", "pickle.memo"),
        REFUSED("Nq\0g4294967296\n", "pickle.memo"), REFUSED("j\xff\xff\xff\xff", "pickle.memo"),
        REFUSED("Np-1\n", "pickle.number"), REFUSED("Np1x\n", "pickle.number"),
        REFUSED("Ng\n", "pickle.number"), REFUSED("Np99999999999999999999\n", "pickle.number"),
        /* the stack */
        REFUSED("0", "pickle.stack"), REFUSED("Nt", "pickle.stack"), REFUSED("l", "pickle.stack"),
        REFUSED("N\x86", "pickle.stack"), REFUSED("N(N\x86", "pickle.stack"),
        REFUSED("(Ne", "pickle.stack"), REFUSED("((u", "pickle.stack"),
        REFUSED("](Na", "pickle.stack"), REFUSED("a", "pickle.stack"),
        REFUSED("NNs", "pickle.stack"), REFUSED("NR", "pickle.stack"), REFUSED("b", "pickle.stack"),
        REFUSED("Q", "pickle.stack"), REFUSED("\x93", "pickle.stack"),
        /* types */
        REFUSED("}Na", "pickle.type"), REFUSED("]NNs", "pickle.type"),
        REFUSED("}(Ne", "pickle.type"), REFUSED("](NNu", "pickle.type"),
        REFUSED(")Na", "pickle.type"), REFUSED("N(Ne", "pickle.type"),
        REFUSED("}(Nu", "pickle.type"), REFUSED("(Nd", "pickle.type"),
        REFUSED("NNR", "pickle.type"), REFUSED("N]\x81", "pickle.type"),
        REFUSED("K\1Nb", "pickle.type"), REFUSED("NNb", "pickle.type"),
        REFUSED(")Nb", "pickle.type"), REFUSED("U\1aN\x93", "pickle.type"),
        REFUSED("NU\1a\x93", "pickle.type"), REFUSED("cm\nn\n)R(Ne(NNu", "pickle.type"),
        /* numbers */
        REFUSED("I9223372036854775808\n", "pickle.number"), REFUSED("I\n", "pickle.number"),
        REFUSED("Fx\n", "pickle.number"),
        /* lengths that lie */
        REFUSED("X\xff\xff\xff\xff" "a", "pickle.truncated"),
        REFUSED("\x8d\xff\xff\xff\xff\xff\xff\xff\xff" "a", "pickle.truncated"),
        REFUSED("\x8e\xff\xff\xff\xff\xff\xff\xff\x7f" "a", "pickle.truncated"),
        REFUSED("B\2\0\0\0a", "pickle.truncated"), REFUSED("\x8a\xff" "a", "pickle.truncated"),
        REFUSED("\x95\xff\xff\xff\xff\xff\xff\xff\xffN.", "pickle.truncated"),
        REFUSED("cmodule", "pickle.truncated"), REFUSED("cmodule\nname", "pickle.truncated"),
        REFUSED("", "pickle.truncated"), REFUSED("N", "pickle.truncated")};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reading *r = read_bytes(cases[i].bytes, cases[i].length);
        if (r->status != TARE_E_DATA || strcmp(r->err.code, cases[i].code) != 0)
            fail_msg("case %zu: status %d, %s instead of %s", i, (int)r->status, r->err.code,
                     cases[i].code);
        assert_string_equal(r->err.where, "p");
        assert_true(*r->err.message != '\0');
    }
}

/* No prefix of a pickle is a pickle. */
static void truncated(void **state)
{
    (void)state;
    static const char whole[] =
        "\x80\2cm\nn\n)Rq\0(X\1\0\0\0aK\1U\1bM\2\2X\1\0\0\0cJ\3\3\3\3X\1\0\0\0dG\0\0\0\0\0\0\0\0"
        "X\1\0\0\0e\x8a\2\1\2X\1\0\0\0fh\0X\1\0\0\0g(NNtQu}b.";
    size_t length = sizeof whole - 1;
    assert_int_equal(root_of(read_bytes(whole, length))->count, 2 + 14);
    for (size_t n = 0; n < length; n++) {
        reading *r = read_bytes(whole, n);
        assert_int_equal(r->status, TARE_E_DATA);
        assert_string_equal(r->err.code, "pickle.truncated");
    }
}

static void limits(void **state)
{
    (void)state;
    size_t length = (size_t)PICKLE_BYTES_MOST + 16;
    char *bytes = calloc(length, 1);
    assert_non_null(bytes);
    memcpy(bytes, "B\xfd\xff\xff\x03", 5); /* more than 64 MB with what is around it */
    reading *r = read_bytes(bytes, length);
    assert_int_equal(r->status, TARE_E_LIMIT);
    assert_string_equal(r->err.code, "pickle.size");
    size_t many = (size_t)PICKLE_NODES_MOST + 8;
    memset(bytes, ']', many);
    r = read_bytes(bytes, many);
    assert_int_equal(r->status, TARE_E_LIMIT);
    assert_string_equal(r->err.code, "pickle.size");
    memset(bytes, 0x94, many);
    bytes[0] = 'N';
    r = read_bytes(bytes, many);
    assert_int_equal(r->status, TARE_E_LIMIT);
    assert_string_equal(r->err.code, "pickle.size");
    free(bytes);
    READ("N."); /* gives the large ones back */
}

int main(void)
{
    system_mem = mem_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers), cmocka_unit_test(wide_numbers), cmocka_unit_test(texts),
        cmocka_unit_test(containers), cmocka_unit_test(calls), cmocka_unit_test(memo),
        cmocka_unit_test(memo_many), cmocka_unit_test(every_other_opcode),
        cmocka_unit_test(refused), cmocka_unit_test(truncated), cmocka_unit_test(limits)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    read_bytes("", 0);
    return failed;
}
