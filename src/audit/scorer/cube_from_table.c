#include "audit/scorer/cube_from_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/scorer/score_rows.h"
#include "base/error.h"
#include "stats/missing.h"

#define DOSES_MAX 1000
#define CELLS_MAX ((size_t)1 << 28) /* scores of one arm and scorer */
#define NO_CODE UINT32_MAX

/* One base of the arm at hand, while it is put together. */
typedef struct arm_base {
    uint32_t base, cluster, group;
    size_t first, last; /* rows [first, last) of the order */
    bool neutral;       /* has a row at the neutral dose   */
} arm_base;

typedef struct arm_build {
    score_rows *r;
    cube *c;
    cube_arm *arm;
    size_t index;
    size_t first, last;    /* rows of the arm in the order */
    arm_base *base;
    size_t bases;
    uint32_t *dose_at;     /* [all doses] place in the arm, NO_CODE if not in it */
} arm_build;

static tare_status differs(const arm_build *b, size_t row, int role, const char *what,
                           tare_error *err)
{
    char where[TABLE_WHERE_MAX];
    size_t column = b->r->role[role].column;
    table_where(where, b->r->t, row, column);
    return error_set(err, TARE_E_DATA, "table.varies", where, "%s varies %s", b->r->role[role].role,
                     what);
}

/* The word of the row against `code`, that of the rows of the base before it. */
static tare_status check_same(const arm_build *b, size_t row, int role, const row_words *words,
                              uint32_t code, tare_error *err)
{
    char where[TABLE_WHERE_MAX];
    const score_rows *r = b->r;
    const char *name = r->role[role].role;
    if (words->code[row] == code) return TARE_OK;
    table_where(where, r->t, row, r->role[role].column);
    return error_set(err, TARE_E_DATA, "table.varies", where,
                     "%s varies between rows of one base: base %s has '%s' and '%s'; give all its "
                     "rows one %s", name, r->base.word[r->base.code[row]], words->word[code],
                     words->word[words->code[row]], name);
}

static tare_status collect_bases(arm_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    score_rows *r = b->r;
    TRY_NEW(b->base = arena_new(r->a, b->last - b->first, sizeof *b->base));
    for (size_t k = b->first; k < b->last; k++) {
        size_t row = r->order[k];
        arm_base *x = b->bases ? &b->base[b->bases - 1] : NULL;
        if (!x || x->base != r->base.code[row]) {
            x = &b->base[b->bases++];
            *x = (arm_base){r->base.code[row], r->cluster.code[row], r->group.code[row], k, k,
                            false};
        }
        TRY(check_same(b, row, ROW_CLUSTER, &r->cluster, x->cluster, err));
        TRY(check_same(b, row, ROW_GROUP, &r->group, x->group, err));
        if (r->kind.code[row] != r->kind.code[r->order[b->first]])
            TRY(differs(b, row, ROW_KIND, "inside one arm", err));
        x->last = k + 1;
    }
done:
    return status;
}

/* A neutral dose that the user names must be somewhere in the table. */
static tare_status check_neutral(const score_rows *r, tare_error *err)
{
    if (isnan(r->o->neutral)) return TARE_OK;
    for (size_t d = 0; d < r->doses; d++)
        if (r->dose_value[d] == r->o->neutral) return TARE_OK;
    return error_set(err, TARE_E_DATA, "table.neutral", table_name(r->t),
                     "no row has the neutral dose %g that was asked for", r->o->neutral);
}

