#include "report/spec.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "report/files.h"
#include "report/plain.h"

static void put_string(text *out, const char *string)
{
    json_writer w;
    text shown; /* charts show what they hold: no control characters, no turned directions */
    text_init(&shown, out->m);
    plain_text(&shown, string);
    json_begin(&w, out, 0);
    json_string_bytes(&w, shown.data ? shown.data : "", shown.length);
    if (shown.failed) out->failed = true;
    text_free(&shown);
}

static void put_number(text *out, double value)
{
    json_writer w;
    json_begin(&w, out, 0);
    json_number(&w, value);
}

/* Vega-Lite builds expressions (tooltips, descriptions) around titles and escapes nothing but
 * quotes there: no line ends and no backslashes may reach it. */
static void put_title(text *out, const char *title)
{
    text line;
    text_init(&line, out->m);
    plain_line(&line, title, 200);
    for (size_t i = 0; i < line.length; i++) {
        if (line.data[i] == '\\') line.data[i] = '/';
    }
    put_string(out, line.data ? line.data : "");
    if (line.failed) out->failed = true;
    text_free(&line);
}

void spec_put(text *out, const char *pattern, ...)
{
    va_list args;
    va_start(args, pattern);
    for (const char *c = pattern; *c; c++) {
        if (*c == '\'') {
            text_add_char(out, '"');
        } else if (*c == '`') {
            text_add(out, "\\\"");
        } else if (*c == '@' && c[1] == 's') {
            put_string(out, va_arg(args, const char *));
            c++;
        } else if (*c == '@' && c[1] == 't') {
            put_title(out, va_arg(args, const char *));
            c++;
        } else if (*c == '@' && c[1] == 'n') {
            put_number(out, va_arg(args, double));
            c++;
        } else if (*c == '@' && c[1] == 'd') {
            text_add_format(out, "%zu", va_arg(args, size_t));
            c++;
        } else {
            text_add_char(out, *c);
        }
    }
    va_end(args);
}

static const char *name_at(const figure *f, size_t i, size_t offset)
{
    const char *const *field = (const void *)((const char *)&f->points[i] + offset);
    return *field;
}

/* Distinct names in order of appearance, as members of an array. */
static void put_names(text *out, const figure *f, size_t offset)
{
    map *seen = map_new(out->m);
    for (size_t i = 0; seen && i < f->point_count; i++) {
        bool is_new = false;
        const char *name = name_at(f, i, offset);
        if (map_add(seen, name, strlen(name), &is_new) == SIZE_MAX) out->failed = true;
        if (!is_new) continue;
        if (map_count(seen) > 1) text_add_char(out, ',');
        put_string(out, name);
    }
    if (!seen) out->failed = true;
    map_free(seen);
}

void spec_series(text *out, const spec_facts *s, const char *channel)
{
    if (s->series < 2) return;
    text_add_format(out, ",\"%s\":", channel);
    spec_put(out, "{'field':'series','type':'nominal','sort':null,'title':null,"
                  "'legend':{'symbolOpacity':1},'scale':{'domain':[");
    put_names(out, s->f, offsetof(figure_point, series));
    spec_put(out, "]}}");
}

static void put_number_tip(text *out, const char *field, const char *title)
{
    spec_put(out, ",{'field':@s,'type':'quantitative','format':'.4~g','title':@t}", field,
             title[0] ? title : *field == 'v' ? "value" : field);
}

void spec_tooltip(text *out, const spec_facts *s, const char *x_field, const char *y_field)
{
    if (s->has_tip) {
        spec_put(out, ",'tooltip':{'field':'tip','type':'nominal'}");
        return;
    }
    spec_put(out, ",'tooltip':[{'field':@s,'type':'nominal'}", s->labels > 1 ? "label" : "series");
    if (s->labels > 1 && s->series > 1) spec_put(out, ",{'field':'series','type':'nominal'}");
    if (x_field) put_number_tip(out, x_field, *x_field == 'v' ? s->value_title : s->f->x_title);
    if (y_field) put_number_tip(out, y_field, s->f->y_title);
    if (s->has_interval) {
        put_number_tip(out, "lo", "from");
        put_number_tip(out, "hi", "to");
    }
    spec_put(out, "]");
}

