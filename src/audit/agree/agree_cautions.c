/* What the reader must know before using the answer of `tare agree`. */
#include <math.h>
#include <string.h>

#include "audit/agree/agree.h"
#include "audit/agree/agree_words.h"
#include "audit/words.h"
#include "base/error.h"

const tare_reading *agree_reading(const agree *g, size_t entry)
{
    return entry == BOOK_NONE ? NULL : book_reading(&g->b, entry);
}

const char *agree_lead_in(arena *a, const agree_layer *l)
{
    return l->label[0] ? arena_printf(a, "%s: ", l->label) : "";
}

/* How ratings of unequal raters became slots. */
static tare_status caution_slots(agree *g, const agree_layer *l, const agree_people *people,
                                 const char *in, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *rows = "";
    if (!people->hashed || people->slots == 0) return TARE_OK;
    if (people->units_short)
        TRY_NEW(rows = arena_printf(&g->out->a, "; %zu of %zu rows have fewer and are left out of "
                                    "it", people->units_short, l->units));
    TRY(result_caution(g->out, err, "%s%s: for the comparison with people %zu ratings of each row "
                       "were sorted into slots by a hash of the rater's name%s.", in,
                       people->complete ? "There are many raters" : "Not every rater rated every "
                                                                    "row",
                       people->slots, rows));
done:
    return status;
}

static tare_status caution_layer(agree *g, size_t layer, tare_error *err)
{
    tare_status status = TARE_OK;
    const protocol *p = g->o.protocol;
    const agree_layer *l = &g->layer[layer];
    const agree_people *people = &g->people[layer];
    const char *in;
    TRY_NEW(in = agree_lead_in(&g->out->a, l));
    if (p->rows && l->n != p->rows)
        TRY(result_caution(g->out, err, "%sThe published protocol %s has %zu rows and this table "
                           "%zu: its numbers do not stand beside published ones.", in, p->name,
                           p->rows, l->n));
    if (p->distinct && l->distinct != p->distinct)
        TRY(result_caution(g->out, err, "%sThe published gold of %s has %zu distinct values and "
                           "this one %zu: another version of the human scores.", in, p->name,
                           p->distinct, l->distinct));
    if (l->gold_constant)
        TRY(result_caution(g->out, err, "%sAll %s scores are equal: nothing can agree with them.",
                           in, g->gold_column ? "gold" : "human"));
    if (!l->raters && layer == 0)
        TRY(result_caution(g->out, err, "There is one %s score per row and none of single raters: "
                           "how closely people agree among themselves is not known, so neither is "
                           "how high a judge could come.", g->gold_column ? "gold" : "human"));
    if (l->raters == 1)
        TRY(result_caution(g->out, err, "%sThere is one rater only: what this person and a judge "
                           "disagree on may be the person's error.", in));
    if (people->constants)
        TRY(result_caution(g->out, err, "%s%s%s give%s every row the same rating, or none: left "
                           "out of the comparison with people among themselves (ours).", in,
                           people->constant, people->constants > AGREE_SLOTS ? " and others" : "",
                           people->constants > 1 ? "" : "s"));
    TRY(caution_slots(g, l, people, in, err));
done:
    return status;
}

static tare_status caution_scales(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *names = "";
    size_t judges = g->t.judge.count, count = 0;
    arena *a = &g->out->a;
    for (size_t j = 0; j < judges; j++) {
        bool other = false;
        for (size_t l = 0; l < g->layers; l++) {
            const agree_view *v = &g->view[l * judges + j];
            other = other || (v->s.n > 0 && !v->same_scale && !v->layer->gold_constant);
        }
        if (!other) continue;
        if (count++ < LISTED)
            TRY_NEW(names = arena_printf(a, "%s%s%s", names, names[0] ? ", " : "",
                                         g->t.judge.name[j]));
    }
    if (count == 0) goto done;
    TRY(result_caution(g->out, err, "Scores of %s%s do not lie on the scale of %s: ranking "
                       " can be compared, leniency, kappa and reliability cannot (--scale "
                       "same if they do).", names, count > LISTED ? " and others" : "",
                       g->gold_column ? "the gold column" : "the human ratings"));
done:
    return status;
}

static tare_status caution_ties(agree *g, tare_error *err)
{
    size_t differ = 0;
    const agree_pair *example = NULL;
    for (size_t k = 0; k < g->pairs; k++) {
        if (!g->pair[k].ties_differ || !g->pair[k].a->s.n || !g->pair[k].b->s.n) continue;
        if (!example) example = &g->pair[k];
        differ++;
    }
    if (differ == 0) return TARE_OK;
    return result_caution(g->out, err, "Tie densities differ in %zu pair%s of judges (%s has %zu "
                          "distinct scores, %s has %zu): tau-b and tau-c move in opposite "
                          "directions with the number of ties, so a difference may be one of "
                          "coarseness. Round the finer judge to the same grid before you conclude.",
                          differ, differ > 1 ? "s" : "", example->a->name, example->a->distinct,
                          example->b->name, example->b->distinct);
}

static tare_status caution_silent(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t stat = agree_headline(g, 0);
    for (size_t k = 0; k < g->views; k++) {
        const agree_view *v = &g->view[k];
        const tare_reading *r = agree_reading(g, v->entry[stat]);
        if (!r || r->verdict != TARE_NO_ANSWER) continue;
        const char *in;
        TRY_NEW(in = agree_lead_in(&g->out->a, v->layer));
        bool constant = !g->o.labels && v->s.n > 1 && v->distinct == 1;
        TRY(result_caution(g->out, err, "%s%s: no answer, %s.", in, v->name,
                           v->s.n == 0 ? "it has no score on these rows"
                           : constant  ? "it gives every row the same score"
                                       : reason_words(r->reason)));
    }
done:
    return status;
}

tare_status agree_cautions_run(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    const protocol *p = g->o.protocol;
    bool differ = false;
    TRY(caution_silent(g, err));
    for (size_t l = 0; l < g->layers; l++) {
        TRY(caution_layer(g, l, err));
        differ = differ || (!g->o.labels &&
                            fabs(g->layer[l].tied - g->layer[0].tied) > AGREE_TIES_DIFFER);
    }
    if (differ)
        TRY(result_caution(g->out, err, "%s scores are tied to a different degree in the "
                           "settings or dims: their numbers do not compare, so each has a table of "
                           "its own.", g->gold_column ? "Gold" : "Human"));
    TRY(caution_ties(g, err));
    if (!g->o.labels) TRY(caution_scales(g, err));
    if (g->t.label.count && (!strcmp(g->o.kappa, "linear") || !strcmp(g->o.kappa, "quadratic")))
        TRY(result_caution(g->out, err, "Kappa with %s weights takes the labels in the order of "
                           "their names, which is the alphabet's: it means something only if that "
                           "is their order.", g->o.kappa));
    if (g->t.label.count && strcmp(g->o.level, "auto") != 0 && strcmp(g->o.level, "nominal") != 0)
        TRY(result_caution(g->out, err, "Krippendorff's alpha of level %s was asked for: labels "
                           "have no order, so only the nominal one is given.", g->o.level));
    if (p->caution) TRY(result_caution(g->out, err, "%s", p->caution));
    if (strcmp(p->name, "nebula") == 0 && !g->o.gold_version)
        TRY(result_caution(g->out, err, "Corrected human scores of Nebula exist: say which are "
                           "used with --gold-version."));
    if (g->o.asymptotic)
        TRY(result_caution(g->out, err, "p of tau is by the normal approximation, which takes rows "
                           "of one item as independent: it is too small where they are not."));
done:
    return status;
}
