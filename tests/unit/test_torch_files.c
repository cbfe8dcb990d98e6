/* Files that torch 2.4.1 wrote (make_checkpoints.py): every tensor under its name, with its type
 * and dimensions, and every value as the formula of its name gives it (scorers 8.4). What the
 * names, dimensions and numbers of other values must be stands in the generator. */
#include <string.h>

#include "base/text.h"
#include "scorer/checkpoint/checkpoint.h"
#include "support/check.h"

#define FOLDER TARE_SOURCE_DIR "/tests/data/checkpoints/"
enum { VALUES_MOST = 64 };

typedef struct saved_file {
    const char *file;
    checkpoint_kind kind;
    size_t opaque;
    const char *prefix, *type, *listing; /* type: of the listed without one */
} saved_file;

#define STATE "bias [6]|block.0.conv.weight [4,3,2,2]|block.0.norm.scale [3,1,2]|logit_scale []|" \
              "weight [6,5]|"
#define SCRIPT "block.0.conv.bias [4]|block.0.conv.weight [4,3,2,2]|block.1.conv.bias [4]|" \
               "block.1.conv.weight [4,3,2,2]|input_resolution i64 []|weight [6,5]|"
#define ODD "7 [2]|again [3]|empty [0]|empty_rows [4,0,2]|größe [2]|list.0 [2]|list.1.0 [1,2]|" \
            "loop.kept [2]|plain [3,2]|same [3]|"

/* Opaque: `nested` an epoch and a Namespace; `odd` 300 numbers of a list and 19 more values;
 * TorchScript's flags and numbers of modules. */
static const saved_file files[] = {
    {"zip_f32.pt", CHECKPOINT_TORCH_ZIP, 0, "", "f32", STATE},
    {"zip_f16.pt", CHECKPOINT_TORCH_ZIP, 0, "", "f16", STATE},
    {"zip_bf16.pt", CHECKPOINT_TORCH_ZIP, 0, "", "bf16", STATE},
    {"zip_protocol1.pt", CHECKPOINT_TORCH_ZIP, 0, "", "f32", STATE},
    {"zip_protocol5.pt", CHECKPOINT_TORCH_ZIP, 0, "", "f32", STATE},
    {"parameters.pt", CHECKPOINT_TORCH_ZIP, 0, "", "f32", STATE},
    {"legacy_f32.pt", CHECKPOINT_TORCH_LEGACY, 0, "", "f32", STATE},
    {"legacy_f16.pt", CHECKPOINT_TORCH_LEGACY, 0, "", "f16", STATE},
    {"nested.pt", CHECKPOINT_TORCH_ZIP, 2, "state_dict.", "f32", STATE},
    {"nested_legacy.pt", CHECKPOINT_TORCH_LEGACY, 2, "state_dict.", "f32", STATE},
    {"bare_tensor.pt", CHECKPOINT_TORCH_ZIP, 0, "", "f32", " [3,2]|"},
    {"module.pt", CHECKPOINT_TORCH_ZIP, 0, "", "f32", "conv.bias [4]|conv.weight [4,3,2,2]|"},
    {"script_f32.pt", CHECKPOINT_TORCHSCRIPT, 17, "", "f32", SCRIPT},
    {"script_f16.pt", CHECKPOINT_TORCHSCRIPT, 17, "", "f16", SCRIPT},
    {"script_traced.pt", CHECKPOINT_TORCHSCRIPT, 4, "", "f32",
     "conv.bias [4]|conv.weight [4,3,2,2]|"},
    {"odd.pt", CHECKPOINT_TORCH_ZIP, 319, "", "f32", ODD},
    {"odd_legacy.pt", CHECKPOINT_TORCH_LEGACY, 319, "", "f32", ODD},
};

/* scorers 8.4, written down again: 24 bits of element i. */
static uint64_t formula_bits(const char *name, uint64_t i)
{
    uint64_t seed = 14695981039346656037u;
    for (; *name != '\0'; name++) seed = (seed ^ (unsigned char)*name) * 1099511628211u;
    uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (z ^ z >> 31) >> 40;
}

static double formula(const char *name, uint64_t i)
{
    return ((double)formula_bits(name, i) / 8388608.0 - 1) / 2;
}