static tare_status collect_doses(arm_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    score_rows *r = b->r;
    cube_arm *arm = b->arm;
    TRY_NEW(b->dose_at = arena_new(r->a, r->doses, sizeof *b->dose_at));
    for (size_t d = 0; d < r->doses; d++) b->dose_at[d] = NO_CODE;
    for (size_t k = b->first; k < b->last; k++) b->dose_at[r->dose[r->order[k]]] = 0;
    for (size_t d = 0; d < r->doses; d++)
        if (b->dose_at[d] != NO_CODE) b->dose_at[d] = (uint32_t)arm->doses++;
    if (arm->doses > DOSES_MAX)
        FAIL(err, TARE_E_LIMIT, "table.doses", table_name(r->t),
             "arm %s has %zu doses; at most %d are analysed", arm->name, arm->doses, DOSES_MAX);
    TRY_NEW(arm->dose = arena_new(r->a, arm->doses, sizeof *arm->dose));
    for (size_t d = 0; d < r->doses; d++)
        if (b->dose_at[d] != NO_CODE) arm->dose[b->dose_at[d]] = r->dose_value[d];
    /* A dose that was asked for goes first, then 0, then 1. */
    const double wanted[3] = {r->o->neutral, 0, 1};
    arm->neutral = SIZE_MAX;
    for (size_t n = 0; n < 3 && arm->neutral == SIZE_MAX; n++)
        for (size_t d = 0; d < arm->doses; d++)
            if (arm->dose[d] == wanted[n]) arm->neutral = d;
    if (arm->neutral == SIZE_MAX)
        FAIL(err, TARE_E_DATA, "table.neutral", table_name(r->t),
             "arm %s has neither dose 0 nor dose 1: name the neutral dose", arm->name);
    arm->two_sided = arm->neutral > 0 && arm->neutral + 1 < arm->doses;
done:
    return status;
}

/* Bases without a row at the neutral dose leave, counted by group. */
static tare_status drop_without_neutral(arm_build *b, size_t *per_group, const char **example)
{
    size_t kept = 0;
    for (size_t i = 0; i < b->bases; i++) {
        arm_base *x = &b->base[i];
        for (size_t k = x->first; k < x->last; k++)
            x->neutral = x->neutral ||
                         b->dose_at[b->r->dose[b->r->order[k]]] == (uint32_t)b->arm->neutral;
        if (x->neutral) {
            b->base[kept++] = *x;
            continue;
        }
        if (per_group[x->group]++ == 0) example[x->group] = b->r->base.word[x->base];
        b->arm->excluded++;
    }
    b->bases = kept;
    return TARE_OK;
}

static tare_status note_excluded(arm_build *b, const size_t *per_group, const char **example,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    cube *c = b->c;
    score_rows *r = b->r;
    for (size_t g = 0; g < r->group.levels; g++) {
        if (per_group[g] == 0) continue;
        size_t of = per_group[g];
        for (size_t i = 0; i < b->bases; i++) of += b->base[i].group == g;
        result_missing *list;
        TRY_NEW(list = arena_new(r->a, c->missing_count + 1, sizeof *list));
        if (c->missing_count) memcpy(list, c->missing, c->missing_count * sizeof *list);
        list[c->missing_count++] =
            (result_missing){"base", b->arm->name, "", r->group.present ? r->group.word[g] : "",
                             TARE_R_NO_NEUTRAL, per_group[g], of, example[g]};
        c->missing = list;
    }
done:
    return status;
}

static int compare_bases(const void *x, const void *y)
{
    const arm_base *a = x, *b = y;
    if (a->cluster != b->cluster) return a->cluster < b->cluster ? -1 : 1;
    return a->base < b->base ? -1 : a->base > b->base;
}

/* Places of the codes that occur, in their order. */
static tare_status compact(uint32_t **code, const char ***word, size_t *levels, arm_build *b,
                           const row_words *from, const uint32_t *of_base, tare_error *err)
{
    tare_status status = TARE_OK;
    uint32_t *place;
    arena *a = b->r->a;
    TRY_NEW(*code = arena_new(a, b->bases + 1, sizeof **code));
    TRY_NEW(place = arena_new(a, from->levels + 1, sizeof *place));
    TRY_NEW(*word = arena_new(a, from->levels + 1, sizeof **word));
    for (size_t i = 0; i < b->bases; i++) place[of_base[i]] = 1;
    *levels = 0;
    for (size_t k = 0; k < from->levels; k++)
        if (place[k]) {
            (*word)[*levels] = from->word[k];
            place[k] = (uint32_t)(*levels)++;
        }
    for (size_t i = 0; i < b->bases; i++) (*code)[i] = place[of_base[i]];
done:
    return status;
}

