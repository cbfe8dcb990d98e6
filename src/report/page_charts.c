#include <math.h>
#include <string.h>

#include "report/assets.h"
#include "report/files.h"
#include "report/html.h"
#include "report/page.h"

/* Rows of a chart's own table; the rest is in the file. */
#define NUMBERS_SHOWN 300

static void put_spec(text *out, const figure *f, const char *anchor)
{
    text spec;
    text_init(&spec, out->m);
    spec_json(&spec, f);
    text_add_format(out, "<script type=\"application/json\" id=\"spec-%s\">", anchor);
    if (spec.failed) out->failed = true;
    else html_json(out, spec.data, spec.length);
    text_add(out, "</script>\n");
    text_free(&spec);
}

struct used { bool panel, series, label, x, y, interval; };

static struct used used_by(const figure *f)
{
    struct used u = {0};
    for (size_t i = 0; i < f->point_count; i++) {
        const figure_point *q = &f->points[i];
        u.panel |= q->panel[0] != 0;
        u.series |= q->series[0] != 0;
        u.label |= q->label[0] != 0;
        u.x |= !isnan(q->x);
        u.y |= !isnan(q->y);
        u.interval |= !isnan(q->lo) || !isnan(q->hi);
    }
    return u;
}

static void put_name_cell(text *out, const char *name)
{
    text_add(out, "<td>");
    html_name(out, name);
    text_add(out, "</td>");
}

static void put_head_cell(text *out, const char *title, const char *fallback)
{
    text_add(out, "<th scope=\"col\" class=\"num\">");
    html_text(out, title[0] ? title : fallback);
    text_add(out, "</th>");
}

static void put_numbers(text *out, const figure *f, const char *anchor, const char *file)
{
    struct used u = used_by(f);
    text_add_format(out, "<details class=\"numbers\"><summary>Numbers of this chart</summary>"
                         "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby="
                         "\"title-%s\"><table aria-labelledby=\"title-%s\"><thead><tr>",
                    anchor, anchor);
    if (u.panel) text_add(out, "<th scope=\"col\">Panel</th>");
    if (u.series) text_add(out, "<th scope=\"col\">Series</th>");
    if (u.label) text_add(out, "<th scope=\"col\">Label</th>");
    if (u.x) put_head_cell(out, f->x_title, "x");
    if (u.y) put_head_cell(out, f->kind == FIGURE_HEAT || (u.label && !u.x) ? "" : f->y_title,
                           u.x ? "y" : "Value");
    if (f->words) text_add(out, "<th scope=\"col\">Class</th>");
    if (u.interval) text_add(out, "<th scope=\"col\" class=\"num\">From</th>"
                                  "<th scope=\"col\" class=\"num\">To</th>");
    text_add(out, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < f->point_count && i < NUMBERS_SHOWN; i++) {
        const figure_point *q = &f->points[i];
        text_add(out, "<tr>");
        if (u.panel) put_name_cell(out, q->panel);
        if (u.series) put_name_cell(out, q->series);
        if (u.label) put_name_cell(out, q->label);
        if (u.x) page_number_cell(out, q->x);
        if (u.y) page_number_cell(out, q->y);
        if (f->words) put_name_cell(out, q->mark);
        if (u.interval) {
            page_number_cell(out, q->lo);
            page_number_cell(out, q->hi);
        }
        text_add(out, "</tr>\n");
    }
    text_add(out, "</tbody></table></div><p>");
    if (f->point_count > NUMBERS_SHOWN)
        text_add_format(out, "%d of %zu points. ", NUMBERS_SHOWN, f->point_count);
    text_add_format(out, "Specification with all data: <a href=\"%s\">%s</a></p></details>\n",
                    file, file);
}

/* Columns of a heat map that fit into half of the page. */
#define HEAT_NARROW 7

static size_t column_count(const figure *f)
{
    size_t columns = 0;
    for (size_t i = 0; i < f->point_count; i++) {
        size_t k = 0;
        while (k < i && strcmp(f->points[k].label, f->points[i].label) != 0) k++;
        columns += k == i;
        if (columns > HEAT_NARROW) break;
    }
    return columns;
}

/* Several panels need the whole width, and so do many columns. */
static bool is_wide(const figure *f)
{
    if (f->kind == FIGURE_HEAT && column_count(f) > HEAT_NARROW) return true;
    for (size_t i = 1; i < f->point_count; i++) {
        if (strcmp(f->points[i].panel, f->points[0].panel) != 0) return true;
    }
    return false;
}

static void put_chart(page *p, size_t i)
{
    text *out = p->out;
    const figure *f = p->r->figures[i];
    const char *anchor = p->names->anchor[i];
    text_add_format(out, "<figure class=\"chart%s\" id=\"figure-%s\">\n<figcaption>"
                         "<h3 id=\"title-%s\">", is_wide(f) ? " wide" : "", anchor, anchor);
    html_text(out, f->title);
    text_add(out, "</h3>");
    if (f->caption[0]) {
        text_add(out, "<p>");
        html_text(out, f->caption);
        text_add(out, "</p>");
    }
    text_add(out, "</figcaption>\n");
    bool scripted = asset_report_js_length > 0;
    text_add_format(out, "<div class=\"plot\" data-spec=\"spec-%s\"", anchor);
    text_add(out, " role=\"img\"");
    html_attribute(out, "aria-label", f->title[0] ? f->title : anchor);
    text_add_format(out, "><p class=\"plot-note\">%s</p></div>\n",
                    scripted ? "The chart is drawn by a script; its numbers stand below."
                             : "Built without charts; the numbers stand below.");
    if (scripted) put_spec(out, f, anchor);
    put_numbers(out, f, anchor, p->names->figure[i]);
    text_add(out, "</figure>\n");
}

void page_charts(page *p)
{
    if (!page_has(p, false)) return;
    text_add(p->out, "<section id=\"charts\" aria-labelledby=\"h-charts\">\n"
                     "<h2 id=\"h-charts\">Charts</h2>\n<div class=\"charts\">\n");
    for (size_t i = 0; i < p->r->figure_count; i++) {
        if (p->r->figures[i]->kind != FIGURE_STRIP) put_chart(p, i);
    }
    text_add(p->out, "</div>\n</section>\n");
}
