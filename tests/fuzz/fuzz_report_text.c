/* Any bytes as text of others in a report: no markup, quote or terminal escape of theirs gets out,
 * JSON gives the text back, and the page has the tags it has for harmless text. */
#include <string.h>

#include "audit/result.h"
#include "base/json.h"
#include "fuzz.h"
#include "report/files.h"
#include "report/html.h"
#include "report/plain.h"
#include "report/wrap.h"

/* A view of text: what is counted in it. */
static size_t count(const text *t, char c)
{
    size_t n = 0;
    for (size_t i = 0; i < t->length; i++) n += t->data[i] == c;
    return n;
}

/* Every '&' begins one of our five. */
static void check_escaped(const text *t)
{
    static const char *const ours[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    REQUIRE(!t->failed);
    if (t->length == 0) return;
    REQUIRE(utf8_valid(t->data, t->length));
    REQUIRE(!count(t, '<') && !count(t, '>') && !count(t, '"') && !count(t, '\''));
    for (const char *at = t->data; (at = strchr(at, '&')) != NULL; at++) {
        bool known = false;
        for (int i = 0; i < 5; i++) known = known || !strncmp(at, ours[i], strlen(ours[i]));
        REQUIRE(known);
    }
}

/* No control character, and nothing that turns the reading direction. */
static void check_plain(const text *t, bool lines)
{
    REQUIRE(!t->failed);
    if (t->length == 0) return;
    REQUIRE(utf8_valid(t->data, t->length));
    for (size_t i = 0; i < t->length; i++) {
        unsigned char c = (unsigned char)t->data[i];
        REQUIRE((c >= 0x20 && c != 0x7F) || (lines && (c == '\n' || c == '\t')));
    }
    for (const char *at = t->data; (at = strchr(at, '\xE2')) != NULL; at++) {
        REQUIRE(strncmp(at, "\xE2\x80\xAA", 2) != 0 ||
                !((unsigned char)at[2] >= 0xAA && (unsigned char)at[2] <= 0xAE));
        REQUIRE(strncmp(at, "\xE2\x81\xA6", 2) != 0 ||
                !((unsigned char)at[2] >= 0xA6 && (unsigned char)at[2] <= 0xA9));
    }
}

static void check_html(text *t, const char *s)
{
    text_clear(t);
    html_text(t, s);
    check_escaped(t);
    text_clear(t);
    html_attribute(t, "title", s);
    REQUIRE(count(t, '"') == 2 && !count(t, '<') && !count(t, '>') && !count(t, '\n'));
    text_clear(t);
    html_name(t, s);
    REQUIRE(count(t, '<') == 2 && count(t, '>') == 2 && utf8_valid(t->data, t->length));
}

static void check_terminal(text *t, const char *s, unsigned columns)
{
    text_clear(t);
    plain_line(t, s, 0);
    check_plain(t, false);
    REQUIRE(t->length == 0 || plain_width(s) == plain_width(t->data));
    text_clear(t);
    plain_text(t, s);
    check_plain(t, true);
    for (int right = 0; right < 2; right++) {
        text_clear(t);
        wrap_cell(t, s, columns, right);
        check_plain(t, false);
        REQUIRE(t->data && plain_width(t->data) == columns);
    }
    text_clear(t);
    wrap_text(t, s, 0, 2, columns);
    check_plain(t, true);
    for (char *line = t->data, *end; line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (end) *end = '\0';
        REQUIRE(plain_width(line) <= columns);
    }
}

/* JSON in a script block reads back as the same text. */
static void check_json(text *t, const mem *m, const char *s, size_t length)
{
    json_writer w;
    json_value *v = NULL;
    text block;
    arena a;
    arena_init(&a, m);
    text_init(&block, m);
    text_clear(t);
    json_begin(&w, t, 0);
    json_string_bytes(&w, s, length);
    REQUIRE(!t->failed);
    html_json(&block, t->data, t->length);
    REQUIRE(!block.failed && !count(&block, '<') && !count(&block, '>') && !count(&block, '&'));
    REQUIRE(json_parse(&v, &a, "text", block.data, block.length, NULL, NULL) == TARE_OK);
    REQUIRE(v->kind == JSON_K_TEXT);
    if (utf8_valid(s, length)) REQUIRE(v->length == length && !memcmp(v->text, s, length));
    text_free(&block);
    arena_free(&a);
}

static void fill(audit_result *r, const char *s)
{
    const char *columns[] = {s, "b"};
    r->audit = r->title = s;
    tare_reading *x = result_add_reading(r);
    result_table *t = result_add_table(r, s, s, columns, 2);
    result_missing *m = result_add_missing(r);
    figure *f = result_add_figure(r, FIGURE_FOREST, s, s);
    REQUIRE(x && t && m && f);
    x->family = x->arm = x->instrument = x->name = x->condition = x->dim = x->unit = s;
    x->interval_method = x->p_method = x->grid = x->reason = x->marks = x->words = s;
    x->estimate = 1;
    x->verdict = TARE_FOUND;
    cell *row = result_add_row(r, t);
    figure_point *p = result_add_point(r, f);
    REQUIRE(row && p);
    row[0] = (cell){CELL_TEXT, s, 0, 0};
    f->caption = f->x_title = f->y_title = s;
    *p = (figure_point){s, s, s, 1, 1, 0, 2, "q", s, ""};
    *m = (result_missing){s, s, s, s, TARE_R_DECODE, 1, 2, s};
    REQUIRE(result_answer(r, NULL, "%s", s) == TARE_OK);
    REQUIRE(result_caution(r, NULL, "%s", s) == TARE_OK);
    REQUIRE(result_fact_add(r, s, s, s, NULL) == TARE_OK);
}

static void make_page(text *out, const mem *m, const char *s)
{
    audit_result r;
    file_names names;
    arena a;
    arena_init(&a, m);
    result_init(&r, m);
    fill(&r, s);
    REQUIRE(file_names_make(&names, &a, &r, NULL) == TARE_OK);
    for (size_t i = 0; i < names.count; i++) {
        REQUIRE(!strstr(names.all[i], "..") && *names.all[i] != '/');
    }
    text_clear(out);
    page_html(out, &r, &names);
    REQUIRE(!out->failed && utf8_valid(out->data, out->length));
    result_free(&r);
    arena_free(&a);
}

static void check_page(text *t, const mem *m, char *s)
{
    make_page(t, m, s);
    size_t open = count(t, '<'), close = count(t, '>');
    for (char *c = s; (c = strpbrk(c, "<>&\"'")) != NULL;) *c = '_';
    make_page(t, m, s);
    REQUIRE(count(t, '<') == open && count(t, '>') == close);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > 4096) return 0;
    mem m = mem_system();
    text t;
    text_init(&t, &m);
    char *s = strndup((const char *)data + 1, size - 1);
    REQUIRE(s != NULL);
    check_html(&t, s);
    check_terminal(&t, s, 8 + data[0] % 100);
    check_json(&t, &m, (const char *)data + 1, size - 1);
    if (data[0] % 4 == 0) check_page(&t, &m, s);
    text_free(&t);
    free(s);
    return 0;
}