/* Images drawn from one skeleton share a cluster and may differ in their label: no population is
 * made of them. */
static tare_status check_groups(arm_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_rows *r = b->r;
    for (size_t i = 1; i < b->bases && strcmp(b->arm->kind, "synthetic") != 0; i++) {
        const arm_base *x = &b->base[i - 1], *y = &b->base[i];
        if (x->cluster != y->cluster || x->group == y->group) continue;
        char where[TABLE_WHERE_MAX];
        table_where(where, r->t, r->order[y->first], r->role[ROW_GROUP].column);
        FAIL(err, TARE_E_DATA, "table.varies", where,
             "group varies inside cluster %s: base %s has the label '%s', base %s has '%s'; give "
             "every base of a cluster one group", b->arm->cluster_id[b->arm->cluster[i]],
             b->arm->base[i - 1], r->group.word[x->group], b->arm->base[i],
             r->group.word[y->group]);
    }
done:
    return status;
}

static tare_status fill_bases(arm_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    score_rows *r = b->r;
    cube_arm *arm = b->arm;
    uint32_t *codes;
    if (!r->cluster.present)
        for (size_t i = 0; i < b->bases; i++) b->base[i].cluster = b->base[i].base;
    if (b->bases) qsort(b->base, b->bases, sizeof *b->base, compare_bases);
    arm->bases = b->bases;
    TRY_NEW(arm->base = arena_new(r->a, b->bases + 1, sizeof *arm->base));
    TRY_NEW(codes = arena_new(r->a, b->bases + 1, sizeof *codes));
    for (size_t i = 0; i < b->bases; i++) {
        arm->base[i] = r->base.word[b->base[i].base];
        codes[i] = b->base[i].cluster;
    }
    TRY(compact(&arm->cluster, &arm->cluster_id, &arm->clusters, b,
                r->cluster.present ? &r->cluster : &r->base, codes, err));
    if (!r->group.present) goto done;
    for (size_t i = 0; i < b->bases; i++) codes[i] = b->base[i].group;
    TRY(compact(&arm->group, &arm->group_id, &arm->groups, b, &r->group, codes, err));
    TRY(check_groups(b, err));
done:
    return status;
}

/* A measure of a variant stands in the rows of all scorers and must be the same there. */
static tare_status fill_measure(double **out, arm_build *b, const double *from, int role,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    score_rows *r = b->r;
    size_t doses = b->arm->doses;
    *out = NULL;
    if (!from) return TARE_OK;
    double *x;
    TRY_NEW(x = arena_new(r->a, b->bases * doses + 1, sizeof *x));
    for (size_t i = 0; i < b->bases * doses; i++) x[i] = NAN;
    bool any = false;
    for (size_t i = 0; i < b->bases; i++)
        for (size_t k = b->base[i].first; k < b->base[i].last; k++) {
            size_t row = r->order[k], at = i * doses + b->dose_at[r->dose[row]];
            if (!isfinite(from[row])) continue;
            if (!isnan(x[at]) && x[at] != from[row])
                TRY(differs(b, row, role, "between the scorers' rows of one variant", err));
            x[at] = from[row];
            any = true;
        }
    if (any) *out = x;
done:
    return status;
}

static tare_reason row_reason(const score_rows *r, size_t row)
{
    const char *word = r->status.word[r->status.code[row]];
    tare_reason reason;
    if (word[0] && strcmp(word, "ok") != 0) {
        if (missing_reason_parse(&reason, word) && reason != TARE_R_NONE) return reason;
        if (strcmp(word, "absent") == 0) return TARE_R_MISSING;
        return TARE_R_SCORER_ERROR;
    }
    if (r->score_status[row] == TABLE_MISSING) return TARE_R_MISSING;
    return r->score_status[row] == TABLE_OK ? TARE_R_NONE : TARE_R_SCORE_NONFINITE;
}

