#include <string.h>

#include "report/html.h"
#include "report/page.h"

static void put_files(page *p)
{
    text *out = p->out;
    if (p->r->table_count == 0) return;
    text_add(out, "<details class=\"facts\"><summary>Tables beside this page</summary><dl>");
    for (size_t i = 0; i < p->r->table_count; i++) {
        text_add_format(out, "<div><dt><a href=\"%s\">%s</a></dt><dd>", p->names->table[i],
                        p->names->table[i]);
        html_text(out, p->r->tables[i]->title);
        text_add_format(out, " (%zu rows)</dd></div>\n", p->r->tables[i]->row_count);
    }
    text_add(out, "</dl></details>\n");
}

void page_facts(page *p)
{
    text *out = p->out;
    const audit_result *r = p->r;
    text_add(out, "<section id=\"made\" aria-labelledby=\"h-made\">\n"
                  "<h2 id=\"h-made\">How it was made</h2>\n");
    for (size_t i = 0; i < r->fact_count;) {
        const char *section = r->facts[i].section;
        text_add_format(out, "<details class=\"facts\"%s><summary>", i == 0 ? " open" : "");
        html_text(out, section[0] ? section : "Run");
        text_add(out, "</summary><dl>\n");
        for (; i < r->fact_count && strcmp(r->facts[i].section, section) == 0; i++) {
            text_add(out, "<div><dt>");
            html_text(out, r->facts[i].key);
            text_add(out, "</dt><dd>");
            html_text(out, r->facts[i].value);
            text_add(out, "</dd></div>\n");
        }
        text_add(out, "</dl></details>\n");
    }
    put_files(p);
    text_add(out, "</section>\n");
}