/* Half a unit in the last place of a number that was rounded once to this type; 0: exact. */
static double rounding(tensor_type type, double value)
{
    int exponent, digits = type == TENSOR_F16 ? 11 : 8;
    if (type != TENSOR_F16 && type != TENSOR_BF16) return 0;
    frexp(value, &exponent);
    if (type == TENSOR_F16 && exponent < -13) exponent = -13; /* subnormal from there on */
    return ldexp(0.5, exponent - digits);
}

static void integers(double *out, const checkpoint_tensor *t)
{
    for (uint64_t i = 0; i < t->elements; i++) {
        const unsigned char *at = t->data + i * tensor_type_size(t->type);
        int64_t wide;
        int32_t middle;
        int16_t small;
        switch (t->type) {
        case TENSOR_I64: memcpy(&wide, at, 8); out[i] = (double)wide; break;
        case TENSOR_I32: memcpy(&middle, at, 4); out[i] = middle; break;
        case TENSOR_I16: memcpy(&small, at, 2); out[i] = small; break;
        case TENSOR_I8: out[i] = (signed char)*at; break;
        default: out[i] = *at; break;
        }
    }
}

/* Against the formula of its own name; one tensor of odd.pt stands there under two others. */
static void check_values(const checkpoint *c, const checkpoint_tensor *t)
{
    tare_error err = {TARE_OK, "", "", ""};
    double value[VALUES_MOST];
    bool floats = t->type == TENSOR_F32 || t->type == TENSOR_F64 || rounding(t->type, 1) > 0;
    const char *name = strcmp(t->name, "again") == 0 || strcmp(t->name, "same") == 0
                           ? "remembered" : t->name;
    assert_true(t->elements <= VALUES_MOST && t->contiguous);
    if (floats) assert_ok(checkpoint_doubles(value, c, t, &err));
    else integers(value, t);
    for (uint64_t i = 0; i < t->elements; i++) {
        uint64_t bits = formula_bits(name, i);
        double want = floats ? formula(name, i) : (double)(bits % 100);
        if (t->type == TENSOR_BOOL) want = bits % 100 % 2 == 1;
        assert_within(value[i], want, 0, rounding(t->type, want));
    }
}

static checkpoint *open_file(tare_context *context, const char *file)
{
    tare_error err = {TARE_OK, "", "", ""};
    checkpoint *c;
    char path[600];
    snprintf(path, sizeof path, FOLDER "%s", file);
    assert_ok(checkpoint_open(&c, context, path, &err));
    return c;
}

/* "NAME [dims]|NAME type [dims]|..." */
static void list_of(text *out, const checkpoint *c, const saved_file *f)
{
    for (size_t i = 0; i < c->tensor_count; i++) {
        char shown[TENSOR_TEXT];
        const char *name = c->tensor[i].name, *type = tensor_type_name(c->tensor[i].type);
        checkpoint_tensor_text(shown, &c->tensor[i]);
        assert_memory_equal(name, f->prefix, strlen(f->prefix));
        text_add_format(out, "%s %s|", name + strlen(f->prefix),
                        strcmp(type, f->type) == 0 ? strchr(shown, '[') : shown);
    }
    assert_false(out->failed);
}

static void all_kinds(void **state)
{
    mem m = mem_system();
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const saved_file *f = &files[k];
        checkpoint *c = open_file(*state, f->file);
        text list;
        text_init(&list, &m);
        print_message("%s\n", f->file);
        assert_int_equal(c->kind, f->kind);
        list_of(&list, c, f);
        assert_string_equal(list.data, f->listing);
        assert_int_equal(c->opaque, f->opaque);
        for (size_t i = 0; i < c->tensor_count; i++) check_values(c, &c->tensor[i]);
        text_free(&list);
        checkpoint_close(c);
    }
}

static void element_types(void **state)
{
    static const struct { const char *name; tensor_type type; } wanted[] = {
        {"bfloat16", TENSOR_BF16}, {"bool", TENSOR_BOOL}, {"float16", TENSOR_F16},
        {"float32", TENSOR_F32}, {"float64", TENSOR_F64}, {"int16", TENSOR_I16},
        {"int32", TENSOR_I32}, {"int64", TENSOR_I64}, {"int8", TENSOR_I8}, {"uint8", TENSOR_U8}};
    checkpoint *c = open_file(*state, "types.pt");
    assert_int_equal(c->tensor_count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < c->tensor_count; i++) {
        assert_string_equal(c->tensor[i].name, wanted[i].name);
        assert_int_equal(c->tensor[i].type, wanted[i].type);
        assert_int_equal(c->tensor[i].elements, 12);
        check_values(c, &c->tensor[i]);
    }
    checkpoint_close(c);
}

