/* A score table becomes a cube (scorer audit 1): order, neutral dose, duplicates, what is
 * refused. */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

static tare_status read_cube(bench *b, const char *csv, tare_error *err)
{
    bench_clear(b);
    table_bytes bytes = {"scores.csv", csv, strlen(csv)};
    return cube_from_table_bytes(&b->c, &b->a, b->context, &bytes, &b->table, err);
}

static void canonical_order_and_statuses(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 2);
    assert_ok(read_cube(&b,
                   "image,dose,scorer,score,status,cluster,kind\n"
                   "b,1,z,4,,k2,real\n"
                   "b,0,z,3,,k2,real\n"
                   "a,0,z,1,,k9,real\n"
                   "a,1,z,,,k9,real\n"
                   "a,0,y,inf,,k9,real\n"
                   "a,1,y,5,timeout,k9,real\n"
                   "b,0,y,7,ok,k2,real\n",
                   &err));
    assert_int_equal(b.c.arms, 1);
    assert_int_equal(b.c.scorers, 2);
    assert_string_equal(b.c.scorer[0], "y");
    const cube_arm *arm = &b.c.arm[0];
    assert_string_equal(arm->base[0], "b"); /* cluster k2 before k9 */
    assert_string_equal(arm->cluster_id[arm->cluster[1]], "k9");
    assert_string_equal(arm->kind, "real");
    assert_int_equal(arm->neutral, 0);
    assert_false(arm->two_sided);
    assert_null(arm->attribute);
    const cube_scores *y = cube_at(&b.c, 0, 0), *z = cube_at(&b.c, 0, 1);
    const uint8_t want_y[4] = {TARE_R_NONE, TARE_R_MISSING, TARE_R_SCORE_NONFINITE, TARE_R_TIMEOUT};
    const uint8_t want_z[4] = {TARE_R_NONE, TARE_R_NONE, TARE_R_NONE, TARE_R_MISSING};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(y->status[i], want_y[i]);
        assert_int_equal(z->status[i], want_z[i]);
        assert_true(isnan(y->s[i]) == (want_y[i] != TARE_R_NONE));
    }
    assert_close(z->s[1], 4);
    bench_close(&b);
}

static void neutral_dose(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    assert_ok(read_cube(&b, "base,dose,score\na,0,1\na,1,1\n", &err));
    assert_close(b.c.arm[0].dose[b.c.arm[0].neutral], 0);
    assert_ok(read_cube(&b, "base,dose,score\na,.8,1\na,1,1\na,1.2,1\n", &err));
    assert_int_equal(b.c.arm[0].neutral, 1);
    assert_true(b.c.arm[0].two_sided);
    assert_int_equal(read_cube(&b, "base,dose,score\na,5,1\na,7,1\n", &err), TARE_E_DATA);
    assert_string_equal(err.code, "table.neutral");
    b.table.neutral = 7;
    assert_ok(read_cube(&b, "base,dose,score\na,5,1\na,7,1\n", &err));
    assert_int_equal(b.c.arm[0].neutral, 1);
    /* a dose that was asked for and is nowhere: not quietly dose 0 */
    assert_int_equal(read_cube(&b, "base,dose,score\na,0,1\na,5,1\n", &err), TARE_E_DATA);
    assert_string_equal(err.code, "table.neutral");
    assert_non_null(strstr(err.message, "7"));
    /* in one arm only: the other arm takes its 0 */
    assert_ok(read_cube(&b, "arm,base,dose,score\nx,a,0,1\nx,a,7,1\ny,a,0,1\ny,a,5,1\n", &err));
    assert_int_equal(b.c.arm[0].neutral, 1);
    assert_int_equal(b.c.arm[1].neutral, 0);
    bench_close(&b);
}

