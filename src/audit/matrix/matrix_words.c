#include "audit/matrix/matrix_words.h"

#include <string.h>

#include "base/error.h"

const entry *matrix_lead_entry(const matrix_study *s, const matrix_view *v, const matrix_self *x)
{
    size_t at = s->o.exclude_family && x->d_kin != BOOK_NONE ? x->d_kin : x->d;
    if (at == BOOK_NONE && v->entry_r) at = v->entry_r[x->author * v->E + x->judge];
    return at == BOOK_NONE ? NULL : &s->book.entries[at];
}

const tare_reading *matrix_lead(const matrix_study *s, const matrix_view *v, const matrix_self *x)
{
    const entry *e = matrix_lead_entry(s, v, x);
    return e ? &s->out->readings[e->reading] : NULL;
}

const tare_reading *matrix_z(const matrix_study *s, const matrix_view *v, const matrix_self *x)
{
    return v->entry_z ? book_reading(&s->book, v->entry_z[x->author * v->E + x->judge]) : NULL;
}

const char *matrix_prefix(matrix_study *s, const matrix_view *v)
{
    return v->label[0] ? arena_printf(&s->out->a, "%s: ", v->label) : "";
}

const char *matrix_estimate(arena *a, const tare_reading *r)
{
    const char *estimate = number_text(a, r->estimate), *lo = number_text(a, r->lo);
    const char *hi = number_text(a, r->hi);
    if (!estimate || !lo || !hi) return NULL;
    return arena_printf(a, "%s [%s, %s]", estimate, lo, hi);
}

const char *matrix_names(arena *a, const char *const *names, size_t count, size_t most)
{
    text t;
    text_init(&t, a->m);
    size_t shown = count > most ? most : count;
    for (size_t k = 0; k < shown; k++) {
        bool last = k + 1 == count && count > 1;
        text_add(&t, k == 0 ? "" : last ? " and " : ", ");
        text_add(&t, names[k]);
    }
    if (count > shown) text_add_format(&t, " and %zu more", count - shown);
    const char *joined = t.failed ? NULL : arena_copy(a, t.data ? t.data : "");
    text_free(&t);
    return joined;
}

static bool has_kin(const matrix_view *v, const matrix_self *x)
{
    const uint8_t *kin = v->grouping[0].kin;
    for (size_t g = 0; g < v->G; g++)
        if (kin[g * v->E + x->judge]) return true;
    for (size_t e = 0; e < v->E; e++)
        if (kin[x->author * v->E + e]) return true;
    return false;
}

/* D is resolved, and without the judge's family among those compared with it is not, or has the
 * other sign (ours). False where the family leads, or nobody of it takes part. */
static bool on_family(const matrix_study *s, const matrix_view *v, const matrix_self *x)
{
    if (s->o.exclude_family || x->d == BOOK_NONE || x->d_kin == BOOK_NONE) return false;
    const entry *e = &s->book.entries[x->d];
    const tare_reading *d = book_reading(&s->book, x->d), *k = book_reading(&s->book, x->d_kin);
    bool scale = d->verdict == TARE_INCONCLUSIVE && e->condition_note &&
                 strstr(d->marks, e->condition_note);
    if (e->capped || k->reason[0] || !has_kin(v, x)) return false;
    if (d->verdict != TARE_FOUND && d->verdict != TARE_SMALL && !scale) return false;
    return d->estimate > 0 ? !(k->lo > 0) : !(k->hi < 0);
}

tare_status matrix_family_run(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < s->views; i++) {
        const matrix_view *v = &s->view[i];
        for (size_t k = 0; k < v->K; k++)
            if (on_family(s, v, &v->self[k]))
                TRY(book_mark(&s->book, v->self[k].d, "depends on family", err));
    }
done:
    return status;
}

matrix_group matrix_group_of(const matrix_study *s, const matrix_view *v, const matrix_self *x)
{
    const entry *e = matrix_lead_entry(s, v, x);
    const tare_reading *r = matrix_lead(s, v, x);
    if (!r) return GROUP_NONE;
    if (on_family(s, v, x)) return GROUP_FAMILY;
    switch (r->verdict) {
    case TARE_FOUND: return r->estimate > 0 ? GROUP_FAVOUR : GROUP_DISFAVOUR;
    case TARE_SMALL: return GROUP_SMALL;
    case TARE_NEGLIGIBLE: return GROUP_NEGLIGIBLE;
    case TARE_INCONCLUSIVE:
        if (e->capped) return GROUP_MISSING;
        return e->condition_note && strstr(r->marks, e->condition_note) ? GROUP_SCALE : GROUP_OPEN;
    default: return GROUP_NONE;
    }
}
