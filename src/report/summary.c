/* tare_report_summary: the answer for a terminal. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "audit/job.h"
#include "base/error.h"
#include "report/display.h"
#include "report/headline.h"
#include "report/plain.h"
#include "report/summary_table.h"
#include "report/wrap.h"

#define FEWEST_COLUMNS 40
#define MOST_COLUMNS 400
#define GAP 2

#define BOLD "1"
#define DIM "2"

/* Cells of the tables, in columns of the terminal. */
enum { CELL_ARM, CELL_NAME, CELL_ESTIMATE, CELL_Q, CELL_VERDICT, CELLS };

typedef struct summary {
    text *out;
    const audit_result *r;
    headline head;
    size_t columns, width[CELLS];
    bool colour, units;
    const char *sole; /* the one arm of everything shown: said in the headings; else NULL */
    text cell;
} summary;

static void style(summary *s, const char *code)
{
    if (s->colour) text_add_format(s->out, "\x1b[%sm", code);
}

static void plain_again(summary *s)
{
    if (s->colour) text_add(s->out, "\x1b[0m");
}

static const char *verdict_style(tare_verdict verdict)
{
    switch (verdict) {
    case TARE_FOUND: return "1;36";
    case TARE_SMALL: return "33";
    case TARE_NEGLIGIBLE: return "32";
    case TARE_INCONCLUSIVE: return "35";
    case TARE_NO_ANSWER:
    case TARE_DESCRIPTIVE: return DIM;
    }
    return DIM;
}

/* What stands in a cell, in s->cell. */
static const char *cell_of(summary *s, const tare_reading *r, int which)
{
    text *c = &s->cell;
    text_clear(c);
    text_add(c, "");
    switch (which) {
    case CELL_ARM: {
        if (s->sole) break;
        text arm;
        text_init(&arm, c->m);
        headline_arm(&arm, r);
        plain_line(c, arm.data ? arm.data : "", 200);
        if (arm.failed) s->out->failed = true; /* a cell is cleared again, failure with it */
        text_free(&arm);
        break;
    }
    case CELL_NAME:
        display_words(c, r->name);
        if (r->condition[0]) {
            text_add_char(c, ' ');
            plain_line(c, r->condition, 200);
        }
        break;
    case CELL_ESTIMATE:
        display_estimate(c, r);
        if (!isnan(r->lo) || !isnan(r->hi)) {
            text_add_char(c, ' ');
            display_interval(c, r);
        }
        if (s->units && r->unit[0] && isfinite(r->estimate)) {
            text_add_char(c, ' ');
            plain_line(c, r->unit, 40);
        }
        break;
    case CELL_Q:
        if (isnan(r->q)) break;
        text_add(c, "q ");
        display_p(c, r->q, NAN);
        text_add_format(c, " %s", display_q_mark(r));
        break;
    case CELL_VERDICT:
        text_add_format(c, "%s %s", display_verdict_sign(r->verdict),
                        tare_verdict_name(r->verdict));
        break;
    default: break;
    }
    return c->data ? c->data : "";
}

static size_t widths(summary *s)
{
    memset(s->width, 0, sizeof s->width);
    for (size_t i = 0; i < s->r->reading_count; i++) {
        if (!s->head.shown[i]) continue;
        for (int k = 0; k < CELLS; k++) {
            size_t width = plain_width(cell_of(s, &s->r->readings[i], k));
            if (width > s->width[k]) s->width[k] = width;
        }
    }
    size_t total = 2 + GAP * (CELLS - 1);
    for (int k = 0; k < CELLS; k++) total += s->width[k];
    return total;
}

/* What does not fit is taken from the units first, then from the names, then from the estimates. */
static void measure(summary *s)
{
    s->units = true;
    size_t total = widths(s);
    if (total > s->columns) {
        s->units = false;
        total = widths(s);
    }
    static const struct { int cell; size_t least; } give[] = {
        {CELL_ARM, 14}, {CELL_NAME, 12}, {CELL_ARM, 9}, {CELL_ESTIMATE, 8}, {CELL_NAME, 6}};
    for (size_t k = 0; k < sizeof give / sizeof *give && total > s->columns; k++) {
        size_t *width = &s->width[give[k].cell], over = total - s->columns;
        size_t can = *width > give[k].least ? *width - give[k].least : 0;
        size_t less = over < can ? over : can;
        *width -= less;
        total -= less;
    }
}

static void put_row(summary *s, const tare_reading *r, bool first_of_arm)
{
    wrap_spaces(s->out, 2);
    for (int k = 0; k < CELLS; k++) {
        const char *shown = cell_of(s, r, k);
        if (k == CELL_ARM && !first_of_arm) shown = "";
        if (k == CELL_VERDICT) {
            style(s, verdict_style(r->verdict));
            plain_line(s->out, shown, 0);
            plain_again(s);
            break;
        }
        wrap_cell(s->out, shown, s->width[k], false);
        if (s->width[k] > 0) wrap_spaces(s->out, GAP);
    }
    text_add_char(s->out, '\n');
    if (isnan(r->estimate) && r->words[0]) { /* a class such as the shape says it in words only */
        size_t indent = 2 + s->width[CELL_ARM] + (s->width[CELL_ARM] > 0 ? GAP : 0) + 2;
        wrap_spaces(s->out, indent);
        wrap_text(s->out, r->words, indent, indent, s->columns);
        text_add_char(s->out, '\n');
    }
}

