/* Estimate and interval for each label. Shape and filling say what became of the test: filled
 * circle, stands after FDR; diamond, raw p only; open circle, neither; cross, no answer. */
#include "report/spec.h"

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

void spec_forest(text *out, const spec_facts *s)
{
    spec_put(out, "'width':320,'height':{'step':26},'layer':[\n");
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