/* Five parameters, of each two moments and a number of steps; groups of options are no tensors. */
static void optimizer_state(void **state)
{
    static const char *const names[] = {"optimizer.pt", "optimizer_legacy.pt"};
    for (size_t k = 0; k < 2; k++) {
        checkpoint *c = open_file(*state, names[k]);
        size_t steps = 0;
        assert_int_equal(c->tensor_count, 20);
        assert_int_equal(c->opaque, 17); /* 11 options, 5 numbers of parameters, the epoch */
        for (size_t i = 0; i < c->tensor_count; i++) {
            const char *dot = strrchr(c->tensor[i].name, '.');
            if (strcmp(dot, ".step") != 0) {
                check_values(c, &c->tensor[i]);
                continue;
            }
            double step;
            assert_int_equal(checkpoint_doubles(&step, c, &c->tensor[i], NULL), TARE_OK);
            assert_true(step == 1);
            steps++;
        }
        assert_int_equal(steps, 5);
        assert_non_null(checkpoint_find(c, "optimizer.state.2.exp_avg_sq"));
        checkpoint_close(c);
    }
}

/* First element and step in each dimension, in elements of the storage it is cut from. */
typedef struct cut {
    const char *name, *of;
    size_t rank;
    int64_t dim[3], step[3], first;
    bool contiguous;
} cut;

static void shared_storages(void **state)
{
    static const cut cuts[] = {
        {"column", "whole", 1, {8}, {6}, 3, false},
        {"corner", "whole", 2, {4, 2}, {6, 1}, 26, false},
        {"expanded", "whole", 2, {3, 6}, {0, 1}, 6, false},
        {"flipped_axes", "flipped_axes", 3, {4, 2, 3}, {1, 12, 4}, 0, false},
        {"nothing", "whole", 2, {0, 6}, {6, 1}, 18, true},
        {"rows", "whole", 2, {3, 6}, {6, 1}, 12, true},
        {"single", "whole", 0, {0}, {0}, 47, true},
        {"strided", "whole", 2, {3, 3}, {18, 2}, 0, false},
        {"transposed", "whole", 2, {6, 8}, {1, 6}, 0, false},
        {"whole", "whole", 2, {8, 6}, {6, 1}, 0, true}};
    static const char *const names[] = {"views.pt", "views_legacy.pt"};
    for (size_t k = 0; k < 2; k++) {
        checkpoint *c = open_file(*state, names[k]);
        assert_int_equal(c->tensor_count, sizeof cuts / sizeof *cuts);
        for (size_t i = 0; i < c->tensor_count; i++) {
            tare_error err = {TARE_OK, "", "", ""};
            const checkpoint_tensor *t = &c->tensor[i];
            const cut *w = &cuts[i];
            double value[VALUES_MOST];
            assert_string_equal(t->name, w->name);
            assert_int_equal(t->rank, w->rank);
            assert_int_equal(t->contiguous, w->contiguous);
            for (size_t d = 0; d < w->rank; d++) {
                assert_int_equal(t->dim[d], w->dim[d]);
                assert_int_equal(t->stride[d], w->step[d]);
            }
            assert_ok(checkpoint_doubles(value, c, t, &err));
            for (uint64_t e = 0; e < t->elements; e++) {
                int64_t at = w->first, left = (int64_t)e;
                for (size_t d = w->rank; d-- > 0; left /= w->dim[d])
                    at += left % w->dim[d] * w->step[d];
                assert_true(value[e] == formula(w->of, (uint64_t)at));
            }
        }
        checkpoint_close(c);
    }
}

int main(void)
{
    tare_error err = {TARE_OK, "", "", ""};
    tare_context *context;
    if (tare_context_new(&context, NULL, &err) != TARE_OK) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(all_kinds, context),
                                       cmocka_unit_test_prestate(element_types, context),
                                       cmocka_unit_test_prestate(optimizer_state, context),
                                       cmocka_unit_test_prestate(shared_storages, context)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    tare_context_free(context);
    return failed;
}
