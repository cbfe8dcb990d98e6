/* Every option and every constant that shaped the numbers (scorer audit 13, 14): what we decided is
 * marked "(ours)", what only follows from the paper's numbers "(inferred from the paper)". */
#include <math.h>
#include <string.h>

#include "audit/scorer/edit_facts.h"
#include "audit/scorer/study.h"
#include "base/error.h"
#include "base/text.h"

#define OURS " (ours)"
#define INFERRED " (inferred from the paper)"

static tare_status fact(study *t, const char *key, const char *value, tare_error *err)
{
    return result_fact_add(t->out, "scorer audit", key, value, err);
}

static tare_status fact_number(study *t, const char *key, double value, tare_error *err)
{
    char buffer[NUMBER_TEXT_MAX];
    number_format(value, buffer);
    return fact(t, key, buffer, err);
}

/* A number marked (ours) while it is our default: what the user set is the user's. */
static tare_status fact_ours(study *t, const char *key, double value, double ours, tare_error *err)
{
    tare_status status = TARE_OK;
    char buffer[NUMBER_TEXT_MAX];
    const char *marked;
    number_format(value, buffer);
    TRY_NEW(marked = arena_printf(&t->scratch, "%s%s", buffer, value == ours ? OURS : ""));
    TRY(fact(t, key, marked, err));
done:
    return status;
}

/* A word with its mark while it is the default. */
static tare_status fact_word(study *t, const char *key, const char *value, const char *standard,
                             const char *mark, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *marked;
    TRY_NEW(marked = arena_printf(&t->scratch, "%s%s", value, strcmp(value, standard) ? "" : mark));
    TRY(fact(t, key, marked, err));
done:
    return status;
}

static tare_status draws_facts(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    const analyse_options *o = &t->o, d = ANALYSE_OPTIONS_DEFAULT;
    TRY(fact_number(t, "seed", (double)o->seed, err));
    TRY(fact_ours(t, "boot.B", o->boot_b, d.boot_b, err));
    TRY(fact_word(t, "boot.ci", o->ci, d.ci, OURS, err));
    TRY(fact_word(t, "boot.p", o->boot_p, d.boot_p, INFERRED, err));
    TRY(fact_ours(t, "perm.P", o->perm_p, d.perm_p, err));
    TRY(fact_word(t, "perm.exact", o->perm_exact, d.perm_exact, OURS, err));
    TRY(fact_number(t, "alpha", o->alpha, err));
    TRY(fact(t, "fdr", "BH per grid", err));
    TRY(fact(t, "power", "0.8" OURS, err));
done:
    return status;
}

static tare_status options_facts(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    const analyse_options *o = &t->o, d = ANALYSE_OPTIONS_DEFAULT;
    TRY(draws_facts(t, err));
    TRY(fact_word(t, "fidelity.doses", o->doses, d.doses, INFERRED, err));
    TRY(fact_number(t, "bon.n", (double)o->bon_n, err));
    TRY(fact_word(t, "bon.replace", o->bon_replace ? "yes" : "no", "no", INFERRED, err));
    if (o->bon_draws)
        TRY(fact_number(t, "bon.draws", (double)o->bon_draws, err));
    else
        TRY(fact(t, "bon.draws", "exact" OURS, err));
    TRY(fact_word(t, "bon.ties", o->bon_ties, d.bon_ties, OURS, err));
    bool picks = o->paper && o->bon_draws > 0;
    TRY(fact(t, "bon.baseline",
             picks ? "one pick at random from each draw" : "mean of the pool" OURS, err));
    TRY(fact(t, "bon.pool",
             o->bon_mixed ? "within base" INFERRED "; mixed beside it, bases with replacement" OURS
                          : "within base" INFERRED, err));
    TRY(fact(t, "margins", o->margins ? "on" : "off", err));
    TRY(fact_ours(t, "margin.sd0", o->margin_sd, d.margin_sd, err));
    TRY(fact_ours(t, "margin.beta_sd0_per_30_degrees", o->margin_beta_sd, d.margin_beta_sd, err));
    TRY(fact_ours(t, "margin.drift_degrees", o->margin_drift_attribute, d.margin_drift_attribute,
                  err));
    if (isnan(o->margin_drift_dose))
        TRY(fact(t, "margin.drift_dose", "1.5 L*, 0.02 of a width, else a tenth of one side" OURS,
                 err));
    else
        TRY(fact_number(t, "margin.drift_dose", o->margin_drift_dose, err));
    TRY(fact_ours(t, "seeds", (double)o->seeds, (double)d.seeds, err));
    TRY(fact_ours(t, "group.min", (double)o->group_min, (double)d.group_min, err));
done:
    return status;
}

static tare_status facts_of(study *t, const char *const rows[][2], size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < n; k++) TRY(fact(t, rows[k][0], rows[k][1], err));
done:
    return status;
}

