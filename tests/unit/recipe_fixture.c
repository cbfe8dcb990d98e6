#include "recipe_fixture.h"

#include <string.h>

#include "base/os.h"
#include "support/check.h"

int fixture_open(void **state)
{
    static const char *const variables[] = {"TARE_MODELS", "HF_HUB_CACHE", "HF_HOME",
                                            "XDG_CACHE_HOME"};
    recipe_fixture *x = calloc(1, sizeof *x);
    assert_non_null(x);
    strcpy(x->home, "/tmp/tare-recipe-XXXXXX");
    assert_non_null(mkdtemp(x->home));
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) unsetenv(variables[i]);
    setenv("HOME", x->home, 1);
    assert_int_equal(tare_context_new(&x->context, NULL, &x->err), TARE_OK);
    arena_init(&x->a, &x->context->mem);
    *state = x;
    return 0;
}

int fixture_close(void **state)
{
    recipe_fixture *x = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", x->home);
    assert_int_equal(system(command), 0);
    arena_free(&x->a);
    tare_context_free(x->context);
    free(x);
    return 0;
}

const char *in_home(recipe_fixture *x, const char *name)
{
    const char *path = arena_printf(&x->a, "%s/%s", x->home, name);
    assert_non_null(path);
    return path;
}

void write_words(recipe_fixture *x, const char *name, const char *words)
{
    tare_error err;
    const char *path = in_home(x, name);
    char *folder = arena_copy(&x->a, path);
    *strrchr(folder, '/') = '\0';
    assert_ok(os_make_folders(folder, &err));
    assert_ok(os_write_file(path, words, strlen(words), &err));
}

const char *touch(recipe_fixture *x, const char *name)
{
    write_words(x, name, "x");
    return in_home(x, name);
}

recipe any_recipe(recipe_fixture *x, const char *name)
{
    recipe r;
    tare_error err;
    assert_ok(recipe_named(&r, &x->a, name, &err));
    recipe_any_sizes(&r);
    return r;
}

/* ---- Matching -------------------------------------------------------------------------------- */

static checkpoint *open_list(recipe_fixture *x, const formula_list *l)
{
    tare_error err;
    checkpoint *c = NULL;
    const char *path = in_home(x, "model.safetensors");
    formula_save(l, path, 1, 0);
    assert_ok(checkpoint_open(&c, x->context, path, &err));
    return c;
}

/* Names of what is surplus are the checkpoint's: copied, so that they outlive it. */
static void copy_surplus(recipe_fixture *x, recipe_match *m)
{
    for (size_t i = 0; i < m->surplus_count; i++)
        m->surplus[i] = arena_copy(&x->a, m->surplus[i]);
}

recipe_match match_list(recipe_fixture *x, const recipe *r, recipe_role role,
                        const formula_list *l)
{
    tare_error err;
    recipe_match m;
    checkpoint *c = open_list(x, l);
    assert_ok(recipe_match_file(&m, &x->a, r, role, c, &err));
    copy_surplus(x, &m);
    checkpoint_close(c);
    return m;
}

tare_status match_status(recipe_fixture *x, const recipe *r, recipe_role role,
                         const formula_list *l)
{
    recipe_match m;
    checkpoint *c = open_list(x, l);
    memset(&x->err, 0, sizeof x->err);
    tare_status status = recipe_match_file(&m, &x->a, r, role, c, &x->err);
    if (status == TARE_OK) status = recipe_match_error(&m, r, role, c, &x->err);
    checkpoint_close(c);
    return status;
}

/* ---- Checkpoints ----------------------------------------------------------------------------- */

formula_list openai_list(void)
{
    static const formula_sizes vision = {.width = 64, .layers = 2, .embedding = 48, .patch = 8,
                                         .side = 32};
    static const formula_sizes text = {.width = 64, .layers = 2, .embedding = 48,
                                       .vocabulary = 100, .context = 16};
    formula_list l = {NULL, 0};
    formula_openai_vision(&l, &vision);
    formula_openai_text(&l, &text);
    for (size_t i = 0; i < l.count; i++)
        if (!strcmp(l.item[i].name, "logit_scale")) return l;
    formula_add(&l, "logit_scale", 0, NULL);
    return l;
}

formula_list blip_list(void)
{
    static const formula_sizes vision = {.width = 64, .layers = 2, .patch = 8, .side = 32};
    static const formula_sizes text = {.width = 48, .layers = 2, .mlp = 96, .vocabulary = 100,
                                       .context = 40, .cross = 64};
    static const int numbers[] = {0, 2, 4, 6, 7}, widths[] = {48, 32, 16, 8, 4, 1};
    formula_list l = {NULL, 0};
    formula_blip_vision(&l, &vision);
    formula_blip_text(&l, &text);
    formula_head(&l, numbers, widths, 5);
    return l;
}

void put_before(formula_list *l, const char *prefix)
{
    for (size_t i = 0; i < l->count; i++) {
        char name[sizeof l->item->name];
        assert_true(strlen(prefix) + strlen(l->item[i].name) < sizeof name);
        strcpy(name, prefix);
        strcat(name, l->item[i].name);
        strcpy(l->item[i].name, name);
    }
}

formula_tensor *tensor_of(formula_list *l, const char *name)
{
    for (size_t i = 0; i < l->count; i++)
        if (!strcmp(l->item[i].name, name)) return &l->item[i];
    fail_msg("no tensor %s", name);
    return NULL;
}

void take_out(formula_list *l, const char *name)
{
    formula_tensor *t = tensor_of(l, name);
    free(t->value);
    *t = l->item[--l->count];
}
