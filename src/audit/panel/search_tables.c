/* tables/front.tsv and tables/folds.tsv (judge audits B.6). */
#include <math.h>

#include "audit/panel/table_cells.h"
#include "audit/panel/panel_words.h"
#include "base/error.h"

static tare_status name_of(const char **out, const panel_study *s, size_t panel, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *name = "";
    if (panel != SIZE_MAX) {
        searched p = panel_search_at(&s->search, panel);
        name = s->t->judge.name[p.member[0]];
        for (size_t k = 1; k < p.size; k++)
            TRY_NEW(name = arena_printf(s->a, "%s+%s", name, s->t->judge.name[p.member[k]]));
    }
    *out = name;
done:
    return status;
}

static int64_t times_chosen(const panel_study *s, size_t panel, size_t rule)
{
    int64_t n = 0;
    for (size_t k = 0; k < s->fit.folds; k++)
        n += s->fit.choice[k * RULES + rule].panel == panel;
    return n;
}

static tare_status front_table(panel_study *s, tare_error *err)
{
    static const char *const columns[] = {
        "setting", "dim", "panel", "size", "agreement", "bias", "fold_mean_agreement",
        "fold_mean_agreement_sd", "fold_mean_bias", "fold_mean_bias_sd", PANEL_CROSS_FITTED,
        "chosen_best",
        "chosen_least_bias", "folds"};
    static const panel_table table = {"front", "Front of agreement against bias", columns,
                                      sizeof columns / sizeof *columns};
    tare_status status = TARE_OK;
    for (size_t k = 0; k < s->front_count; k++) {
        searched p = panel_search_at(&s->search, s->front[k]);
        double held[4] = {NAN, NAN, NAN, NAN};
        const char *name;
        row_writer w;
        TRY(name_of(&name, s, s->front[k], err));
        if (s->fit.folds) {
            size_t test = search_test(&s->search, 0);
            panel_mean_sd(&held[0], &held[1], p.agree + test, s->fit.folds);
            panel_mean_sd(&held[2], &held[3], p.bias + test, s->fit.folds);
        }
        TRY(panel_table_row(&w, s, &table, err));
        put_text(&w, name);
        put_integer(&w, (int64_t)p.size);
        put_number(&w, p.agree[0]);
        put_number(&w, p.bias[0]);
        put_numbers(&w, held, 4);
        put_cross_fitted(&w, s, s->front[k]);
        put_integer(&w, times_chosen(s, s->front[k], RULE_BEST));
        put_integer(&w, times_chosen(s, s->front[k], RULE_GENTLE));
        put_integer(&w, (int64_t)s->fit.folds);
    }
done:
    return status;
}

static tare_status folds_table(panel_study *s, tare_error *err)
{
    static const char *const rules[RULES] = {"best agreement", "least bias", "best single judge"};
    static const char *const columns[] = {
        "setting", "dim", "fold", "rule", "panel", "agreement_chosen_on", "bias_chosen_on",
        "agreement_held_out", "bias_held_out"};
    static const panel_table table = {"folds", "What was chosen without each fold, and its worth "
                                               "there", columns, sizeof columns / sizeof *columns};
    tare_status status = TARE_OK;
    for (size_t k = 0; k < s->fit.folds * RULES; k++) {
        const fold_choice *c = &s->fit.choice[k];
        const char *name;
        row_writer w;
        bool writes = panel_found_writes(s, c->panel); /* else 0 by convention, not measured */
        TRY(name_of(&name, s, c->panel, err));
        TRY(panel_table_row(&w, s, &table, err));
        put_text(&w, s->fit.fold_name[k / RULES]);
        put_text(&w, rules[k % RULES]);
        put_text(&w, name);
        put_number(&w, c->agree_train);
        put_number(&w, writes ? c->bias_train : NAN);
        put_number(&w, c->agree_test);
        put_number(&w, writes ? c->bias_test : NAN);
    }
done:
    return status;
}

tare_status panel_search_tables(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    if (!s->searched) return TARE_OK;
    TRY(front_table(s, err));
    TRY(folds_table(s, err));
done:
    return status;
}
