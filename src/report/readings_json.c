#include <math.h>
#include <string.h>

#include "base/json.h"
#include "report/files.h"

static void put_text(json_writer *w, const char *key, const char *value)
{
    json_key(w, key);
    json_string_bytes(w, value, strlen(value));
}

static void put_number(json_writer *w, const char *key, double value)
{
    json_key(w, key);
    json_number(w, value);
}

static void put_count(json_writer *w, const char *key, uint64_t value)
{
    json_key(w, key);
    json_integer(w, value > INT64_MAX ? INT64_MAX : (int64_t)value);
}

static void put_missing_by_reason(json_writer *w, const tare_reading *r)
{
    json_key(w, "n_missing");
    json_object(w);
    for (int k = 1; k < TARE_REASON_COUNT; k++) {
        if (r->n_missing[k] > 0) put_count(w, tare_reason_name((tare_reason)k), r->n_missing[k]);
    }
    json_object_end(w);
}

static void put_marks(json_writer *w, const char *marks)
{
    json_key(w, "marks");
    json_array(w);
    while (*marks) {
        while (*marks == ' ' || *marks == ',') marks++;
        size_t length = strcspn(marks, ",");
        if (length > 0) json_string_bytes(w, marks, length);
        marks += length;
    }
    json_array_end(w);
}

static void put_reading(json_writer *w, const tare_reading *r)
{
    json_object(w);
    put_text(w, "family", r->family);
    put_text(w, "arm", r->arm);
    put_text(w, "instrument", r->instrument);
    put_text(w, "name", r->name);
    put_text(w, "condition", r->condition);
    put_text(w, "dim", r->dim);
    put_text(w, "unit", r->unit);
    put_number(w, "estimate", r->estimate);
    put_number(w, "se", r->se);
    put_number(w, "df", r->df);
    put_number(w, "lo", r->lo);
    put_number(w, "hi", r->hi);
    put_number(w, "p", r->p);
    put_number(w, "q", r->q);
    put_number(w, "q_by", r->q_by);
    put_number(w, "q_maxt", r->q_maxt);
    put_number(w, "mde", r->mde);
    put_number(w, "margin", r->margin);
    put_number(w, "floor", r->floor);
    put_number(w, "p_floor", r->p_floor);
    put_text(w, "interval_method", r->interval_method);
    put_text(w, "p_method", r->p_method);
    put_text(w, "grid", r->grid);
    put_count(w, "n_base", r->n_base);
    put_count(w, "n_cluster", r->n_cluster);
    put_count(w, "n_expected", r->n_expected);
    put_missing_by_reason(w, r);
    put_count(w, "replicates", r->replicates);
    put_count(w, "replicates_undefined", r->replicates_undefined);
    put_count(w, "seed", r->seed);
    put_text(w, "verdict", tare_verdict_name(r->verdict));
    put_text(w, "reason", r->reason);
    put_marks(w, r->marks);
    json_key(w, "detail");
    json_bool(w, r->detail != 0);
    put_text(w, "words", r->words);
    json_object_end(w);
}

static void put_sentences(json_writer *w, const char *key, const char **list, size_t count)
{
    json_key(w, key);
    json_array(w);
    for (size_t i = 0; i < count; i++) json_string_bytes(w, list[i], strlen(list[i]));
    json_array_end(w);
}

static void put_missing(json_writer *w, const audit_result *r)
{
    json_key(w, "missing");
    json_array(w);
    for (size_t i = 0; i < r->missing_count; i++) {
        const result_missing *m = &r->missing[i];
        json_object(w);
        put_text(w, "what", m->what);
        put_text(w, "arm", m->arm);
        put_text(w, "instrument", m->instrument);
        put_text(w, "group", m->group);
        put_text(w, "reason", tare_reason_name(m->reason));
        put_count(w, "count", m->count);
        put_count(w, "of", m->of);
        put_text(w, "example", m->example);
        json_object_end(w);
    }
    json_array_end(w);
}

static void put_facts(json_writer *w, const audit_result *r)
{
    json_key(w, "facts");
    json_array(w);
    for (size_t i = 0; i < r->fact_count; i++) {
        json_object(w);
        put_text(w, "section", r->facts[i].section);
        put_text(w, "key", r->facts[i].key);
        put_text(w, "value", r->facts[i].value);
        json_object_end(w);
    }
    json_array_end(w);
}

static const char *kind_name(figure_kind kind)
{
    static const char *const names[] = {"curve", "forest", "heat", "scatter", "bars", "strip"};
    return names[kind];
}

static void put_tables_and_figures(json_writer *w, const audit_result *r, const file_names *names)
{
    json_key(w, "tables");
    json_array(w);
    for (size_t i = 0; i < r->table_count; i++) {
        json_object(w);
        put_text(w, "name", r->tables[i]->name);
        put_text(w, "title", r->tables[i]->title);
        put_text(w, "file", names->table[i]);
        put_count(w, "rows", r->tables[i]->row_count);
        json_object_end(w);
    }
    json_array_end(w);
    json_key(w, "figures");
    json_array(w);
    for (size_t i = 0; i < r->figure_count; i++) {
        json_object(w);
        put_text(w, "id", r->figures[i]->id);
        put_text(w, "kind", kind_name(r->figures[i]->kind));
        put_text(w, "title", r->figures[i]->title);
        put_text(w, "caption", r->figures[i]->caption);
        json_key(w, "file");
        if (names->figure[i][0]) json_string(w, names->figure[i]);
        else json_null(w);
        json_object_end(w);
    }
    json_array_end(w);
}

void readings_json(text *out, const audit_result *r, const file_names *names)
{
    json_writer w;
    json_begin(&w, out, 1);
    json_object(&w);
    put_text(&w, "format", "tare readings 1");
    put_text(&w, "tare", tare_version());
    put_text(&w, "audit", r->audit);
    put_text(&w, "title", r->title);
    put_sentences(&w, "answer", r->answer, r->answer_count);
    put_sentences(&w, "cautions", r->cautions, r->caution_count);
    json_key(&w, "readings");
    json_array(&w);
    for (size_t i = 0; i < r->reading_count; i++) put_reading(&w, &r->readings[i]);
    json_array_end(&w);
    put_missing(&w, r);
    put_facts(&w, r);
    put_tables_and_figures(&w, r, names);
    put_sentences(&w, "files", names->all, names->count);
    json_object_end(&w);
    text_add_char(out, '\n');
}