/* Which arm all readings belong to, where there is only one. */
static const char *sole_arm(const summary *s)
{
    const headline *h = &s->head;
    size_t arm = SIZE_MAX;
    for (size_t i = 0; i < s->r->reading_count; i++) {
        if (!h->shown[i] || h->arm[i] == arm) continue;
        if (arm != SIZE_MAX) return NULL;
        arm = h->arm[i];
    }
    return arm == SIZE_MAX ? NULL : map_key(h->arms, arm, NULL);
}

static void put_sole(summary *s)
{
    if (!s->sole || !s->sole[0]) return;
    style(s, DIM);
    text_add(s->out, " (");
    plain_line(s->out, s->sole, 200);
    text_add(s->out, ")");
    plain_again(s);
}

static void put_scorer(summary *s, size_t instrument)
{
    const headline *h = &s->head;
    bool any = false;
    for (size_t arm = 0; arm < map_count(h->arms); arm++) {
        bool first = true;
        for (size_t i = 0; i < s->r->reading_count; i++) {
            if (!h->shown[i] || h->instrument[i] != instrument || h->arm[i] != arm) continue;
            if (!any) {
                const char *name = map_key(h->instruments, instrument, NULL);
                text_add_char(s->out, '\n');
                style(s, BOLD);
                text_clear(&s->cell);
                if (!name[0]) display_all_of(&s->cell, s->r->instrument_word);
                else plain_line(&s->cell, name, 0);
                wrap_text(s->out, s->cell.data ? s->cell.data : "", 0, 0, s->columns);
                plain_again(s);
                put_sole(s);
                text_add_char(s->out, '\n');
            }
            any = true;
            put_row(s, &s->r->readings[i], first);
            first = false;
        }
    }
}

static void put_paragraph(summary *s, const char *bullet, const char *sentence)
{
    size_t indent = plain_width(bullet);
    text_add(s->out, bullet);
    wrap_text(s->out, sentence, indent, indent, s->columns);
    text_add_char(s->out, '\n');
}

static void put_missing(summary *s)
{
    const audit_result *r = s->r;
    if (r->missing_count == 0) return;
    text_add_char(s->out, '\n');
    style(s, BOLD);
    text_add(s->out, "Not used");
    plain_again(s);
    text_add_char(s->out, '\n');
    for (size_t i = 0; i < r->missing_count; i++) {
        const result_missing *m = &r->missing[i];
        text_clear(&s->cell);
        text_add_format(&s->cell, "%zu", m->count);
        if (m->of > 0) text_add_format(&s->cell, " of %zu", m->of);
        text_add_char(&s->cell, ' ');
        plain_line(&s->cell, m->what, 40);
        text_add(&s->cell, m->count == 1 && m->of == 0 ? ": " : "s: ");
        display_words(&s->cell, tare_reason_name(m->reason));
        const char *where[] = {m->arm, m->instrument, m->group};
        bool open = false;
        for (size_t k = 0; k < sizeof where / sizeof *where; k++) {
            if (where[k][0] == 0) continue;
            text_add(&s->cell, open ? ", " : " (");
            plain_line(&s->cell, where[k], 60);
            open = true;
        }
        if (open) text_add_char(&s->cell, ')');
        put_paragraph(s, "  ", s->cell.data ? s->cell.data : "");
    }
}

static void put_all(summary *s)
{
    const audit_result *r = s->r;
    style(s, BOLD);
    wrap_text(s->out, r->title, 0, 0, s->columns);
    plain_again(s);
    text_add(s->out, "\n\n");
    for (size_t i = 0; i < r->answer_count; i++) {
        if (display_is_first(r->answer, i))
            put_paragraph(s, i == 0 ? "" : "- ", r->answer[i]);
    }
    for (size_t i = 0; i < r->table_count; i++)
        if (r->tables[i]->shown) summary_table(s->out, r->tables[i], s->colour);
    s->sole = sole_arm(s);
    measure(s);
    for (size_t k = 0; k < map_count(s->head.instruments); k++) put_scorer(s, k);
    if (r->caution_count > 0) {
        text_add_char(s->out, '\n');
        style(s, BOLD);
        text_add(s->out, "Before you use this answer");
        plain_again(s);
        text_add_char(s->out, '\n');
    }
    for (size_t i = 0; i < r->caution_count; i++) {
        if (display_is_first(r->cautions, i)) put_paragraph(s, "  ! ", r->cautions[i]);
    }
    put_missing(s);
}

tare_status tare_report_summary(char **out, const tare_job *job, unsigned columns, int colour,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &job->context->mem;
    text whole;
    summary s = {.out = &whole, .r = &job->result, .colour = colour != 0};
    text_init(&whole, m);
    text_init(&s.cell, m);
    s.columns = columns == 0 ? 80 : columns;
    if (s.columns < FEWEST_COLUMNS) s.columns = FEWEST_COLUMNS;
    if (s.columns > MOST_COLUMNS) s.columns = MOST_COLUMNS;
    if (!job->has_result)
        FAIL(err, TARE_E_USAGE, "report.no_result", "", "run the job before its summary");
    if (!headline_init(&s.head, s.r)) FAIL_MEMORY(err);
    put_all(&s);
    if (s.cell.failed || whole.failed) FAIL_MEMORY(err);
    TRY_NEW(*out = text_take(&whole));
done:
    headline_free(&s.head);
    text_free(&s.cell);
    text_free(&whole);
    return status;
}
