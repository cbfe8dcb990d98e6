/* One statement on models in general: who is who exchanged, the mean preference over items, over
 * models and over both, and what all of them together allow to be said (ours). */
#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_words.h"
#include "audit/matrix/model_level.h"
#include "base/error.h"
#include "stats/identity.h"

#define IDENTITY_LEAST 5 /* judge audits A.5 */

static size_t find(const matrix_study *s, const matrix_view *v, const char *name,
                   const char *condition)
{
    for (size_t k = 0; k < s->book.count; k++) {
        const tare_reading *r = book_reading(&s->book, k);
        if (strcmp(r->family, "identity") || strcmp(r->name, name)) continue;
        if (strcmp(r->condition, condition) || strcmp(r->arm, v->setting)) continue;
        if (!strcmp(r->dim, v->dim)) return k;
    }
    return BOOK_NONE;
}

/* "exchanging who is who gives p = .0014 in score units, p = .0028 with every judge on its own
 * scale (6 models, p is at least .0014); 6 of 6 self cells of Phi~ are positive (sign test ...)" */
static tare_status identity_words(const char **out, matrix_study *s, const matrix_view *v,
                                  const tare_reading *r, const tare_reading *z, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &s->out->a;
    const char *pr, *pz, *ps, *least;
    size_t models = (size_t)r->n_base;
    const char *left = models < v->K ? " without the judges that do not vary" : "";
    const tare_reading *sign = book_reading(&s->book, find(s, v, "positive_self_cells", "Phi~"));
    TRY_NEW(pr = p_text(a, "p", r->p, models > IDENTITY_EXACT ? r->p_floor : 0));
    TRY_NEW(pz = p_text(a, "p", z->p, models > IDENTITY_EXACT ? z->p_floor : 0));
    TRY_NEW(ps = p_text(a, "p", sign->p, 0));
    TRY_NEW(least = number_text(a, r->p_floor));
    TRY_NEW(*out = arena_printf(a, "exchanging who is who gives %s in score units, %s with every "
                                   "judge on its own scale (%zu models%s, p is at least %s); %.0f "
                                   "of %zu self cells of Phi~ are positive (sign test %s)",
                                pr, pz, models, left, least, sign->estimate, models, ps));
done:
    return status;
}

/* " The mean preference of the 6 judges is ... for more items of these models, ..." */
static tare_status mean_words(const char **out, matrix_study *s, const matrix_view *v,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &s->out->a;
    const struct matrix_level *l = v->level;
    const char *items, *models = "", *both = "", *p = "", *x;
    *out = "";
    if (!l) goto done;
    const tare_reading *r = book_reading(&s->book, l->d[OVER_ITEMS]);
    if (r->reason[0]) goto done;
    TRY_NEW(items = matrix_estimate(a, r));
    r = book_reading(&s->book, l->d[OVER_MODELS]);
    if (!r->reason[0]) {
        TRY_NEW(x = matrix_estimate(a, r));
        TRY_NEW(models = number_text(a, l->wider_d));
        TRY_NEW(models = arena_printf(a, ", %s for more models like them (standard error %s times "
                                         "as large)", x, models));
    }
    if (l->d[OVER_BOTH] != BOOK_NONE) {
        r = book_reading(&s->book, l->d[OVER_BOTH]);
        TRY_NEW(x = matrix_estimate(a, r));
        if (strstr(r->marks, "p and interval disagree")) {
            TRY_NEW(p = p_text(a, "p", r->p, r->p_floor));
            TRY_NEW(p = arena_printf(a, " (but %s)", p));
        }
        TRY_NEW(both = r->reason[0]
                           ? arena_printf(a, ", no answer for more items and more judges (%s)",
                                          reason_words(r->reason))
                           : arena_printf(a, ", %s for more items and more judges%s", x, p));
    }
    TRY_NEW(*out = arena_printf(a, ". The mean preference of the %zu judges for their own model is "
                                   "%s for more items of these models%s%s", l->judges, items,
                                models, both));
done:
    return status;
}

