/* A matrix of 60 judges: 3,600 cells, and more sentences than anybody reads. */
#include <math.h>

#include "sample_report.h"

#define JUDGES 60

static int add_cell(audit_result *r, int judge, int author)
{
    tare_reading *x = result_add_reading(r);
    if (!x) return 0;
    double value = (judge * 37 + author * 101) % 997 / 100.0 + (judge == author);
    x->family = "cells";
    x->instrument = arena_printf(&r->a, "judge <b>%02d</b>", judge);
    x->condition = arena_printf(&r->a, "author %02d", author);
    x->name = "Phi";
    x->unit = "score";
    x->estimate = (judge + author) % 31 ? value : NAN;
    x->n_base = x->n_cluster = 25;
    x->n_expected = 25;
    x->verdict = judge == author ? TARE_FOUND : TARE_DESCRIPTIVE;
    x->marks = judge == author ? "raw only" : "";
    x->words = arena_printf(&r->a, "Judge %d gives author %d %.2f on average.", judge, author,
                            value);
    x->detail = judge != author;
    return x->instrument && x->condition && x->words;
}

int sample_large(tare_job *job)
{
    audit_result *r = &job->result;
    int done = 1;
    r->audit = "matrix of judges";
    r->title = "Do these judges favour texts by their own model?";
    for (int k = 0; done && k < JUDGES; k++)
        done = result_answer(r, NULL, "Judge %d favours its own texts by %.2f.", k, k / 7.0) ==
               TARE_OK;
    for (int judge = 0; done && judge < JUDGES; judge++)
        for (int author = 0; done && author < JUDGES; author++) done = add_cell(r, judge, author);
    return done;
}
