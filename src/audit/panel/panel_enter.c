/* The readings of a layer, entered into the book (judge audits B.7). */
#include <math.h>
#include <string.h>

#include "audit/panel/panel_study.h"
#include "base/error.h"

static const char *judge_name(const panel_study *s, size_t j)
{
    return s->t->judge.name[j];
}

static entry_spec spec_of(const panel_study *s, const char *family, const char *instrument,
                          const char *name)
{
    return (entry_spec){.family = family, .arm = s->setting, .dim = s->dim,
                        .instrument = instrument, .name = name, .margin = NAN,
                        .descriptive = true};
}

static const char *const chosen_mark = "chosen on these items";

static const char *source_mark(const panel_result *p)
{
    return p->source == PANEL_BEST || p->source == PANEL_GENTLE ? chosen_mark : "";
}

static tare_status enter_agreement(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(s->judge_entry = arena_new(&s->scratch, s->rows.judges, sizeof *s->judge_entry));
    for (size_t j = 0; j < s->rows.judges; j++) {
        entry_spec e = spec_of(s, "agreement", judge_name(s, j), s->o.agree_name);
        s->judge_entry[j] = BOOK_NONE;
        if (s->rows.usable[j])
            TRY(book_add(s->book, &e, &s->judge_agree[j], &s->judge_entry[j], err));
    }
    for (size_t k = 0; k < s->panels; k++) {
        const panel_result *p = &s->panel[k];
        entry_spec e = spec_of(s, "agreement", p->name, s->o.agree_name);
        e.condition = "panel";
        e.extra = source_mark(p);
        TRY(book_add(s->book, &e, &p->agree, NULL, err));
    }
done:
    return status;
}

static const char *const summary_names[SUMMARIES] = {"mean", "mabs", "max", "rms"};

/* Absolute values and squares are above 0 whatever the data: an interval, and no p. */
static inference without_p(const inference *x, size_t summary)
{
    inference out = *x;
    if (summary != SUMMARY_MEAN) out.p = NAN;
    return out;
}

/* The summaries of Phi~ and their twins in score units. */
static tare_status enter_summaries(panel_study *s, const panel_result *p, const panel_numbers *n,
                                   const char *condition, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < SUMMARIES; k++) {
        const char *raw;
        TRY_NEW(raw = arena_printf(s->a, "%s of R", summary_names[k]));
        entry_spec e = spec_of(s, "panel bias", p->name, summary_names[k]);
        e.condition = condition;
        e.extra = source_mark(p);
        inference summary = without_p(&n->summary[k], k), twin = without_p(&n->raw[k], k);
        TRY(book_add(s->book, &e, &summary, NULL, err));
        e.name = raw;
        e.unit = "score";
        e.detail = true;
        if (n == &p->numbers && p->yardstick) e.extra = "0 by construction";
        TRY(book_add(s->book, &e, &twin, NULL, err));
    }
done:
    return status;
}

static bool is_member(const panel_result *p, size_t author)
{
    for (size_t k = 0; k < p->count; k++)
        if (p->member[k].author == author) return true;
    return false;
}

static tare_status enter_vector(panel_study *s, const panel_result *p, const panel_numbers *n,
                                const char *family, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t g = 0; g < s->rows.authors; g++) {
        const inference *of[3] = {&n->r[g], &n->z[g], &n->phi2[g]};
        static const char *const names[3] = {"R", "Z", "Phi~"};
        for (size_t k = 0; k < 3; k++) {
            entry_spec e = spec_of(s, family, p->name, names[k]);
            e.condition = s->t->author.name[g];
            e.unit = k == 0 ? "score" : "";
            e.extra = is_member(p, g) ? "a member's own text" : "";
            e.detail = true;
            TRY(book_add(s->book, &e, of[k], NULL, err));
        }
    }
done:
    return status;
}