void spec_zero_and_margin(text *out, const spec_facts *s, const char *axis)
{
    double m = s->f->margin;
    if (m > 0 && isfinite(m)) {
        spec_put(out, "{'data':{'values':[{}]},'mark':{'type':'rect','style':'margin',"
                      "'color':'#8a8f98','opacity':0.16},'encoding':{");
        text_add_format(out, "\"%s\":", axis);
        spec_put(out, "{'datum':@n},", -m);
        text_add_format(out, "\"%s2\":", axis);
        spec_put(out, "{'datum':@n}}},\n", m);
    }
    if (!s->near_zero) return;
    spec_put(out, "{'data':{'values':[{}]},'mark':{'type':'rule','style':'zero','color':'#8a8f98'},"
                  "'encoding':{");
    text_add_format(out, "\"%s\":", axis);
    spec_put(out, "{'datum':0}}},\n");
}

/* Of a point in forest and bars, and in a heat map. */
static double spec_value(const figure *f, const figure_point *p)
{
    if (f->kind == FIGURE_HEAT) return isnan(p->y) ? p->x : p->y;
    return isnan(p->x) ? p->y : p->x;
}

static bool shows_value(figure_kind kind)
{
    return kind == FIGURE_FOREST || kind == FIGURE_HEAT || kind == FIGURE_BARS;
}

static void put_field(text *out, const char *key, const char *value, bool *first)
{
    if (value[0] == 0) return;
    text_add_format(out, "%s\"%s\":", *first ? "" : ",", key);
    put_string(out, value);
    *first = false;
}

static void put_empty(text *out, const char *key, bool *first)
{
    text_add_format(out, "%s\"%s\":\"\"", *first ? "" : ",", key);
    *first = false;
}

static void put_value(text *out, const char *key, double value, bool *first)
{
    if (!isfinite(value)) return;
    text_add_format(out, "%s\"%s\":", *first ? "" : ",", key);
    put_number(out, value);
    *first = false;
}

static void put_data(text *out, const figure *f)
{
    spec_put(out, "'data':{'values':[\n");
    for (size_t i = 0; i < f->point_count; i++) {
        const figure_point *p = &f->points[i];
        bool first = true;
        text_add_char(out, '{');
        put_field(out, "panel", p->panel, &first);
        if (p->series[0]) put_field(out, "series", p->series, &first);
        else if (f->kind == FIGURE_FOREST) put_empty(out, "series", &first);
        put_field(out, "label", p->label, &first);
        if (shows_value(f->kind)) {
            put_value(out, "v", spec_value(f, p), &first);
        } else {
            put_value(out, "x", p->x, &first);
            put_value(out, "y", p->y, &first);
        }
        put_value(out, "lo", p->lo, &first);
        put_value(out, "hi", p->hi, &first);
        put_field(out, "mark", p->mark, &first);
        put_field(out, "outline", p->outline, &first);
        put_field(out, "tip", p->tip, &first);
        text_add(out, i + 1 < f->point_count ? "},\n" : "}\n");
    }
    text_add(out, "]}");
}

/* Counts distinct texts; where memory is out the buffer has failed as well. */
static size_t distinct(text *out, const figure *f, size_t offset)
{
    map *seen = map_new(out->m);
    if (!seen) {
        out->failed = true;
        return 0;
    }
    for (size_t i = 0; i < f->point_count; i++) {
        const char *name = name_at(f, i, offset);
        if (map_add(seen, name, strlen(name), NULL) == SIZE_MAX) out->failed = true;
    }
    size_t count = map_count(seen);
    map_free(seen);
    return count;
}

