#include "audit/panel/panel_words.h"

#include <math.h>
#include <string.h>

const char *panel_agree_words(const panel_study *s)
{
    static const char *const words[] = {"tau-b", "tau-c", "Pearson's r", "Spearman's rho",
                                        "accuracy", "kappa"};
    return words[s->o.agree];
}

const char *panel_bias_words(const panel_study *s)
{
    static const char *const words[] = {"mean |Phi~|", "largest |Phi~|", "RMS of Phi~, all authors",
                                        "mean |D|"};
    return words[s->o.bias];
}

const char *panel_d_words(const panel_study *s)
{
    static const char *const words[] = {"mean |D|", "the largest |D|", "the RMS of D", "mean |D|"};
    return words[s->o.bias];
}

const char *panel_interval(panel_study *s, const inference *x)
{
    if (isnan(x->lo)) return "";
    return arena_printf(s->a, " [%.3f, %.3f]", x->lo, x->hi);
}

const char *panel_where(panel_study *s)
{
    if (!s->setting[0] && !s->dim[0]) return "";
    return arena_printf(s->a, "%s%s%s: ", s->setting, s->setting[0] && s->dim[0] ? ", " : "",
                        s->dim);
}

bool panel_found_writes(const panel_study *s, size_t found)
{
    bool any = s->o.bias == BIAS_RMS;
    if (found == SIZE_MAX) return any;
    searched p = panel_search_at(&s->search, found);
    for (size_t k = 0; k < p.size; k++)
        any = any || s->rows.author_of[p.member[k]] != SIZE_MAX;
    return any;
}

size_t panel_single_folds(const panel_study *s, size_t *panel)
{
    const fold_choice *c = s->fit.choice;
    size_t most = 0;
    for (size_t k = 0; k < s->fit.folds; k++) {
        size_t same = 0;
        for (size_t i = 0; i < s->fit.folds; i++)
            same += c[i * RULES + RULE_SINGLE].panel == c[k * RULES + RULE_SINGLE].panel;
        if (same > most) *panel = c[k * RULES + RULE_SINGLE].panel, most = same;
    }
    return most;
}

bool panel_capped(const tare_reading *r)
{
    return strstr(r->words, "missing scores depend") != NULL;
}
