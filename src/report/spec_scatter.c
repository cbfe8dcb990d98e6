/* Points x, y for each series, with their labels where there are few. */
#include "report/spec.h"

#include <math.h>

#define LABELLED_POINTS 14

static void put_place(text *out, const spec_facts *s)
{
    /* One or two points have no scale of their own: 0 gives them one. */
    spec_put(out, s->f->point_count < 3
                      ? "'x':{'field':'x','type':'quantitative','title':@t,'scale':{'padding':18}},"
                      : "'x':{'field':'x','type':'quantitative','title':@t,'scale':{'zero':false,"
                        "'nice':false,'padding':18}},",
             s->f->x_title);
}

/* Labels stand on the inner side of their points. */
static double middle_of(const figure *f)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < f->point_count; i++) {
        low = fmin(low, f->points[i].x);
        high = fmax(high, f->points[i].x);
    }
    return isfinite(low + high) ? (low + high) / 2 : 0;
}

void spec_scatter(text *out, const spec_facts *s)
{
    bool many = s->f->point_count > 400;
    spec_put(out, "'width':320,'height':260,'layer':[\n");
    spec_zero_and_margin(out, s, "y");
    if (s->has_interval) {
        spec_put(out, "{'mark':{'type':'rule','opacity':0.7},'encoding':{");
        put_place(out, s);
        spec_put(out, "'y':{'field':'lo','type':'quantitative','title':@t},'y2':{'field':'hi'}",
                 s->f->y_title);
        spec_series(out, s, "color");
        spec_put(out, "}},\n");
    }
    spec_put(out, "{'mark':{'type':'point','filled':true,'size':@n,'opacity':@n},'encoding':{",
             many ? 18.0 : 64.0, many ? 0.45 : 0.9);
    put_place(out, s);
    spec_put(out, "'y':{'field':'y','type':'quantitative','title':@t", s->f->y_title);
    if (!s->near_zero && s->f->point_count > 2) spec_put(out, ",'scale':{'zero':false}");
    spec_put(out, "}");
    spec_series(out, s, "color");
    spec_series(out, s, "shape");
    spec_tooltip(out, s, "x", "y");
    spec_put(out, "}}");
    if (s->labels > 1 && s->f->point_count <= LABELLED_POINTS) {
        double middle = middle_of(s->f);
        spec_put(out, ",\n{'mark':{'type':'text','style':'point-label','dy':-8,'limit':140,"
                      "'align':{'expr':'datum.x > @n ? `right` : `left`'},"
                      "'dx':{'expr':'datum.x > @n ? -8 : 8'}},'encoding':{", middle, middle);
        put_place(out, s);
        spec_put(out, "'y':{'field':'y','type':'quantitative'},"
                      "'text':{'field':'label','type':'nominal'}}}");
    }
    spec_put(out, "]");
}