/* Of the intervals that speak of other models the widest; NULL: none. */
static const tare_reading *widest(const matrix_study *s, const struct matrix_level *l)
{
    const tare_reading *best = NULL;
    for (int k = OVER_MODELS; l && k < OVER_KINDS; k++) {
        if (l->d[k] == BOOK_NONE) continue;
        const tare_reading *r = book_reading(&s->book, l->d[k]);
        if (isnan(r->lo)) continue;
        if (!best || r->hi - r->lo > best->hi - best->lo) best = r;
    }
    return best;
}

#define NOTHING "nothing is shown about models other than these"
#define TOO_FEW "these are too few models to say anything about others"
#define NOT_ARBITRARY "self cells are not an arbitrary choice of cells among these models"

static const char *conclusion(const matrix_study *s, const matrix_view *v, size_t r, size_t z)
{
    const struct matrix_level *l = v->level;
    const tare_reading *wide = widest(s, l);
    bool in_r = book_reading(&s->book, r)->verdict == TARE_FOUND;
    bool in_z = book_reading(&s->book, z)->verdict == TARE_FOUND;
    bool general = wide && wide->verdict == TARE_FOUND && wide->estimate > 0;
    if (v->cells_only) return "this is described only, since these are cell means";
    if (s->book.entries[r].capped || s->book.entries[z].capped)
        return "no verdict, because which scores are missing depends on the judge or author";
    if (in_r && in_z && general)
        return "models like these can be expected to favour their own texts";
    if (!l || l->judges < LEVELS_LEAST)
        return in_r && in_z ? NOT_ARBITRARY "; " TOO_FEW : TOO_FEW;
    if (in_r && in_z) return NOT_ARBITRARY ", but " NOTHING;
    if (in_r)
        return "this is resolved in score units only, which may be a matter of scale, and " NOTHING;
    return NOTHING;
}

/* Below five models the floor of p is too high for any test. */
static tare_status too_few(matrix_study *s, const matrix_view *v, const tare_reading *r,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    const char *prefix, *p, *mean;
    TRY_NEW(prefix = matrix_prefix(s, v));
    TRY_NEW(p = p_text(&s->out->a, "p", r->p, 0));
    TRY(mean_words(&mean, s, v, err));
    TRY(result_answer(s->out, err,
                      "%sWhether models in general favour themselves cannot be known from %zu "
                      "models: exchanging who is who cannot give a p below %.2g (here %s)%s.",
                      prefix, (size_t)r->n_base, r->p_floor, p, mean));
done:
    return status;
}

tare_status matrix_model_level_answer(matrix_study *s, const matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *prefix, *who, *mean;
    size_t r = find(s, v, "identity_R", "one-sided"), z = find(s, v, "identity_Z", "one-sided");
    if (r == BOOK_NONE || z == BOOK_NONE) goto done;
    const tare_reading *raw = book_reading(&s->book, r);
    TRY_NEW(prefix = matrix_prefix(s, v));
    if (raw->reason[0]) {
        TRY(result_answer(s->out, err, "%sModels in general: no answer, %s.", prefix,
                          reason_words(raw->reason)));
        goto done;
    }
    if (raw->n_base < IDENTITY_LEAST) return too_few(s, v, raw, err);
    TRY(identity_words(&who, s, v, raw, book_reading(&s->book, z), err));
    TRY(mean_words(&mean, s, v, err));
    bool narrow = v->level && v->level->narrow[OVER_MODELS];
    TRY(result_answer(s->out, err, "%sModels in general: %s%s%s: %s.", prefix, who, mean,
                      narrow ? "; judges vary less than items alone would make them, so that the "
                               "interval over items is the one to use" : "",
                      conclusion(s, v, r, z)));
done:
    return status;
}
