#include "sample_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sample_picture.h"

tare_job *sample_job(tare_context *context)
{
    tare_job *job = mem_new(&context->mem, 1, sizeof *job);
    if (!job) return NULL;
    job->context = context;
    result_init(&job->result, &context->mem);
    job->has_result = 1;
    return job;
}

void sample_free(tare_job *job)
{
    if (!job) return;
    result_free(&job->result);
    mem_free(&job->context->mem, job);
}

/* family, arm, scorer, name, condition, unit | estimate lo hi p q margin | grid verdict reason
 * marks words */
struct row {
    const char *family, *arm, *scorer, *name, *condition, *unit;
    double estimate, lo, hi, p, q, margin;
    const char *grid;
    tare_verdict verdict;
    const char *reason, *marks, *words;
};

static int add_reading(audit_result *r, const struct row *x)
{
    tare_reading *to = result_add_reading(r);
    if (!to) return 0;
    to->family = x->family;
    to->arm = x->arm;
    to->instrument = x->scorer;
    to->name = x->name;
    to->condition = x->condition;
    to->unit = x->unit;
    to->estimate = x->estimate;
    to->lo = x->lo;
    to->hi = x->hi;
    to->p = x->p;
    to->q = x->q;
    to->margin = x->margin;
    to->grid = x->grid;
    to->verdict = x->verdict;
    to->reason = x->reason;
    to->marks = x->marks;
    to->words = x->words;
    to->interval_method = "percentile";
    to->p_method = "centred bootstrap";
    to->p_floor = 1e-4;
    to->seed = 1;
    to->replicates = 9999;
    to->n_base = to->n_cluster = 210;
    to->n_expected = 214;
    to->n_missing[TARE_R_NO_SKIN] = 3;
    to->n_missing[TARE_R_TIMEOUT] = 1;
    return 1;
}

static const struct row rows[] = {
    {"fidelity", "skin", "laion-v2", "FI", "", "score", .0741236, .0412, .1077, .0001, .00024, .02,
     "ii", TARE_FOUND, "", "",
     "The original scores above its lighter and darker variants by 0.074."},
    {"fidelity", "skin", "laion-v2", "A", "", "score", .0321, .0048, .0589, .022, .0403, .06, "ii",
     TARE_SMALL, "", "", "Lighter variants score above darker ones; there is an effect, and it is "
     "below the margin."},
    {"regression", "skin", "laion-v2", "beta", "", "score/degree", .00037, .00002, .00072, .036,
     .0589, .0004, "i", TARE_INCONCLUSIVE, "", "raw only",
     "Raw-significant, not significant after FDR."},
    {"bestofn", "skin", "laion-v2", "net_drift", "ITA", "degrees", .2, -2.3, 2.6, .87, .91, 3, "i",
     TARE_NEGLIGIBLE, "", "",
     "Best of 4 does not move the skin tone: any drift is below 3 degrees."},
    {"shape", "skin", "laion-v2", "shape", "", "", NAN, NAN, NAN, .0001, .0006, NAN, "iv",
     TARE_FOUND, "", "",
     "Fidelity preference: the original scores above both sides; near-symmetric."},
    {"fidelity", "sham", "laion-v2", "FI", "", "score", .0021, -.0019, .0061, .31, .42, .02, "ii",
     TARE_NEGLIGIBLE, "", "", "Rounding noise alone moves the score by less than the margin."},
    {"placebo", "sham", "laion-v2", "FI_contrast", "skin", "score", .072, .038, .106, .0001, .0004,
     .02, "vi", TARE_FOUND, "", "", "The skin arm exceeds the sham."},
    {"fidelity", "skin", "hpsv2", "FI", "", "score", -.0008, -.0014, -.0003, .006, .02398801, .0012,
     "ii", TARE_SMALL, "", "", "Variants score above the original by less than the margin."},
    {"fidelity", "skin", "hpsv2", "A", "", "score", -.0027, -.0041, -.0012, .0001, .0011, .0012,
     "ii", TARE_FOUND, "", "", "Darker variants score above lighter ones, by at least the margin."},
    {"bestofn", "skin", "hpsv2", "net_drift", "ITA", "degrees", -4.3, -6.4, -2.2, .0001, .0009, 3,
     "i", TARE_FOUND, "", "", "Best of 4 darkens the skin by 4.3 degrees net of a random pick."},
    {"regression", "skin", "hpsv2", "beta", "", "score/degree", NAN, NAN, NAN, NAN, NAN, NAN, "i",
     TARE_NO_ANSWER, "inseparable", "",
     "No answer: attribute and artifact cannot be told apart in these data."},
    {"fidelity", "sham", "hpsv2", "FI", "", "score", NAN, NAN, NAN, NAN, NAN, NAN, "ii",
     TARE_NO_ANSWER, "below_resolution", "", "No answer: below instrument resolution."},
    {"noise", "skin", "hpsv2", "noise.sd", "", "score", 1.2e-7, NAN, NAN, NAN, NAN, NAN, "",
     TARE_DESCRIPTIVE, "", "", ""},
};

