#include "audit/power/power_sentences.h"

#include <math.h>
#include <string.h>

#include "audit/words.h"
#include "base/error.h"
#include "base/text.h"
#include "stats/verdict.h"

const char *power_effect_text(arena *a, const power_row *r, double effect)
{
    const char *number = number_text(a, fabs(effect));
    if (!number) return NULL;
    switch (r->id) {
    case POWER_N: return arena_printf(a, "an N of %s", number);
    case POWER_P: return arena_printf(a, "a P of %s", number);
    case POWER_FI: return arena_printf(a, "an FI of %s", number);
    case POWER_A: return arena_printf(a, "an A of %s", number);
    case POWER_BETA: return arena_printf(a, "a beta of %s (%s)", number, r->unit);
    case POWER_DRIFT:
        return arena_printf(a, "a net drift of %s%s%s in %s", number, r->unit[0] ? " " : "",
                            r->unit, r->condition);
    case POWER_DRIFT_DOSE: return arena_printf(a, "a net drift of %s dose units", number);
    default: return arena_printf(a, "an FI that differs from that of %s by %s", r->condition,
                                 number);
    }
}

/* Nothing that can be counted is certain: 0 and 100 are not printed. */
static void add_share(text *t, double x)
{
    if (x > 0.995) text_add(t, "more than 99 %");
    else if (x < 0.005) text_add(t, x > 0 ? "less than 1 %" : "none");
    else text_add_format(t, "%.0f %%", 100 * x);
}

static const char *is_are(double n)
{
    return n == 1 ? "base is" : "bases are";
}

static void add_needed(text *t, const power_row *r)
{
    double target = 100 * r->plan.target;
    if (isnan(r->bases)) {
        text_add_format(t, "; not even %d bases give %.0f %%", POWER_BASES_MOST, target);
        return;
    }
    text_add_format(t, "; for %.0f %% %.0f %s enough", target, r->bases, is_are(r->bases));
    if (isnan(r->sd_lo)) return;
    if (isnan(r->bases_hi))
        text_add_format(t, " (from %.0f upwards, so uncertain is the pilot's SD)", r->bases_lo);
    else if (r->bases_lo < r->bases_hi)
        text_add_format(t, " (%.0f to %.0f, so uncertain is the pilot's SD)", r->bases_lo,
                        r->bases_hi);
}

static void add_no_effect(text *t, const power_row *r)
{
    if (isnan(r->negligible)) return;
    text_add(t, " If there is no effect, the verdict negligible comes out in ");
    add_share(t, r->negligible);
    if (isnan(r->bases_small)) text_add(t, ".");
    else
        text_add_format(t, "; to show it to be within the margin in %.0f %% takes %.0f bases.",
                        100 * r->plan.target, r->bases_small);
}

static void add_answer(text *t, arena *a, const power_row *r)
{
    const char *effect = power_effect_text(a, r, r->effect);
    const char *least = isnan(r->smallest) ? "" : number_text(a, r->smallest);
    const power_plan *plan = &r->plan;
    if (!effect || !least) {
        t->failed = true;
        return;
    }
    text_add_format(t, "With %.0f bases", plan->bases);
    if (plan->clusters < plan->bases) text_add_format(t, " in %.0f clusters", plan->clusters);
    if (r->effect != 0) {
        text_add_format(t, " %s is found in ", effect);
        add_share(t, r->found);
        text_add(t, " of such studies");
        if (r->tests > 1) {
            text_add(t, " (");
            add_share(t, r->found_corrected);
            text_add_format(t, " if it is the only effect among %zu tests)", r->tests);
        }
        add_needed(t, r);
        text_add(t, ".");
    } else {
        text_add_format(t, ": what was stated gives no %s.", power_name(r->id));
    }
    if (least[0])
        text_add_format(t, " The smallest %s seen with %.0f %% is %s.",
                        r->id == POWER_DRIFT || r->id == POWER_DRIFT_DOSE ? "net drift"
                                                                          : power_name(r->id),
                        100 * plan->target, least);
    else text_add(t, " No effect is found so often, however large.");
    add_no_effect(t, r);
}

tare_status power_sentence(const char **out, power_study *p, const power_row *r, tare_error *err)
{
    tare_status status = TARE_OK;
    text t;
    text_init(&t, &p->context->mem);
    if (!p->model)
        text_add_format(&t, "%s%s%s: ", r->instrument, r->arm[0] ? ", " : "", r->arm);
    if (!r->reason[0]) add_answer(&t, p->a, r);
    else if (!strcmp(r->reason, "not_run"))
        text_add_format(&t, "%s has no margin: say which effect is to be found, with --effect "
                        "%s=X.", r->id == POWER_DRIFT ? "the net drift" : power_name(r->id),
                        power_key(r->id));
    else if (!strcmp(r->reason, REASON_TOO_FEW_CLUSTERS))
        text_add_format(&t, "%s: no answer, fewer than 2 clusters of the pilot have a score: how "
                        "they differ cannot be told.", power_name(r->id));
    else text_add_format(&t, "%s: no answer, %s.", power_name(r->id), reason_words(r->reason));
    if (t.failed) FAIL_MEMORY(err);
    TRY_NEW(*out = arena_copy(p->a, t.data));
done:
    text_free(&t);
    return status;
}
