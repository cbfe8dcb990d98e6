/* missing_caps.c - which verdicts what is missing may have made: these are at best inconclusive. */
#include <math.h>
#include <string.h>

#include "audit/judge/missing_study.h"
#include "audit/words.h"
#include "base/error.h"
#include "stats/proportion.h"

#define FAMILY "missing"
#define TWO_POINTS (0.02 - 1e-12)
#define BETWEEN " minus " /* of the arm of a reading that compares two settings */

/* ---- Judges and authors ---------------------------------------------------------------------- */

typedef struct affected {
    bool *judge;  /* [judges] its readings rest on rows that are missing for a reason */
    bool *author; /* [authors] so do those of this author                             */
} affected;

/* Do the factor's rates differ among the rows of this judge? */
static bool differs_inside(const double *table, size_t levels, double alpha)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t g = 0; g < levels; g++) {
        double n = table[2 * g] + table[2 * g + 1];
        if (!(n > 0)) continue;
        low = fmin(low, table[2 * g + 1] / n);
        high = fmax(high, table[2 * g + 1] / n);
    }
    chi_square x = chi_square_table(table, levels, 2);
    return missing_informative(x.p, alpha, high > low ? high - low : 0);
}

/* Authors of the levels that miss more, and the judges that are these authors: what other judges
 * say of a model enters the reading of this model as a judge. */
static void mark_authors(affected *x, const missing_study *s, const missing_factor *f)
{
    const missing_view *v = &s->view;
    const score_table *t = s->t;
    double least = missing_level_rate(f, f->low);
    if (f->kind != FACTOR_AUTHOR && f->kind != FACTOR_GROUPING) return;
    for (size_t i = 0; i < v->rows; i++)
        if (missing_level_rate(f, f->label[i]) - least >= TWO_POINTS)
            x->author[t->unit_author[t->row_unit[v->row[i]]]] = true;
    for (size_t j = 0; t->author_of_judge && j < t->judge.count; j++) {
        size_t author = t->author_of_judge[j];
        if (author != SIZE_MAX && x->author[author]) x->judge[j] = true;
    }
}

static tare_status find_affected(affected *x, missing_study *s, const missing_factor *f,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    const missing_view *v = &s->view;
    size_t judges = s->t->judge.count, found = 0;
    double *table;
    TRY_NEW(x->judge = arena_new(s->a, judges, sizeof *x->judge));
    TRY_NEW(x->author = arena_new(s->a, s->t->author.count, sizeof *x->author));
    if (f->kind == FACTOR_JUDGE) {
        double least = missing_level_rate(f, f->low);
        for (size_t j = 0; j < judges; j++)
            x->judge[j] = missing_level_rate(f, j) - least >= TWO_POINTS;
        goto done;
    }
    TRY_NEW(table = arena_new(s->a, judges * f->levels, 2 * sizeof *table));
    for (size_t i = 0; i < v->rows; i++) {
        if (f->label[i] == MISSING_NO_LEVEL) continue;
        size_t at = s->t->row_judge[v->row[i]] * f->levels + f->label[i];
        table[2 * at + v->flag[i]] += 1;
    }
    for (size_t j = 0; j < judges; j++) {
        x->judge[j] = differs_inside(table + 2 * j * f->levels, f->levels, s->b->o.alpha);
        found += x->judge[j];
    }
    mark_authors(x, s, f);
    if (found != 1) /* it is not one judge's matter: all are compared with each other */
        for (size_t j = 0; j < judges; j++) x->judge[j] = true;
done:
    return status;
}

/* ---- Readings -------------------------------------------------------------------------------- */

/* The place of a name; SIZE_MAX: there is none. */
static size_t place_of(const name_axis *axis, const char *name)
{
    for (size_t k = 0; k < axis->count; k++)
        if (!strcmp(axis->name[k], name)) return k;
    return SIZE_MAX;
}

/* "a minus b": is the setting one of the two? */
static bool compares(const char *arm, const char *setting)
{
    size_t n = strlen(setting), whole = strlen(arm), gap = strlen(BETWEEN);
    if (whole < n + gap) return false;
    return (!strncmp(arm, setting, n) && !strncmp(arm + n, BETWEEN, gap)) ||
           (!strcmp(arm + whole - n, setting) &&
            !strncmp(arm + whole - n - gap, BETWEEN, gap));
}

/* A reading that names no setting, or no dim, of the table pools or compares them. */
static bool over_settings(const missing_study *s, const tare_reading *r)
{
    return s->t->setting.count > 1 && place_of(&s->t->setting, r->arm) == SIZE_MAX;
}

static bool over_dims(const missing_study *s, const tare_reading *r)
{
    return s->t->dim.count > 1 && place_of(&s->t->dim, r->dim) == SIZE_MAX;
}

