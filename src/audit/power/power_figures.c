/* Two curves: the chance of being found over the number of bases, and over the size of the
 * effect. */
#include <math.h>
#include <string.h>

#include "audit/power/power_study.h"
#include "audit/words.h"
#include "base/error.h"

#define POINTS 24
#define SERIES_MOST 12 /* more lines cannot be told apart */

static tare_status series_of(const char **out, power_study *p, const power_row *r, tare_error *err)
{
    const char *condition = r->id == POWER_DRIFT || r->id == POWER_DRIFT_DOSE ||
                                    r->id == POWER_CONTRAST
                                ? r->condition
                                : "";
    *out = arena_printf(p->a, "%s%s%s%s%s", p->model ? "" : r->instrument, p->model ? "" : " ",
                        power_name(r->id), condition[0] ? " " : "", condition);
    return *out ? TARE_OK : error_memory(err);
}

/* N and P are in the table: the figures show what is headlined. */
static bool shown(const power_row *r)
{
    return !r->reason[0] && r->id != POWER_N && r->id != POWER_P && r->effect != 0;
}

static tare_status add_point(power_study *p, figure *f, const power_row *r, double x, double y,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    figure_point *point;
    const char *number;
    TRY_NEW(point = result_add_point(p->out, f));
    TRY(series_of(&point->series, p, r, err));
    point->panel = p->model ? "" : r->arm;
    point->x = x;
    point->y = y;
    point->mark = "none";
    TRY_NEW(number = number_text(p->a, x));
    TRY_NEW(point->tip = arena_printf(p->a, "%s, %s: %.0f %%", point->series, number, 100 * y));
done:
    return status;
}

/* A tenth to four times the plan, whole clusters, geometric. */
static tare_status over_bases(power_study *p, figure *f, const power_row *r, tare_error *err)
{
    tare_status status = TARE_OK;
    const power_plan *plan = &r->plan;
    double each = plan->bases / plan->clusters, last = 0;
    double first = fmax(POWER_CLUSTERS_LEAST, plan->clusters / 10);
    double ratio = fmax(4 * plan->clusters / first, 4);
    for (size_t k = 0; k < POINTS; k++) {
        double clusters = nearbyint(first * pow(ratio, (double)k / (POINTS - 1)));
        if (clusters == last) continue;
        last = clusters;
        double y = power_found(plan, &r->spread, clusters, fabs(r->effect), plan->alpha);
        TRY(add_point(p, f, r, nearbyint(clusters * each), y, err));
    }
done:
    return status;
}

static tare_status over_effect(power_study *p, figure *f, const power_row *r, tare_error *err)
{
    tare_status status = TARE_OK;
    const power_plan *plan = &r->plan;
    for (size_t k = 1; k <= POINTS; k++) {
        double times = 3.0 * (double)k / POINTS;
        double y = power_found(plan, &r->spread, plan->clusters, times * fabs(r->effect),
                               plan->alpha);
        TRY(add_point(p, f, r, times, y, err));
    }
done:
    return status;
}

tare_status power_figures(power_study *p, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t lines = 0;
    for (size_t k = 0; k < p->rows; k++) lines += shown(&p->row[k]);
    if (!lines) return TARE_OK;
    for (size_t which = 0; which < 2; which++) {
        figure *f;
        TRY_NEW(f = result_add_figure(p->out, FIGURE_CURVE,
                                      which ? "power_effect" : "power_bases",
                                      which ? "Chance of being found, by size of the effect"
                                            : "Chance of being found, by number of bases"));
        f->x_title = which ? "effect, in multiples of the one asked for" : "bases";
        f->y_title = "chance of being found";
        f->caption = lines > SERIES_MOST ? "The first lines only; all are in the table power."
                                         : "Before correction for several tests.";
        for (size_t k = 0, drawn = 0; k < p->rows && drawn < SERIES_MOST; k++) {
            const power_row *r = &p->row[k];
            if (!shown(r)) continue;
            drawn++;
            if (which) TRY(over_effect(p, f, r, err));
            else TRY(over_bases(p, f, r, err));
        }
    }
done:
    return status;
}