static void bases_without_neutral_are_counted(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    assert_ok(read_cube(&b,
                   "base,dose,score,group\na,0,1,x\na,1,2,x\nb,1,1,x\nc,1,1,y\nd,0,1,y\nd,1,1,y\n",
                   &err));
    assert_int_equal(b.c.arm[0].bases, 2);
    assert_int_equal(b.c.arm[0].excluded, 2);
    assert_int_equal(b.c.missing_count, 2);
    assert_int_equal(b.c.missing[0].reason, TARE_R_NO_NEUTRAL);
    assert_int_equal(b.c.missing[0].count, 1);
    assert_int_equal(b.c.missing[0].of, 2);
    assert_string_equal(b.c.missing[0].example, "b");
    assert_string_equal(b.c.missing[1].group, "y");
    bench_close(&b);
}

static void duplicates(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    assert_ok(read_cube(&b, "base,dose,score\na,0,1\na,0,1\na,1,2\n", &err));
    assert_int_equal(b.c.duplicates_dropped, 1);
    assert_int_equal(read_cube(&b, "base,dose,score\na,0,1\na,1,2\na,0,1.5\n", &err), TARE_E_DATA);
    assert_string_equal(err.code, "table.duplicate_key");
    bench_close(&b);
}

static void refused(void **state)
{
    (void)state;
    static const struct { const char *csv, *code; } cases[] = {
        {"base,dose,score\n", "table.no_rows"},
        {"base,dose,score\na,x,1\n", "table.number"},
        {"base,dose,score\na,,1\n", "table.number"},
        {"base,dose,score\na,inf,1\n", "table.number"},
        {"base,dose,score\na,0,high\n", "table.number"},
        {"base,score\na,1\n", "table.no_role"},
        {"base,dose,score,cluster\na,0,1,k\na,1,1,l\n", "table.varies"},
        {"base,dose,score,group\na,0,1,g\na,1,1,h\n", "table.varies"},
        {"base,dose,score,cluster,group\na,0,1,k,g\nb,0,1,k,h\n", "table.varies"},
        {"base,dose,score,kind\na,0,1,real\nb,0,1,synthetic\n", "table.varies"},
        {"base,dose,score,kind\na,0,1,drawn\n", "table.kind"},
        {"base,dose,scorer,score,ita\na,0,s,1,40\na,0,t,1,41\n", "table.varies"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        tare_error err = {0};
        bench_open(&b, 1);
        assert_int_equal(read_cube(&b, cases[k].csv, &err), TARE_E_DATA);
        assert_string_equal(err.code, cases[k].code);
        assert_true(err.message[0] != '\0');
        bench_close(&b);
    }
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    b.table.columns.score = "points";
    assert_int_equal(read_cube(&b, "base,dose,score\na,0,1\n", &err), TARE_E_USAGE);
    b.table.columns.score = NULL;
    const char *lower[] = {"nobody"};
    b.table.lower = lower;
    b.table.lower_count = 1;
    assert_int_equal(read_cube(&b, "base,dose,score\na,0,1\n", &err), TARE_E_USAGE);
    assert_string_equal(err.code, "table.no_scorer");
    bench_close(&b);
}

static void a_base_needs_a_name(void **state)
{
    (void)state;
    static const struct { const char *csv, *where; } cases[] = {
        {"base,dose,scorer,score\n,0,s,1\n", "scores.csv:2:1"},
        {"dose,base,scorer,score\n0,a,s,1\n1,a,s,1\n0,\"\",s,1\n0,,s,1\n", "scores.csv:4:3"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        tare_error err = {0};
        bench_open(&b, 1);
        assert_int_equal(read_cube(&b, cases[k].csv, &err), TARE_E_DATA);
        assert_string_equal(err.code, "table.empty_base");
        assert_string_equal(err.where, cases[k].where);
        bench_close(&b);
    }
}

/* An empty cluster cell: the base is its own cluster. */
static void bases_without_a_cluster_stand_alone(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    assert_ok(read_cube(&b,
                        "base,dose,score,cluster\nd,0,1,\nc,0,1,k\nb,0,1,\na,0,1,k\nz,0,1,\n"
                        "d,1,1,\n",
                        &err));
    const cube_arm *arm = &b.c.arm[0];
    static const char *const base[5] = {"b", "d", "a", "c", "z"};
    static const char *const cluster[5] = {"b", "d", "k", "k", "z"}; /* in the order of bytes */
    assert_int_equal(arm->bases, 5);
    assert_int_equal(arm->clusters, 4);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(arm->base[i], base[i]);
        assert_string_equal(arm->cluster_id[arm->cluster[i]], cluster[i]);
    }
    /* nobody has a cluster: as without the column */
    assert_ok(read_cube(&b, "base,dose,score,cluster\na,0,1,\nb,0,1,\n", &err));
    assert_int_equal(b.c.arm[0].clusters, 2);
    assert_string_equal(b.c.arm[0].cluster_id[1], "b");
    /* in one row only: the cluster of base a varies */
    assert_int_equal(read_cube(&b, "base,dose,score,cluster\na,0,1,\na,1,1,k\n", &err),
                     TARE_E_DATA);
    assert_string_equal(err.code, "table.varies");
    /* is a alone, or one of the cluster a? */
    assert_int_equal(read_cube(&b, "base,dose,score,cluster\na,0,1,\nb,0,1,a\n", &err),
                     TARE_E_DATA);
    assert_string_equal(err.code, "table.cluster");
    assert_string_equal(err.where, "scores.csv:2:7");
    bench_close(&b);
}

static void placebos_by_name(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    assert_ok(read_cube(&b,
                   "arm,base,dose,score\nreal/skin,a,0,1\nreal/sham,a,0,1\nsynth/skin,a,0,1\n"
                   "lonely/sham,a,0,1\nbody,a,0,1\n",
                   &err));
    size_t placebos = 0;
    for (size_t k = 0; k < b.c.arms; k++) {
        const cube_arm *arm = &b.c.arm[k];
        if (!arm->placebo) continue;
        placebos++;
        assert_string_equal(arm->name, "real/sham");
        assert_string_equal(b.c.arm[arm->partner].name, "real/skin");
        assert_string_equal(arm->operator_name, "sham");
    }
    assert_int_equal(placebos, 1);
    bench_close(&b);
}

/* Sentences that must never occur (scorer audit 12), over many kinds of input. */
static void barred_words_never_occur(void **state)
{
    (void)state;
    static const char *const barred[] = {"no bias", "severely discriminates", "discriminat",
                                         "racis", "Black", "White", "ethnic", "neutrality"};
    for (int k = 0; k < 6; k++) {
        bench b;
        tare_error err = {0};
        bench_open(&b, 1);
        b.options.boot_b = b.options.perm_p = 499;
        gauss g = {(uint64_t)k};
        text_add(&b.csv, "arm,base,dose,score,ita,artifact,group,kind\n");
        for (int i = 0; i < 40; i++)
            for (int dose = -15; dose <= 15; dose += 5)
                for (int arm = 0; arm < 2; arm++)
                    text_add_format(&b.csv, "%s,f%d,%d,%.17g,%d,%.3f,g%d,real\n",
                                    arm ? "sham" : "skin", i, dose,
                                    gauss_next(&g) + (k & 1 ? .1 * dose : 0) -
                                        (k & 2 ? .1 * abs(dose) : 0) + (k & 4 ? i : 0),
                                    40 + 2 * dose, .001 * (i % 5) * abs(dose), i % 3);
        assert_ok(bench_run(&b, &err));
        char *said = bench_sentences(&b);
        for (size_t n = 0; n < sizeof barred / sizeof *barred; n++)
            if (strstr(said, barred[n])) fail_msg("said \"%s\"", barred[n]);
        /* "unbiased" only in "not unbiased" */
        for (const char *at = said; (at = strstr(at, "unbiased")) != NULL; at++)
            assert_true(at - said >= 4 && strncmp(at - 4, "not ", 4) == 0);
        assert_non_null(strstr(said, "mechanistic stress test"));
        mem_free(&b.m, said);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(canonical_order_and_statuses), cmocka_unit_test(neutral_dose),
        cmocka_unit_test(bases_without_neutral_are_counted), cmocka_unit_test(duplicates),
        cmocka_unit_test(refused), cmocka_unit_test(placebos_by_name),
        cmocka_unit_test(a_base_needs_a_name),
        cmocka_unit_test(bases_without_a_cluster_stand_alone),
        cmocka_unit_test(barred_words_never_occur),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
