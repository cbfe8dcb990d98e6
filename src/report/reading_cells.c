#include "report/reading_cells.h"

#include <math.h>

shown_columns reading_columns(const audit_result *r)
{
    shown_columns c = {false, false, false};
    for (size_t i = 0; i < r->reading_count; i++) {
        c.dim = c.dim || r->readings[i].dim[0];
        c.by = c.by || !isnan(r->readings[i].q_by);
        c.maxt = c.maxt || !isnan(r->readings[i].q_maxt);
    }
    return c;
}

static const tare_reading nothing = {.arm = "", .instrument = "", .name = "", .condition = "",
                                     .dim = "", .unit = "", .grid = "", .marks = "", .words = ""};

size_t reading_cells(reading_cell out[READING_CELLS_MOST], const audit_result *r,
                     const tare_reading *x, shown_columns shown)
{
    if (!x) x = &nothing;
    const reading_cell all[READING_CELLS_MOST] = {
        {LOOK_NAME, r->arm_word, .text = x->arm},
        {LOOK_NAME, r->instrument_word, .text = x->instrument},
        {LOOK_HEAD, "Reading", .text = x->name},
        {LOOK_NAME, "Condition", .text = x->condition},
        {LOOK_NAME, shown.dim ? "Dimension" : NULL, .text = x->dim},
        {LOOK_NUMBER, "Estimate", .value = x->estimate},
        {LOOK_NUMBER, "From", .value = x->lo},
        {LOOK_NUMBER, "To", .value = x->hi},
        {LOOK_NAME, "Unit", .text = x->unit},
        {LOOK_P, "p", .value = x->p, .floor = x->p_floor},
        {LOOK_P, "q", .value = x->q, .floor = NAN},
        {LOOK_P, shown.by ? "q BY" : NULL, .value = x->q_by, .floor = NAN},
        {LOOK_P, shown.maxt ? "q max-T" : NULL, .value = x->q_maxt, .floor = NAN},
        {LOOK_NAME, "Grid", .text = x->grid},
        {LOOK_VERDICT, "Verdict", .verdict = x->verdict, .text = x->marks},
        {LOOK_COUNT, r->unit_word, .count = x->n_base},
        {LOOK_COUNT, "Clusters", .count = x->n_cluster},
        {LOOK_NUMBER, "MDE", "smallest effect found in 80 % of such studies", .value = x->mde},
        {LOOK_WORDS, "In words", .text = x->words},
    };
    size_t n = 0;
    for (size_t k = 0; k < READING_CELLS_MOST; k++)
        if (all[k].title) out[n++] = all[k];
    return n;
}
