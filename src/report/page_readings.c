#include <math.h>
#include <string.h>

#include "base/json.h"
#include "report/display.h"
#include "report/html.h"
#include "report/page.h"
#include "report/reading_cells.h"

/* Rows of one table that stand in the page. The others are data, which the script shows when they
 * are asked for: a page of thousands of readings stays small, and is drawn at once. */
#define ROWS_SHOWN 200

static bool is_number(cell_look look)
{
    return look == LOOK_NUMBER || look == LOOK_P || look == LOOK_COUNT;
}

/* A number as people read it. */
static void put_shown(text *out, const reading_cell *c)
{
    if (c->look == LOOK_COUNT) display_count(out, c->count);
    else if (c->look == LOOK_P) display_p(out, c->value, c->floor);
    else display_number(out, c->value);
}

static void put_full(text *out, const reading_cell *c)
{
    if (c->look == LOOK_COUNT) text_add_format(out, "%llu", (unsigned long long)c->count);
    else text_add_number(out, c->value);
}

static void put_number(text *out, const reading_cell *c)
{
    text shown;
    text_init(&shown, out->m);
    put_shown(&shown, c);
    text_add(out, "<td class=\"num\"");
    if (c->look == LOOK_COUNT || isfinite(c->value)) {
        text_add(out, " data-v=\"");
        put_full(out, c);
        if (c->look != LOOK_COUNT) {
            text_add(out, "\" title=\"");
            put_full(out, c);
        }
        text_add_char(out, '"');
    }
    text_add_char(out, '>');
    html_text(out, shown.data ? shown.data : "");
    text_add(out, "</td>");
    if (shown.failed) out->failed = true;
    text_free(&shown);
}

static void put_cell(text *out, const reading_cell *c)
{
    switch (c->look) {
    case LOOK_NAME:
        text_add(out, "<td>");
        html_name(out, c->text);
        text_add(out, "</td>");
        break;
    case LOOK_HEAD:
        text_add(out, "<th scope=\"row\">");
        html_name(out, c->text);
        text_add(out, "</th>");
        break;
    case LOOK_VERDICT:
        text_add(out, "<td>");
        page_verdict(out, c->verdict);
        if (c->text[0]) {
            text_add(out, " <small class=\"marks\">");
            html_text(out, c->text);
            text_add(out, "</small>");
        }
        text_add(out, "</td>");
        break;
    case LOOK_WORDS:
        text_add(out, "<td class=\"say\">");
        html_text(out, c->text);
        text_add(out, "</td>");
        break;
    case LOOK_NUMBER: page_number_cell(out, c->value); break;
    case LOOK_P:
    case LOOK_COUNT: put_number(out, c); break;
    }
}

static void put_row(page *p, const tare_reading *r, shown_columns shown)
{
    reading_cell cells[READING_CELLS_MOST];
    size_t n = reading_cells(cells, p->r, r, shown);
    text_add(p->out, "<tr>");
    for (size_t k = 0; k < n; k++) put_cell(p->out, &cells[k]);
    text_add(p->out, "</tr>\n");
}

static void put_head(page *p, shown_columns shown)
{
    text *out = p->out;
    reading_cell cells[READING_CELLS_MOST];
    size_t n = reading_cells(cells, p->r, NULL, shown);
    text_add(out, "<thead><tr>");
    for (size_t k = 0; k < n; k++) {
        text_add(out, is_number(cells[k].look) ? "<th scope=\"col\" class=\"num\""
                                               : "<th scope=\"col\"");
        if (cells[k].hint) html_attribute(out, "title", cells[k].hint);
        text_add_char(out, '>');
        html_text(out, cells[k].title);
        text_add(out, "</th>");
    }
    text_add(out, "</tr></thead>\n");
}

/* null: no number; a number that is shown as it is; else [as shown, in full]. */
static void put_number_datum(json_writer *w, const reading_cell *c)
{
    text shown, full;
    text_init(&shown, w->out->m);
    text_init(&full, w->out->m);
    bool none = c->look != LOOK_COUNT && !isfinite(c->value);
    put_shown(&shown, c);
    if (!none) put_full(&full, c);
    if (shown.failed || full.failed) w->out->failed = true;
    bool same = shown.data && full.data && !strcmp(shown.data, full.data);
    if (!none && !same) {
        json_array(w);
        json_string(w, shown.data ? shown.data : "");
    }
    if (none) json_null(w);
    else if (c->look == LOOK_COUNT) json_integer(w, (int64_t)c->count);
    else json_number(w, c->value);
    if (!none && !same) json_array_end(w);
    text_free(&shown);
    text_free(&full);
}

