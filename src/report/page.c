#include "report/page.h"

#include <math.h>

#include "report/assets.h"
#include "report/display.h"
#include "report/files.h"
#include "report/html.h"

/* Nothing is fetched from anywhere: the policy would forbid it even to a script that got in. */
static void put_policy(text *out)
{
    text_add(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "img-src data:; base-uri 'none'; form-action 'none'; style-src ");
    html_csp_hash(out, asset_report_css, asset_report_css_length);
    text_add(out, "; style-src-attr 'unsafe-inline'; script-src ");
    if (asset_report_js_length > 0) html_csp_hash(out, asset_report_js, asset_report_js_length);
    else text_add(out, "'none'");
    text_add(out, "\">\n");
}

static void put_head(page *p)
{
    text *out = p->out;
    text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    put_policy(out);
    text_add(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n"
                  "<meta name=\"generator\" content=\"tare\">\n<title>");
    html_text(out, p->r->title);
    text_add(out, "</title>\n<style>");
    text_add_bytes(out, asset_report_css, asset_report_css_length);
    text_add(out, "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#answer\">Skip to the "
                  "answer</a>\n");
}

bool page_has(const page *p, bool strips)
{
    for (size_t i = 0; i < p->r->figure_count; i++) {
        if ((p->r->figures[i]->kind == FIGURE_STRIP) == strips) return true;
    }
    return false;
}

static void put_link(text *out, const char *anchor, const char *name)
{
    text_add_format(out, "<li><a href=\"#%s\">%s</a></li>", anchor, name);
}

static void put_bar(page *p)
{
    text *out = p->out;
    text_add(out, "<div class=\"bar\"><p class=\"brand\"><b>tare</b> <span>");
    html_text(out, p->r->audit);
    text_add(out, "</span></p><nav aria-label=\"Sections\"><ul>");
    if (p->head.shown_count > 0) put_link(out, "verdicts", "Verdicts");
    if (p->r->check_count > 0) put_link(out, "validity", "Validity");
    if (page_has(p, false)) put_link(out, "charts", "Charts");
    if (page_has(p, true)) put_link(out, "pictures", "Pictures");
    put_link(out, "readings", "Readings");
    put_link(out, "missing", "Missing");
    put_link(out, "made", "How it was made");
    text_add(out, "</ul></nav></div>\n");
}

void page_html(text *out, const audit_result *r, const file_names *names)
{
    page p = {.out = out, .r = r, .names = names};
    if (!headline_init(&p.head, r)) {
        out->failed = true;
        goto done;
    }
    put_head(&p);
    text_add(out, "<header class=\"top\">");
    put_bar(&p);
    text_add(out, "</header>\n<main>\n");
    page_answer(&p);
    page_verdicts(&p);
    page_checks(&p);
    page_charts(&p);
    page_strips(&p);
    page_readings(&p);
    page_missing(&p);
    page_facts(&p);
    text_add(out, "</main>\n<footer><p>Made by tare ");
    html_text(out, tare_version());
    text_add(out, ". Found speaks of these inputs; the difference of two verdicts is not a test. "
                  "Full numbers: <a href=\"readings.tsv\">readings.tsv</a>, "
                  "<a href=\"readings.json\">readings.json</a>.</p></footer>\n");
    if (asset_report_js_length > 0) {
        text_add(out, "<script>");
        text_add_bytes(out, asset_report_js, asset_report_js_length);
        text_add(out, "</script>\n");
    }
    text_add(out, "</body>\n</html>\n");
done:
    headline_free(&p.head);
}

void page_verdict(text *out, tare_verdict verdict)
{
    text_add_format(out, "<span class=\"verdict %s\"><i aria-hidden=\"true\">%s</i> %s</span>",
                    display_verdict_class(verdict), display_verdict_sign(verdict),
                    tare_verdict_name(verdict));
}

void page_tally(text *out, const size_t tally[HEADLINE_VERDICTS])
{
    bool first = true;
    for (int k = 0; k < HEADLINE_VERDICTS; k++) {
        if (tally[k] == 0 || k == TARE_DESCRIPTIVE) continue;
        text_add_format(out, "%s%zu %s", first ? "" : ", ", tally[k],
                        tare_verdict_name((tare_verdict)k));
        first = false;
    }
}

void page_number_cell(text *out, double value)
{
    text_add(out, "<td class=\"num\"");
    if (isfinite(value)) {
        text_add(out, " data-v=\"");
        text_add_number(out, value);
        text_add(out, "\" title=\"");
        text_add_number(out, value);
        text_add_char(out, '"');
    }
    text_add_char(out, '>');
    display_number(out, value);
    text_add(out, "</td>");
}
