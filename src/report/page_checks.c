/* The validity cards: what had to hold before anything may be said, and whether it did. */
#include <string.h>

#include "report/display.h"
#include "report/html.h"
#include "report/page.h"

static void put_state(text *out, check_state state)
{
    static const struct { const char *css, *sign, *word; } states[] = {
        [CHECK_PASS] = {"pass", "\xE2\x9C\x93", "holds"},
        [CHECK_MISS] = {"miss", "\xE2\x9C\x97", "does not hold"},
        [CHECK_NOT_RUN] = {"open", "\xE2\x80\x93", "not run"}};
    text_add_format(out, "<span class=\"check %s\"><i aria-hidden=\"true\">%s</i> %s</span>",
                    states[state].css, states[state].sign, states[state].word);
}

static void put_line(text *out, const result_check *c)
{
    text_add(out, "<tr><th scope=\"row\">");
    text name;
    text_init(&name, out->m);
    display_words(&name, c->name);
    html_text(out, name.data ? name.data : "");
    if (name.failed) out->failed = true;
    text_free(&name);
    if (c->why[0]) {
        text_add(out, "<small>");
        html_text(out, c->why);
        text_add(out, "</small>");
    }
    text_add(out, "</th><td>");
    put_state(out, c->state);
    text_add(out, "</td></tr>\n");
}

static bool same_card(const result_check *x, const result_check *y)
{
    return strcmp(x->arm, y->arm) == 0 && strcmp(x->instrument, y->instrument) == 0;
}

/* It holds, and there is nothing to say of it: a click away where there are several. */
static bool is_quiet(const result_check *c)
{
    return c->state == CHECK_PASS && c->why[0] == '\0';
}

static void put_table(text *out, const result_check *list, size_t count, bool quiet)
{
    text_add(out, "<table class=\"checks\"><thead><tr><th scope=\"col\">Condition</th>"
                  "<th scope=\"col\">State</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < count; i++)
        if (is_quiet(&list[i]) == quiet) put_line(out, &list[i]);
    text_add(out, "</tbody></table>\n");
}

/* The lines that follow each other of one arm and instrument; returns the first of the next. */
static size_t put_card(page *p, size_t first)
{
    text *out = p->out;
    const result_check *c = &p->r->checks[first];
    size_t end = first;
    text_add_format(out, "<article class=\"card\" aria-labelledby=\"check-%zu\">"
                         "<h3 id=\"check-%zu\">", first, first);
    html_name(out, c->instrument);
    text_add(out, "</h3><p class=\"tally\">");
    html_name(out, c->arm);
    if (c->outcome[0]) {
        text_add(out, ": <b>");
        html_text(out, c->outcome);
        text_add(out, "</b>");
    }
    text_add(out, "</p>\n");
    size_t quiet = 0;
    for (; end < p->r->check_count && same_card(c, &p->r->checks[end]); end++)
        quiet += is_quiet(&p->r->checks[end]);
    put_table(out, c, end - first, false);
    if (quiet > 0) {
        text_add_format(out, "<details class=\"rest\"><summary>%zu more that hold</summary>\n",
                        quiet);
        put_table(out, c, end - first, true);
        text_add(out, "</details>\n");
    }
    text_add(out, "</article>\n");
    return end;
}

void page_checks(page *p)
{
    if (p->r->check_count == 0) return;
    text_add(p->out, "<section id=\"validity\" aria-labelledby=\"h-validity\">\n"
                     "<h2 id=\"h-validity\">What may be said of it</h2>\n<p class=\"note\">A "
                     "bias measurement needs a clean intervention, a valid instrument and real "
                     "images; without one of them it is a mechanistic stress test. Below stand "
                     "the checks that try to move a reading.</p>\n<div class=\"cards\">\n");
    for (size_t at = 0; at < p->r->check_count;) at = put_card(p, at);
    text_add(p->out, "</div>\n</section>\n");
}
