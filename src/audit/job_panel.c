/* tare panel: does combining judges help, which judges, and how many votes are they worth? */
#include <math.h>
#include <string.h>

#include "audit/job_registry.h"
#include "audit/judge/judge_options.h"
#include "audit/judge/missing_rows.h"
#include "audit/panel/panel_study.h"
#include "base/error.h"
#include "base/text.h"

#define PANEL_SECTION "Panels"
#define SEARCH_SECTION "Search"

static const tare_option_info options[] = {
    {"panel", "NAME=LIST", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,
     "a panel: judges separated by commas, with or without a name; may be given several times",
     PANEL_SECTION},
    {"sequence", "LIST", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 0,
     "judges in order: panels of the first, the first two, ...", PANEL_SECTION},
    {"aggregate", "RULE", TARE_OPTION_TEXT, "mean", NULL, 0, 0, 0,
     "mean, zmean, median, trim:SHARE, max, min, majority, any, all, geomedian or lmc",
     PANEL_SECTION},
    {"labels", NULL, TARE_OPTION_FLAG, NULL, NULL, 0, 0, 0,
     "scores are text labels (of lmc they always may be)", PANEL_SECTION},
    {"ties", "NAME", TARE_OPTION_CHOICE, "auto", "auto|half|low|high|drop", 0, 0, 0,
     "ties of a vote (auto: half for votes of 0 and 1, else the lower label)", PANEL_SECTION},
    {"members", "K", TARE_OPTION_TEXT, "all", NULL, 0, 0, 0,
     "scores that a row needs: all members, or at least K of them", PANEL_SECTION},
    {"agree", "NAME", TARE_OPTION_CHOICE, "tau_b",
     "tau_b|tau_c|pearson|spearman|accuracy|kappa", 0, 0, 0, "agreement with gold", PANEL_SECTION},
    {"err", "NAME", TARE_OPTION_CHOICE, "raw", "raw|z", 0, 0, 0,
     "errors: score - gold, or both z-scored first", PANEL_SECTION},
    {"lso", "NAME", TARE_OPTION_CHOICE, "effects", "effects|raw", 0, 0, 0,
     "leaving a member out of its own text: with the judges' leniency taken out first, or not",
     PANEL_SECTION},
    {"cells", "NAME", TARE_OPTION_CHOICE, "balanced", "balanced|available", 0, 0, 0,
     "cell means over items with every score, or over what is there", PANEL_SECTION},
    {"ddof", "N", TARE_OPTION_INTEGER, "0", NULL, 0, 1, 0, "ddof of the matrix's SDs",
     PANEL_SECTION},
    {"human", "FILE", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,
     "people's ratings (item, author, rater, rating) instead of a gold column",
     "Input and output"},
    {"search", NULL, TARE_OPTION_FLAG, NULL, NULL, 0, 0, 0,
     "look for the panel with the best agreement and the least preference", SEARCH_SECTION},
    {"candidates", "LIST", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 0,
     "judges that may sit in a panel (all)", SEARCH_SECTION},
    {"max-size", "M", TARE_OPTION_INTEGER, "5", NULL, 1, SEARCH_MOST, 0, "largest panel",
     SEARCH_SECTION},
    {"greedy", NULL, TARE_OPTION_FLAG, NULL, NULL, 0, 0, 0,
     "add the best judge one at a time instead of trying all panels or a beam of 8",
     SEARCH_SECTION},
    {"bias", "NAME", TARE_OPTION_CHOICE, "mabs", "mabs|max|rms|D", 0, 0, 0,
     "what is small in a good panel: over members' own text the mean |Phi~|, the largest, or the "
     "mean |D|; or the RMS over all authors",
     SEARCH_SECTION},
    {"within", "X", TARE_OPTION_NUMBER, "0.01", NULL, 0, 1, 0,
     "agreement that may be given up for less bias", SEARCH_SECTION},
    {"folds", "K", TARE_OPTION_INTEGER, "5", NULL, 2, SEARCH_FOLDS_MAX, 0,
     "folds of items: each panel is tested where it was not chosen", SEARCH_SECTION},
    {"folds-by", "COLUMN", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 0, "column that names the folds",
     SEARCH_SECTION},
    {"holdout", "SHARE", TARE_OPTION_NUMBER, NULL, NULL, 0.05, 0.95, 0,
     "one split instead of folds: this share of the items is held out", SEARCH_SECTION},
    JUDGE_OPTIONS_INPUT,
    JUDGE_OPTIONS_COLUMNS,
    JUDGE_OPTIONS_STATISTICS,
};

