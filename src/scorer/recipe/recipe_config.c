#include "scorer/recipe/recipe_config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/os.h"
#include "scorer/recipe/recipe_places.h"

enum { CONFIG_BYTES_MOST = 1 << 20 };

/* What Hugging Face's CLIPVisionConfig and CLIPTextConfig take where a file is silent. A file that
 * its own code reads as another tower than the recipe's is a contradiction, said or not. */
typedef struct config_part {
    const char *name, *hidden_act;
    int heads;
    double eps;
} config_part;
static const config_part VISION = {"vision_config", "quick_gelu", 12, 1e-5};
static const config_part TEXT = {"text_config", "quick_gelu", 8, 1e-5};

/* v NULL: `tower` lacks the key. */
static tare_status differs(const char *path, const json_value *tower, const config_part *part,
                           const char *key, const char *says, const char *wanted, tare_error *err)
{
    const json_value *v = json_member(tower, key), *at = v ? v : tower;
    char where[320];
    snprintf(where, sizeof where, "%.280s:%zu:%zu", path, at->line, at->column);
    return error_set(err, TARE_E_DATA, "recipe.config", where, "%s.%s is %s%s, and the recipe says "
                     "%s: the weights beside it are of another model, or the file was changed",
                     part->name, key, !v ? "not there, for which Hugging Face takes " : "", says,
                     wanted);
}

static tare_status check_number(const char *path, const json_value *tower, const config_part *part,
                                const char *key, double absent, double wanted, tare_error *err)
{
    tare_status status = TARE_OK;
    char says[NUMBER_TEXT_MAX] = "no number", want[NUMBER_TEXT_MAX];
    const json_value *v = json_member(tower, key);
    double number = v ? v->number : absent;
    bool is_number = !v || v->kind == JSON_K_NUMBER;
    if (is_number && fabs(number - wanted) <= 1e-9 * wanted) goto done;
    if (is_number) number_format(number, says);
    number_format(wanted, want);
    TRY(differs(path, tower, part, key, says, want, err));
done:
    return status;
}

static tare_status check_activation(const char *path, const json_value *tower,
                                    const config_part *part, const tower_plan *p, tare_error *err)
{
    static const char *const gelu[] = {"gelu", "gelu_python", NULL};
    static const char *const quick[] = {"quick_gelu", NULL};
    tare_status status = TARE_OK;
    const json_value *v = json_member(tower, "hidden_act");
    const char *const *words = p->activation == GRAPH_GELU ? gelu : quick;
    const char *says = !v ? part->hidden_act : v->kind == JSON_K_TEXT ? v->text : "no text";
    for (size_t i = 0; words[i]; i++)
        if (!strcmp(says, words[i])) goto done;
    TRY(differs(path, tower, part, "hidden_act", says, words[0], err));
done:
    return status;
}

static tare_status check_tower(const char *path, const json_value *top, const config_part *part,
                               const tower_plan *p, tare_error *err)
{
    tare_status status = TARE_OK;
    char where[320];
    const json_value *tower = top->kind == JSON_K_OBJECT ? json_member(top, part->name) : NULL;
    if (!tower || tower->kind != JSON_K_OBJECT) {
        const json_value *at = tower ? tower : top;
        snprintf(where, sizeof where, "%.280s:%zu:%zu", path, at->line, at->column);
        FAIL(err, TARE_E_DATA, "recipe.config", where, "%s is %s: this file lies beside weights in "
             "Hugging Face's layout and says nothing of their tower. Put the config.json of the "
             "weights there, or none", part->name, tower ? "no object" : "not there");
    }
    TRY(check_activation(path, tower, part, p, err));
    TRY(check_number(path, tower, part, "num_attention_heads", part->heads, p->heads, err));
    TRY(check_number(path, tower, part, "layer_norm_eps", part->eps, p->eps, err));
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
    TRY(check_tower(path, top, &VISION, &r->vision, err));
    if (r->has_text) TRY(check_tower(path, top, &TEXT, &r->text, err));
done:
    mem_free(a->m, bytes);
    return status;
}