static spec_facts facts_of(text *out, const figure *f)
{
    spec_facts s = {.f = f, .lowest = INFINITY, .highest = -INFINITY,
                    .value_title = f->x_title, .label_title = f->y_title};
    s.panels = distinct(out, f, offsetof(figure_point, panel));
    s.series = distinct(out, f, offsetof(figure_point, series));
    s.labels = distinct(out, f, offsetof(figure_point, label));
    for (size_t i = 0; i < f->point_count; i++) {
        const figure_point *p = &f->points[i];
        double v = spec_value(f, p);
        if (isfinite(v)) s.largest = fmax(s.largest, fabs(v));
        if (v < 0) s.negative = true;
        double y = shows_value(f->kind) ? v : p->y;
        s.lowest = fmin(s.lowest, y);
        s.highest = fmax(s.highest, y);
        if (isfinite(p->lo) && isfinite(p->hi)) s.has_interval = true;
        if (p->tip[0]) s.has_tip = true;
        if (p->mark[0]) s.has_mark = true;
        if (p->outline[0]) s.has_outline = true;
    }
    bool margin = f->margin > 0 && isfinite(f->margin);
    s.near_zero = margin || f->kind == FIGURE_FOREST || f->kind == FIGURE_BARS ||
                  !(s.lowest > 0.2 * s.highest || s.highest < 0.2 * s.lowest);
    if (f->point_count > 0 && isnan(f->points[0].x)) { /* values were given as y */
        s.value_title = f->y_title;
        s.label_title = f->x_title;
    }
    return s;
}

static void put_view(text *out, const spec_facts *s)
{
    switch (s->f->kind) {
    case FIGURE_CURVE: spec_curve(out, s); break;
    case FIGURE_FOREST: spec_forest(out, s); break;
    case FIGURE_HEAT: spec_heat(out, s); break;
    case FIGURE_SCATTER: spec_scatter(out, s); break;
    case FIGURE_BARS: spec_bars(out, s); break;
    case FIGURE_STRIP: break;
    }
}

/* Units differ from panel to panel in curves (scores) and forests (quantities), and where the
 * figure says so. */
static const char *resolve_of(const figure *f)
{
    /* One y for all panels: what a sham does must be seen beside what a dose does. */
    if (f->kind == FIGURE_CURVE) return ",'resolve':{'scale':{'x':'independent'}}";
    if (f->kind == FIGURE_FOREST || f->own_scales)
        return ",'resolve':{'scale':{'x':'independent','y':'independent'}}";
    return "";
}

static const char *const kind_names[] = {"curve", "forest", "heat", "scatter", "bars", "strip"};

void spec_json(text *out, const figure *f)
{
    spec_facts s = facts_of(out, f);
    spec_put(out, "{'$schema':'https://vega.github.io/schema/vega-lite/v5.json',\n'title':@t,\n",
             f->title);
    if (f->caption[0]) spec_put(out, "'description':@s,\n", f->caption);
    spec_put(out, "'usermeta':{'tare':{'kind':@s,'panels':@d,'columns':@d,'points':@d}},\n",
             kind_names[f->kind], s.panels, s.labels, f->point_count);
    /* Okabe and Ito's colours, told apart with every kind of colour vision. */
    spec_put(out, "'config':{'aria':false,'view':{'stroke':null},'axis':{'grid':false},"
                  "'range':{'category':['#0072B2','#D55E00',"
                  "'#009E73','#CC79A7','#E69F00','#56B4E9','#7a7a7a']}},\n");
    put_data(out, f);
    text_add(out, ",\n");
    if (s.panels > 1) {
        spec_put(out, "'facet':{'field':'panel','type':'nominal','title':null,'sort':[");
        put_names(out, f, offsetof(figure_point, panel));
        spec_put(out, "]},'columns':2,\n'spec':{");
        put_view(out, &s);
        text_add(out, "}");
        spec_put(out, resolve_of(f));
    } else {
        put_view(out, &s);
    }
    text_add(out, "}\n");
}
