/* Value for each (series: row, label: column). Cells of one block have a thin outline, the cells of
 * an instrument with itself a strong one, and a dot says that a cell stands after FDR. */
#include "report/spec.h"

#include <math.h>

/* Where dark writing becomes unreadable: the deep end of the scale. */
typedef struct heat_scale { double from, to, deep; } heat_scale;

static heat_scale scale_of(const spec_facts *s)
{
    if (s->negative) return (heat_scale){-s->largest, s->largest, 0.6 * s->largest};
    /* Values that are all alike next to 0 would be one colour on a scale that begins there. */
    double from = s->near_zero ? 0 : s->lowest;
    return (heat_scale){from, s->largest, from + 0.6 * (s->largest - from)};
}

static void put_places(text *out, const spec_facts *s)
{
    spec_put(out, "'encoding':{'x':{'field':'label','type':'nominal','sort':null,'title':@t,"
                  "'axis':{'labelAngle':-30,'labelOverlap':false,'labelLimit':160,"
                  "'domain':false,'ticks':false}},"
                  "'y':{'field':'series','type':'nominal','sort':null,'title':@t,"
                  "'axis':{'labelLimit':180,'domain':false,'ticks':false}}}",
             s->f->x_title, s->f->y_title);
}

static void put_outlines(text *out)
{
    static const char *const kinds[][2] = {{"block", "1.2"}, {"self", "3"}};
    for (size_t k = 0; k < 2; k++) {
        spec_put(out, ",\n{'transform':[{'filter':'datum.outline == `");
        text_add(out, kinds[k][0]);
        spec_put(out, "`'}],'mark':{'type':'rect','style':'outline','fillOpacity':0,"
                      "'stroke':'#1b1f24','strokeWidth':");
        text_add(out, kinds[k][1]);
        text_add(out, "}}");
    }
}

/* Cells that show a word each: one colour per word, strong outlines where there are any. */
static void put_words(text *out, const spec_facts *s)
{
    spec_put(out, "'width':{'step':112},'height':{'step':34},");
    put_places(out, s);
    spec_put(out, ",'layer':[\n{'mark':{'type':'rect','stroke':'#ffffff','strokeWidth':1,"
                  "'fillOpacity':0.45},'encoding':{"
                  "'color':{'field':'mark','type':'nominal','sort':null,'title':null}");
    spec_tooltip(out, s, "v", NULL);
    text_add(out, "}}");
    if (s->has_outline) put_outlines(out);
    spec_put(out, ",\n{'mark':{'type':'text','style':'cell'},'encoding':{"
                  "'text':{'field':'mark','type':'nominal'}}}]");
}

void spec_heat(text *out, const spec_facts *s)
{
    if (s->f->words) {
        put_words(out, s);
        return;
    }
    heat_scale scale = scale_of(s);
    spec_put(out, "'width':{'step':@n},'height':{'step':34},", s->labels > 8 ? 52.0 : 64.0);
    put_places(out, s);
    spec_put(out, ",'layer':[\n{'mark':{'type':'rect','stroke':'#ffffff','strokeWidth':1},"
                  "'encoding':{'color':{'field':'v','type':'quantitative','title':null,");
    if (s->negative)
        spec_put(out, "'scale':{'scheme':'blueorange','domain':[@n,@n],'domainMid':0,"
                      "'reverse':true}}", scale.from, scale.to);
    else
        spec_put(out, "'scale':{'scheme':'blues','domain':[@n,@n]}}", scale.from, scale.to);
    spec_tooltip(out, s, "v", NULL);
    text_add(out, "}}");
    if (s->has_outline) put_outlines(out);
    /* Dark writing on light fields, light on dark ones, in both colour schemes. */
    const char *test = s->negative ? "abs(datum.v) > @n" : "datum.v > @n";
    spec_put(out, ",\n{'mark':{'type':'text','style':'cell'},'encoding':{"
                  "'text':{'field':'v','type':'quantitative','format':@s},"
                  "'color':{'condition':{'test':'", scale.from > 0 ? ".3~g" : ".2~g");
    spec_put(out, test, scale.deep);
    spec_put(out, "','value':'#ffffff'},'value':'#1b1f24'}}}");
    if (s->has_mark) {
        double edge = s->labels > 8 ? 20 : 26;
        spec_put(out, ",\n{'transform':[{'filter':'datum.mark == `q`'}],'mark':{'type':'text',"
                      "'style':'cell','text':'\xE2\x97\x8F','size':8,'dx':@n,'dy':-10},"
                      "'encoding':{'color':{'condition':{'test':'", edge);
        spec_put(out, test, scale.deep);
        spec_put(out, "','value':'#ffffff'},'value':'#1b1f24'}}}");
    }
    text_add(out, "]");
}
