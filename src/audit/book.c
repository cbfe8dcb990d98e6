#include "audit/book.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

tare_status book_open(book *b, audit_result *out, tare_context *context,
                      const book_options *options, tare_error *err)
{
    (void)err;
    memset(b, 0, sizeof *b);
    b->out = out;
    b->context = context;
    b->m = &context->mem;
    b->o = *options;
    arena_init(&b->scratch, b->m);
    return TARE_OK;
}

void book_close(book *b)
{
    if (!b || !b->m) return;
    mem_free(b->m, b->entries);
    mem_free(b->m, b->grids);
    arena_free(&b->scratch);
    memset(b, 0, sizeof *b);
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static void fill_names(tare_reading *r, const entry_spec *spec)
{
    r->family = or_empty(spec->family);
    r->arm = or_empty(spec->arm);
    r->instrument = or_empty(spec->instrument);
    r->name = or_empty(spec->name);
    r->condition = or_empty(spec->condition);
    r->dim = or_empty(spec->dim);
    r->unit = or_empty(spec->unit);
    r->detail = spec->detail;
    r->grid = spec->descriptive || spec->one_of_several ? "" : or_empty(spec->grid);
}

tare_status book_add(book *b, const entry_spec *spec, const inference *inf, size_t *index,
                     tare_error *err)
{
    tare_status status = TARE_OK;
    tare_reading *r;
    if (!mem_reserve(b->m, &b->entries, &b->capacity, b->count + 1, sizeof *b->entries))
        FAIL_MEMORY(err);
    TRY_NEW(r = result_add_reading(b->out));
    fill_names(r, spec);
    estimate_fill(r, inf, b->o.alpha);
    r->seed = b->o.seed;
    r->replicates = isnan(inf->p) ? 0 : b->o.boot_b;
    r->margin = isnan(spec->margin) || isnan(b->o.margin) ? spec->margin : b->o.margin;
    r->reason = spec->reason && spec->reason[0] ? spec->reason : or_empty(inf->reason);
    r->n_expected = inf->n;
    if (spec->missing) {
        r->n_expected = spec->missing->expected;
        memcpy(r->n_missing, spec->missing->by_reason, sizeof r->n_missing);
    }
    entry *e = &b->entries[b->count];
    *e = (entry){.reading = b->out->reading_count - 1, .inf = *inf, .extra = estimate_marks(inf),
                 .plus = spec->plus, .minus = spec->minus, .descriptive = spec->descriptive};
    if (index) *index = b->count;
    b->count++;
    if (spec->extra && spec->extra[0]) TRY(book_mark(b, b->count - 1, spec->extra, err));
done:
    return status;
}

tare_status book_number(book *b, const entry_spec *spec, double value, tare_error *err)
{
    inference inf = inference_none("");
    inf.estimate = value;
    entry_spec s = *spec;
    s.descriptive = true;
    s.margin = NAN;
    return book_add(b, &s, &inf, NULL, err);
}

tare_reading *book_reading(const book *b, size_t index)
{
    return &b->out->readings[b->entries[index].reading];
}

tare_status book_mark(book *b, size_t index, const char *mark, tare_error *err)
{
    entry *e = &b->entries[index];
    const char *joined = mark;
    if (e->extra && e->extra[0]) joined = arena_printf(&b->out->a, "%s, %s", e->extra, mark);
    if (!joined) return error_memory(err);
    e->extra = joined;
    book_reading(b, index)->marks = joined;
    return TARE_OK;
}

const book_grid *book_grid_of(const book *b, const char *name)
{
    for (size_t k = 0; k < b->grid_count; k++)
        if (strcmp(b->grids[k].name, name) == 0) return &b->grids[k];
    return NULL;
}

infer_plan book_plan(const book *b, const char *analysis, const char *const *ids, size_t clusters)
{
    infer_plan p;
    memset(&p, 0, sizeof p);
    p.m = b->m;
    p.pool = b->context->pool;
    p.seed = b->o.seed;
    p.analysis = analysis;
    p.clusters = clusters;
    p.ids = ids;
    p.boot_b = b->o.boot_b;
    p.perm_p = b->o.perm_p;
    p.alpha = b->o.alpha;
    p.power = 0.80;
    p.interval = strcmp(b->o.ci, "percentile") == 0 ? CI_PERCENTILE
                 : strcmp(b->o.ci, "bca") == 0      ? CI_BCA
                 : strcmp(b->o.ci, "t") == 0        ? CI_T
                                                    : CI_AUTO;
    p.boot_p = strcmp(b->o.boot_p, "inversion") == 0 ? P_INVERSION : P_CENTRED;
    return p;
}
