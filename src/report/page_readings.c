#include <math.h>

#include "report/display.h"
#include "report/html.h"
#include "report/page.h"

static void put_name(text *out, const char *name)
{
    text_add(out, "<td>");
    html_name(out, name);
    text_add(out, "</td>");
}

static void put_p(text *out, double p, double floor)
{
    text shown;
    text_init(&shown, out->m);
    display_p(&shown, p, floor);
    text_add(out, "<td class=\"num\"");
    if (isfinite(p)) {
        text_add(out, " data-v=\"");
        text_add_number(out, p);
        text_add(out, "\" title=\"");
        text_add_number(out, p);
        text_add_char(out, '"');
    }
    text_add_char(out, '>');
    html_text(out, shown.data ? shown.data : "");
    text_add(out, "</td>");
    if (shown.failed) out->failed = true;
    text_free(&shown);
}

static void put_count(text *out, uint64_t count)
{
    text_add_format(out, "<td class=\"num\" data-v=\"%llu\">", (unsigned long long)count);
    display_count(out, count);
    text_add(out, "</td>");
}

/* Columns that only some audits fill: shown where a reading of the result has them. */
typedef struct shown_columns { bool dim, by, maxt; } shown_columns;

static shown_columns columns_of(const audit_result *r)
{
    shown_columns c = {false, false, false};
    for (size_t i = 0; i < r->reading_count; i++) {
        c.dim = c.dim || r->readings[i].dim[0];
        c.by = c.by || !isnan(r->readings[i].q_by);
        c.maxt = c.maxt || !isnan(r->readings[i].q_maxt);
    }
    return c;
}

static void put_row(text *out, const tare_reading *r, shown_columns shown)
{
    text_add(out, "<tr>");
    put_name(out, r->arm);
    put_name(out, r->instrument);
    text_add(out, "<th scope=\"row\">");
    html_name(out, r->name);
    text_add(out, "</th>");
    put_name(out, r->condition);
    if (shown.dim) put_name(out, r->dim);
    page_number_cell(out, r->estimate);
    page_number_cell(out, r->lo);
    page_number_cell(out, r->hi);
    put_name(out, r->unit);
    put_p(out, r->p, r->p_floor);
    put_p(out, r->q, NAN);
    if (shown.by) put_p(out, r->q_by, NAN);
    if (shown.maxt) put_p(out, r->q_maxt, NAN);
    put_name(out, r->grid);
    text_add(out, "<td>");
    page_verdict(out, r->verdict);
    if (r->marks[0]) {
        text_add(out, " <small class=\"marks\">");
        html_text(out, r->marks);
        text_add(out, "</small>");
    }
    text_add(out, "</td>");
    put_count(out, r->n_base);
    put_count(out, r->n_cluster);
    page_number_cell(out, r->mde);
    text_add(out, "<td class=\"say\">");
    html_text(out, r->words);
    text_add(out, "</td></tr>\n");
}

static void put_heading(text *out, const char *title, bool number)
{
    text_add(out, number ? "<th scope=\"col\" class=\"num\">" : "<th scope=\"col\">");
    html_text(out, title);
    text_add(out, "</th>");
}

static void put_head(text *out, const audit_result *r, shown_columns shown)
{
    text_add(out, "<thead><tr>");
    put_heading(out, r->arm_word, false);
    put_heading(out, r->instrument_word, false);
    put_heading(out, "Reading", false);
    put_heading(out, "Condition", false);
    if (shown.dim) put_heading(out, "Dimension", false);
    put_heading(out, "Estimate", true);
    put_heading(out, "From", true);
    put_heading(out, "To", true);
    put_heading(out, "Unit", false);
    put_heading(out, "p", true);
    put_heading(out, "q", true);
    if (shown.by) put_heading(out, "q BY", true);
    if (shown.maxt) put_heading(out, "q max-T", true);
    put_heading(out, "Grid", false);
    put_heading(out, "Verdict", false);
    put_heading(out, r->unit_word, true);
    put_heading(out, "Clusters", true);
    text_add(out, "<th scope=\"col\" class=\"num\" "
                  "title=\"smallest effect found in 80 % of such studies\">MDE</th>"
                  "<th scope=\"col\">In words</th></tr></thead>\n");
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
    put_head(out, p->r, shown);
    text_add(out, "<tbody>\n");
    for (size_t i = 0; i < p->r->reading_count; i++) {
        if (p->head.family[i] == family) put_row(out, &p->r->readings[i], shown);
    }
    text_add(out, "</tbody></table></div></details>\n");
    if (name.failed) out->failed = true;
    text_free(&name);
}

void page_readings(page *p)
{
    text_add(p->out, "<section id=\"readings\" aria-labelledby=\"h-readings\">\n"
                     "<h2 id=\"h-readings\">All readings</h2>\n<p class=\"note\">");
    display_count(p->out, p->r->reading_count);
    text_add(p->out, " readings by family. Numbers are rounded here; hover for all digits.</p>\n");
    shown_columns shown = columns_of(p->r);
    for (size_t k = 0; k < map_count(p->head.families); k++) put_family(p, k, shown);
    text_add(p->out, "</section>\n");
}
