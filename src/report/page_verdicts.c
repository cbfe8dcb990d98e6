#include <math.h>
#include <string.h>

#include "report/display.h"
#include "report/html.h"
#include "report/page.h"

#define MINI_WIDTH 132.0
#define MINI_MIDDLE (MINI_WIDTH / 2)

/* Estimate, interval and margin around 0, each row to its own scale; the numbers stand beside
 * it. */
static void put_mini(text *out, const tare_reading *r)
{
    double reach = fabs(r->estimate);
    if (isfinite(r->lo)) reach = fmax(reach, fabs(r->lo));
    if (isfinite(r->hi)) reach = fmax(reach, fabs(r->hi));
    if (isfinite(r->margin)) reach = fmax(reach, fabs(r->margin));
    text_add(out, "<td class=\"mini\">");
    if (isfinite(r->estimate) && isfinite(reach) && reach > 0) {
        double unit = (MINI_MIDDLE - 6) / reach;
        /* Whole tenths of a pixel as integers: no locale and no last digits. */
        long at = lround(10 * (MINI_MIDDLE + r->estimate * unit));
        text_add(out, "<svg viewBox=\"0 0 1320 180\" aria-hidden=\"true\" focusable=\"false\">");
        if (r->margin > 0 && isfinite(r->margin)) {
            long half = lround(10 * r->margin * unit);
            text_add_format(out, "<rect class=\"band\" x=\"%ld\" y=\"0\" width=\"%ld\" "
                                 "height=\"180\"/>", 660 - half, 2 * half);
        }
        text_add(out, "<path class=\"zero\" d=\"M660 0V180\"/>");
        if (isfinite(r->lo) && isfinite(r->hi)) {
            text_add_format(out, "<path class=\"span\" d=\"M%ld 90H%ld\"/>",
                            lround(10 * (MINI_MIDDLE + r->lo * unit)),
                            lround(10 * (MINI_MIDDLE + r->hi * unit)));
        }
        text_add_format(out, "<circle cx=\"%ld\" cy=\"90\" r=\"44\"/></svg>", at);
    }
    text_add(out, "</td>");
}

static void put_estimate(text *out, const tare_reading *r)
{
    text_add(out, "<td class=\"num\"");
    if (isfinite(r->estimate)) {
        text_add(out, " title=\"");
        text_add_number(out, r->estimate);
        if (isfinite(r->lo) && isfinite(r->hi)) {
            text_add(out, " [");
            text_add_number(out, r->lo);
            text_add(out, ", ");
            text_add_number(out, r->hi);
            text_add(out, "]");
        }
        text_add_char(out, '"');
    }
    text_add_char(out, '>');
    if (!isnan(r->estimate)) {
        text_add(out, "<b>");
        display_estimate(out, r);
        text_add(out, "</b>");
        if (r->unit[0]) {
            text_add(out, " <span class=\"unit\">");
            html_name(out, r->unit);
            text_add(out, "</span>");
        }
        if (!isnan(r->lo) || !isnan(r->hi)) {
            text_add(out, " <span class=\"interval\">");
            display_interval(out, r);
            text_add(out, "</span>");
        }
    }
    text_add(out, "</td>");
}

static void put_q(text *out, const tare_reading *r)
{
    if (isnan(r->q)) return;
    text_add(out, " <span class=\"q\"");
    if (display_q_meaning(r)[0]) html_attribute(out, "title", display_q_meaning(r));
    text_add(out, ">q ");
    text html;
    text_init(&html, out->m);
    display_p(&html, r->q, NAN);
    html_text(out, html.data ? html.data : "");
    if (html.failed) out->failed = true;
    text_free(&html);
    text_add_format(out, " <i aria-hidden=\"true\">%s</i></span>", display_q_mark(r));
}

static void put_row(text *out, const tare_reading *r)
{
    text_add_format(out, "<tr class=\"%s\"><th scope=\"row\"><span>",
                    display_verdict_class(r->verdict));
    text name;
    text_init(&name, out->m);
    display_words(&name, r->name);
    html_name(out, name.data ? name.data : "");
    if (name.failed) out->failed = true;
    text_free(&name);
    text_add(out, "</span>");
    if (r->condition[0]) {
        text_add(out, " <small>");
        html_name(out, r->condition);
        text_add(out, "</small>");
    }
    text_add(out, "</th>");
    put_mini(out, r);
    put_estimate(out, r);
    text_add(out, "<td>");
    page_verdict(out, r->verdict);
    put_q(out, r);
    text_add(out, "</td></tr>\n");
    if (r->words[0] && strcmp(r->words, tare_verdict_name(r->verdict)) != 0) {
        text_add(out, "<tr class=\"words\"><td colspan=\"4\">");
        html_text(out, r->words);
        text_add(out, "</td></tr>\n");
    }
}