/* What a reading is and what it rests on. */
static tare_status reading_facts(study *t, tare_error *err)
{
    static const char *const rows[][2] = {
        {"direction of scores", "higher is better; others are turned round" OURS},
        {"out_of_range", "a used |score| above 1e150" OURS},
        {"a base counts", "with all its doses scored" OURS},
        {"scorers are compared", "in SD0 or by drift, never in raw units" OURS},
        {"SD0 is taken", "over the bases of all real arms, else of all main arms; ddof 1" OURS},
        {"clusters needed for an answer", "6" OURS},
        {"clusters from which the bootstrap leads", "30" OURS},
        {"joint p of the shape", "the larger of the two sides" OURS},
        {"kappa of near-symmetric", "1/3" OURS},
        {"regression", "least squares after demeaning within base" INFERRED},
        {"regression pivot", "1e-5 of a column of unit length" OURS},
        {"VIF warning", "above 10" OURS},
        {"FI_adj, A_adj", "a term per dose beside the artifact" OURS},
        {"beside the drift", "saturation, tie rate, permutation z" OURS},
        {"placebo contrast", "paired FI" INFERRED},
        {"placebo per edit energy", "FI over mean energy" OURS},
        {"sham contrast", "FI beyond the sham's, in its direction" OURS},
        {"omnibus, studentised", "largest Welch |t|, beside the range" OURS},
        {"grids i, ii, iii", "of the paper"},
        {"grids i dose, ii adjusted, iii adjusted, iv, v, vi", "added" OURS},
        {"max-T", "single step beside BH, not for grid iv; never below p" OURS},
        {"missing_rate, interval", "Wilson, over bases" OURS},
        {"missing_informative", "q <= alpha and rates apart by 0.02 or more" OURS},
        {"draws", "Philox4x32-10 streams named scorer/KIND by cluster id" OURS},
    };
    tare_status status = facts_of(t, rows, sizeof rows / sizeof *rows, err);
    if (status != TARE_OK) return status;
    return fact(t, "cluster", t->o.paper ? "the base; clusters that were named are ignored"
                                         : "column cluster, else the base" OURS, err);
}

/* What passes, and what an instrument can resolve. */
static tare_status threshold_facts(study *t, tare_error *err)
{
    static const char *const rows[][2] = {
        {"noise floor", "max(shift, step, 2 sd sqrt(v/N))" OURS},
        {"noise floor, step", "quantum/2 if over half of the differences are 0" OURS},
        {"noise floor, v of FI", "1 + (1/n- + 1/n+)/4; one-sided 1 + 1/n" OURS},
        {"noise floor, v of A", "1/n- + 1/n+" OURS},
        {"noise floor, v of N and P", "1 + 1/n" OURS},
        {"noise floor, v of one dose", "2" OURS},
        {"noise floor, placebo contrast", "the larger step; v of both FI added" OURS},
        {"noise measured in part", "below half of the images, or a configuration" OURS},
        {"failures of a scorer are said", "above 1 % of its images" OURS},
        {"calibration measures", "R2 with one slope, monotone share" INFERRED},
        {"calibration passes", "R2 >= 0.50, |mean rho| >= 0.90, monotone >= 0.90" OURS},
        {"C1, C2, C3, what they ask", "labels and content" INFERRED},
        {"C1 clean, separable", "mean artifact <= 0.02 at every dose; R2 on dose <= 0.90" OURS},
        {"C2", "calibration passes, measure not derived from the dose" OURS},
        {"C3", "real, >= 100 bases in >= 30 clusters, <= 10 % excluded" OURS},
        {"C3 for populations", ">= 20 bases in each tested group" OURS},
        {"C1 of a warp", "separable only: its displacement is the edit itself" OURS},
        {"clip-bounded", "artifact <= 0.05 on both doses of a pair; not for a warp" OURS},
        {"measuring mask", "one sign of beta, range below the width of its interval"},
        {"mask edited within", "FI and A: one sign, each in the other's interval" OURS},
        {"seeds pass", "same sign under all of them"},
        {"doses, influence", "all against extreme; each cluster left out" OURS},
    };
    return facts_of(t, rows, sizeof rows / sizeof *rows, err);
}

static tare_status arm_facts(study *t, const cube_arm *arm, tare_error *err)
{
    tare_status status = TARE_OK;
    text value;
    text_init(&value, t->m);
    const char *key;
    TRY_NEW(key = arena_printf(&t->scratch, "arm %s", arm->name));
    text_add_format(&value, "%zu bases in %zu clusters, %zu excluded; doses", arm->bases,
                    arm->clusters, arm->excluded);
    for (size_t d = 0; d < arm->doses; d++) {
        text_add_char(&value, ' ');
        text_add_number(&value, arm->dose[d]);
    }
    text_add(&value, ", neutral ");
    text_add_number(&value, arm->dose[arm->neutral]);
    if (arm->kind[0]) text_add_format(&value, "; %s", arm->kind);
    if (arm->placebo) text_add(&value, "; placebo");
    if (value.failed) FAIL_MEMORY(err);
    TRY(fact(t, key, value.data, err));
done:
    text_free(&value);
    return status;
}

tare_status facts_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(options_facts(t, err));
    TRY(reading_facts(t, err));
    TRY(threshold_facts(t, err));
    TRY(edit_facts(t, err));
    TRY(grid_facts(t, err));
    for (size_t a = 0; a < t->c->arms; a++) TRY(arm_facts(t, &t->c->arm[a], err));
    for (size_t k = 0; k < t->c->scorers && t->c->arms; k++) {
        const char *key;
        TRY_NEW(key = arena_printf(&t->scratch, "SD0 of %s", t->c->scorer[k]));
        double sd0 = t->view[k].sd0;
        if (isnan(sd0))
            TRY(fact(t, key, "n/a", err));
        else
            TRY(fact_number(t, key, sd0, err));
    }
    if (t->c->duplicates_dropped)
        TRY(fact_number(t, "equal duplicate rows dropped", (double)t->c->duplicates_dropped, err));
done:
    return status;
}
