/* tare agree: how closely judges follow people, compared with people among themselves. */
#include <string.h>

#include "audit/agree/agree.h"
#include "audit/agree/pair_accuracy.h"
#include "audit/agree/ref_copies.h"
#include "audit/job_registry.h"
#include "audit/judge/judge_options.h"
#include "audit/judge/missing_rows.h"
#include "base/error.h"

#define HUMAN "Human scores"

static const tare_option_info options[] = {
    {"protocol", "NAME", TARE_OPTION_CHOICE, NULL, PROTOCOL_CHOICES, 0, 0, 1,
     "which rows, gold and statistic, as in the papers (custom); one for a run", HUMAN},
    {"human", "FILE", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,
     "ratings in a file of their own: item, candidate, rater, rating", HUMAN},
    {"raters", "LIST", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 0,
     "columns of the score table that hold the ratings of one person each: h1,h2,h3", HUMAN},
    {"labels", NULL, TARE_OPTION_FLAG, NULL, NULL, 0, 0, 0,
     "scores and ratings are names of categories: kappa leads", HUMAN},
    {"scale", "NAME", TARE_OPTION_CHOICE, "auto", "auto|same|other", 0, 0, 0,
     "do scores lie on the scale of the ratings? (auto: if 80 % lie in their range)", HUMAN},
    {"kappa", "NAME", TARE_OPTION_CHOICE, "auto", "auto|nominal|linear|quadratic", 0, 0, 0,
     "weights of the kappa that leads (auto: nominal)", HUMAN},
    {"alpha-level", "NAME", TARE_OPTION_CHOICE, "auto", "auto|nominal|ordinal|interval|ratio", 0, 0,
     0, "level of Krippendorff's alpha that leads (auto: nominal for labels, else interval)",
     HUMAN},
    {"gold-version", "TEXT", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 0,
     "which version of the human scores this is: recorded", HUMAN},
    {"drop-ref-copies", NULL, TARE_OPTION_FLAG, NULL, NULL, 0, 0, 0,
     "leave out candidates that equal one of their own references", HUMAN},
    {"ref-copy", "COLUMN", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 0,
     "column that says so: 1 or 0, yes or no (ref_copy)", HUMAN},
    {"candidate-text", "COLUMN", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 0,
     "text of the candidate, to compare with the references", HUMAN},
    {"reference-text", "COLUMN", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,
     "text of a reference", HUMAN},
    JUDGE_OPTIONS_INPUT,
    {"score-kind", "NAME", TARE_OPTION_CHOICE, "text", "text|expect", 0, 0, 0,
     "the parsed score, or the expectation over the verdict's tokens (score_expect)",
     "Input and output"},
    JUDGE_OPTIONS_COLUMNS,
    JUDGE_COLUMN("score-a", "the score of a pair's first candidate"),
    JUDGE_COLUMN("score-b", "the score of a pair's second candidate"),
    JUDGE_COLUMN("label", "the candidate that people prefer: a or b, 0 or 1, 1 or 2"),
    JUDGE_COLUMN("category", "the category of a pair"),
    JUDGE_COLUMN("pair", "the name of a pair, where an item has several"),
    {"ties", "NAME", TARE_OPTION_CHOICE, "loss", "loss|half|drop", 0, 0, 0,
     "a pair with equal scores is wrong, counts half, or is left out; all are printed",
     "Statistics"},
    {"p", "NAME", TARE_OPTION_CHOICE, "bootstrap", "bootstrap|asymptotic", 0, 0, 0,
     "p of tau; the normal approximation ignores clusters", "Statistics"},
    JUDGE_OPTIONS_STATISTICS,
};

static tare_status find_protocol(const protocol **out, const tare_job *job, tare_error *err)
{
    size_t count = job_count(job, "protocol");
    for (size_t k = 1; k < count; k++)
        if (strcmp(job_text_at(job, "protocol", k), job_text_at(job, "protocol", 0)) != 0)
            return error_set(err, TARE_E_USAGE, "agree.protocols", "--protocol",
                             "numbers of different protocols do not belong in one table: run them "
                             "apart");
    *out = protocol_find(count ? job_text_at(job, "protocol", 0) : "custom");
    return TARE_OK;
}

