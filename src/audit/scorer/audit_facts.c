/* Every option and every constant that shaped the numbers (scorer audit 13, 14). */
#include <math.h>
#include <string.h>

#include "audit/scorer/study.h"
#include "base/error.h"
#include "base/text.h"

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

static tare_status options_facts(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    const analyse_options *o = &t->o;
    TRY(fact_number(t, "seed", (double)o->seed, err));
    TRY(fact_number(t, "boot.B", o->boot_b, err));
    TRY(fact(t, "boot.ci", o->ci, err));
    TRY(fact(t, "boot.p", o->boot_p, err));
    TRY(fact_number(t, "perm.P", o->perm_p, err));
    TRY(fact(t, "perm.exact", o->perm_exact, err));
    TRY(fact_number(t, "alpha", o->alpha, err));
    TRY(fact(t, "fdr", "BH per grid", err));
    TRY(fact_number(t, "power", 0.80, err));
    TRY(fact(t, "fidelity.doses", o->doses, err));
    TRY(fact_number(t, "bon.n", (double)o->bon_n, err));
    TRY(fact(t, "bon.replace", o->bon_replace ? "yes" : "no", err));
    if (o->bon_draws)
        TRY(fact_number(t, "bon.draws", (double)o->bon_draws, err));
    else
        TRY(fact(t, "bon.draws", "exact", err));
    TRY(fact(t, "bon.ties", o->bon_ties, err));
    TRY(fact(t, "bon.pool", "within base", err));
    TRY(fact(t, "margins", o->margins ? "on" : "off", err));
    TRY(fact_number(t, "margin.sd0", o->margin_sd, err));
    TRY(fact_number(t, "margin.beta_sd0_per_30_degrees", o->margin_beta_sd, err));
    TRY(fact_number(t, "margin.drift_degrees", o->margin_drift_attribute, err));
    TRY(fact_number(t, "margin.drift_dose", o->margin_drift_dose, err));
    TRY(fact_number(t, "group.min", (double)o->group_min, err));
done:
    return status;
}

static tare_status constant_facts(study *t, tare_error *err)
{
    static const char *const constants[][2] = {
        {"clusters needed for an answer", "6"},
        {"clusters from which the bootstrap leads", "30"},
        {"kappa of near-symmetric", "1/3"},
        {"calibration passes", "R2 >= 0.50, |mean rho| >= 0.90, monotone >= 0.90"},
        {"C1 clean, separable", "mean artifact <= 0.02 at every dose; R2 on dose <= 0.90"},
        {"C3", "real, >= 100 bases in >= 30 clusters, <= 10 % excluded"},
        {"clip-bounded", "artifact <= 0.05 on both doses of a pair"},
        {"VIF warning", "above 10"},
        {"regression pivot", "1e-5 of a column of unit length"},
        {"missing_informative", "q <= alpha and rates apart by 0.02 or more"},
        {"draws", "Philox4x32-10 streams named scorer/KIND by cluster id"},
    };
    tare_status status = TARE_OK;
    for (size_t k = 0; k < sizeof constants / sizeof *constants; k++)
        TRY(fact(t, constants[k][0], constants[k][1], err));
done:
    return status;
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
    TRY(constant_facts(t, err));
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
