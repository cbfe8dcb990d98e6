/* code_points.c - on libutf8proc, but for what would use its own allocator. */
#include "scorer/token/code_points.h"

#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

void code_points_init(code_points *c, const mem *m)
{
    *c = (code_points){.m = m};
}

void code_points_free(code_points *c)
{
    mem_free(c->m, c->at);
    c->at = NULL;
    c->count = c->capacity = 0;
}

static bool reserve(code_points *c, size_t count)
{
    return mem_reserve(c->m, &c->at, &c->capacity, count, sizeof *c->at);
}

bool code_points_add(code_points *c, int32_t point)
{
    if (!reserve(c, c->count + 1)) return false;
    c->at[c->count++] = point;
    return true;
}

bool code_points_read(code_points *out, const char *text, size_t length)
{
    const utf8proc_uint8_t *s = (const utf8proc_uint8_t *)text;
    const utf8proc_uint8_t *end = s + length;
    out->count = 0;
    if (!reserve(out, length + 1)) return false;
    while (s < end) {
        utf8proc_int32_t point;
        utf8proc_ssize_t n = utf8proc_iterate(s, end - s, &point);
        if (n <= 0) break; /* not valid UTF-8 */
        out->at[out->count++] = point;
        s += n;
    }
    return true;
}

/* ---- Normal forms -------------------------------------------------------- */

static unsigned combining_class(int32_t point)
{
    return (unsigned)utf8proc_get_property(point)->combining_class & 0xFF;
}

/* A run of marks, stably by class: counted, since a hostile prompt is one long run. */
static void order_run(int32_t *run, int32_t *scratch, size_t n)
{
    size_t start[257] = {0};
    for (size_t i = 0; i < n; i++) start[combining_class(run[i]) + 1]++;
    for (size_t c = 0; c < 256; c++) start[c + 1] += start[c];
    for (size_t i = 0; i < n; i++) scratch[start[combining_class(run[i])]++] = run[i];
    memcpy(run, scratch, n * sizeof *run);
}

static bool order(code_points *c)
{
    int32_t *scratch = NULL;
    for (size_t i = 0; i < c->count;) {
        size_t end = i;
        while (end < c->count && combining_class(c->at[end]) != 0) end++;
        if (end - i > 1) {
            if (scratch == NULL) scratch = mem_new(c->m, c->count, sizeof *scratch);
            if (scratch == NULL) return false;
            order_run(c->at + i, scratch, end - i);
        }
        i = end + 1;
    }
    mem_free(c->m, scratch);
    return true;
}

bool code_points_decompose(code_points *out, const code_points *in)
{
    enum { PARTS_MOST = 32 }; /* of one code point, canonically: 4 */
    int class_of_bounds = 0;
    out->count = 0;
    for (size_t i = 0; i < in->count; i++) {
        utf8proc_int32_t part[PARTS_MOST];
        utf8proc_ssize_t n = utf8proc_decompose_char(in->at[i], part, PARTS_MOST,
                                                     UTF8PROC_DECOMPOSE, &class_of_bounds);
        if (n < 0 || n > PARTS_MOST) {
            part[0] = in->at[i];
            n = 1;
        }
        if (!reserve(out, out->count + (size_t)n)) return false;
        for (utf8proc_ssize_t k = 0; k < n; k++) out->at[out->count++] = part[k];
    }
    return order(out);
}

void code_points_compose(code_points *c)
{
    if (c->count == 0) return;
    utf8proc_ssize_t n = utf8proc_normalize_utf32(c->at, (utf8proc_ssize_t)c->count,
                                                  UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    if (n >= 0) c->count = (size_t)n;
}

bool code_points_lower(code_points *out, const code_points *in)
{
    enum { CAPITAL_I_DOT = 0x130, DOT_ABOVE = 0x307 };
    out->count = 0;
    if (!reserve(out, in->count + 1)) return false;
    for (size_t i = 0; i < in->count; i++) {
        bool dotted = in->at[i] == CAPITAL_I_DOT;
        if (!code_points_add(out, dotted ? 'i' : utf8proc_tolower(in->at[i]))) return false;
        if (dotted && !code_points_add(out, DOT_ABOVE)) return false;
    }
    return true;
}

size_t code_point_bytes(unsigned char out[4], int32_t point)
{
    return (size_t)utf8proc_encode_char(point, out);
}

/* ---- Categories ---------------------------------------------------------- */

bool code_point_is_letter(int32_t point)
{
    utf8proc_category_t c = utf8proc_category(point);
    return c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_LO;
}

bool code_point_is_number(int32_t point)
{
    utf8proc_category_t c = utf8proc_category(point);
    return c >= UTF8PROC_CATEGORY_ND && c <= UTF8PROC_CATEGORY_NO;
}

bool code_point_is_space(int32_t point)
{
    if (point <= 0x20) return point == 0x20 || (point >= 0x09 && point <= 0x0D);
    return point == 0x85 || point == 0xA0 || point == 0x1680 ||
           (point >= 0x2000 && point <= 0x200A) || point == 0x2028 || point == 0x2029 ||
           point == 0x202F || point == 0x205F || point == 0x3000;
}

bool code_point_is_mark(int32_t point)
{
    return utf8proc_category(point) == UTF8PROC_CATEGORY_MN;
}

bool code_point_is_other(int32_t point)
{
    utf8proc_category_t c = utf8proc_category(point);
    return c == UTF8PROC_CATEGORY_CN ||
           (c >= UTF8PROC_CATEGORY_CC && c <= UTF8PROC_CATEGORY_CO);
}

bool code_point_is_punctuation(int32_t point)
{
    if (point < 0x80)
        return (point >= 33 && point <= 47) || (point >= 58 && point <= 64) ||
               (point >= 91 && point <= 96) || (point >= 123 && point <= 126);
    utf8proc_category_t c = utf8proc_category(point);
    return c >= UTF8PROC_CATEGORY_PC && c <= UTF8PROC_CATEGORY_PO;
}

bool code_point_is_ideograph(int32_t point)
{
    static const int32_t block[][2] = {
        {0x4E00, 0x9FFF}, {0x3400, 0x4DBF}, {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
        {0x2B740, 0x2B81F}, {0x2B820, 0x2CEAF}, {0xF900, 0xFAFF}, {0x2F800, 0x2FA1F},
    };
    for (size_t i = 0; i < sizeof block / sizeof block[0]; i++)
        if (point >= block[i][0] && point <= block[i][1]) return true;
    return false;
}
