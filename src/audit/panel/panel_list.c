/* Which panels: --panel, --sequence, --candidates. */
#include <string.h>

#include "audit/job.h"
#include "audit/panel/panel_study.h"
#include "base/error.h"
#include "base/spelling.h"

/* By its name in the table, else by a name the roster knows. */
static size_t find_judge(const score_table *t, const char *name)
{
    for (size_t j = 0; j < t->judge.count; j++)
        if (!strcmp(t->judge.name[j], name)) return j;
    size_t model = t->models ? roster_find(t->models, name) : ROSTER_NONE;
    for (size_t j = 0; model != ROSTER_NONE && j < t->judge.count; j++)
        if (t->judge_model[j] == model) return j;
    return SIZE_MAX;
}

static tare_status need_judge(size_t *out, const panel_study *s, const char *option,
                              const char *name, tare_error *err)
{
    const score_table *t = s->t;
    *out = find_judge(t, name);
    if (*out == SIZE_MAX) {
        const char *near = spelling_nearest(name, t->judge.name, t->judge.count);
        return error_set(err, TARE_E_USAGE, "panel.unknown_judge", option,
                         "\"%.100s\" is no judge of the table%s%s%s", name,
                         near ? ": did you mean " : "", near ? near : "", near ? "?" : "");
    }
    if (!s->rows.usable[*out])
        return error_set(err, TARE_E_DATA, "panel.unusable_judge", option,
                         s->o.aggregate.rule == AGGREGATE_ZMEAN
                             ? "judge %.100s has no scores, or all its scores are equal: it has no "
                               "z-scores"
                             : "judge %.100s has no score",
                         name);
    return TARE_OK;
}

/* Judges of "a,b,c", in the order given. */
static tare_status read_list(size_t **judge, size_t *count, panel_study *s, const char *option,
                             const char *list, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t most = 1;
    for (const char *c = list; *c; c++) most += *c == ',';
    TRY_NEW(*judge = arena_new(s->a, most, sizeof **judge));
    *count = 0;
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ","), first = strspn(at, " \t"), end = length;
        const char *name;
        while (end > first && (at[end - 1] == ' ' || at[end - 1] == '\t')) end--;
        if (first >= end)
            FAIL(err, TARE_E_USAGE, "panel.empty_name", option, "\"%.200s\" holds an empty name",
                 list);
        TRY_NEW(name = arena_text(s->a, at + first, end - first));
        TRY(need_judge(&(*judge)[*count], s, option, name, err));
        for (size_t k = 0; k < *count; k++)
            if ((*judge)[k] == (*judge)[*count])
                FAIL(err, TARE_E_USAGE, "panel.twice", option, "judge %.100s is named twice", name);
        ++*count;
        at += length;
        if (!*at) break;
    }
done:
    return status;
}

static void sort_judges(size_t *judge, size_t count)
{
    for (size_t k = 1; k < count; k++)
        for (size_t i = k; i > 0 && judge[i - 1] > judge[i]; i--) {
            size_t keep = judge[i];
            judge[i] = judge[i - 1];
            judge[i - 1] = keep;
        }
}

static const char *join(panel_study *s, const size_t *judge, size_t count)
{
    const char *text = s->t->judge.name[judge[0]];
    for (size_t k = 1; k < count && text; k++)
        text = arena_printf(s->a, "%s+%s", text, s->t->judge.name[judge[k]]);
    return text;
}

tare_status panel_list_add(panel_study *s, const panel_result *panel, tare_error *err)
{
    tare_status status = TARE_OK;
    panel_result p = *panel;
    sort_judges(p.judge, p.count);
    if (s->panels == s->panel_capacity) {
        size_t cap = 2 * s->panel_capacity + 16;
        panel_result *more;
        TRY_NEW(more = arena_new(&s->scratch, cap, sizeof *more));
        if (s->panels) memcpy(more, s->panel, s->panels * sizeof *more);
        s->panel = more;
        s->panel_capacity = cap;
    }
    TRY_NEW(p.members = join(s, p.judge, p.count));
    if (!p.name) p.name = p.members;
    TRY_NEW(p.member = arena_new(&s->scratch, p.count, sizeof *p.member));
    for (size_t k = 0; k < p.count; k++) {
        p.member[k].judge = p.judge[k];
        p.member[k].author = s->rows.author_of[p.judge[k]];
        p.member[k].entry_agree = p.member[k].entry_d = BOOK_NONE;
    }
    s->panel[s->panels++] = p;
done:
    return status;
}