bool missing_pools(const missing_study *s, const tare_reading *r)
{
    if (!strcmp(r->family, FAMILY)) return false;
    return over_dims(s, r) || (over_settings(s, r) && !strstr(r->arm, BETWEEN));
}

/* Does the reading rest on what the study looked at? */
static bool rests_on(const missing_study *s, const tare_reading *r, const missing_factor *f)
{
    bool settings = over_settings(s, r), dims = over_dims(s, r);
    if (s->t->layers == 1) return true;
    if (s->layer == MISSING_ALL_LAYERS)
        return f->kind == FACTOR_SETTING ? settings
               : f->kind == FACTOR_DIM   ? dims
                                         : missing_pools(s, r);
    if (s->t->dim.count > 1 && !dims && strcmp(r->dim, s->dim) != 0) return false;
    if (s->t->setting.count < 2) return true;
    if (!settings) return !strcmp(r->arm, s->setting);
    return !strstr(r->arm, BETWEEN) || compares(r->arm, s->setting);
}

/* How many entries with a verdict are capped; `first`: how many were not so before. */
static size_t cap_entries(size_t *first, missing_study *s, const missing_factor *f,
                          const affected *x)
{
    size_t n = 0;
    *first = 0;
    for (size_t k = 0; k < s->b->count; k++) {
        const tare_reading *r = book_reading(s->b, k);
        if (!strcmp(r->family, FAMILY) || !rests_on(s, r, f)) continue;
        size_t judge = place_of(&s->t->judge, r->instrument);
        size_t author = place_of(&s->t->author, r->condition);
        bool named = author != SIZE_MAX && x->author[author];
        if (judge != SIZE_MAX && !x->judge[judge] && !named) continue;
        n += !s->b->entries[k].descriptive;
        *first += !s->b->entries[k].descriptive && !s->b->entries[k].capped;
        s->b->entries[k].capped = true;
    }
    return n;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* "Verdicts", or those that are capped by name. */
static const char *affected_words(missing_study *s, const affected *x)
{
    size_t n = 0, first = 0, judges = s->t->judge.count;
    for (size_t j = judges; j > 0; j--)
        if (x->judge[j - 1]) {
            n++;
            first = j - 1;
        }
    if (n == judges) return "Verdicts";
    if (n == 1)
        return arena_printf(s->a, "Verdicts on judge %s and those over all judges",
                            s->t->judge.name[first]);
    return arena_printf(s->a, "Verdicts on %zu of %zu judges and those over all judges", n, judges);
}

/* "", "ref, fluency: " */
static const char *prefix_of(missing_study *s)
{
    bool settings = s->t->setting.count > 1, dims = s->t->dim.count > 1;
    if (s->layer == MISSING_ALL_LAYERS || s->t->layers == 1) return "";
    return arena_printf(s->a, "%s%s%s: ", settings ? s->setting : "", settings && dims ? ", " : "",
                        dims ? s->dim : "");
}

static const char *effect_words(missing_study *s, const missing_factor *f, const affected *x,
                                size_t capped)
{
    if (capped == 0) return "No verdict rests on them.";
    const char *who = affected_words(s, x);
    if (!who) return NULL;
    bool all = s->layer == MISSING_ALL_LAYERS && s->t->layers > 1;
    return arena_printf(s->a, "%s%s are at best inconclusive: what is missing may have made them.",
                        who, !all                        ? ""
                             : f->kind == FACTOR_SETTING ? " that pool or compare settings"
                             : f->kind == FACTOR_DIM     ? " that pool dims"
                                                         : " that pool settings or dims");
}

tare_status missing_cap(missing_study *s, const missing_factor *f, tare_error *err)
{
    tare_status status = TARE_OK;
    affected x = {NULL, NULL};
    const char *words, *q, *high, *low, *prefix;
    TRY(find_affected(&x, s, f, err));
    size_t first, capped = cap_entries(&first, s, f, &x);
    /* what the caution of a layer has said already */
    if (s->layer == MISSING_ALL_LAYERS && first == 0) goto done;
    TRY_NEW(words = effect_words(s, f, &x, capped));
    TRY_NEW(q = p_text(s->a, "q", f->q, f->test.p_floor));
    TRY_NEW(high = number_text(s->a, 100 * missing_level_rate(f, f->high)));
    TRY_NEW(low = number_text(s->a, 100 * missing_level_rate(f, f->low)));
    TRY_NEW(prefix = prefix_of(s));
    TRY(result_caution(s->b->out, err,
                       "%s%s scores are missing depends on %s (%s): %s %% of the rows of \"%s\" "
                       "have none, %s %% of those of \"%s\". %s", prefix,
                       prefix[0] ? "which" : "Which", f->name, q, high, f->level[f->high], low,
                       f->level[f->low], words));
done:
    return status;
}