/* Options of the other kind of rows say nothing about these: better told than passed over. */
static tare_status refuse_options(const tare_job *job, bool pairs, tare_error *err)
{
    static const char *const of_pairs[] = {"score-a", "score-b", "label", "category", "pair"};
    static const char *const of_rows[] = {"human",  "raters", "labels",   "drop-ref-copies", "gold",
                                          "author", "roster", "judges",   "score",  "map",
                                          "rep",    "dim",    "setting",  "length"};
    size_t count = pairs ? sizeof of_rows / sizeof *of_rows : sizeof of_pairs / sizeof *of_pairs;
    for (size_t k = 0; k < count; k++) {
        const char *name = pairs ? of_rows[k] : of_pairs[k];
        if (job_count(job, name))
            return error_set(err, TARE_E_USAGE, "agree.option", name,
                             pairs ? "this option is for rows with one score, not for pairs"
                                   : "this option is for pairs of candidates (--protocol "
                                     "pascal50s, or score_a, score_b and label)");
    }
    return TARE_OK;
}

/* ---- pairs ---------------------------------------------------------------------------------- */

static tare_status run_pairs(tare_job *job, const protocol *p, tare_error *err)
{
    tare_status status = TARE_OK;
    audit_result *r = &job->result;
    pair_rows rows;
    score_table none;
    memset(&none, 0, sizeof none);
    const char *ties = job_text(job, "ties");
    pair_columns columns = {
        .item = job_text(job, "item"), .judge = job_text(job, "judge"),
        .score_a = job_text(job, "score-a"), .score_b = job_text(job, "score-b"),
        .label = job_text(job, "label"), .category = job_text(job, "category"),
        .pair = job_text(job, "pair"), .cluster = job_text(job, "cluster"),
        .status = job_text(job, "status")};
    pair_options o = {.book = judge_read_book_options(job), .protocol = p,
                      .ties = strcmp(ties, "half") == 0   ? TIE_HALF
                              : strcmp(ties, "drop") == 0 ? TIE_DROP
                                                          : TIE_LOSS};
    TRY(pair_rows_load(&rows, &r->a, job->context, job->inputs[0], &columns, r, err));
    TRY(pair_accuracy_run(r, job->context, &rows, &o, err));
    TRY(judge_facts(job, &none, err));
done:
    return status;
}

/* ---- rows ----------------------------------------------------------------------------------- */

static agree_options read_options(const tare_job *job, const protocol *p)
{
    return (agree_options){
        .book = judge_read_book_options(job), .protocol = p,
        .labels = job_flag(job, "labels") != 0,
        .asymptotic = strcmp(job_text(job, "p"), "asymptotic") == 0,
        .drop_copies = job_flag(job, "drop-ref-copies") != 0, .scale = job_text(job, "scale"),
        .kappa = job_text(job, "kappa"), .level = job_text(job, "alpha-level"),
        .gold_version = job_text(job, "gold-version"), .human_file = job_count(job, "human") > 0};
}

static tare_status load(agree *g, tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    score_table_options o;
    TRY(judge_read_table_options(&o, job, err));
    o.human = job_text(job, "human");
    o.raters = job_text(job, "raters");
    o.author_optional = true;
    o.labels = g->o.labels;
    o.score_expected = strcmp(job_text(job, "score-kind"), "expect") == 0;
    o.keep_rows = true;
    if (o.human && o.raters)
        FAIL(err, TARE_E_USAGE, "agree.human", "--human",
             "ratings come from a file or from columns (--raters), not from both");
    status = score_table_load(&g->t, &g->out->a, g->context, job->inputs[0], &o, g->out, err);
    if (status == TARE_E_DATA && err && !strcmp(err->code, "score.rating_text") && !o.labels) {
        tare_error was = *err;
        FAIL(err, TARE_E_DATA, was.code, was.where, "%s; if ratings are names of categories, "
             "they are read with --labels", was.message);
    }
    if (status == TARE_E_DATA && err && !strcmp(err->code, "table.no_role") &&
        strstr(err->message, "score_a"))
        FAIL(err, TARE_E_DATA, "agree.pairs", job->inputs[0],
             "this looks like pairs of candidates: they are read with --protocol pascal50s, or "
             "with --label COLUMN, which names the one that people prefer");
done:
    return status;
}

static tare_status drop_copies(agree *g, tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t count = job_count(job, "reference-text");
    const char **references;
    if (!g->o.drop_copies) return TARE_OK;
    TRY_NEW(references = arena_new(g->a, count + 1, sizeof *references));
    for (size_t k = 0; k < count; k++) references[k] = job_text_at(job, "reference-text", k);
    score_table_options o;
    TRY(judge_read_table_options(&o, job, err));
    ref_columns columns = {.item = o.columns.item, .author = o.columns.author,
                           .copy = job_text(job, "ref-copy"),
                           .candidate = job_text(job, "candidate-text"),
                           .references = references, .reference_count = count};
    TRY_NEW(g->copy = arena_new(g->a, g->t.units + 1, sizeof *g->copy));
    TRY(ref_copies_find(g->copy, &g->t, g->context, job->inputs[0], &columns, err));
done:
    return status;
}

