/* y over x for each series: band lo..hi, line, and points that are filled where q stands. */
#include "report/spec.h"

#include <math.h>

#define TICKS 9

/* The doses themselves are the ticks, where there are few. */
static void put_ticks(text *out, const figure *f)
{
    double ticks[TICKS];
    size_t count = 0;
    for (size_t i = 0; i < f->point_count; i++) {
        size_t k = 0;
        while (k < count && ticks[k] != f->points[i].x) k++;
        if (k < count || !isfinite(f->points[i].x)) continue;
        if (count == TICKS) return;
        ticks[count++] = f->points[i].x;
    }
    for (size_t k = 0; k < count; k++) spec_put(out, k == 0 ? "'values':[@n" : ",@n", ticks[k]);
    if (count > 0) spec_put(out, "],'tickCount':@d,'labelOverlap':false,", count);
}

static void put_x(text *out, const spec_facts *s)
{
    spec_put(out, "'x':{'field':'x','type':'quantitative','title':@t,'scale':{'zero':false,"
                  "'nice':false,'padding':14},'axis':{", s->f->x_title);
    put_ticks(out, s->f);
    spec_put(out, "'labelFlush':false}}");
}

static void put_y(text *out, const spec_facts *s)
{
    spec_put(out, ",'y':{'field':'y','type':'quantitative','title':@t,'scale':{'zero':false}}",
             s->f->y_title);
}

void spec_curve(text *out, const spec_facts *s)
{
    spec_put(out, "'width':320,'height':220,'layer':[\n");
    spec_zero_and_margin(out, s, "y");
    if (s->has_interval) {
        spec_put(out, "{'mark':{'type':'area','opacity':0.18},'encoding':{");
        put_x(out, s);
        spec_put(out, ",'y':{'field':'lo','type':'quantitative','title':@t},'y2':{'field':'hi'}",
                 s->f->y_title);
        spec_series(out, s, "color");
        spec_put(out, "}},\n");
    }
    spec_put(out, "{'mark':{'type':'line'},'encoding':{");
    put_x(out, s);
    put_y(out, s);
    spec_series(out, s, "color");
    spec_put(out, "}},\n{'mark':{'type':'point','filled':true,'size':46,'opacity':1},'encoding':{");
    put_x(out, s);
    put_y(out, s);
    spec_series(out, s, "color");
    spec_series(out, s, "shape");
    spec_tooltip(out, s, "x", "y");
    spec_put(out, "}}]");
}
