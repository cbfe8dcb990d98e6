#include "report/display.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MINUS "\xE2\x88\x92"
#define THIN_SPACE "\xE2\x80\x89"

/* 3 significant digits and the power of ten of the first: printf's rounding, but none of its
 * locale. */
static int three_digits(double size, char digits[4])
{
    char printed[32];
    snprintf(printed, sizeof printed, "%.2e", size);
    const char *exponent = strchr(printed, 'e');
    size_t n = 0;
    for (const char *c = printed; c < exponent && n < 3; c++) {
        if (*c >= '0' && *c <= '9') digits[n++] = *c;
    }
    digits[n] = 0;
    return atoi(exponent + 1);
}

static void add_plain_decimal(text *out, const char digits[4], int power)
{
    if (power < 0) {
        text_add(out, "0.");
        for (int k = -1; k > power; k--) text_add_char(out, '0');
        text_add(out, digits);
        return;
    }
    for (int k = 0; k <= power; k++) text_add_char(out, k < 3 ? digits[k] : '0');
    if (power < 2) {
        text_add_char(out, '.');
        text_add(out, digits + power + 1);
    }
}

void display_number(text *out, double value)
{
    if (isnan(value)) {
        text_add(out, DISPLAY_NONE);
        return;
    }
    if (value < 0) text_add(out, MINUS);
    double size = fabs(value);
    if (isinf(value) || size == 0) {
        text_add(out, size == 0 ? "0" : "\xE2\x88\x9E");
        return;
    }
    if (size >= 1000 && size < 1e7) { /* counts and the like keep their units digit */
        text_add_format(out, "%.0f", size);
        return;
    }
    char digits[4];
    int power = three_digits(size, digits);
    if (power >= -4 && power < 7) {
        add_plain_decimal(out, digits, power);
        return;
    }
    text_add_format(out, "%c.%s\xC3\x97" "10^", digits[0], digits + 1);
    if (power < 0) text_add(out, MINUS);
    text_add_format(out, "%d", abs(power));
}

/* `bound` rounded up to one digit. */
static void add_bound(text *out, double bound)
{
    int power = (int)floor(log10(bound));
    int digit = (int)ceil(bound / pow(10, power) - 1e-9);
    if (digit == 10) {
        digit = 1;
        power++;
    }
    if (power >= 0) {
        text_add_char(out, '1');
        return;
    }
    text_add(out, "0.");
    for (int k = -1; k > power; k--) text_add_char(out, '0');
    text_add_format(out, "%d", digit);
}

void display_p(text *out, double p, double floor)
{
    if (isnan(p)) {
        text_add(out, DISPLAY_NONE);
        return;
    }
    if (floor > 0 && floor < 0.5 && p <= floor * (1 + 1e-9)) {
        text_add_char(out, '<');
        add_bound(out, 2 * floor);
        return;
    }
    if (p < 0.001) {
        text_add(out, "<0.001");
        return;
    }
    unsigned thousandths = (unsigned)lround(p * 1000);
    text_add_format(out, "%u.%03u", thousandths / 1000, thousandths % 1000);
}

/* Decimals that show 3 significant digits of the largest; -1: not fit for fixed decimals. */
static int shared_decimals(double a, double b, double c)
{
    double largest = 0;
    const double all[] = {a, b, c};
    for (size_t k = 0; k < 3; k++) {
        if (isfinite(all[k])) largest = fmax(largest, fabs(all[k]));
    }
    if (largest < 1e-6 || largest >= 1000) return -1;
    char digits[4];
    int power = three_digits(largest, digits);
    return power >= 2 ? 0 : 2 - power;
}

static void add_fixed(text *out, double value, int decimals)
{
    if (decimals < 0 || !isfinite(value)) {
        display_number(out, value);
        return;
    }
    long long scale = 1;
    for (int k = 0; k < decimals; k++) scale *= 10;
    long long units = llround(fabs(value) * (double)scale);
    if (value < 0 && units > 0) text_add(out, MINUS);
    text_add_format(out, "%lld", units / scale);
    if (decimals > 0) text_add_format(out, ".%0*lld", decimals, units % scale);
}