static tare_status fill_scores(arm_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    score_rows *r = b->r;
    size_t n = b->bases * b->arm->doses;
    if (n > CELLS_MAX)
        FAIL(err, TARE_E_LIMIT, "table.cells", table_name(r->t),
             "arm %s has too many variants: %zu", b->arm->name, n);
    for (size_t s = 0; s < b->c->scorers; s++) {
        cube_scores *x = cube_at(b->c, b->index, s);
        TRY_NEW(x->s = arena_new(r->a, n + 1, sizeof *x->s));
        TRY_NEW(x->status = arena_new(r->a, n + 1, 1));
        for (size_t i = 0; i < n; i++) {
            x->s[i] = NAN;
            x->status[i] = TARE_R_MISSING;
        }
    }
    for (size_t i = 0; i < b->bases; i++)
        for (size_t k = b->base[i].first; k < b->base[i].last; k++) {
            size_t row = r->order[k], at = i * b->arm->doses + b->dose_at[r->dose[row]];
            size_t scorer = r->scorer.code[row];
            cube_scores *x = cube_at(b->c, b->index, scorer);
            tare_reason reason = row_reason(r, row);
            x->status[at] = (uint8_t)reason;
            x->s[at] = reason == TARE_R_NONE ? b->c->sign[scorer] * r->score[row] : NAN;
        }
done:
    return status;
}

static tare_status name_arm(arm_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    score_rows *r = b->r;
    cube_arm *arm = b->arm;
    size_t row = r->order[b->first];
    arm->name = r->arm.word[r->arm.code[row]];
    const char *slash = strrchr(arm->name, '/');
    arm->operator_name = r->arm.present ? slash ? slash + 1 : arm->name : "";
    arm->kind = r->kind.word[r->kind.code[row]];
    if (strcmp(arm->kind, "real") != 0 && strcmp(arm->kind, "synthetic") != 0 && arm->kind[0])
        FAIL(err, TARE_E_DATA, "table.kind", table_name(r->t),
             "kind \"%s\" of arm %s is neither real nor synthetic", arm->kind, arm->name);
    arm->partner = SIZE_MAX;
    arm->intervened = r->o->intervened;
    arm->attribute_independent = r->o->attribute_independent;
    size_t column = r->role[ROW_ATTRIBUTE].column;
    const char *header = column == TABLE_NONE ? "attribute" : table_column_name(r->t, column);
    bool ita = strcmp(header, "ita") == 0 || strcmp(header, "ITA") == 0;
    const char *name = r->o->attribute_name ? r->o->attribute_name : ita ? "ITA" : header;
    const char *unit = r->o->attribute_unit ? r->o->attribute_unit : ita ? "degrees" : "";
    TRY_NEW(arm->attribute_name = arena_copy(r->a, name));
    TRY_NEW(arm->attribute_unit = arena_copy(r->a, unit));
done:
    return status;
}

static tare_status build_arm(arm_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    score_rows *r = b->r;
    size_t *per_group;
    const char **example;
    TRY_NEW(per_group = arena_new(r->a, r->group.levels, sizeof *per_group));
    TRY_NEW(example = arena_new(r->a, r->group.levels, sizeof *example));
    TRY(name_arm(b, err));
    TRY(collect_bases(b, err));
    TRY(collect_doses(b, err));
    TRY(drop_without_neutral(b, per_group, example));
    TRY(note_excluded(b, per_group, example, err));
    TRY(fill_bases(b, err));
    TRY(fill_measure(&b->arm->attribute, b, r->attribute, ROW_ATTRIBUTE, err));
    TRY(fill_measure(&b->arm->artifact, b, r->artifact, ROW_ARTIFACT, err));
    TRY(fill_measure(&b->arm->edit_energy, b, r->energy, ROW_ENERGY, err));
    TRY(fill_scores(b, err));
done:
    return status;
}