static tare_status enter_bias(panel_study *s, const panel_result *p, tare_error *err)
{
    tare_status status = TARE_OK;
    if (!p->numbers.phi) return TARE_OK;
    TRY(enter_summaries(s, p, &p->numbers, "", err));
    TRY(enter_vector(s, p, &p->numbers, "panel vector", err));
    for (size_t k = 0; k < p->count; k++) {
        entry_spec e = spec_of(s, "panel vector", p->name, "member's own Phi~");
        e.condition = judge_name(s, p->judge[k]);
        e.detail = true;
        if (p->member[k].author != SIZE_MAX)
            TRY(book_add(s->book, &e, &p->numbers.own[k], NULL, err));
    }
done:
    return status;
}

/* A panel chosen by the search on these items is compared with its members, not tested: its
 * interval knows nothing of the choice (B.6). */
static void only_describe(entry_spec *e, inference *x)
{
    e->descriptive = true;
    e->grid = "";
    x->p = NAN;
}

static tare_status enter_members(panel_study *s, panel_result *p, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *minus;
    bool chosen = source_mark(p)[0] != '\0';
    TRY_NEW(minus = arena_printf(s->a, "%s minus", s->o.agree_name));
    for (size_t k = 0; k < p->count && p->count > 1; k++) {
        panel_member *x = &p->member[k];
        entry_spec e = spec_of(s, "panel against member", p->name, minus);
        e.condition = judge_name(s, x->judge);
        e.descriptive = false;
        e.detail = s->searched && p->source == PANEL_ALL;
        e.grid = "panels against members: agreement";
        e.margin = PANEL_MARGIN_AGREE;
        e.extra = source_mark(p);
        e.plus = "the panel agrees better than this member alone";
        e.minus = "the panel agrees less than this member alone";
        inference agree = x->agree_gap;
        if (chosen) only_describe(&e, &agree);
        TRY(book_add(s->book, &e, &agree, &x->entry_agree, err));
        if (x->author == SIZE_MAX || !p->numbers.phi || p->yardstick) continue;
        e.name = "|D| minus";
        e.grid = "panels against members: |D|";
        e.unit = "score";
        e.margin = PANEL_MARGIN_D * s->within_sd[x->judge];
        e.plus = "the panel treats this member's text more unevenly than the member itself does";
        e.minus = "the panel treats this member's text more evenly than the member itself does";
        inference d = p->numbers.gap[k];
        if (chosen) only_describe(&e, &d);
        TRY(book_add(s->book, &e, &d, &x->entry_d, err));
    }
done:
    return status;
}

static tare_status number(panel_study *s, const panel_result *p, const char *name, double value,
                          tare_error *err)
{
    entry_spec e = spec_of(s, "votes", p->name, name);
    return isnan(value) ? TARE_OK : book_number(s->book, &e, value, err);
}

static tare_status enter_votes(panel_study *s, const panel_result *p, tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_votes *v = &p->votes;
    if (p->count < 2) return TARE_OK;
    entry_spec e = spec_of(s, "votes", p->name, "rho");
    e.extra = s->single_rating ? "single-rating-gold" : "";
    TRY(book_add(s->book, &e, &v->rho, NULL, err));
    e.name = "n_eff";
    if (v->all.rho < 0) e.extra = "rho below 0: cut to the number of judges";
    TRY(book_add(s->book, &e, &v->kish, NULL, err));
    e.name = "n_eff by eigenvalues";
    e.extra = "";
    if (!isnan(v->eigen.estimate)) TRY(book_add(s->book, &e, &v->eigen, NULL, err));
    else TRY(number(s, p, e.name, v->all.eigen, err));
    TRY(number(s, p, "n_eff by eigenvalues, median if independent", v->eigen_null, err));
    TRY(number(s, p, "accuracy of the panel", v->panel, err));
    TRY(number(s, p, "accuracy of the best member", v->best, err));
    TRY(number(s, p, "accuracy if errors were independent", v->independent, err));
done:
    return status;
}

