/* scorer_same.c - does another file hold the same weights? Scorers 11.7. */
#include <inttypes.h>
#include <math.h>

#include "audit/instrument/scorer_commands.h"
#include "base/error.h"
#include "scorer/graph/weight_views.h"

static const char *const outcomes[WEIGHT_OUTCOMES] = {
    [WEIGHT_DIFFERS] = "differs",
    [WEIGHT_OTHER_DIMS] = "other dims",
    [WEIGHT_UNREADABLE] = "not compared",
    [WEIGHT_ONLY_FIRST] = "not in the other file",
    [WEIGHT_ONLY_SECOND] = "only in the other file",
    [WEIGHT_ROUNDED] = "equal after rounding",
    [WEIGHT_EQUAL] = "equal",
};

typedef struct sameness {
    audit_result *r;
    const char *other;       /* its path */
    weight_views first, second;
    weight_pair *pair;
    size_t count;
    size_t n[WEIGHT_OUTCOMES], towers_apart; /* weights of a tower that only one has */
    const weight_pair *worst;                /* of those that differ                 */
} sameness;

static void tally(sameness *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const weight_pair *p = &s->pair[i];
        s->n[p->outcome]++;
        s->towers_apart += (!p->first && p->second->of_tower) || (!p->second && p->first->of_tower);
        if (p->outcome == WEIGHT_DIFFERS && (!s->worst || p->largest > s->worst->largest))
            s->worst = p;
    }
}

/* Files are closed before the report. */
static tare_status add_side(cell *row, arena *a, const weight_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    char type[TENSOR_TEXT];
    const char *name;
    if (!v) goto done;
    checkpoint_tensor_text(type, &v->t);
    TRY_NEW(name = arena_copy(a, type));
    row[0] = words_cell(name);
    TRY_NEW(name = arena_copy(a, v->t.name));
    row[1] = words_cell(name);
done:
    return status;
}

/* What is not equal comes first. */
static tare_status add_table(const sameness *s, size_t shown, tare_error *err)
{
    static const char *const columns[] = {"outcome", "numbers that differ", "largest difference",
                                          "type", "name", "type there", "name there", "why"};
    tare_status status = TARE_OK;
    result_table *t;
    TRY_NEW(t = result_add_table(s->r, "same_weights", "The same weights?", columns, 8));
    for (size_t o = 0; o < WEIGHT_OUTCOMES; o++)
        for (size_t i = 0; i < s->count; i++) {
            const weight_pair *p = &s->pair[i];
            cell *row;
            if (p->outcome != o) continue;
            TRY_NEW(row = result_add_row(s->r, t));
            row[0] = words_cell(outcomes[o]);
            if (!isnan(p->largest)) row[1] = count_cell(p->differing);
            row[2] = number_cell(p->largest);
            TRY(add_side(row + 3, &s->r->a, p->first, err));
            TRY(add_side(row + 5, &s->r->a, p->second, err));
            row[7] = words_cell(p->why);
        }
    t->shown = shown;
done:
    return status;
}

/* ", 2 differ, at most by 0.1 (NAME)"; nothing of what does not occur. */
static tare_status unlike_words(const char **out, const sameness *s, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &s->r->a;
    const size_t *n = s->n;
    *out = "";
    if (s->worst)
        TRY_NEW(*out = arena_printf(a, ", %zu differ, at most by %.3g (%s)", n[WEIGHT_DIFFERS],
                                    s->worst->largest, s->worst->first->t.name));
    if (n[WEIGHT_OTHER_DIMS])
        TRY_NEW(*out = arena_printf(a, "%s, %zu have other dims", *out, n[WEIGHT_OTHER_DIMS]));
    if (n[WEIGHT_UNREADABLE])
        TRY_NEW(*out = arena_printf(a, "%s, %zu could not be compared", *out,
                                    n[WEIGHT_UNREADABLE]));
done:
    return status;
}

static tare_status say_counts(const sameness *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const size_t *n = s->n, first = n[WEIGHT_ONLY_FIRST], second = n[WEIGHT_ONLY_SECOND];
    const char *unlike, *apart = "";
    TRY(unlike_words(&unlike, s, err));
    if (first || second)
        TRY_NEW(apart = arena_printf(&s->r->a, " Only in this file: %zu; only in the other: %zu.",
                                     first, second));
    TRY(result_answer(s->r, err, "Weights that %s has too: %zu. Of them %zu are equal bit for bit, "
                      "%zu more after rounding to the narrower type%s.%s", s->other,
                      s->count - first - second, n[WEIGHT_EQUAL], n[WEIGHT_ROUNDED], unlike,
                      apart));
done:
    return status;
}

/* Of known layouts, all that a tower needs decides; of other files, all that there is. */
static tare_status conclude(const sameness *s, tare_error *err)
{
    const size_t *n = s->n;
    size_t alike = n[WEIGHT_EQUAL] + n[WEIGHT_ROUNDED];
    size_t unlike = n[WEIGHT_DIFFERS] + n[WEIGHT_OTHER_DIMS] + n[WEIGHT_UNREADABLE];
    size_t apart = n[WEIGHT_ONLY_FIRST] + n[WEIGHT_ONLY_SECOND];
    bool towers = s->first.laid_out && s->second.laid_out;
    if (alike == 0 && unlike == 0)
        return result_answer(s->r, err, "The two files have no weight in common.");
    if (unlike > 0) return result_answer(s->r, err, "They are not the same weights.");
    if (towers ? s->towers_apart > 0 : apart > 0)
        return result_answer(s->r, err, "What both have is the same; scores also need what only "
                             "one has.");
    return result_answer(s->r, err, "%s the same weights%s, though the hashes of the files, and so "
                         "the identities of scorers that use them, differ.",
                         towers ? "Their towers have" : "They have",
                         n[WEIGHT_ROUNDED] ? ", but for rounding: scores differ by that alone"
                                           : ": scores agree");
}

tare_status scorer_same_weights(struct tare_job *job, const checkpoint *c, const char *path,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    audit_result *r = &job->result;
    checkpoint *other = NULL;
    sameness s = {.r = r, .other = path};
    TRY(checkpoint_open(&other, job->context, path, err));
    TRY(weight_views_open(&s.first, &r->a, c, err));
    TRY(weight_views_open(&s.second, &r->a, other, err));
    bool common = s.first.laid_out && s.second.laid_out && s.first.layout != s.second.layout;
    TRY(weight_views_list(&s.first, &r->a, common, err));
    TRY(weight_views_list(&s.second, &r->a, common, err));
    TRY(weight_views_compare(&s.pair, &s.count, &r->a, &s.first, &s.second, err));
    TRY(checkpoint_settle(other, err));
    tally(&s);
    TRY(say_counts(&s, err));
    TRY(conclude(&s, err));
    TRY(add_table(&s, (size_t)job_integer(job, "tensors"), err));
done:
    checkpoint_close(other);
    return status;
}