static int add_curve(audit_result *r, const char *scorer, double height, double slope)
{
    char id[40];
    snprintf(id, sizeof id, "curve %s", scorer);
    figure *f = result_add_figure(r, FIGURE_CURVE, id, "Score change by dose");
    if (!f) return 0;
    f->title = arena_printf(&r->a, "How %s moves with the dose", scorer);
    f->caption = "Mean change of the score against the unedited image, with its interval. The grey "
                 "band is the practical margin.";
    f->x_title = "dose (L*)";
    f->y_title = "score change";
    f->margin = .3 * height;
    static const char *const arms[] = {"skin", "nonskin", "sham"};
    for (size_t arm = 0; arm < 3; arm++) {
        for (int d = -15; d <= 15; d += 5) {
            figure_point *p = result_add_point(r, f);
            if (!p) return 0;
            double scale = arm == 0 ? 1 : arm == 1 ? .45 : .05;
            p->series = arms[arm];
            p->x = d;
            p->y = scale * (-height * d * d / 150.0 + slope * d);
            p->lo = p->y - .35 * height * (d != 0);
            p->hi = p->y + .35 * height * (d != 0);
            p->mark = d != 0 && arm == 0 ? "q" : "none";
        }
    }
    return f->title != NULL;
}

static int add_forest(audit_result *r)
{
    figure *f = result_add_figure(r, FIGURE_FOREST, "forest", "Estimates and intervals");
    if (!f) return 0;
    f->caption = "Filled: stands after FDR. Diamond: raw p only. Open: not significant.";
    static const char *const marks[] = {"q", "raw", "none", "no answer"};
    static const char *const panels[] = {"FI (SD0)", "A (SD0)", "net drift (degrees)"};
    static const char *const scorers[] = {"laion-v2", "hpsv2",
                                          "publisher/preference-model-v2.1-large-fp16"};
    static const char *const arms[] = {"skin", "nonskin"};
    for (size_t k = 0; k < 18; k++) {
        figure_point *p = result_add_point(r, f);
        if (!p) return 0;
        double scale = k / 6 == 2 ? 10 : 1;
        p->panel = panels[k / 6];
        p->label = scorers[k % 6 / 2];
        p->series = arms[k % 2];
        p->x = scale * .1 * sin((double)k * 1.7);
        p->lo = p->x - scale * .06;
        p->hi = p->x + scale * .07;
        p->mark = marks[k % 4];
        p->tip = "one line about this estimate";
    }
    return 1;
}