static tare_status facts(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    const protocol *p = g->o.protocol;
    TRY(result_fact_add(g->out, "Protocol", "rows", p->rows_words, err));
    TRY(result_fact_add(g->out, "Protocol", "gold", p->gold_words, err));
    TRY(result_fact_add(g->out, "Protocol", "source", p->source, err));
    for (size_t l = 0; l < g->layers; l++) {
        const agree_layer *x = &g->layer[l];
        const char *text;
        TRY_NEW(text = arena_printf(&g->out->a, "%zu rows, %zu distinct gold values, %.1f %% of "
                                    "pairs tied in gold", x->n, x->distinct, 100 * x->tied));
        TRY(result_fact_add(g->out, "Protocol", x->label[0] ? x->label : "size", text, err));
    }
done:
    return status;
}

static tare_status run_rows(tare_job *job, const protocol *p, tare_error *err)
{
    tare_status status = TARE_OK;
    agree g;
    audit_result *r = &job->result;
    memset(&g, 0, sizeof g);
    g.context = job->context;
    g.out = r;
    g.m = &job->context->mem;
    g.o = read_options(job, p);
    TRY(book_open(&g.b, r, job->context, &g.o.book, err));
    g.a = &g.b.scratch;
    TRY(load(&g, job, err));
    TRY(drop_copies(&g, job, err));
    TRY(agree_open(&g, err));
    size_t judges = g.t.judge.count;
    TRY_NEW(r->title = judges == 1
                           ? arena_printf(&r->a, "How closely does %s follow people?",
                                          g.t.judge.name[0])
                           : arena_printf(&r->a, "How closely do %zu judges follow people?",
                                          judges));
    TRY(agree_coefficients_run(&g, err));
    TRY(agree_ceiling_run(&g, err));
    TRY(agree_categories_run(&g, err));
    TRY(agree_pairs_run(&g, err));
    TRY(agree_reliability_run(&g, err));
    TRY(missing_rows_audit(&g.b, &g.t, err));
    agree_pairs_cap(&g);
    TRY(book_settle(&g.b, err));
    TRY(agree_tables_run(&g, err));
    TRY(agree_figures_run(&g, err));
    TRY(agree_answer_run(&g, err));
    TRY(facts(&g, err));
    TRY(judge_facts(job, &g.t, err));
done:
    agree_close(&g);
    book_close(&g.b);
    return status;
}

static tare_status run(tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    const protocol *p = NULL;
    audit_result *r = &job->result;
    if (job->input_count != 1)
        FAIL(err, TARE_E_USAGE, "job.inputs", NULL, "give one score table; %zu were given",
             job->input_count);
    TRY(find_protocol(&p, job, err));
    bool pairs = p->gold == GOLD_PAIR ||
                 (protocol_is_custom(p) && (job_count(job, "score-a") || job_count(job, "label")));
    TRY(refuse_options(job, pairs, err));
    r->audit = "agreement with people";
    r->title = "How closely do judges follow people?";
    r->arm_word = "Setting";
    r->instrument_word = "Judge";
    r->unit_word = "Rows";
    if (pairs) TRY(run_pairs(job, p, err));
    else TRY(run_rows(job, p, err));
done:
    return status;
}

const job_class job_agree = {
    {"agree", "find out how closely judges follow people, and people each other",
     "scores.csv",
     "Each judge's scores are compared with human scores of the same rows: a column of gold "
     "(--gold), columns of single raters (--raters), or a file of ratings (--human). Printed are "
     "Kendall's tau-b and tau-c, Spearman, Pearson, kappa, exact agreement, the mean signed "
     "difference (leniency), Krippendorff's alpha and the ICC family, each with an interval that "
     "resamples whole items.\n\n"
     "A high correlation means little by itself. With two or more raters per row, each rater is "
     "left out in turn and compared with the sum of the others; the judge is compared with the "
     "same sums. The answer says how far the judge is from that human level, which judge is closer "
     "to people and whether the difference is resolved, and who is lenient even where the ranking "
     "is right.\n\n"
     "Published numbers rest on a protocol: which rows, which gold, which statistic. --protocol "
     "names one of those of the caption benchmarks; numbers of different protocols are never "
     "printed in one table. Rows that hold a pair of candidates and the one that people prefer "
     "(score_a, score_b, label) get accuracies by category under three policies for ties.",
     "tare agree scores.csv --raters h1,h2,h3 -o out/\n"
     "tare agree scores.csv --human ratings.csv -o out/\n"
     "tare agree scores.csv --gold human --protocol composite -o out/\n"
     "tare agree pairs.csv --protocol pascal50s --ties half -o out/",
     options, sizeof options / sizeof *options},
    run};
