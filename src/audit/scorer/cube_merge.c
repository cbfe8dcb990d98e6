#include "audit/scorer/cube_merge.h"

#include <string.h>

#include "audit/scorer/study.h"
#include "base/hash.h"
#include "base/text.h"

/* ---- scorers --------------------------------------------------------------------------------- */

static size_t find_scorer(const cube *c, const char *name)
{
    for (size_t s = 0; s < c->scorers; s++)
        if (strcmp(c->scorer[s], name) == 0) return s;
    return SIZE_MAX;
}

/* "a, b": the scorers of `c` that the other side lacks. */
static tare_status list_alone(const char **out, arena *a, const cube *c, const cube *other,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    text list;
    text_init(&list, a->m);
    for (size_t s = 0; s < c->scorers; s++)
        if (find_scorer(other, c->scorer[s]) == SIZE_MAX)
            text_add_format(&list, "%s%s", list.length ? ", " : "", c->scorer[s]);
    if (list.failed) FAIL_MEMORY(err);
    TRY_NEW(*out = arena_text(a, list.data ? list.data : "", list.length));
done:
    text_free(&list);
    return status;
}

/* at[k][side]: where scorer k of the merged cube is on each side. */
static tare_status match_scorers(size_t (**at)[2], cube *out, cube_merged *seen,
                                 const cube_side side[2], tare_error *err)
{
    tare_status status = TARE_OK;
    const cube *x = side[0].c, *y = side[1].c;
    TRY_NEW(*at = arena_new(out->a, x->scorers + 1, sizeof **at));
    for (size_t s = 0; s < x->scorers; s++) {
        size_t k = find_scorer(y, x->scorer[s]);
        if (k == SIZE_MAX) continue;
        if (x->sign[s] != y->sign[k])
            FAIL(err, TARE_E_DATA, "compare.sign", x->scorer[s],
                 "higher is better for it on one side and lower on the other: name it by "
                 "--lower-is-better for the table that says nothing of it");
        (*at)[out->scorers][0] = s;
        (*at)[out->scorers++][1] = k;
    }
    TRY(list_alone(&seen->left_out[0], out->a, x, y, err));
    TRY(list_alone(&seen->left_out[1], out->a, y, x, err));
    if (!out->scorers)
        FAIL(err, TARE_E_DATA, "compare.scorers", NULL,
             "no scorer has one name on both sides: %s has %s; %s has %s; a score table can "
             "call them alike", side[0].label, seen->left_out[0],
             side[1].label, seen->left_out[1]);
done:
    return status;
}

/* What is known of each scorer, and whether both sides mean the same instrument. */
static tare_status describe_scorers(cube *out, cube_merged *seen, size_t (*at)[2],
                                    const cube_side side[2], tare_error *err)
{
    tare_status status = TARE_OK;
    const cube *x = side[0].c, *y = side[1].c;
    text other;
    text_init(&other, out->a->m);
    TRY_NEW(out->scorer = arena_new(out->a, out->scorers, sizeof *out->scorer));
    TRY_NEW(out->sign = arena_new(out->a, out->scorers, sizeof *out->sign));
    TRY_NEW(out->identified = arena_new(out->a, out->scorers, sizeof *out->identified));
    TRY_NEW(out->other_instrument =
                arena_new(out->a, out->scorers, sizeof *out->other_instrument));
    TRY_NEW(out->noise = arena_new(out->a, 2 * out->scorers, sizeof *out->noise));
    seen->instruments_known = x->identity && y->identity;
    for (size_t s = 0; s < out->scorers; s++) {
        size_t i = at[s][0], k = at[s][1];
        out->scorer[s] = x->scorer[i];
        out->sign[s] = x->sign[i];
        out->identified[s] = x->identified[i] && y->identified[k];
        if (x->noise) out->noise[s] = x->noise[i];
        if (y->noise) out->noise[out->scorers + s] = y->noise[k];
        out->other_instrument[s] =
            seen->instruments_known && strcmp(x->identity[i], y->identity[k]) != 0;
        if (out->other_instrument[s])
            text_add_format(&other, "%s%s", other.length ? ", " : "", x->scorer[i]);
    }
    if (other.failed) FAIL_MEMORY(err);
    TRY_NEW(seen->other = arena_text(out->a, other.data ? other.data : "", other.length));
done:
    text_free(&other);
    return status;
}

