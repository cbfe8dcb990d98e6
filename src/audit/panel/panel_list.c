/* Which panels: --panel, --sequence, --candidates. */
#include <math.h>
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

/* In one of several settings a judge may be silent. */
static bool speaks_elsewhere(const panel_study *s, size_t judge)
{
    const score_table *t = s->t;
    for (size_t l = 0; l < t->layers; l++)
        for (size_t i = 0; l != s->layer && i < t->units; i++)
            if (!isnan(t->layer[l].score[i * t->judge.count + judge])) return true;
    return false;
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
    if (!s->rows.usable[*out] && !speaks_elsewhere(s, *out))
        return error_set(err, TARE_E_DATA, "panel.unusable_judge", option,
                         s->o.aggregate.rule == AGGREGATE_ZMEAN
                             ? "judge %.100s has no scores, or all its scores are equal: it has no "
                               "z-scores"
                             : "judge %.100s has no score",
                         name);
    return TARE_OK;
}

/* Judges of "a,b,c", in the order given. */
typedef struct judge_list { size_t *judge, count; } judge_list;

static tare_status read_list(judge_list *out, panel_study *s, const char *option, const char *list,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    size_t most = 1;
    for (const char *c = list; *c; c++) most += *c == ',';
    TRY_NEW(out->judge = arena_new(s->a, most, sizeof *out->judge));
    out->count = 0;
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ","), first = strspn(at, " \t"), end = length;
        const char *name;
        while (end > first && (at[end - 1] == ' ' || at[end - 1] == '\t')) end--;
        if (first >= end)
            FAIL(err, TARE_E_USAGE, "panel.empty_name", option, "\"%.200s\" holds an empty name",
                 list);
        TRY_NEW(name = arena_text(s->a, at + first, end - first));
        TRY(need_judge(&out->judge[out->count], s, option, name, err));
        for (size_t k = 0; k < out->count; k++)
            if (out->judge[k] == out->judge[out->count])
                FAIL(err, TARE_E_USAGE, "panel.twice", option, "judge %.100s is named twice", name);
        out->count++;
        at += length;
        if (!*at) break;
    }
done:
    return status;
}

/* The first of these judges that this layer has nothing to combine of; SIZE_MAX: none. */
static size_t first_silent(const panel_study *s, const size_t *judge, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!s->rows.usable[judge[k]]) return judge[k];
    return SIZE_MAX;
}