static tare_status enter_lso(panel_study *s, const panel_result *p, tare_error *err)
{
    tare_status status = TARE_OK;
    if (!p->lso_score) return TARE_OK;
    entry_spec e = spec_of(s, "leave self out", p->name, s->o.agree_name);
    TRY(book_add(s->book, &e, &p->lso_agree, NULL, err));
    e.name = "agreement difference";
    TRY(book_add(s->book, &e, &p->lso_gap, NULL, err));
    if (!p->lso.phi) goto done;
    for (size_t k = 0; k < SUMMARIES; k++) {
        e.name = summary_names[k];
        inference summary = without_p(&p->lso.summary[k], k);
        TRY(book_add(s->book, &e, &summary, NULL, err));
    }
    TRY(enter_vector(s, p, &p->lso, "leave self out", err));
done:
    return status;
}

/* Is the panel of the search better than the best single judge, on items it was not chosen on? Two
 * readings: agreement, and |D| in one matrix. */
static tare_status enter_against_single(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    crossfit *f = &s->fit;
    const char *minus;
    TRY_NEW(minus = arena_printf(s->a, "%s minus", s->o.agree_name));
    entry_spec e = spec_of(s, "search", "least bias", minus);
    e.condition = "the best single judge, held out";
    e.descriptive = false;
    e.grid = "search";
    e.margin = PANEL_MARGIN_AGREE;
    e.plus = "on items it was not chosen on, the panel agrees better than the best single judge";
    e.minus = "on items it was not chosen on, the panel agrees less than the best single judge";
    TRY(book_add(s->book, &e, &f->over_single, &f->entry_margin, err));
    if (isnan(f->less_d.estimate)) goto done;
    e.name = "|D| minus";
    e.unit = "score";
    e.margin = f->margin_d;
    e.plus = "on items it was not chosen on, the panel treats its members' text more unevenly than "
             "the best single judge treats its own";
    e.minus = "on items it was not chosen on, the panel treats its members' text more evenly than "
              "the best single judge treats its own";
    inference d = f->less_d;
    if (f->by_construction) {
        only_describe(&e, &d);
        e.margin = NAN;
        e.extra = "0 by construction";
    }
    TRY(book_add(s->book, &e, &d, &f->entry_even, err));
done:
    return status;
}

static tare_status enter_search(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const rules[RULES] = {"best agreement", "least bias", "best single judge"};
    crossfit *f = &s->fit;
    if (!s->searched || f->folds == 0) return TARE_OK;
    for (size_t k = 0; k < RULES; k++) {
        entry_spec e = spec_of(s, "search", rules[k], s->o.agree_name);
        e.condition = "held out";
        TRY(book_add(s->book, &e, &f->held[k], NULL, err));
        e.name = s->o.bias_name;
        inference bias = f->held_bias[k];
        bias.p = NAN; /* cannot be below 0 */
        if (!isnan(bias.estimate)) TRY(book_add(s->book, &e, &bias, NULL, err));
        else if (!isnan(f->bias[k])) TRY(book_number(s->book, &e, f->bias[k], err));
    }
    if (s->search.o.most > 1) TRY(enter_against_single(s, err));
done:
    return status;
}

tare_status panel_enter(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(enter_search(s, err));
    TRY(enter_agreement(s, err));
    for (size_t k = 0; k < s->panels; k++) TRY(enter_members(s, &s->panel[k], err));
    for (size_t k = 0; k < s->panels; k++) TRY(enter_votes(s, &s->panel[k], err));
    for (size_t k = 0; k < s->panels; k++) TRY(enter_bias(s, &s->panel[k], err));
    for (size_t k = 0; k < s->panels; k++) TRY(enter_lso(s, &s->panel[k], err));
done:
    return status;
}

void panel_lift_caps(panel_study *s)
{
    for (size_t k = 0; k < s->panels; k++) {
        const panel_result *p = &s->panel[k];
        bool capped = false;
        for (size_t i = 0; i < p->count; i++)
            capped = capped || s->book->entries[s->judge_entry[p->judge[i]]].capped;
        for (size_t i = 0; i < p->count; i++)
            if (p->member[i].entry_agree != BOOK_NONE)
                s->book->entries[p->member[i].entry_agree].capped = capped;
    }
}