static tare_status read_panel(panel_study *s, const char *given, tare_error *err)
{
    tare_status status = TARE_OK;
    panel_result p = {.source = PANEL_NAMED, .found = SIZE_MAX};
    const char *equals = strchr(given, '='), *list = given;
    if (equals == given)
        FAIL(err, TARE_E_USAGE, "panel.form", "--panel",
             "\"%.200s\" has no name before '=': --panel NAME=JUDGE,JUDGE", given);
    if (equals) {
        TRY_NEW(p.name = arena_text(s->a, given, (size_t)(equals - given)));
        list = equals + 1;
    }
    TRY(read_list(&p.judge, &p.count, s, "--panel", list, err));
    for (size_t k = 0; p.name && k < s->panels; k++)
        if (!strcmp(s->panel[k].name, p.name))
            FAIL(err, TARE_E_USAGE, "panel.name_twice", "--panel", "two panels are called \"%s\"",
                 p.name);
    TRY(panel_list_add(s, &p, err));
done:
    return status;
}

/* {a}, {a, b}, {a, b, c}: as the paper's Table 1 adds one judge at a time. */
static tare_status read_sequence(panel_study *s, const char *list, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t *judge, count;
    TRY(read_list(&judge, &count, s, "--sequence", list, err));
    const char *name = NULL;
    for (size_t n = 1; n <= count; n++) {
        panel_result p = {.source = PANEL_SEQUENCE, .found = SIZE_MAX, .count = n};
        const char *last = s->t->judge.name[judge[n - 1]];
        TRY_NEW(name = name ? arena_printf(s->a, "%s+%s", name, last) : last);
        p.name = name;
        TRY_NEW(p.judge = arena_new(s->a, n, sizeof *p.judge));
        memcpy(p.judge, judge, n * sizeof *judge);
        TRY(panel_list_add(s, &p, err));
    }
done:
    return status;
}

tare_status panel_list_candidates(panel_study *s, const tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *list = job_text(job, "candidates");
    size_t *judge = NULL;
    if (list) {
        TRY(read_list(&judge, &s->candidates, s, "--candidates", list, err));
        sort_judges(judge, s->candidates);
    } else {
        TRY_NEW(judge = arena_new(s->a, s->rows.judges, sizeof *judge));
        s->candidates = 0;
        for (size_t j = 0; j < s->rows.judges; j++)
            if (s->rows.usable[j]) judge[s->candidates++] = j;
    }
    s->candidate = judge;
done:
    return status;
}

/* People's ratings that a judge gave are no gold for a panel that it sits in (B.6). */
static tare_status check_raters(const panel_study *s, tare_error *err)
{
    const score_table *t = s->t;
    for (size_t r = 0; r < t->rater.count; r++) {
        size_t j = find_judge(t, t->rater.name[r]);
        bool sits = false;
        for (size_t k = 0; j != SIZE_MAX && k < s->panels; k++)
            for (size_t i = 0; i < s->panel[k].count; i++) sits = sits || s->panel[k].judge[i] == j;
        for (size_t k = 0; j != SIZE_MAX && s->o.search && k < s->candidates; k++)
            sits = sits || s->candidate[k] == j;
        if (sits)
            return error_set(err, TARE_E_DATA, "panel.gold_from_member", "--human",
                             "rater %.100s is judge %.100s, a member of a panel: a panel cannot be "
                             "compared with itself",
                             t->rater.name[r], t->judge.name[j]);
    }
    return TARE_OK;
}

tare_status panel_list_read(panel_study *s, const tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t named = job_count(job, "panel");
    const char *sequence = job_text(job, "sequence");
    TRY(panel_list_candidates(s, job, err));
    if (named > PANELS_MOST)
        FAIL(err, TARE_E_LIMIT, "panel.many", "--panel", "at most %d panels", PANELS_MOST);
    for (size_t k = 0; k < named; k++) TRY(read_panel(s, job_text_at(job, "panel", k), err));
    if (sequence) TRY(read_sequence(s, sequence, err));
    if ((s->panels == 0 || s->o.search) && s->candidates > 1) {
        panel_result p = {.source = PANEL_ALL, .found = SIZE_MAX, .count = s->candidates};
        p.name = job_text(job, "candidates") ? "all candidates" : "all judges";
        TRY_NEW(p.judge = arena_new(s->a, s->candidates, sizeof *p.judge));
        memcpy(p.judge, s->candidate, s->candidates * sizeof *p.judge);
        TRY(panel_list_add(s, &p, err));
    }
    TRY(check_raters(s, err));
    if (s->panels == 0 && !s->o.search)
        FAIL(err, TARE_E_DATA, "panel.alone", "", "the table has one judge: there is no panel");
done:
    return status;
}
