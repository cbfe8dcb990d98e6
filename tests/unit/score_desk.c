#include "score_desk.h"

#include <string.h>

#include "support/check.h"

static void hear(void *user, tare_level level, const char *message)
{
    score_desk *d = user;
    text_add_format(&d->said, "%s%s\n", level == TARE_WARNING ? "warning: " : "", message);
}

void desk_open(score_desk *d, unsigned threads)
{
    memset(d, 0, sizeof *d);
    d->m = mem_system();
    text_init(&d->said, &d->m);
    text_add(&d->said, "");
    arena_init(&d->a, &d->m);
    result_init(&d->result, &d->m);
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    o.threads = threads;
    o.user = d;
    o.message = hear;
    tare_error err = {0};
    assert_ok(tare_context_new(&d->context, &o, &err));
    d->o.keep_rows = true;
}

void desk_clear(score_desk *d)
{
    result_free(&d->result);
    result_init(&d->result, &d->m);
    arena_free(&d->a);
    text_clear(&d->said);
    text_add(&d->said, "");
    memset(&d->t, 0, sizeof d->t);
}

void desk_close(score_desk *d)
{
    desk_clear(d);
    result_free(&d->result);
    text_free(&d->said);
    tare_context_free(d->context);
}

tare_status desk_read_as(score_desk *d, const char *name, const char *bytes, tare_error *err)
{
    desk_clear(d);
    const table_bytes in = {name, bytes, strlen(bytes)};
    return score_table_load_bytes(&d->t, &d->a, d->context, &in, &d->o, &d->result, err);
}

tare_status desk_read(score_desk *d, const char *csv, tare_error *err)
{
    return desk_read_as(d, "scores.csv", csv, err);
}

tare_status desk_load(score_desk *d, const char *path, tare_error *err)
{
    desk_clear(d);
    return score_table_load(&d->t, &d->a, d->context, path, &d->o, &d->result, err);
}

static void put_axis(text *out, const char *what, const name_axis *axis)
{
    text_add_format(out, "%s %zu:", what, axis->count);
    for (size_t k = 0; k < axis->count; k++) text_add_format(out, " [%s]", axis->name[k]);
    text_add_char(out, '\n');
}

static void put_value(text *out, double x)
{
    text_add_char(out, ' ');
    if (isfinite(x))
        text_add_number(out, x);
    else
        text_add(out, isnan(x) ? "-" : "inf");
}

static void put_layer(text *out, const score_table *t, const score_layer *l)
{
    text_add_format(out, "layer %u %u\n", l->setting, l->dim);
    for (size_t u = 0; u < t->units; u++) {
        text_add_format(out, "%zu", u);
        for (size_t j = 0; j < t->judge.count; j++) {
            put_value(out, score_of_unit(t, l, u)[j]);
            text_add_format(out, "/%u", l->status[u * t->judge.count + j]);
        }
        if (l->gold) put_value(out, l->gold[u]);
        for (size_t r = 0; l->rating && r < t->rater.count; r++)
            put_value(out, l->rating[u * t->rater.count + r]);
        text_add_char(out, '\n');
    }
}

static void put_cells(text *out, const score_table *t)
{
    for (size_t c = 0; c < t->layers * t->units * t->judge.count; c++) {
        if (t->cell_sd) put_value(out, t->cell_sd[c]);
        if (t->cell_n) put_value(out, t->cell_n[c]);
    }
}

char *desk_dump(const score_desk *d)
{
    const score_table *t = &d->t;
    text out;
    text_init(&out, &d->m);
    put_axis(&out, "item", &t->item);
    put_axis(&out, "author", &t->author);
    put_axis(&out, "judge", &t->judge);
    put_axis(&out, "setting", &t->setting);
    put_axis(&out, "dim", &t->dim);
    put_axis(&out, "rater", &t->rater);
    put_axis(&out, "cluster", &t->cluster);
    put_axis(&out, "fold", &t->fold);
    put_axis(&out, "label", &t->label);
    for (size_t u = 0; u < t->units; u++) {
        text_add_format(&out, "unit %u %u", t->unit_item[u], t->unit_author[u]);
        if (t->length) put_value(&out, t->length[u]);
        text_add_char(&out, '\n');
    }
    for (size_t k = 0; k < t->item.count; k++)
        text_add_format(&out, "item %u %u\n", t->item_cluster[k],
                        t->item_fold ? t->item_fold[k] : 0);
    for (size_t k = 0; k < t->judge.count; k++)
        text_add_format(&out, "judge %zd %zd\n", (ptrdiff_t)t->author_of_judge[k],
                        (ptrdiff_t)t->judge_model[k]);
    for (size_t l = 0; l < t->layers; l++) put_layer(&out, t, &t->layer[l]);
    put_cells(&out, t);
    for (size_t k = 0; k < t->rows; k++)
        text_add_format(&out, "row %u %u %u %u %u\n", t->row_layer[k], t->row_unit[k],
                        t->row_judge[k], t->row_rep[k], t->row_status[k]);
    text_add_format(&out, "%zu %zu %d\n", t->reps, t->duplicates, t->cells_only);
    char *all = text_take(&out);
    assert_non_null(all);
    return all;
}

const char *desk_fact(const score_desk *d, const char *section, const char *key)
{
    for (size_t k = 0; k < d->result.fact_count; k++) {
        const result_fact *f = &d->result.facts[k];
        if (strcmp(f->section, section) == 0 && strcmp(f->key, key) == 0) return f->value;
    }
    return "";
}

bool desk_cautions(const score_desk *d, const char *words)
{
    for (size_t k = 0; k < d->result.caution_count; k++)
        if (strstr(d->result.cautions[k], words)) return true;
    return false;
}

size_t desk_place(const name_axis *axis, const char *name)
{
    for (size_t k = 0; k < axis->count; k++)
        if (strcmp(axis->name[k], name) == 0) return k;
    fail_msg("no %s on the axis", name);
    return SIZE_MAX;
}

size_t desk_unit(const score_desk *d, const char *item, const char *author)
{
    size_t i = desk_place(&d->t.item, item), g = desk_place(&d->t.author, author);
    for (size_t u = 0; u < d->t.units; u++)
        if (d->t.unit_item[u] == i && d->t.unit_author[u] == g) return u;
    fail_msg("no unit %s, %s", item, author);
    return SIZE_MAX;
}

double desk_score(const score_desk *d, const char *item, const char *author, const char *judge)
{
    size_t u = desk_unit(d, item, author);
    return score_of_unit(&d->t, &d->t.layer[0], u)[desk_place(&d->t.judge, judge)];
}

tare_reason desk_reason(const score_desk *d, const char *item, const char *author,
                        const char *judge)
{
    size_t u = desk_unit(d, item, author);
    size_t c = u * d->t.judge.count + desk_place(&d->t.judge, judge);
    return (tare_reason)d->t.layer[0].status[c];
}

void desk_file(char path[64], const char *extension, const char *bytes)
{
    snprintf(path, 64, "desk_XXXXXX%s", extension);
    int file = mkstemps(path, (int)strlen(extension));
    assert_true(file >= 0);
    size_t length = strlen(bytes);
    assert_int_equal(write(file, bytes, length), (ssize_t)length);
    close(file);
}