/* Text, a number as above, or for a verdict [which of `verdicts`, marks]. */
static void put_datum(json_writer *w, const reading_cell *c)
{
    if (is_number(c->look)) {
        put_number_datum(w, c);
    } else if (c->look == LOOK_VERDICT) {
        json_array(w);
        json_integer(w, (int64_t)c->verdict);
        json_string(w, c->text);
        json_array_end(w);
    } else {
        json_string(w, c->text);
    }
}

/* Class, sign and name of each. */
static void put_verdicts(json_writer *w)
{
    json_key(w, "verdicts");
    json_array(w);
    for (int k = 0; k < HEADLINE_VERDICTS; k++) {
        json_array(w);
        json_string(w, display_verdict_class((tare_verdict)k));
        json_string(w, display_verdict_sign((tare_verdict)k));
        json_string(w, tare_verdict_name((tare_verdict)k));
        json_array_end(w);
    }
    json_array_end(w);
}

/* One cell of a large table says in its sentence what its numbers say: that is left to the files.
 */
static void put_data_row(page *p, json_writer *w, const tare_reading *r, shown_columns shown)
{
    reading_cell cells[READING_CELLS_MOST];
    size_t n = reading_cells(cells, p->r, r, shown);
    json_array(w);
    for (size_t k = 0; k < n; k++) {
        if (cells[k].look == LOOK_WORDS && r->detail) cells[k].text = "";
        put_datum(w, &cells[k]);
    }
    json_array_end(w);
}

static void put_data(page *p, size_t family, size_t skip, shown_columns shown)
{
    text json;
    json_writer w;
    text_init(&json, p->out->m);
    json_begin(&w, &json, 0);
    json_object(&w);
    put_verdicts(&w);
    json_key(&w, "rows");
    json_array(&w);
    for (size_t i = 0; i < p->r->reading_count; i++) {
        if (p->head.family[i] != family) continue;
        if (skip > 0) skip--;
        else put_data_row(p, &w, &p->r->readings[i], shown);
    }
    json_array_end(&w);
    json_object_end(&w);
    text_add(p->out, "<script type=\"application/json\" class=\"rows\">");
    if (json.failed) p->out->failed = true;
    else html_json(p->out, json.data, json.length);
    text_add(p->out, "</script>\n");
    text_free(&json);
}

static void put_family(page *p, size_t family, shown_columns shown)
{
    text *out = p->out;
    size_t tally[HEADLINE_VERDICTS], total = 0;
    headline_tally(tally, p->r, p->head.family, family, NULL);
    for (int k = 0; k < HEADLINE_VERDICTS; k++) total += tally[k];
    text name;
    text_init(&name, out->m);
    display_words(&name, map_key(p->head.families, family, NULL));
    const char *title = name.data && name.data[0] ? name.data : "other";
    text_add(out, "<details class=\"family\"><summary><b>");
    html_name(out, title);
    text_add_format(out, "</b> <span class=\"count\">%zu</span> <span class=\"tally\">", total);
    page_tally(out, tally);
    text_add(out, "</span></summary>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\"");
    html_attribute(out, "aria-label", title);
    text_add(out, "><table class=\"readings\"");
    html_attribute(out, "aria-label", title);
    text_add_char(out, '>');
    put_head(p, shown);
    text_add(out, "<tbody>\n");
    size_t rows = 0;
    for (size_t i = 0; i < p->r->reading_count && rows < ROWS_SHOWN; i++) {
        if (p->head.family[i] != family) continue;
        put_row(p, &p->r->readings[i], shown);
        rows++;
    }
    text_add(out, "</tbody></table></div>\n");
    if (total > rows) {
        text_add_format(out, "<p class=\"note rest\">%zu of %zu stand here; all are in "
                             "<a href=\"readings.tsv\">readings.tsv</a>.</p>\n", rows, total);
        put_data(p, family, rows, shown);
    }
    text_add(out, "</details>\n");
    if (name.failed) out->failed = true;
    text_free(&name);
}

void page_readings(page *p)
{
    text_add(p->out, "<section id=\"readings\" aria-labelledby=\"h-readings\">\n"
                     "<h2 id=\"h-readings\">All readings</h2>\n<p class=\"note\">");
    display_count(p->out, p->r->reading_count);
    text_add(p->out, " readings by family. Numbers are rounded here; hover for all digits.</p>\n");
    shown_columns shown = reading_columns(p->r);
    for (size_t k = 0; k < map_count(p->head.families); k++) put_family(p, k, shown);
    text_add(p->out, "</section>\n");
}
