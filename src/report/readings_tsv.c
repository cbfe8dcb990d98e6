#include "report/files.h"
#include "report/tsv_cells.h"

static const char columns_before_missing[] =
    "family\tarm\tinstrument\tname\tcondition\tdim\tunit\testimate\tse\tdf\tlo\thi\tp\t"
    "q\tq_by\tq_maxt\t"
    "mde\tmargin\tfloor\tp_floor\tinterval_method\tp_method\tgrid\tn_base\tn_cluster\tn_expected";
static const char columns_after_missing[] =
    "\treplicates\treplicates_undefined\tseed\tverdict\treason\tmarks\twords\n";

static void put_count(text *out, uint64_t value)
{
    text_add_format(out, "\t%llu", (unsigned long long)value);
}

static void put_row(text *out, const tare_reading *r)
{
    const char *key[] = {r->family, r->arm, r->instrument, r->name, r->condition,
                         r->dim, r->unit};
    const double numbers[] = {r->estimate, r->se, r->df, r->lo, r->hi, r->p,
                              r->q, r->q_by, r->q_maxt, r->mde, r->margin, r->floor, r->p_floor};
    const char *method[] = {r->interval_method, r->p_method, r->grid};
    const char *verdict[] = {tare_verdict_name(r->verdict), r->reason, r->marks, r->words};
    for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
        if (k > 0) text_add_char(out, '\t');
        tsv_field(out, key[k]);
    }
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        text_add_char(out, '\t');
        tsv_value(out, numbers[k]);
    }
    for (size_t k = 0; k < sizeof method / sizeof *method; k++) {
        text_add_char(out, '\t');
        tsv_field(out, method[k]);
    }
    put_count(out, r->n_base);
    put_count(out, r->n_cluster);
    put_count(out, r->n_expected);
    for (int k = 1; k < TARE_REASON_COUNT; k++) put_count(out, r->n_missing[k]);
    put_count(out, r->replicates);
    put_count(out, r->replicates_undefined);
    put_count(out, r->seed);
    for (size_t k = 0; k < sizeof verdict / sizeof *verdict; k++) {
        text_add_char(out, '\t');
        tsv_field(out, verdict[k]);
    }
    text_add_char(out, '\n');
}

void readings_tsv(text *out, const audit_result *r)
{
    text_add(out, columns_before_missing);
    for (int k = 1; k < TARE_REASON_COUNT; k++) {
        text_add_format(out, "\tmissing_%s", tare_reason_name((tare_reason)k));
    }
    text_add(out, columns_after_missing);
    for (size_t i = 0; i < r->reading_count; i++) put_row(out, &r->readings[i]);
}
