/* y over x for each series: band lo..hi, line, and points that are filled where q stands. */
#include "report/spec.h"

static void put_x(text *out, const spec_facts *s)
{
    spec_put(out, "'x':{'field':'x','type':'quantitative','title':@t,'scale':{'zero':false},"
                  "'axis':{'labelFlush':false}}", s->f->x_title);
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
    spec_put(out, ",'y':{'field':'y','type':'quantitative','title':@t}", s->f->y_title);
    spec_series(out, s, "color");
    spec_put(out, "}},\n{'mark':{'type':'point','filled':true,'size':46,'opacity':1},'encoding':{");
    put_x(out, s);
    spec_put(out, ",'y':{'field':'y','type':'quantitative','title':@t}", s->f->y_title);
    spec_series(out, s, "color");
    spec_series(out, s, "shape");
    spec_tooltip(out, s, "x", "y");
    spec_put(out, "}}]");
}