static size_t choice_of(const tare_job *job, const char *option, const char *const *names,
                        size_t count)
{
    const char *value = job_text(job, option);
    size_t k = 0;
    while (k + 1 < count && strcmp(names[k], value) != 0) k++;
    return k;
}

static tare_status read_members(aggregator *a, const tare_job *job, tare_error *err)
{
    const char *text = job_text(job, "members");
    int64_t k;
    if (!strcmp(text, "all")) return TARE_OK;
    if (!integer_parse(text, strlen(text), &k) || k < 1 || k > SEARCH_MOST)
        return error_set(err, TARE_E_USAGE, "panel.members", "--members",
                         "\"%.40s\" is neither all nor a number of members from 1 to %d", text,
                         SEARCH_MOST);
    a->at_least = (size_t)k;
    return TARE_OK;
}

static tare_status read_options(panel_options *o, const tare_job *job, tare_error *err)
{
    static const char *const ties[] = {"auto", "half", "low", "high", "drop"};
    static const char *const agree[] = {"tau_b", "tau_c", "pearson", "spearman", "accuracy",
                                        "kappa"};
    static const char *const bias[] = {"mabs", "max", "rms", "D"};
    tare_status status = TARE_OK;
    memset(o, 0, sizeof *o);
    TRY(aggregator_parse(&o->aggregate, job_text(job, "aggregate"), err));
    TRY(read_members(&o->aggregate, job, err));
    o->aggregate.ties = (tie_policy)choice_of(job, "ties", ties, 5);
    o->agree = (agree_kind)choice_of(job, "agree", agree, 6);
    o->agree_name = agree[o->agree];
    o->bias = (bias_kind)choice_of(job, "bias", bias, 4);
    o->bias_name = bias[o->bias];
    o->err_z = !strcmp(job_text(job, "err"), "z");
    o->lso_raw = !strcmp(job_text(job, "lso"), "raw");
    o->available = !strcmp(job_text(job, "cells"), "available");
    o->ddof = (size_t)job_integer(job, "ddof");
    o->search = job_flag(job, "search") || job_flag(job, "greedy");
    o->beam_of_one = job_flag(job, "greedy");
    o->most = (size_t)job_integer(job, "max-size");
    o->folds = (size_t)job_integer(job, "folds");
    o->within = job_number(job, "within");
    o->holdout = job_number(job, "holdout");
    o->user_folds = job_text(job, "folds-by") != NULL;
    if (o->user_folds + (job_count(job, "holdout") > 0) + (job_count(job, "folds") > 0) > 1)
        FAIL(err, TARE_E_USAGE, "panel.folds", NULL,
             "--folds, --folds-by and --holdout exclude each other");
done:
    return status;
}

static tare_status check(const tare_job *job, tare_error *err)
{
    if (job->input_count != 1)
        return error_set(err, TARE_E_USAGE, "job.inputs", NULL,
                         "give one table of scores; %zu were given", job->input_count);
    if (job_text(job, "human") && job_text(job, "gold"))
        return error_set(err, TARE_E_USAGE, "panel.gold", "--human",
                         "gold comes from a file of ratings (--human) or from a column (--gold), "
                         "not from both");
    return TARE_OK;
}

/* lmc verdicts as 2, 1, 0, -1, -2, in letters or in numbers. */
static bool verdict_value(double *out, const char *name)
{
    static const char *const verdicts[] = {"A>>B", "A>B", "A=B", "B>A", "B>>A"};
    for (size_t v = 0; v < 5; v++) {
        if (strcmp(name, verdicts[v]) != 0) continue;
        *out = 2 - (double)v;
        return true;
    }
    return number_parse(name, strlen(name), out) && fabs(*out) <= 2 && *out == rint(*out);
}

static void replace_labels(double *x, size_t n, const double *value)
{
    for (size_t k = 0; x && k < n; k++)
        if (!isnan(x[k])) x[k] = value[(size_t)x[k]];
}

/* Labels keep their places in order, except for the verdicts of lmc, which are amounts. */
static tare_status map_verdicts(score_table *t, arena *a, const aggregator *g, tare_error *err)
{
    tare_status status = TARE_OK;
    double *value;
    if (g->rule != AGGREGATE_LMC || t->label.count == 0) return TARE_OK;
    TRY_NEW(value = arena_new(a, t->label.count, sizeof *value));
    for (size_t k = 0; k < t->label.count; k++)
        if (!verdict_value(&value[k], t->label.name[k]))
            FAIL(err, TARE_E_DATA, "panel.lmc", "",
                 "the score \"%.60s\" is no verdict of lmc: A>>B, A>B, A=B, B>A or B>>A",
                 t->label.name[k]);
    for (size_t l = 0; l < t->layers; l++) {
        replace_labels(t->layer[l].score, t->units * t->judge.count, value);
        replace_labels(t->layer[l].gold, t->units, value);
    }
done:
    return status;
}

