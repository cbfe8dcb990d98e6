/* Value for each label and series: lying bars, so that long labels stay readable. */
#include "report/spec.h"

static void put_y(text *out, const spec_facts *s)
{
    spec_put(out, "'y':{'field':'label','type':'nominal','sort':null,'title':@t,"
                  "'axis':{'labelLimit':220,'domain':false,'ticks':false,'labelPadding':8}}",
             s->label_title);
    if (s->series > 1) spec_put(out, ",'yOffset':{'field':'series','sort':null}");
}

void spec_bars(text *out, const spec_facts *s)
{
    spec_put(out, "'width':320,'height':{'step':@n,'for':'position'},'layer':[\n",
             s->series > 1 ? 14.0 * (double)s->series + 8 : 24.0);
    spec_zero_and_margin(out, s, "x");
    spec_put(out, "{'mark':{'type':'bar','opacity':0.85},'encoding':{");
    put_y(out, s);
    spec_put(out, ",'x':{'field':'v','type':'quantitative','title':@t}", s->value_title);
    spec_series(out, s, "color");
    spec_tooltip(out, s, "v", NULL);
    spec_put(out, "}}");
    if (s->has_interval) {
        spec_put(out, ",\n{'mark':{'type':'rule','style':'whisker'},'encoding':{");
        put_y(out, s);
        spec_put(out, ",'x':{'field':'lo','type':'quantitative'},'x2':{'field':'hi'}}}");
    }
    spec_put(out, "]");
}
