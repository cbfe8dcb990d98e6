/* What the answer says in words, and must not say (scorer audit 5.7, 10, 12; statistics 8). */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

static void run(bench *b)
{
    tare_error err = {0};
    b->options.boot_b = b->options.perm_p = 999;
    assert_ok(bench_run(b, &err));
}

/* The first answer that begins with `start`; fails if there is none. */
static const char *answer(const bench *b, const char *start)
{
    for (size_t i = 0; i < b->result.answer_count; i++)
        if (strncmp(b->result.answer[i], start, strlen(start)) == 0) return b->result.answer[i];
    fail_msg("no answer begins with \"%s\"", start);
    return NULL;
}

static void says(const char *sentence, const char *words)
{
    if (!strstr(sentence, words)) fail_msg("\"%s\" lacks \"%s\"", sentence, words);
}

static bool said(const bench *b, const char *words)
{
    char *all = bench_sentences(b);
    bool found = strstr(all, words) != NULL;
    mem_free(&b->m, all);
    return found;
}

/* 12 images of one sign, one of them 100 times the others: the sign flips give p = 2/4096, and
 * the t interval holds 0. */
static void put_outlier(bench *b, bool tilted)
{
    text_add(&b->csv, "arm,base,dose,scorer,score\n");
    for (int i = 0; i < 12; i++)
        for (int dose = -2; dose <= 2; dose++)
            text_add_format(&b->csv, "skin,b%02d,%d,s,%.17g\n", i, dose,
                            0.1 * i + (i == 7 ? 10 : 0.1) * (tilted ? dose : -abs(dose)));
}

static void p_and_interval_may_disagree(void **state)
{
    (void)state;
    static const char *const reading[2] = {"FI", "A"};
    for (int tilted = 0; tilted < 2; tilted++) {
        bench b;
        bench_open(&b, 1);
        put_outlier(&b, tilted);
        run(&b);
        const tare_reading *r = bench_reading(&b, "skin", "s", reading[tilted], "all doses");
        assert_close(r->p, 2.0 / 4096);
        assert_true(r->lo < 0 && r->hi > 0);
        assert_int_equal(r->verdict, TARE_INCONCLUSIVE);
        assert_string_equal(r->words, "inconclusive: p and interval disagree");
        says(answer(&b, tilted ? "s: a preference between lighter" : "s: an average preference"),
             "is left open: p and interval disagree");
        says(answer(&b, "s "), "(p and interval disagree)"); /* the lead */
        assert_false(said(&b, tilted ? "no preference between" : "no average preference"));
        if (!tilted)
            assert_string_equal(bench_cell(&b, "shape", "s", "words")->text,
                                "inconclusive: p and interval disagree");
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_and_interval_may_disagree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