void display_interval(text *out, const tare_reading *r)
{
    int decimals = shared_decimals(r->estimate, r->lo, r->hi);
    text_add_char(out, '[');
    add_fixed(out, r->lo, decimals);
    text_add(out, ", ");
    add_fixed(out, r->hi, decimals);
    text_add_char(out, ']');
}

void display_estimate(text *out, const tare_reading *r)
{
    bool interval = isfinite(r->lo) || isfinite(r->hi);
    if (!interval) display_number(out, r->estimate);
    else add_fixed(out, r->estimate, shared_decimals(r->estimate, r->lo, r->hi));
}

void display_count(text *out, uint64_t count)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    for (int k = 0; k < n; k++) {
        if (k > 0 && (n - k) % 3 == 0) text_add(out, THIN_SPACE);
        text_add_char(out, digits[k]);
    }
}

void display_words(text *out, const char *name)
{
    for (; *name; name++) text_add_char(out, *name == '_' ? ' ' : *name);
}

bool display_is_first(const char *const *sentences, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (strcmp(sentences[k], sentences[i]) == 0) return false;
    }
    return true;
}

static bool marked(const tare_reading *r, const char *mark)
{
    return strstr(r->marks, mark) != NULL;
}

/* Whatever q is, a further condition of the verdict failed. */
static bool held_back(const tare_reading *r)
{
    return r->verdict == TARE_INCONCLUSIVE &&
           (marked(r, "missing scores depend on") || marked(r, "depends on"));
}

const char *display_q_mark(const tare_reading *r)
{
    if (r->grid[0] == 0 || isnan(r->q)) return "";
    if (held_back(r)) return "\xE2\x80\xA1";
    if (r->verdict == TARE_FOUND || r->verdict == TARE_SMALL) return "\xE2\x9C\x93";
    return marked(r, "raw only") ? "\xE2\x80\xA0" : "\xE2\x9C\x97";
}

const char *display_q_meaning(const tare_reading *r)
{
    if (r->grid[0] == 0 || isnan(r->q)) return "";
    if (held_back(r)) return "held back: a further condition failed";
    if (r->verdict == TARE_FOUND || r->verdict == TARE_SMALL) return "stands after FDR";
    return marked(r, "raw only") ? "raw-significant, not significant after FDR"
                                 : "not significant";
}

void display_all_of(text *out, const char *instrument_word)
{
    text_add(out, "All ");
    for (const char *c = instrument_word; *c; c++) {
        bool upper = c == instrument_word && *c >= 'A' && *c <= 'Z';
        text_add_char(out, upper ? (char)(*c + ('a' - 'A')) : *c);
    }
    text_add_char(out, 's');
}

const char *display_verdict_sign(tare_verdict verdict)
{
    switch (verdict) {
    case TARE_FOUND: return "\xE2\x97\x8F";        /* black circle */
    case TARE_SMALL: return "\xE2\x97\x90";        /* half circle  */
    case TARE_NEGLIGIBLE: return "\xE2\x97\x8B";   /* white circle */
    case TARE_INCONCLUSIVE: return "?";
    case TARE_NO_ANSWER: return "\xE2\x80\x93";
    case TARE_DESCRIPTIVE: return "\xC2\xB7";
    }
    return "";
}

const char *display_verdict_class(tare_verdict verdict)
{
    switch (verdict) {
    case TARE_FOUND: return "v-found";
    case TARE_SMALL: return "v-small";
    case TARE_NEGLIGIBLE: return "v-negligible";
    case TARE_INCONCLUSIVE: return "v-inconclusive";
    case TARE_NO_ANSWER: return "v-none";
    case TARE_DESCRIPTIVE: return "v-plain";
    }
    return "v-plain";
}
