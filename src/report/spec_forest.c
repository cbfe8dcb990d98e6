/* Estimate and interval for each label. Shape and filling say what became of the test: filled
 * circle, stands after FDR; diamond, raw p only; open circle, neither; cross, no answer. */
#include "report/spec.h"

#include <math.h>

static void put_y(text *out, const spec_facts *s)
{
    spec_put(out, "'y':{'field':'label','type':'nominal','sort':null,'title':@t,"
                  "'axis':{'labelLimit':220,'domain':false,'ticks':false,'labelPadding':8}}",
             s->label_title);
    if (s->series > 1) spec_put(out, ",'yOffset':{'field':'series','sort':null}");
}

static void put_marks(text *out, const spec_facts *s)
{
    if (!s->has_mark) {
        spec_series(out, s, "shape");
        return;
    }
    spec_put(out, ",'shape':{'field':'mark','type':'nominal','title':null,'scale':{"
                  "'domain':['q','raw','none','no answer'],"
                  "'range':['circle','diamond','circle','cross']},'legend':{'labelExpr':"
                  "'{q:`stands after FDR`,raw:`raw p only`,none:`not significant`}[datum.label]"
                  " || datum.label','symbolFillColor':{'expr':'datum.label == `q` ? `#6b7280` :"
                  " `transparent`'},'symbolStrokeColor':'#6b7280'}}");
    spec_put(out, ",'fillOpacity':{'condition':{'test':'datum.mark == `q`','value':1},'value':0}");
}

/* A reference behind the estimates, with its name at the top: how well people agree. */
static void put_band(text *out, const figure *f)
{
    if (!f->band_title[0] || !isfinite(f->band_lo) || !isfinite(f->band_hi)) return;
    spec_put(out, "{'data':{'values':[{}]},'mark':{'type':'rect','style':'band',"
                  "'color':'#009E73','opacity':0.18},'encoding':{'x':{'datum':@n},"
                  "'x2':{'datum':@n}}},\n{'data':{'values':[{}]},'mark':{'type':'text',"
                  "'style':'point-label','align':'right','baseline':'bottom','dy':-4,'text':@t},"
                  "'encoding':{'x':{'datum':@n},'y':{'value':0}}},\n",
             f->band_lo, f->band_hi, f->band_title, f->band_hi);
}

void spec_forest(text *out, const spec_facts *s)
{
    spec_put(out, "'width':320,'height':{'step':26},'layer':[\n");
    put_band(out, s->f);
    spec_zero_and_margin(out, s, "x");
    spec_put(out, "{'mark':{'type':'rule','size':2},'encoding':{");
    put_y(out, s);
    spec_put(out, ",'x':{'field':'lo','type':'quantitative','title':@t},'x2':{'field':'hi'}",
             s->value_title);
    if (s->series > 1) spec_series(out, s, "color");
    else spec_put(out, ",'color':{'field':'series','type':'nominal','legend':null}");
    spec_put(out, "}},\n{'mark':{'type':'point','size':70,'strokeWidth':2,'opacity':1},"
                  "'encoding':{");
    put_y(out, s);
    spec_put(out, ",'x':{'field':'v','type':'quantitative','title':@t}", s->value_title);
    if (s->series > 1) {
        spec_series(out, s, "stroke");
        spec_series(out, s, "fill");
    } else {
        /* By field all the same: a fixed fill would fill the legend of the marks as well. */
        spec_put(out, ",'fill':{'field':'series','type':'nominal','legend':null},"
                      "'stroke':{'field':'series','type':'nominal','legend':null}");
    }
    put_marks(out, s);
    spec_tooltip(out, s, "v", NULL);
    spec_put(out, "}}]");
}