static tare_status skip(panel_study *s, const char *what, size_t judge, tare_error *err)
{
    const char *setting = s->setting[0] ? s->setting : s->dim;
    s->skipped++;
    return result_caution(s->out, err,
                          "%s: %s is left out, since judge %s has no scores there that can be "
                          "combined.",
                          setting, what, s->t->judge.name[judge]);
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

static panel_result *find_panel(const panel_study *s, const size_t *judge, size_t count)
{
    for (size_t k = 0; k < s->panels; k++) {
        panel_result *p = &s->panel[k];
        if (p->count == count && memcmp(p->judge, judge, count * sizeof *judge) == 0) return p;
    }
    return NULL;
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

static tare_status need_members(const panel_study *s, const char *what, size_t count,
                                tare_error *err)
{
    size_t k = s->o.aggregate.at_least;
    if (k <= count) return TARE_OK;
    return error_set(err, TARE_E_USAGE, "panel.members", "--members",
                     "%zu scores are asked for, and %.100s has %zu judge%s", k, what, count,
                     count == 1 ? "" : "s");
}

static tare_status read_panel(panel_study *s, const char *given, tare_error *err)
{
    tare_status status = TARE_OK;
    panel_result p = {.source = PANEL_NAMED, .found = SIZE_MAX};
    judge_list read;
    const char *equals = strchr(given, '='), *list = given;
    if (equals == given)
        FAIL(err, TARE_E_USAGE, "panel.form", "--panel",
             "\"%.200s\" has no name before '=': --panel NAME=JUDGE,JUDGE", given);
    if (equals) {
        TRY_NEW(p.name = arena_text(s->a, given, (size_t)(equals - given)));
        list = equals + 1;
    }
    TRY(read_list(&read, s, "--panel", list, err));
    p.judge = read.judge;
    p.count = read.count;
    sort_judges(p.judge, p.count);
    if (!p.name) TRY_NEW(p.name = join(s, p.judge, p.count));
    for (size_t k = 0; k < s->panels; k++)
        if (!strcmp(s->panel[k].name, p.name))
            FAIL(err, TARE_E_USAGE, "panel.name_twice", "--panel", "two panels are called \"%s\"",
                 p.name);
    const panel_result *twin = find_panel(s, p.judge, p.count);
    if (twin)
        FAIL(err, TARE_E_USAGE, "panel.members_twice", "--panel",
             "panels %.100s and %.100s have the same members", twin->name, p.name);
    TRY(need_members(s, p.name, p.count, err));
    size_t silent = first_silent(s, p.judge, p.count);
    if (silent == SIZE_MAX) {
        TRY(panel_list_add(s, &p, err));
    } else {
        const char *what;
        TRY_NEW(what = arena_printf(s->a, "panel %s", p.name));
        TRY(skip(s, what, silent, err));
    }
done:
    return status;
}

/* {a}, {a, b}, {a, b, c}: as the paper's Table 1 adds one judge at a time. A step that is a named
 * panel is that panel. */
static tare_status read_sequence(panel_study *s, const char *list, tare_error *err)
{
    tare_status status = TARE_OK;
    judge_list read;
    TRY(read_list(&read, s, "--sequence", list, err));
    TRY(need_members(s, "the sequence", read.count, err));
    const char *name = NULL;
    for (size_t n = 1; n <= read.count; n++) {
        panel_result p = {.source = PANEL_SEQUENCE, .found = SIZE_MAX, .count = n, .step = n};
        p.added = s->t->judge.name[read.judge[n - 1]];
        if (!s->rows.usable[read.judge[n - 1]]) {
            const char *what;
            TRY_NEW(what = arena_printf(s->a, "the sequence from judge %s on", p.added));
            TRY(skip(s, what, read.judge[n - 1], err));
            break;
        }
        TRY_NEW(name = name ? arena_printf(s->a, "%s+%s", name, p.added) : p.added);
        p.name = name;
        TRY_NEW(p.judge = arena_new(s->a, n, sizeof *p.judge));
        memcpy(p.judge, read.judge, n * sizeof *p.judge);
        sort_judges(p.judge, n);
        panel_result *twin = find_panel(s, p.judge, n);
        if (!twin) {
            TRY(panel_list_add(s, &p, err));
            continue;
        }
        twin->step = n;
        twin->added = p.added;
    }
done:
    return status;
}

tare_status panel_list_candidates(panel_study *s, const tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *list = job_text(job, "candidates");
    judge_list read = {NULL, 0};
    if (list) {
        size_t kept = 0;
        TRY(read_list(&read, s, "--candidates", list, err));
        for (size_t k = 0; k < read.count; k++) {
            if (s->rows.usable[read.judge[k]]) read.judge[kept++] = read.judge[k];
            else TRY(skip(s, "a candidate", read.judge[k], err));
        }
        read.count = kept;
        sort_judges(read.judge, read.count);
    } else {
        TRY_NEW(read.judge = arena_new(s->a, s->rows.judges, sizeof *read.judge));
        for (size_t j = 0; j < s->rows.judges; j++)
            if (s->rows.usable[j]) read.judge[read.count++] = j;
    }
    s->candidate = read.judge;
    s->candidates = read.count;
    if (read.count == 0)
        FAIL(err, TARE_E_DATA, "panel.nobody", s->setting, "no candidate has scores here");
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
    bool asked = named > 0 || sequence;
    if ((!asked || s->o.search) && s->candidates > 1 &&
        !find_panel(s, s->candidate, s->candidates)) {
        panel_result p = {.source = PANEL_ALL, .found = SIZE_MAX, .count = s->candidates};
        p.name = job_text(job, "candidates") ? "all candidates" : "all judges";
        TRY_NEW(p.judge = arena_new(s->a, s->candidates, sizeof *p.judge));
        memcpy(p.judge, s->candidate, s->candidates * sizeof *p.judge);
        TRY(need_members(s, "the panel of all", p.count, err));
        TRY(panel_list_add(s, &p, err));
    }
    TRY(check_raters(s, err));
    if (s->panels == 0 && !s->o.search && s->skipped == 0)
        FAIL(err, TARE_E_DATA, "panel.alone", "", "the table has one judge: there is no panel");
done:
    return status;
}
