#include <string.h>

#include "report/display.h"
#include "report/html.h"
#include "report/page.h"
#include "report/plain.h"

/* A longer first sentence is set smaller, so that the first screen still holds the answer. */
#define BRIEF 140
/* More sentences stand in two columns where there is room. */
#define FEW 4
/* Sentences that are seen at once; the others are a click away. One more is no reason to fold. */
#define SEEN 24

/* Bytes of the scorer's name that the sentence begins with, 0: none. */
static size_t named_first(const page *p, const char *sentence)
{
    size_t longest = 0;
    for (size_t k = 0; k < map_count(p->head.instruments); k++) {
        size_t length;
        const char *name = map_key(p->head.instruments, k, &length);
        if (length <= longest || strncmp(sentence, name, length) != 0) continue;
        if (sentence[length] != 0 && strchr(" :,", sentence[length])) longest = length;
    }
    return longest;
}

static void put_sentence(page *p, const char *sentence)
{
    size_t length = named_first(p, sentence);
    text name;
    text_init(&name, p->out->m);
    text_add_bytes(&name, sentence, length);
    if (length > 0) {
        text_add(p->out, "<b>");
        html_text(p->out, name.data ? name.data : "");
        text_add(p->out, "</b>");
    }
    html_text(p->out, sentence + length);
    if (name.failed) p->out->failed = true;
    text_free(&name);
}

static void put_sentences(page *p, const char *const *list, size_t begin, size_t end)
{
    text *out = p->out;
    text_add(out, end - begin > FEW ? "<ul class=\"more many\">" : "<ul class=\"more\">");
    for (size_t i = begin; i < end; i++) {
        if (!display_is_first(list, i)) continue;
        text_add(out, "<li>");
        put_sentence(p, list[i]);
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
        bool brief = plain_count(r->answer[0]) <= BRIEF;
        text_add(out, brief ? "<p class=\"lead\">" : "<p class=\"lead whole\">");
        put_sentence(p, r->answer[0]);
        text_add(out, "</p>\n");
    } else {
        text_add(out, "<p class=\"lead\">The data give no answer to this question.</p>\n");
    }
    size_t seen = r->answer_count > 1 + SEEN + FEW ? 1 + SEEN : r->answer_count;
    if (seen > 1) put_sentences(p, r->answer, 1, seen);
    if (seen < r->answer_count) {
        text_add_format(out, "<details class=\"rest\"><summary>%zu more sentences</summary>\n",
                        r->answer_count - seen);
        put_sentences(p, r->answer, seen, r->answer_count);
        text_add(out, "</details>\n");
    }
    text_add(out, "</section>\n");
    if (r->caution_count == 0) return;
    text_add(out, "<section class=\"cautions\" aria-labelledby=\"cautions\">\n"
                  "<h2 id=\"cautions\">Before you use this answer</h2>\n");
    put_sentences(p, r->cautions, 0, r->caution_count);
    text_add(out, "</section>\n");
}
