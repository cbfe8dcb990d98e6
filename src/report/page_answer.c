#include "report/display.h"
#include "report/html.h"
#include "report/page.h"

static void put_sentences(text *out, const char **list, size_t begin, size_t end)
{
    text_add(out, "<ul class=\"more\">");
    for (size_t i = begin; i < end; i++) {
        text_add(out, "<li>");
        html_text(out, list[i]);
        text_add(out, "</li>\n");
    }
    text_add(out, "</ul>\n");
}

void page_answer(page *p)
{
    text *out = p->out;
    const audit_result *r = p->r;
    text_add(out, "<section id=\"answer\" class=\"answer\" tabindex=\"-1\" "
                  "aria-labelledby=\"title\">\n<h1 id=\"title\">");
    html_text(out, r->title);
    text_add(out, "</h1>\n");
    if (r->answer_count > 0) {
        text_add(out, "<p class=\"lead\">");
        html_text(out, r->answer[0]);
        text_add(out, "</p>\n");
    } else {
        text_add(out, "<p class=\"lead\">The data give no answer to this question.</p>\n");
    }
    if (r->answer_count > 1) put_sentences(out, r->answer, 1, r->answer_count);
    text_add(out, "</section>\n");
    if (r->caution_count == 0) return;
    text_add(out, "<section class=\"cautions\" aria-labelledby=\"cautions\">\n"
                  "<h2 id=\"cautions\">Before you use this answer</h2>\n");
    put_sentences(out, r->cautions, 0, r->caution_count);
    text_add(out, "</section>\n");
}