/* ---- bases ----------------------------------------------------------------------------------- */

/* What the arms of one side say of each base id, once. */
typedef struct base_list {
    map *ids;
    const char **pixels, **cluster; /* by index in ids; pixels NULL: unknown */
} base_list;

static tare_status list_bases(base_list *out, arena *a, const cube *c, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t room = 1;
    for (size_t k = 0; k < c->arms; k++) room += c->arm[k].bases;
    if (!(out->ids = map_new(a->m))) FAIL_MEMORY(err);
    TRY_NEW(out->pixels = arena_new(a, room, sizeof *out->pixels));
    TRY_NEW(out->cluster = arena_new(a, room, sizeof *out->cluster));
    for (size_t k = 0; k < c->arms; k++) {
        const cube_arm *arm = &c->arm[k];
        if (!arm_main(arm)) continue;
        for (size_t i = 0; i < arm->bases; i++) {
            size_t at = map_add(out->ids, arm->base[i], strlen(arm->base[i]), NULL);
            if (at == SIZE_MAX) FAIL_MEMORY(err);
            out->pixels[at] = arm->pixels ? arm->pixels[i] : NULL;
            out->cluster[at] = arm->cluster_id[arm->cluster[i]];
        }
    }
done:
    return status;
}

/* Ids on both sides; of those with the same pixels, whether the clusters agree. */
static void compare_bases(cube_merged *seen, const cube *y, const base_list *x_list,
                          const base_list *y_list)
{
    seen->of[0] = map_count(x_list->ids);
    seen->of[1] = map_count(y_list->ids);
    seen->pixels_known = true;
    map *met = y_list->ids;
    for (size_t k = 0; k < y->arms; k++) {
        const cube_arm *arm = &y->arm[k];
        for (size_t i = 0; arm_main(arm) && i < arm->bases; i++) {
            size_t p = map_find(x_list->ids, arm->base[i], strlen(arm->base[i]));
            size_t q = map_find(met, arm->base[i], strlen(arm->base[i]));
            if (p == SIZE_MAX || !y_list->cluster[q]) continue;
            const char *a = x_list->pixels[p], *b = y_list->pixels[q];
            seen->common++;
            seen->pixels_known = seen->pixels_known && a && b;
            seen->same += a && b && strcmp(a, b) == 0;
            seen->other_clusters =
                seen->other_clusters || strcmp(x_list->cluster[p], y_list->cluster[q]) != 0;
            y_list->cluster[q] = NULL; /* an image is in several arms, and counts once */
        }
    }
}

static bool shares_clusters(const cube *x, const cube *y, const mem *m, bool *failed)
{
    map *ids = map_new(m);
    bool shared = false;
    *failed = !ids;
    for (size_t k = 0; ids && k < x->arms; k++)
        for (size_t i = 0; i < x->arm[k].clusters; i++) {
            const char *id = x->arm[k].cluster_id[i];
            *failed = *failed || map_add(ids, id, strlen(id), NULL) == SIZE_MAX;
        }
    for (size_t k = 0; ids && k < y->arms; k++)
        for (size_t i = 0; i < y->arm[k].clusters; i++) {
            const char *id = y->arm[k].cluster_id[i];
            shared = shared || map_find(ids, id, strlen(id)) != SIZE_MAX;
        }
    map_free(ids);
    return shared;
}