/* "real/sham" is the placebo of "real/skin". */
static void find_placebos(cube *c)
{
    static const char *const pairs[][2] = {{"sham", "skin"}, {"nonskin", "skin"}, {"hue", "skin"},
                                           {"blur", "skin"}, {"codec", "skin"},
                                           {"warpsham", "warp"}};
    for (size_t k = 0; k < c->arms; k++)
        for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++) {
            cube_arm *arm = &c->arm[k];
            if (strcmp(arm->operator_name, pairs[n][0]) != 0) continue;
            size_t prefix = (size_t)(arm->operator_name - arm->name);
            for (size_t j = 0; j < c->arms; j++) {
                const cube_arm *main = &c->arm[j];
                if (strcmp(main->operator_name, pairs[n][1]) == 0 &&
                    (size_t)(main->operator_name - main->name) == prefix &&
                    strncmp(main->name, arm->name, prefix) == 0)
                    arm->partner = j;
            }
            arm->placebo = arm->partner != SIZE_MAX;
        }
}

static tare_status name_scorers(cube *c, const score_rows *r, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_table_options *o = r->o;
    c->scorers = r->scorer.levels;
    c->scorer = r->scorer.word;
    TRY_NEW(c->sign = arena_new(r->a, c->scorers, sizeof *c->sign));
    TRY_NEW(c->identified = arena_new(r->a, c->scorers, sizeof *c->identified));
    TRY_NEW(c->noise = arena_new(r->a, c->scorers, sizeof *c->noise));
    for (size_t s = 0; s < c->scorers; s++) c->sign[s] = 1;
    for (size_t k = 0; k < o->lower_count; k++) {
        size_t s = 0;
        while (s < c->scorers && strcmp(c->scorer[s], o->lower[k]) != 0) s++;
        if (s == c->scorers)
            FAIL(err, TARE_E_USAGE, "table.no_scorer", table_name(r->t),
                 "no scorer called %s, which was said to be better when lower", o->lower[k]);
        c->sign[s] = -1;
    }
done:
    return status;
}

static tare_status build(cube *out, score_rows *r, tare_error *err)
{
    tare_status status = TARE_OK;
    *out = (cube){.a = r->a, .arms = r->arm.levels, .duplicates_dropped = r->dropped};
    TRY(name_scorers(out, r, err));
    TRY_NEW(out->arm = arena_new(r->a, out->arms, sizeof *out->arm));
    TRY_NEW(out->scores = arena_new(r->a, out->arms * out->scorers, sizeof *out->scores));
    size_t first = 0;
    for (size_t k = 0; k < out->arms; k++) {
        arm_build b = {.r = r, .c = out, .arm = &out->arm[k], .index = k, .first = first};
        b.last = first;
        while (b.last < r->kept && r->arm.code[r->order[b.last]] == k) b.last++;
        TRY(build_arm(&b, err));
        first = b.last;
    }
    find_placebos(out);
done:
    return status;
}

static tare_status from_open_table(cube *out, table *t, arena *a, tare_context *context,
                                   const cube_table_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    cube_table_options defaults = CUBE_TABLE_OPTIONS_DEFAULT;
    score_rows r;
    TRY(score_rows_read(&r, t, a, context, options ? options : &defaults, err));
    TRY(check_neutral(&r, err));
    TRY(build(out, &r, err));
done:
    score_rows_free(&r);
    return status;
}

tare_status cube_from_table(cube *out, arena *a, tare_context *context, const char *path,
                            const cube_table_options *options, tare_error *err)
{
    table *t = NULL;
    tare_status status = table_open(&t, &context->mem, context->pool, path, NULL, err);
    return status == TARE_OK ? from_open_table(out, t, a, context, options, err) : status;
}

tare_status cube_from_table_bytes(cube *out, arena *a, tare_context *context,
                                  const table_bytes *bytes, const cube_table_options *options,
                                  tare_error *err)
{
    table *t = NULL;
    tare_status status =
        table_open_bytes(&t, &context->mem, context->pool, bytes, NULL, err);
    return status == TARE_OK ? from_open_table(out, t, a, context, options, err) : status;
}