/* Labels have no order and no mean. */
static tare_status check_labels(const score_table *t, const panel_options *o, tare_error *err)
{
    bool votes = o->aggregate.rule == AGGREGATE_MAJORITY;
    bool compared = o->agree == AGREE_ACCURACY || o->agree == AGREE_KAPPA;
    if (t->label.count == 0 || o->aggregate.rule == AGGREGATE_LMC || (votes && compared))
        return TARE_OK;
    return error_set(err, TARE_E_USAGE, "panel.text_labels", votes ? "--agree" : "--aggregate",
                     "the scores are labels such as \"%.60s\", which can be voted on and compared, "
                     "not averaged or ranked: --aggregate majority --agree accuracy (or kappa)",
                     t->label.name[0]);
}

static bool single_rating(const score_table *t, const score_layer *l)
{
    size_t one = 0, rated = 0;
    for (size_t i = 0; l->rating && i < t->units; i++) {
        size_t n = 0;
        for (size_t r = 0; r < t->rater.count; r++) n += !isnan(l->rating[i * t->rater.count + r]);
        one += n == 1;
        rated += n > 0;
    }
    return 2 * one > rated;
}

/* All layers of the table: entered first, then one settlement, then what is written from it. */
static tare_status run_layers(tare_job *job, const score_table *t, const panel_options *o, book *b,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    panel_study *s;
    TRY_NEW(s = mem_new(b->m, t->layers, sizeof *s));
    for (size_t k = 0; k < t->layers; k++) {
        s[k] = (panel_study){.out = &job->result, .context = job->context, .m = b->m,
                             .a = &job->result.a, .book = b, .o = *o, .t = t, .layer = k,
                             .single_rating = single_rating(t, &t->layer[k])};
        TRY(panel_open(&s[k], job, err));
    }
    TRY(missing_rows_audit(b, t, err));
    for (size_t k = 0; k < t->layers; k++) panel_lift_caps(&s[k]);
    TRY(book_settle(b, err));
    for (size_t k = 0; k < t->layers; k++) {
        TRY(panel_answer(&s[k], err));
        TRY(panel_tables(&s[k], err));
        TRY(panel_figures(&s[k], err));
    }
done:
    for (size_t k = 0; s && k < t->layers; k++) panel_close(&s[k]);
    mem_free(b->m, s);
    return status;
}

static tare_status run(tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    audit_result *r = &job->result;
    panel_options o;
    score_table_options t;
    score_table table;
    book b = {0};
    book_options bo = judge_read_book_options(job);
    TRY(check(job, err));
    TRY(read_options(&o, job, err));
    TRY(judge_read_table_options(&t, job, err));
    t.human = job_text(job, "human");
    t.columns.fold = job_text(job, "folds-by");
    t.author_optional = true;
    t.keep_rows = true;
    t.labels = o.aggregate.rule == AGGREGATE_LMC || job_flag(job, "labels");
    r->audit = "panels of judges";
    r->title = "Does a panel of judges help?";
    r->arm_word = "Setting";
    r->instrument_word = "Panel";
    r->unit_word = "Items";
    TRY(score_table_load(&table, &r->a, job->context, job->inputs[0], &t, r, err));
    TRY(input_hash_start(&job->hash, job->context, job->inputs[0], err));
    TRY(map_verdicts(&table, &r->a, &o.aggregate, err));
    TRY(check_labels(&table, &o, err));
    TRY(book_open(&b, r, job->context, &bo, err));
    TRY(run_layers(job, &table, &o, &b, err));
    TRY(judge_facts(job, &table, err));
done:
    book_close(&b);
    return status;
}

const job_class job_panel = {
    {"panel", "find out whether combining judges helps, and which",
     "scores.csv",
     "Several judges score the same texts; a panel takes the mean (or median, majority, ...) of "
     "its members. Measured are the panel's agreement with people or truth (--gold, --human), "
     "its preference for its members' own text, as one more judge of the matrix of tare matrix, "
     "and how many independent votes its members are worth: judges that err together are few "
     "votes.\n\n"
     "--search tries all panels (or a beam of the best) and shows the front of agreement against "
     "preference. The panel with the best number on the items it was chosen on is an optimist: "
     "every choice is tested on folds of items that had no part in it.",
     "tare panel scores.csv --gold human -o out/\n"
     "tare panel scores.csv --human ratings.csv --search -o out/\n"
     "tare panel scores.csv --gold ref --panel three=a,b,c --sequence a,b,c",
     options, sizeof options / sizeof *options},
    run};
