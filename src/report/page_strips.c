#include <string.h>

#include "report/html.h"
#include "report/page.h"

static void put_caption(text *out, const char *caption)
{
    text_add(out, "<figcaption>");
    while (*caption) {
        size_t length = strcspn(caption, "\n");
        text line;
        text_init(&line, out->m);
        text_add_bytes(&line, caption, length);
        text_add(out, "<span>");
        html_text(out, line.data ? line.data : "");
        text_add(out, "</span>");
        if (line.failed) out->failed = true;
        text_free(&line);
        caption += length + (caption[length] == '\n');
    }
    text_add(out, "</figcaption>");
}

static void put_cell(text *out, const figure_cell *c)
{
    text_add(out, "<li><figure><img");
    html_attribute(out, "alt", c->alt);
    text_add(out, " decoding=\"async\" src=\"data:image/png;base64,");
    html_base64(out, c->png, c->png_length);
    text_add(out, "\">");
    put_caption(out, c->caption);
    text_add(out, "</figure></li>\n");
}

/* Cells with one row title in a row of their own, which scrolls sideways where it must. */
static void put_rows(text *out, const figure *f)
{
    for (size_t i = 0; i < f->cell_count;) {
        const char *row = f->cells[i].row_title;
        text_add(out, "<div class=\"strip\">");
        if (row[0]) {
            text_add(out, "<h4>");
            html_name(out, row);
            text_add(out, "</h4>");
        }
        text_add(out, "<ul tabindex=\"0\"");
        html_attribute(out, "aria-label", row[0] ? row : f->title);
        text_add(out, ">\n");
        for (; i < f->cell_count && strcmp(f->cells[i].row_title, row) == 0; i++)
            put_cell(out, &f->cells[i]);
        text_add(out, "</ul></div>\n");
    }
}

void page_strips(page *p)
{
    if (!page_has(p, true)) return;
    text *out = p->out;
    text_add(out, "<section id=\"pictures\" aria-labelledby=\"h-pictures\">\n"
                  "<h2 id=\"h-pictures\">Pictures</h2>\n");
    for (size_t i = 0; i < p->r->figure_count; i++) {
        const figure *f = p->r->figures[i];
        if (f->kind != FIGURE_STRIP) continue;
        text_add_format(out, "<div class=\"strips\" id=\"figure-%s\"><h3>", p->names->anchor[i]);
        html_text(out, f->title);
        text_add(out, "</h3>\n");
        if (f->caption[0]) {
            text_add(out, "<p>");
            html_text(out, f->caption);
            text_add(out, "</p>\n");
        }
        put_rows(out, f);
        text_add(out, "</div>\n");
    }
    text_add(out, "</section>\n");
}
