#include <math.h>
#include <string.h>

#include "sample_picture.h"
#include "sample_report.h"

const char *const sample_attacks[] = {
    "</script><script>window.pwned=1</script>",
    "\"><img src=x onerror=\"window.pwned=2\">",
    "' onmouseover='window.pwned=3",
    "<!--<script>",
    "]]>&lt;b&gt;&amp;",
    "../../etc/passwd",
    "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xE2\x80\xAE" "evil\xE2\x81\xA6",
    "broken \xC3\x28 \xFF\xFE \xED\xA0\x80 \xF4\x90\x80\x80 \xC0\xAF end\xE2\x82",
    "\x1b[31mred\x1b[0m\x07 bell \xC2\x9B" "31m",
    "tab\there\nline\r\nend \"quoted\"",
    "=cmd|' /C calc'!A0",
    "{\"signal\": \"width\"} datum.x; ${1} %s %n",
    "\xE6\xB5\x8B\xE8\xAF\x95\xE6\x89\x93\xE5\x88\x86\xE5\x99\xA8 "
    "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC",
};
const size_t sample_attack_count = sizeof sample_attacks / sizeof *sample_attacks;

static int add_reading(audit_result *r, const char *s, size_t k)
{
    tare_reading *x = result_add_reading(r);
    if (!x) return 0;
    x->family = k % 3 ? "fidelity" : s;
    x->arm = x->instrument = x->name = x->condition = x->unit = s;
    x->interval_method = x->p_method = x->grid = x->reason = x->marks = x->words = s;
    x->estimate = 1.0 / (double)(k + 1);
    x->lo = -1;
    x->hi = k % 2 ? INFINITY : 1;
    x->q = .5;
    x->verdict = (tare_verdict)(k % 6);
    return 1;
}

static int add_figure(audit_result *r, const char *s, figure_kind kind)
{
    figure *f = result_add_figure(r, kind, s, s);
    if (!f) return 0;
    f->caption = f->x_title = f->y_title = s;
    f->margin = .5;
    for (int k = 0; k < 3; k++) {
        figure_point *p = kind == FIGURE_STRIP ? NULL : result_add_point(r, f);
        figure_cell *c = kind == FIGURE_STRIP ? result_add_picture(r, f) : NULL;
        if (!p && !c) return 0;
        if (p) *p = (figure_point){k ? s : "p", k == 2 ? s : "s", s, k, k, k - 1, k + 1, s, s, ""};
        if (c) {
            *c = (figure_cell){s, s, NULL, 0, s};
            if (!(c->png = sample_picture(&r->a, k, &c->png_length))) return 0;
        }
    }
    return 1;
}

static int add_all(audit_result *r, const char *s, size_t k)
{
    const char *columns[] = {s, "b"};
    result_table *t = result_add_table(r, s, s, columns, 2);
    cell *row = t ? result_add_row(r, t) : NULL;
    result_missing *m = result_add_missing(r);
    if (!row || !m) return 0;
    row[0] = (cell){CELL_TEXT, s, NAN, 0};
    *m = (result_missing){s, s, s, s, TARE_R_DECODE, 1, 2, s};
    return result_answer(r, NULL, "%s", s) == TARE_OK &&
           result_caution(r, NULL, "%s", s) == TARE_OK &&
           result_fact_add(r, s, s, s, NULL) == TARE_OK && add_reading(r, s, k) &&
           add_figure(r, s, (figure_kind)(k % 6));
}

int sample_hostile(tare_job *job)
{
    audit_result *r = &job->result;
    r->audit = sample_attacks[0];
    r->title = sample_attacks[1];
    for (size_t k = 0; k < sample_attack_count; k++) {
        if (!add_all(r, sample_attacks[k], k)) return 0;
    }
    char *endless = arena_new(&r->a, 10001, 1);
    if (!endless) return 0;
    memset(endless, 'n', 10000);
    memcpy(endless, "<i>", 3);
    return add_all(r, endless, 2) && add_all(r, "", 3);
}
