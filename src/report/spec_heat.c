/* Value for each (series: row, label: column). */
#include "report/spec.h"

void spec_heat(text *out, const spec_facts *s)
{
    spec_put(out, "'width':{'step':64},'height':{'step':34},'encoding':{"
                  "'x':{'field':'label','type':'nominal','sort':null,'title':@t,"
                  "'axis':{'labelAngle':-30,'labelOverlap':false,'labelLimit':160,"
                  "'domain':false,'ticks':false}},"
                  "'y':{'field':'series','type':'nominal','sort':null,'title':@t,"
                  "'axis':{'labelLimit':180,'domain':false,'ticks':false}}},'layer':[\n",
             s->f->x_title, s->f->y_title);
    spec_put(out, "{'mark':{'type':'rect','stroke':'#ffffff','strokeWidth':1},'encoding':{"
                  "'color':{'field':'v','type':'quantitative','title':null,");
    if (s->negative) {
        spec_put(out, "'scale':{'scheme':'blueorange','domain':[@n,@n],'domainMid':0,"
                      "'reverse':true}}", -s->largest, s->largest);
    } else {
        spec_put(out, "'scale':{'scheme':'blues','domain':[0,@n]}}", s->largest);
    }
    spec_tooltip(out, s, "v", NULL);
    /* Dark writing on light fields, light on dark ones, in both colour schemes. */
    spec_put(out, "}},\n{'mark':{'type':'text','style':'cell'},'encoding':{"
                  "'text':{'field':'v','type':'quantitative','format':'.2~g'},"
                  "'color':{'condition':{'test':'abs(datum.v) > @n','value':'#ffffff'},"
                  "'value':'#1b1f24'}", 0.6 * s->largest);
    spec_put(out, "}}]");
}
