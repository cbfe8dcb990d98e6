/* The missingness audit of pairs: a pair is a unit, its category a dim, so that the audit of judge
 * tables can look at it. */
#include <string.h>

#include "audit/agree/pair_accuracy.h"
#include "audit/judge/missing_rows.h"
#include "base/error.h"

static tare_status set_rows(score_table *t, const pair_rows *p, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t judges = p->judge.count;
    t->rows = p->pairs * judges;
    TRY_NEW(t->row_unit = arena_new(a, t->rows + 1, sizeof *t->row_unit));
    TRY_NEW(t->row_judge = arena_new(a, t->rows + 1, sizeof *t->row_judge));
    TRY_NEW(t->row_layer = arena_new(a, t->rows + 1, sizeof *t->row_layer));
    TRY_NEW(t->row_rep = arena_new(a, t->rows + 1, sizeof *t->row_rep));
    t->row_status = p->status;
    for (size_t i = 0; i < t->rows; i++) {
        t->row_unit[i] = (uint32_t)(i / judges);
        t->row_judge[i] = (uint32_t)(i % judges);
        t->row_layer[i] = p->pair_category[i / judges];
    }
done:
    return status;
}

tare_status pair_missing_run(book *b, const pair_rows *p, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *no_name[1] = {""};
    arena *a = &b->scratch;
    score_table t;
    memset(&t, 0, sizeof t);
    t.item = t.cluster = p->cluster;
    t.judge = p->judge;
    t.dim = p->category;
    t.author = t.setting = (name_axis){no_name, 1};
    t.units = p->pairs;
    t.unit_item = p->pair_cluster;
    t.reps = 1;
    t.layers = p->category.count;
    TRY_NEW(t.unit_author = arena_new(a, t.units + 1, sizeof *t.unit_author));
    TRY_NEW(t.item_cluster = arena_new(a, t.item.count + 1, sizeof *t.item_cluster));
    TRY_NEW(t.layer = arena_new(a, t.layers + 1, sizeof *t.layer));
    for (size_t k = 0; k < t.item.count; k++) t.item_cluster[k] = (uint32_t)k;
    for (size_t k = 0; k < t.layers; k++) t.layer[k].dim = (uint32_t)k;
    TRY(set_rows(&t, p, a, err));
    TRY(missing_rows_audit(b, &t, err));
done:
    return status;
}
