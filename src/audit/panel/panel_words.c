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

bool panel_capped(const tare_reading *r)
{
    return strstr(r->words, "missing scores depend") != NULL;
}
