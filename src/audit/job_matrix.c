/* tare matrix: do judges favour texts by their own model or its family? */
#include <string.h>

#include "audit/job_registry.h"
#include "audit/judge/judge_options.h"
#include "audit/matrix/matrix_study.h"
#include "base/error.h"

#define MATRIX_SECTION "Matrix"
#define REGRESSION_SECTION "Regression"

static const tare_option_info options[] = {
    JUDGE_OPTIONS_INPUT,
    {"cells", "NAME", TARE_OPTION_CHOICE, "balanced", "balanced|available", 0, 0, 0,
     "items scored in every cell, or cell means over what is there", MATRIX_SECTION},
    {"cells-from", "COLUMNS", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 0,
     "the table holds cell means: AUTHOR,JUDGE,MEAN[,SD[,N]]", MATRIX_SECTION},
    {"without", "NAME", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,
     "leave out this judge or author; may be given several times", MATRIX_SECTION},
    {"ddof", "N", TARE_OPTION_INTEGER, "0", NULL, 0, 1, 0,
     "of the SDs that standardise: 0 or 1 (the paper does not say)", MATRIX_SECTION},
    {"test", "NAME", TARE_OPTION_CHOICE, "auto", "auto|t|signflip|wilcoxon", 0, 0, 0,
     "test of D over clusters (auto: by their number)", MATRIX_SECTION},
    {"exclude", "NAME", TARE_OPTION_CHOICE, "none", "none|family", 0, 0, 0,
     "leave a judge's family out of what its own model is compared with", MATRIX_SECTION},
    {"block", "GROUPING", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,
     "a grouping of the roster whose values are blocks; may be given several times (default: all)",
     MATRIX_SECTION},
    {"block-perm", "P", TARE_OPTION_INTEGER, "49999", NULL, 99, 999999, 0,
     "permutations of the test of blocks", MATRIX_SECTION},
    {"gold-from", "NAME", TARE_OPTION_CHOICE, "auto", "auto|column|peers|none", 0, 0, 0,
     "quality in the regression: a column, the mean of unrelated judges, or author effects",
     REGRESSION_SECTION},
    {"rescale", "NAME", TARE_OPTION_CHOICE, "max", "max|none|range", 0, 0, 0,
     "divide score and gold by their joint maximum", REGRESSION_SECTION},
    {"vcov", "NAME", TARE_OPTION_CHOICE, "auto", "auto|hc0|hc1|cr0|cr1|cr2|twoway", 0, 0, 0,
     "standard errors of the regression (auto: CR1 from 30 clusters, CR2 below)",
     REGRESSION_SECTION},
    {"length-term", "NAME", TARE_OPTION_CHOICE, "none", "none|tanh", 0, 0, 0,
     "a term for the length of the text", REGRESSION_SECTION},
    {"link", "NAME", TARE_OPTION_CHOICE, "identity", "identity|ordinal", 0, 0, 0,
     "least squares, or cumulative logit", REGRESSION_SECTION},
    JUDGE_OPTIONS_COLUMNS,
    JUDGE_OPTIONS_STATISTICS,
};

static tare_status read_options(matrix_options *o, tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t count = job_count(job, "without");
    size_t blocks = job_count(job, "block");
    const char **names, **block;
    TRY_NEW(names = arena_new(&job->a, count + 1, sizeof *names));
    for (size_t k = 0; k < count; k++) names[k] = job_text_at(job, "without", k);
    TRY_NEW(block = arena_new(&job->a, blocks + 1, sizeof *block));
    for (size_t k = 0; k < blocks; k++) block[k] = job_text_at(job, "block", k);
    *o = (matrix_options){
        .book = judge_read_book_options(job),
        .available = !strcmp(job_text(job, "cells"), "available"),
        .ddof = (size_t)job_integer(job, "ddof"),
        .test = job_text(job, "test"),
        .exclude_family = !strcmp(job_text(job, "exclude"), "family"),
        .without = names,
        .without_count = count,
        .rescale = job_text(job, "rescale"),
        .gold = job_text(job, "gold-from"),
        .vcov = job_text(job, "vcov"),
        .length = job_text(job, "length-term"),
        .link = job_text(job, "link"),
        .block_perm = (uint32_t)job_integer(job, "block-perm"),
        .block = block,
        .block_count = blocks};
done:
    return status;
}

static tare_status check(const tare_job *job, tare_error *err)
{
    if (job->input_count != 1)
        return error_set(err, TARE_E_USAGE, "job.inputs", NULL,
                         "give one table of scores; %zu were given", job->input_count);
    if (!strcmp(job_text(job, "exclude"), "family") && !job_text(job, "roster"))
        return error_set(err, TARE_E_USAGE, "matrix.roster", "--exclude",
                         "families come from a roster: give one with --roster FILE");
    if (job_text(job, "cells-from") && job_count(job, "cells"))
        return error_set(err, TARE_E_USAGE, "matrix.cells", "--cells",
                         "--cells-from reads cell means: there are no items to choose");
    return TARE_OK;
}

static tare_status run(tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    matrix_study s = {0};
    matrix_options o;
    score_table table;
    score_table_options t;
    audit_result *r = &job->result;
    TRY(check(job, err));
    TRY(read_options(&o, job, err));
    TRY(judge_read_table_options(&t, job, err));
    t.keep_rows = true;
    t.cells_from = job_text(job, "cells-from");
    if (t.cells_from) t.shape = SHAPE_CELLS;
    r->audit = "matrix of judges";
    r->arm_word = "Setting";
    r->instrument_word = "Judge";
    r->unit_word = "Items";
    TRY(score_table_load(&table, &r->a, job->context, job->inputs[0], &t, r, err));
    TRY(input_hash_start(&job->hash, job->context, job->inputs[0], err));
    TRY(matrix_open(&s, r, job->context, &table, &o, err));
    TRY(matrix_run(&s, err));
    TRY(judge_facts(job, &table, err));
done:
    matrix_close(&s);
    return status;
}

const job_class job_matrix = {
    {"matrix", "find out whether judges favour texts by their own model or its family",
     "scores.csv",
     "Every judge scores the texts of every author (generator) on the same items. The mean "
     "scores form a matrix; leniency of judges and quality of authors are taken out of it, and "
     "what is left where a judge meets its own model is its preference for itself, in score "
     "units (D) and with every judge on its own scale (Z). A preference is called found only "
     "where both agree.\n\n"
     "A judge is an author only where names are equal, or where the roster says so (--roster). "
     "With its families and other groupings, blocks of related models are examined as well.",
     "tare matrix scores.csv -o out/\n"
     "tare matrix scores.csv --roster models.yaml --author generator -o out/\n"
     "tare matrix cells.csv --cells-from writer,judge,mean,sd,n",
     options, sizeof options / sizeof *options},
    run};