static void put_arm(page *p, size_t instrument, size_t arm)
{
    const headline *h = &p->head;
    bool any = false;
    for (size_t i = 0; i < p->r->reading_count; i++) {
        if (!h->shown[i] || h->instrument[i] != instrument || h->arm[i] != arm) continue;
        if (!any) {
            const char *name = map_key(h->arms, arm, NULL);
            text_add(p->out, "<tbody>");
            if (name[0]) {
                text_add(p->out, "<tr class=\"arm\"><th colspan=\"4\" scope=\"rowgroup\">");
                html_name(p->out, name);
                text_add(p->out, "</th></tr>\n");
            }
        }
        any = true;
        put_row(p->out, &p->r->readings[i]);
    }
    if (any) text_add(p->out, "</tbody>\n");
}

static void put_card(page *p, size_t instrument)
{
    text *out = p->out;
    size_t tally[HEADLINE_VERDICTS], total = 0;
    headline_tally(tally, p->r, p->head.instrument, instrument, p->head.shown);
    for (int k = 0; k < HEADLINE_VERDICTS; k++) total += tally[k];
    if (total == 0) return;
    const char *name = map_key(p->head.instruments, instrument, NULL);
    text_add_format(out, "<article class=\"card\" aria-labelledby=\"card-%zu\">\n"
                         "<h3 id=\"card-%zu\">", instrument, instrument);
    if (name[0]) html_name(out, name);
    else display_all_of(out, p->r->instrument_word);
    text_add(out, "</h3>\n<p class=\"tally\">");
    page_tally(out, tally);
    text_add_format(out, "</p>\n<table class=\"verdicts\" aria-labelledby=\"card-%zu\"><thead><tr>"
                         "<th scope=\"col\">Reading</th>"
                         "<th scope=\"col\" class=\"mini\">Around 0</th>"
                         "<th scope=\"col\" class=\"num\">Estimate [interval]</th>"
                         "<th scope=\"col\">Verdict</th></tr></thead>\n", instrument);
    for (size_t arm = 0; arm < map_count(p->head.arms); arm++) put_arm(p, instrument, arm);
    text_add(out, "</table>\n</article>\n");
}

/* Statistics 8, in words. */
static void put_key(text *out)
{
    static const struct { tare_verdict verdict; const char *means; } key[] = {
        {TARE_FOUND, "significant after FDR, and not shown to be below the margin"},
        {TARE_SMALL, "there is an effect, and it is below the margin"},
        {TARE_NEGLIGIBLE, "any effect is below the margin"},
        {TARE_INCONCLUSIVE, "neither an effect nor its absence was shown"},
        {TARE_NO_ANSWER, "the sentence below the row says why"}};
    text_add(out, "<details class=\"key\"><summary>What the words mean</summary><dl>");
    for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
        text_add(out, "<div><dt>");
        page_verdict(out, key[k].verdict);
        text_add_format(out, "</dt><dd>%s</dd></div>", key[k].means);
    }
    text_add(out, "</dl><p>q is the p-value after the Benjamini\xE2\x80\x93Hochberg correction "
                  "within a named grid of tests: \xE2\x9C\x93 it stands, \xE2\x80\xA0 only the raw "
                  "p does, \xE2\x9C\x97 neither, \xE2\x80\xA1 a further condition holds the "
                  "verdict back. In the small picture the dot is the estimate, the "
                  "line its interval, the grey band the practical margin around 0; each row has "
                  "its own scale.</p></details>\n");
}

void page_verdicts(page *p)
{
    if (p->head.shown_count == 0) return;
    text_add(p->out, "<section id=\"verdicts\" aria-labelledby=\"h-verdicts\">\n"
                     "<h2 id=\"h-verdicts\">Verdicts</h2>\n");
    put_key(p->out);
    text_add(p->out, "<div class=\"cards\">\n");
    for (size_t k = 0; k < map_count(p->head.instruments); k++) put_card(p, k);
    text_add(p->out, "</div>\n</section>\n");
}
