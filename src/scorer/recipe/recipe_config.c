#include "scorer/recipe/recipe_config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/os.h"
#include "scorer/recipe/recipe_places.h"

enum { CONFIG_BYTES_MOST = 1 << 20 };

static tare_status differs(const char *path, const json_value *v, const char *part,
                           const char *key, const char *says, const char *wanted, tare_error *err)
{
    char where[320];
    snprintf(where, sizeof where, "%.280s:%zu:%zu", path, v->line, v->column);
    return error_set(err, TARE_E_DATA, "recipe.config", where, "%s.%s is %s, and the recipe says "
                     "%s: the weights beside it are of another model, or the file was changed",
                     part, key, says, wanted);
}

static tare_status check_number(const char *path, const json_value *tower, const char *part,
                                const char *key, double wanted, tare_error *err)
{
    tare_status status = TARE_OK;
    char says[NUMBER_TEXT_MAX] = "no number", want[NUMBER_TEXT_MAX];
    const json_value *v = json_member(tower, key);
    if (!v || (v->kind == JSON_K_NUMBER && fabs(v->number - wanted) <= 1e-9 * wanted)) goto done;
    if (v->kind == JSON_K_NUMBER) number_format(v->number, says);
    number_format(wanted, want);
    TRY(differs(path, v, part, key, says, want, err));
done:
    return status;
}

static tare_status check_tower(const char *path, const json_value *top, const char *part,
                               const tower_plan *p, tare_error *err)
{
    static const char *const gelu[] = {"gelu", "gelu_python", NULL};
    static const char *const quick[] = {"quick_gelu", NULL};
    tare_status status = TARE_OK;
    const json_value *tower = json_member(top, part), *v = json_member(tower, "hidden_act");
    const char *const *words = p->activation == GRAPH_GELU ? gelu : quick;
    bool fits = !v;
    for (size_t i = 0; v && v->kind == JSON_K_TEXT && words[i]; i++)
        fits = fits || !strcmp(v->text, words[i]);
    if (!fits)
        TRY(differs(path, v, part, "hidden_act", v->kind == JSON_K_TEXT ? v->text : "no text",
                    words[0], err));
    TRY(check_number(path, tower, part, "num_attention_heads", p->heads, err));
    TRY(check_number(path, tower, part, "layer_norm_eps", p->eps, err));
done:
    return status;
}

tare_status recipe_config_check(arena *a, const recipe *r, const checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    char *bytes = NULL;
    size_t length = 0;
    json_value *top;
    bool failed = false;
    const char *folder, *path;
    TRY_NEW(folder = place_of(a, c->path));
    path = place_file(a, folder, "config.json", &failed);
    if (failed) FAIL_MEMORY(err);
    if (!path) goto done;
    TRY(os_read_plain(&bytes, &length, a->m, path, CONFIG_BYTES_MOST, err));
    TRY(json_parse(&top, a, path, bytes, length, NULL, err));
    TRY(check_tower(path, top, "vision_config", &r->vision, err));
    if (r->has_text) TRY(check_tower(path, top, "text_config", &r->text, err));
done:
    mem_free(a->m, bytes);
    return status;
}
