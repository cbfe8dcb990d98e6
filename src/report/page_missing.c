#include <stdint.h>
#include <string.h>

#include "report/display.h"
#include "report/html.h"
#include "report/page.h"

static void put_name(text *out, const char *name)
{
    text_add(out, "<td>");
    html_name(out, name);
    text_add(out, "</td>");
}

static void put_inputs(text *out, const audit_result *r)
{
    text_add(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                  "aria-label=\"Inputs not used\"><table>"
                  "<caption>Inputs that were not used</caption><thead><tr>"
                  "<th scope=\"col\">What</th><th scope=\"col\">");
    html_text(out, r->arm_word);
    text_add(out, "</th><th scope=\"col\">");
    html_text(out, r->instrument_word);
    text_add(out, "</th><th scope=\"col\">Group</th><th scope=\"col\">Reason</th>"
                  "<th scope=\"col\" class=\"num\">Count</th>"
                  "<th scope=\"col\" class=\"num\">Of</th>"
                  "<th scope=\"col\">First of them</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < r->missing_count; i++) {
        const result_missing *m = &r->missing[i];
        text reason;
        text_init(&reason, out->m);
        display_words(&reason, tare_reason_name(m->reason));
        text_add(out, "<tr>");
        put_name(out, m->what);
        put_name(out, m->arm);
        put_name(out, m->instrument);
        put_name(out, m->group);
        put_name(out, reason.data ? reason.data : "");
        text_add(out, "<td class=\"num\">");
        display_count(out, m->count);
        text_add(out, "</td><td class=\"num\">");
        display_count(out, m->of);
        text_add(out, "</td>");
        put_name(out, m->example);
        text_add(out, "</tr>\n");
        if (reason.failed) out->failed = true;
        text_free(&reason);
    }
    text_add(out, "</tbody></table></div>\n");
}

/* Readings without an answer, counted by their reason in order of appearance. */
static void put_unanswered(text *out, const audit_result *r)
{
    map *reasons = map_new(r->m);
    size_t total = 0;
    if (!reasons) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < r->reading_count; i++) {
        if (r->readings[i].verdict != TARE_NO_ANSWER) continue;
        const char *reason = r->readings[i].reason;
        if (map_add(reasons, reason, strlen(reason), NULL) == SIZE_MAX) out->failed = true;
        total++;
    }
    if (total > 0) {
        text_add(out, "<p>Readings without an answer: ");
        display_count(out, total);
        text_add(out, ".</p><ul>");
    }
    for (size_t k = 0; k < map_count(reasons); k++) {
        const char *reason = map_key(reasons, k, NULL);
        size_t count = 0;
        text shown;
        text_init(&shown, out->m);
        display_words(&shown, reason[0] ? reason : "no reason given");
        for (size_t i = 0; i < r->reading_count; i++) {
            count += r->readings[i].verdict == TARE_NO_ANSWER &&
                     strcmp(r->readings[i].reason, reason) == 0;
        }
        text_add(out, "<li>");
        html_text(out, shown.data ? shown.data : "");
        text_add_format(out, ": %zu</li>", count);
        if (shown.failed) out->failed = true;
        text_free(&shown);
    }
    if (total > 0) text_add(out, "</ul>\n");
    map_free(reasons);
}

void page_missing(page *p)
{
    text *out = p->out;
    text_add(out, "<section id=\"missing\" aria-labelledby=\"h-missing\">\n"
                  "<h2 id=\"h-missing\">What is missing, and why</h2>\n");
    if (p->r->missing_count > 0) put_inputs(out, p->r);
    else text_add(out, "<p>Every input was used.</p>\n");
    put_unanswered(out, p->r);
    text_add(out, "</section>\n");
}