static int add_others(audit_result *r)
{
    static const char *const scorers[] = {"laion-v2", "hpsv2", "pickscore", "imagereward"};
    static const char *const columns[] = {"FI", "A", "net drift", "beta", "sham contrast"};
    figure *heat = result_add_figure(r, FIGURE_HEAT, "heat", "Effects in units of SD0");
    figure *scatter =
        result_add_figure(r, FIGURE_SCATTER, "saturation", "Drift against saturation");
    figure *cloud =
        result_add_figure(r, FIGURE_SCATTER, "calibration", "Measured attribute by dose");
    figure *bars = result_add_figure(r, FIGURE_BARS, "groups", "Group means of FI");
    if (!heat || !scatter || !cloud || !bars) return 0;
    scatter->x_title = "saturation (degrees)";
    scatter->y_title = "net drift (degrees)";
    scatter->margin = 3;
    cloud->x_title = "dose (L*)";
    cloud->y_title = "ITA change (degrees)";
    bars->x_title = "mean FI (score)";
    for (size_t k = 0; k < 20; k++) {
        figure_point *p = result_add_point(r, heat);
        if (!p) return 0;
        p->series = scorers[k / 5];
        p->label = columns[k % 5];
        p->y = .6 * cos((double)k * 2.1);
        p->mark = k % 3 ? "q" : "none";
    }
    for (size_t k = 0; k < 4; k++) {
        figure_point *p = result_add_point(r, scatter);
        if (!p) return 0;
        p->label = scorers[k];
        p->x = -26 + 3 * (double)k;
        p->y = -14 + 5 * (double)k;
        p->lo = p->y - 2;
        p->hi = p->y + 2;
    }
    for (int k = 0; k < 2100; k++) {
        figure_point *p = result_add_point(r, cloud);
        if (!p) return 0;
        p->x = 5 * (k % 7 - 3);
        p->y = .9 * p->x + 6 * sin(k * 12.9898) * cos(k * 78.233);
    }
    for (int k = 0; k < 14; k++) {
        figure_point *p = result_add_point(r, bars);
        if (!p || !(p->label = arena_printf(&r->a, "group %c", 'A' + k / 2))) return 0;
        p->series = k % 2 ? "hpsv2" : "laion-v2";
        p->x = .04 + .03 * sin(k);
        p->lo = p->x - .015;
        p->hi = p->x + .015;
    }
    return 1;
}

/* What audits of judges draw: blocks and self cells outlined, values far from 0, a human band. */
static int add_judges(audit_result *r)
{
    static const char *const names[] = {"alpha-large", "alpha-small", "beta-1", "gamma"};
    figure *signs = result_add_figure(r, FIGURE_HEAT, "phi-tilde", "Preference, standardised");
    figure *means = result_add_figure(r, FIGURE_HEAT, "phi", "Mean score");
    figure *people = result_add_figure(r, FIGURE_FOREST, "agreement", "Agreement with people");
    if (!signs || !means || !people) return 0;
    signs->x_title = means->x_title = "judge";
    signs->y_title = means->y_title = "author";
    people->x_title = "tau-b";
    people->band_lo = .62;
    people->band_hi = .71;
    people->band_title = "people among themselves";
    for (size_t k = 0; k < 16; k++) {
        figure_point *a = result_add_point(r, signs), *b = result_add_point(r, means);
        if (!a || !b) return 0;
        a->series = names[k / 4];
        a->label = names[k % 4];
        a->y = k / 4 == k % 4 ? 1.4 : sin((double)k * 1.3);
        a->outline = k / 4 == k % 4 ? "self" : k / 4 < 2 && k % 4 < 2 ? "block" : "";
        a->mark = a->y > .9 ? "q" : "none";
        *b = *a;
        b->y = 7.2 + .4 * sin((double)k);
        b->mark = "";
    }
    for (size_t k = 0; k < 4; k++) {
        figure_point *p = result_add_point(r, people);
        if (!p) return 0;
        p->label = names[k];
        p->x = .35 + .1 * (double)k;
        p->lo = p->x - .04;
        p->hi = p->x + .04;
        p->mark = "q";
    }
    return 1;
}

static int add_strip(audit_result *r)
{
    figure *f = result_add_figure(r, FIGURE_STRIP, "strip skin", "What the scorers saw: skin");
    if (!f) return 0;
    f->caption = "One base for each group, all doses. Outlined in the first cell: the mask.";
    for (int k = 0; k < 14; k++) {
        figure_cell *c = result_add_picture(r, f);
        int dose = 5 * (k % 7 - 3);
        if (!c) return 0;
        c->row_title =
            k < 7 ? "faces/0001.jpg, first of group A" : "faces/0042.jpg, median of group B";
        c->caption = arena_printf(&r->a, "dose %+d\nITA %.1f\nclipped %.3f\nlaion-v2 %.2f", dose,
                                  30.7 + dose * .7, abs(dose) * .002, 5.3 - abs(dose) * .01);
        c->alt = arena_printf(&r->a, "portrait with skin lightness shifted by %d", dose);
        c->png = sample_picture(&r->a, dose * 3, &c->png_length);
        if (!c->caption || !c->alt || !c->png) return 0;
    }
    return 1;
}

