#include "audit/matrix/matrix_words.h"

#include <string.h>

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

matrix_group matrix_group_of(const matrix_study *s, const matrix_view *v, const matrix_self *x)
{
    const entry *e = matrix_lead_entry(s, v, x);
    const tare_reading *r = matrix_lead(s, v, x);
    if (!r) return GROUP_NONE;
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