/* Sets out->paired; *apart: the compared side needs draws of its own. */
static tare_status settle_pairing(bool *apart, cube *out, cube_merged *seen,
                                  const cube_side side[2], cube_pairing how, tare_error *err)
{
    tare_status status = TARE_OK;
    base_list list[2] = {{NULL, NULL, NULL}, {NULL, NULL, NULL}};
    bool failed;
    for (size_t k = 0; k < 2; k++) TRY(list_bases(&list[k], out->a, side[k].c, err));
    compare_bases(seen, side[1].c, &list[0], &list[1]);
    bool all = seen->common > 0 && seen->common == seen->of[0] && seen->common == seen->of[1];
    if (how == PAIRING_YES && !seen->common)
        FAIL(err, TARE_E_DATA, "compare.paired", NULL,
             "no base of %s is in %s by its name, so there is nothing to pair", side[1].label,
             side[0].label);
    out->paired = how == PAIRING_YES ||
                  (how == PAIRING_AUTO && all && seen->pixels_known && seen->same == seen->common);
    out->shared = how == PAIRING_YES                       ? CUBE_SHARED_NAMES
                  : how == PAIRING_AUTO && seen->same > 0 ? CUBE_SHARED_PIXELS
                                                          : CUBE_SHARED_NONE;
    seen->paired_bases = how == PAIRING_YES ? seen->common : how == PAIRING_AUTO ? seen->same : 0;
    /* Draws go by the whole list of clusters: two lists that differ and have names in common would
     * couple clusters that have nothing to do with each other. */
    bool one_list = out->paired && all;
    *apart = !one_list && shares_clusters(side[0].c, side[1].c, out->a->m, &failed);
    if (!one_list && failed) FAIL_MEMORY(err);
done:
    for (size_t k = 0; k < 2; k++) map_free(list[k].ids);
    return status;
}

/* ---- arms ------------------------------------------------------------------------------------ */

static tare_status put_arms(cube *out, size_t first, size_t run, const cube_side *side, bool apart,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < side->c->arms; k++) {
        cube_arm *arm = &out->arm[first + k];
        const cube_arm *from = &side->c->arm[k];
        const char *label = from->label ? from->label : from->name;
        *arm = *from;
        arm->run = run;
        if (arm->partner != SIZE_MAX) arm->partner += first;
        TRY_NEW(arm->name = arena_printf(out->a, "%s/%s", side->label, from->name));
        TRY_NEW(arm->label = arena_printf(out->a, "%s/%s", side->label, label));
        if (apart)
            TRY_NEW(arm->set_name = arena_printf(out->a, "compared/%s", from->set_name
                                                                           ? from->set_name
                                                                           : from->kind));
    }
done:
    return status;
}

static tare_status put_missing(cube *out, const cube_side side[2], tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = side[0].c->missing_count + side[1].c->missing_count;
    TRY_NEW(out->missing = arena_new(out->a, n + 1, sizeof *out->missing));
    for (size_t r = 0; r < 2; r++)
        for (size_t k = 0; k < side[r].c->missing_count; k++) {
            result_missing *x = &out->missing[out->missing_count++];
            *x = side[r].c->missing[k];
            TRY_NEW(x->arm = arena_printf(out->a, "%s/%s", side[r].label, x->arm ? x->arm : ""));
        }
done:
    return status;
}

tare_status cube_merge(cube *out, cube_merged *seen, arena *a, const cube_side side[2],
                       cube_pairing how, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t (*at)[2] = NULL, first[2] = {0, side[0].c->arms};
    bool apart = false;
    *out = (cube){.a = a, .runs = 2};
    *seen = (cube_merged){.other = "", .left_out = {"", ""}};
    out->arms = side[0].c->arms + side[1].c->arms;
    out->duplicates_dropped = side[0].c->duplicates_dropped + side[1].c->duplicates_dropped;
    TRY(match_scorers(&at, out, seen, side, err));
    TRY(describe_scorers(out, seen, at, side, err));
    TRY(settle_pairing(&apart, out, seen, side, how, err));
    TRY_NEW(out->arm = arena_new(a, out->arms, sizeof *out->arm));
    TRY_NEW(out->scores = arena_new(a, out->arms * out->scorers, sizeof *out->scores));
    for (size_t r = 0; r < 2; r++) {
        TRY(put_arms(out, first[r], r, &side[r], apart && r == 1, err));
        for (size_t k = 0; k < side[r].c->arms; k++)
            for (size_t s = 0; s < out->scorers; s++)
                *cube_at(out, first[r] + k, s) = *cube_at(side[r].c, k, at[s][r]);
    }
    TRY(put_missing(out, side, err));
done:
    return status;
}
