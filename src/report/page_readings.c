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

static void put_row(text *out, const tare_reading *r)
{
    text_add(out, "<tr>");
    put_name(out, r->arm);
    put_name(out, r->instrument);
    text_add(out, "<th scope=\"row\">");
    html_name(out, r->name);
    text_add(out, "</th>");
    put_name(out, r->condition);
    page_number_cell(out, r->estimate);
    page_number_cell(out, r->lo);
    page_number_cell(out, r->hi);
    put_name(out, r->unit);
    put_p(out, r->p, r->p_floor);
    put_p(out, r->q, NAN);
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

static const char head[] =
    "<thead><tr><th scope=\"col\">Arm</th><th scope=\"col\">Scorer</th>"
    "<th scope=\"col\">Reading</th>"
    "<th scope=\"col\">Condition</th><th scope=\"col\" class=\"num\">Estimate</th>"
    "<th scope=\"col\" class=\"num\">From</th><th scope=\"col\" class=\"num\">To</th>"
    "<th scope=\"col\">Unit</th><th scope=\"col\" class=\"num\">p</th>"
    "<th scope=\"col\" class=\"num\">q</th><th scope=\"col\">Grid</th>"
    "<th scope=\"col\">Verdict</th><th scope=\"col\" class=\"num\">Bases</th>"
    "<th scope=\"col\" class=\"num\">Clusters</th>"
    "<th scope=\"col\" class=\"num\" "
    "title=\"smallest effect found in 80 % of such studies\">MDE</th>"
    "<th scope=\"col\">In words</th></tr></thead>\n";

static void put_family(page *p, size_t family)
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
    text_add(out, head);
    text_add(out, "<tbody>\n");
    for (size_t i = 0; i < p->r->reading_count; i++) {
        if (p->head.family[i] == family) put_row(out, &p->r->readings[i]);
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
    for (size_t k = 0; k < map_count(p->head.families); k++) put_family(p, k);
    text_add(p->out, "</section>\n");
}