static int add_table(audit_result *r)
{
    static const char *const columns[] = {"arm", "dose", "delta", "n"};
    result_table *t = result_add_table(r, "curve", "Change per dose", columns, 4);
    for (int d = -15; t && d <= 15; d += 5) {
        cell *row = result_add_row(r, t);
        if (!row) return 0;
        row[0] = (cell){CELL_TEXT, "skin", NAN, 0};
        row[1] = (cell){CELL_INTEGER, NULL, NAN, d};
        row[2] = (cell){CELL_NUMBER, NULL, d == 0 ? NAN : -.1 * abs(d), 0};
    }
    return t != NULL;
}

static int add_missing(audit_result *r, const char *what, tare_reason reason, size_t count)
{
    result_missing *m = result_add_missing(r);
    if (!m) return 0;
    *m = (result_missing){what, "skin", "", "group A", reason, count, 214, "faces/0113.jpg: skin "
                          "share 0.031"};
    return 1;
}

static int add_checks(audit_result *r)
{
    static const result_check checks[] = {
        {"real/skin", "laion-v2", "mechanistic stress test", "C1: clean intervention", CHECK_PASS,
         "separable: the artifact differs by image, so it can be taken out"},
        {"real/skin", "laion-v2", "", "C2: valid instrument", CHECK_PASS,
         "the measured attribute follows the dose"},
        {"real/skin", "laion-v2", "", "C3: real images, and enough", CHECK_MISS,
         "fewer than 100 images"},
        {"real/skin", "laion-v2", "", "FI, leave one cluster out", CHECK_NOT_RUN, ""},
        {"real/skin", "laion-v2", "", "A, clip-bounded", CHECK_PASS, ""},
        {"real/skin", "hpsv2", "mechanistic stress test", "C1: clean intervention", CHECK_MISS,
         "<script>alert(1)</script>"}};
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
        result_check *c = result_add_check(r);
        if (!c) return 0;
        *c = checks[k];
    }
    return 1;
}

int sample_rich(tare_job *job)
{
    audit_result *r = &job->result;
    r->audit = "scorer audit";
    r->title = "Do laion-v2 and hpsv2 prefer lighter or darker skin?";
    int done =
        result_answer(r, NULL, "hpsv2 prefers darker skin and laion-v2 prefers the photo as it was "
                               "taken; neither preference is large.") == TARE_OK &&
        result_answer(r, NULL, "Picking the best of 4 with hpsv2 darkens the skin by 4.3 degrees "
                               "[2.2, 6.4]; with laion-v2 it does not move it.") == TARE_OK &&
        result_answer(r, NULL, "The effect of the skin arm is not rounding noise: the sham arm "
                               "shows none.") == TARE_OK &&
        result_caution(r, NULL, "This is a mechanistic stress test, not a bias measurement: only "
                                "48 bases of kind real.") == TARE_OK &&
        result_caution(r, NULL, "An L* shift is not a change of the person in the picture.") ==
            TARE_OK &&
        result_fact_add(r, "run", "seed", "1", NULL) == TARE_OK &&
        result_fact_add(r, "run", "replicates", "9999", NULL) == TARE_OK &&
        result_fact_add(r, "scorers", "laion-v2", "identity 1f3c\xE2\x80\xA6, batch 32", NULL) ==
            TARE_OK &&
        result_fact_add(r, "constants", "mask.set", "default", NULL) == TARE_OK;
    for (size_t i = 0; done && i < sizeof rows / sizeof *rows; i++) done = add_reading(r, &rows[i]);
    for (int d = -15; done && d <= 15; d += 5) {
        struct row x = rows[0];
        x.family = "curve";
        x.name = "Delta";
        x.grid = x.words = "";
        x.verdict = TARE_DESCRIPTIVE;
        x.condition = arena_printf(&r->a, "%+d", d);
        x.estimate = -.004 * d * d / 10;
        x.q = NAN;
        done = x.condition && add_reading(r, &x);
    }
    return done && add_curve(r, "laion-v2", .08, .001) && add_curve(r, "hpsv2", .001, -.0001) &&
           add_forest(r) && add_others(r) && add_judges(r) && add_strip(r) && add_table(r) &&
           add_checks(r) && add_missing(r, "base", TARE_R_NO_SKIN, 3) &&
           add_missing(r, "score", TARE_R_TIMEOUT, 1);
}
