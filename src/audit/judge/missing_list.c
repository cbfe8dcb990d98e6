/* missing_list.c - what is missing, counted by setting, judge and reason. */
#include "audit/judge/missing_study.h"
#include "base/error.h"

enum { PLACES_MAX = 1 << 20 }; /* beyond: settings are counted together */

typedef struct place {
    uint64_t all, by_reason[TARE_REASON_COUNT];
    size_t first[TARE_REASON_COUNT]; /* row */
} place;

static const char *example_of(missing_study *s, size_t row)
{
    const score_table *t = s->t;
    size_t unit = t->row_unit[row];
    const char *item = t->item.name[t->unit_item[unit]];
    if (t->author.count < 2) return arena_copy(&s->b->out->a, item);
    return arena_printf(&s->b->out->a, "%s, %s", item, t->author.name[t->unit_author[unit]]);
}

static tare_status list_place(missing_study *s, const place *p, const char *setting,
                              const char *judge, tare_error *err)
{
    tare_status status = TARE_OK;
    for (int r = TARE_R_NONE + 1; r < TARE_REASON_COUNT; r++) {
        result_missing *x;
        const char *example;
        if (!p->by_reason[r]) continue;
        TRY_NEW(example = example_of(s, p->first[r]));
        TRY_NEW(x = result_add_missing(s->b->out));
        *x = (result_missing){"score", setting, judge, "", (tare_reason)r, (size_t)p->by_reason[r],
                              (size_t)p->all, example};
    }
done:
    return status;
}

tare_status missing_list_rows(missing_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = s->t;
    size_t judges = t->judge.count, settings = t->setting.count;
    place *places;
    if (settings > PLACES_MAX / judges) settings = 1;
    bool apart = settings == t->setting.count;
    TRY_NEW(places = arena_new(s->a, settings * judges, sizeof *places));
    for (size_t i = 0; i < t->rows; i++) {
        size_t setting = apart ? t->layer[t->row_layer[i]].setting : 0;
        place *p = &places[setting * judges + t->row_judge[i]];
        uint8_t reason = t->row_status[i];
        if (!p->by_reason[reason]++) p->first[reason] = i;
        p->all++;
    }
    for (size_t k = 0; k < settings * judges; k++)
        TRY(list_place(s, &places[k], apart ? t->setting.name[k / judges] : "",
                       t->judge.name[k % judges], err));
done:
    return status;
}
