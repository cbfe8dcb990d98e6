/* Judge audits A.10.2 to 4 on the public tables, from raw rows; more numbers of the same tables by
 * NumPy 1.24, computed apart from this code. */
#include "support/check.h"

#include <string.h>

#include "base/os.h"
#include "matrix_fixture.h"

#define JUDGES TARE_SHARED_DIR "/data/judges/"
#define NEAR(got, want, digits) assert_within((got), (want), 0, 0.5 * pow(10, -(digits)) * 1.001)

static tare_error err;

/* ---- XSUM ------------------------------------------------------------------------------------ */

static const char *const xsum[3] = {"gpt35", "gpt4", "llama"};

static void xsum_numbers(void **state)
{
    static const double r[3] = {-0.035509, 0.227100, 0.009860};
    static const double z[3] = {0.275989, 0.123871, -0.151160};
    static const double phi2[3] = {0.579990, 1.186993, -1.047931};
    static const double d[3] = {-0.066579413, 0.42581305, 0.018487075};
    static const double se[3] = {0.013844692, 0.014548357, 0.015578083};
    static const double dz[3] = {-0.051828, 0.472429, 0.015553};
    static const double f[3] = {162.48, 577.92, 6.40};
    static const double ends[3][2] = {{.07, .51}, {-.08, .36}, {-.65, .39}};
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    const char *options[] = {"author=source", NULL};
    assert_ok(matrix_bench_run(&b, JUDGES "panickssery_xsum_scores.csv", options, &err));
    for (int j = 0; j < 3; j++) {
        const char *name = xsum[j];
        NEAR(matrix_bench_reading(&b, "cells", "R", name, name)->estimate, r[j], 6);
        const tare_reading *x = matrix_bench_reading(&b, "cells", "Z", name, name);
        NEAR(x->estimate, z[j], 6);
        /* +-10 % of the width, and half a printed digit */
        double slack = 0.1 * (ends[j][1] - ends[j][0]) + .005;
        assert_within(x->lo, ends[j][0], 0, slack);
        assert_within(x->hi, ends[j][1], 0, slack);
        NEAR(matrix_bench_reading(&b, "cells", "Phi~", name, name)->estimate, phi2[j], 6);
        x = matrix_bench_reading(&b, "self", "D", name, NULL);
        assert_within(x->estimate, d[j], 0, 5.1e-9);
        assert_within(x->se, se[j], 0.1, 0); /* of the bootstrap */
        assert_within(matrix_bench_number(&b, "self", "judge", name, "D_t_se"), se[j], 0, 5.1e-10);
        NEAR(matrix_bench_reading(&b, "self", "D_z", name, NULL)->estimate, dz[j], 6);
        NEAR(matrix_bench_reading(&b, "reliability", "F_author", name, NULL)->estimate, f[j], 2);
    }
    NEAR(matrix_bench_number(&b, "self", "judge", "gpt35", "D_t"), -4.8090209, 7);
    matrix_bench_close(&b);
}

/* gpt4: D is resolved, Z is not. llama is flagged and below its margin. */
static void xsum_verdicts(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    const char *options[] = {"author=source", NULL};
    assert_ok(matrix_bench_run(&b, JUDGES "panickssery_xsum_scores.csv", options, &err));
    const tare_reading *x = matrix_bench_reading(&b, "self", "D", "gpt4", NULL);
    assert_int_equal(x->verdict, TARE_INCONCLUSIVE);
    assert_non_null(strstr(x->marks, "depends on scale"));
    assert_true(x->q < .001);
    char *text = matrix_bench_sentences(&b);
    assert_non_null(strstr(text, "None of 3 judges was shown"));
    assert_non_null(strstr(text, "gpt4 scores texts by its own model 0.426 higher"));
    assert_non_null(strstr(text, "but not on its own scale"));
    assert_non_null(strstr(text, "but the other way round on its own scale"));
    assert_non_null(strstr(text, "cannot be known from 3 models"));
    mem_free(&b.m, text);
    x = matrix_bench_reading(&b, "self", "D", "llama", NULL);
    assert_int_equal(x->verdict, TARE_NEGLIGIBLE);
    assert_within(x->mde, 0.04364, 0.1, 0);
    x = matrix_bench_reading(&b, "reliability", "column_reliability", "llama", NULL);
    assert_non_null(strstr(x->marks, "low-spread judge"));
    x = matrix_bench_reading(&b, "identity", "identity_R", NULL, "one-sided");
    assert_close(x->p, 1.0 / 6);
    assert_int_equal(x->verdict, TARE_DESCRIPTIVE);
    matrix_bench_close(&b);
}

/* ---- IFEval ---------------------------------------------------------------------------------- */

/* In the order of the file. */
static const char *const ifeval[12] = {
    "gemma_3_27b_it", "gemma_3_12b_it", "gemma_3_4b_it", "llama_4_maverick_17b_128e_instruct",
    "llama_4_scout_17b_16e_instruct", "qwen3_235b_instruct", "qwen3_30b_instruct",
    "qwen3_4b_instruct", "gpt_120b_oss", "gpt_5", "claude_4_5_haiku", "claude_4_5_sonnet"};

static matrix_bench shared;

static int open_ifeval(void **state)
{
    static const char *const family[12] = {"gemma", "gemma", "gemma", "llama", "llama", "qwen",
                                           "qwen", "qwen", "openai", "openai", "claude", "claude"};
    (void)state;
    matrix_bench_open(&shared, 2);
    text_add(&shared.roster, "id,family\n");
    for (int j = 0; j < 12; j++) text_add_format(&shared.roster, "%s,%s\n", ifeval[j], family[j]);
    const char *options[] = {"author=generator", "gold=ref", NULL};
    tare_status status = matrix_bench_run(&shared, JUDGES "ifeval_scores.csv.gz", options, &err);
    if (status != TARE_OK) printf("%s: %s\n", err.where, err.message);
    return status == TARE_OK ? 0 : -1;
}

static int close_ifeval(void **state)
{
    (void)state;
    matrix_bench_close(&shared);
    return 0;
}

static double self_number(int j, const char *column)
{
    return matrix_bench_number(&shared, "self", "judge", ifeval[j], column);
}

static void ifeval_diagonal(void **state)
{
    static const double phi2[12] = {.697805, 2.198629, 1.813231, 2.373712, -.821748, .908461,
                                    .291455, .932258, .241555, 1.033129, .404452, .364206};
    static const double r[12] = {.009208, .028385, .040965, .017860, -.006119, .016679,
                                 .001609, .011827, .000505, .056831, -.009610, .000787};
    static const double z[12] = {.573708, 1.893324, 1.855276, 1.206979, -.549371, .493192,
                                 .172816, .652889, .175644, .696516, .250750, .203693};
    static const double d[12] = {.010958, .033781, .048752, .021254, -.007282, .019849,
                                 .001915, .014075, .000601, .067633, -.011437, .000937};
    static const double se[3] = {.005432, .006635, .006318};
    (void)state;
    for (int j = 0; j < 12; j++) {
        NEAR(self_number(j, "Phi~"), phi2[j], 6);
        NEAR(self_number(j, "R"), r[j], 6);
        NEAR(self_number(j, "Z"), z[j], 6);
        NEAR(self_number(j, "D"), d[j], 6);
        assert_within(self_number(j, "D"), self_number(j, "R") * 144 / 121, 1e-12, 0);
        if (j < 3) NEAR(self_number(j, "D_t_se"), se[j], 6);
    }
}

/* Every cell against the files of reference, 17 digits: Phi and Phi~ to 1e-9. */
static void check_cells(const char *file, const char *name)
{
    char *bytes, *line, *rest, path[512];
    size_t length;
    mem m = mem_system();
    snprintf(path, sizeof path, "%s%s", JUDGES, file);
    assert_ok(os_read_file(&bytes, &length, &m, path, 1 << 20, &err));
    char header[2048];
    line = strtok_r(bytes, "\n", &rest);
    snprintf(header, sizeof header, "%s", line);
    int rows = 0;
    while ((line = strtok_r(NULL, "\n", &rest))) {
        char *cells, *names, *judge;
        const char *author = strtok_r(line, ",", &cells);
        char copy[2048];
        snprintf(copy, sizeof copy, "%s", header);
        strtok_r(copy, ",", &names);
        while ((judge = strtok_r(NULL, ",", &names))) {
            judge[strcspn(judge, "\r")] = '\0';
            double want = strtod(strtok_r(NULL, ",", &cells), NULL);
            assert_close(matrix_bench_reading(&shared, "cells", name, judge, author)->estimate,
                         want);
        }
        rows++;
    }
    assert_int_equal(rows, 12);
    mem_free(&m, bytes);
}

static void ifeval_cells(void **state)
{
    (void)state;
    check_cells("ifeval_phi.csv", "Phi");
    check_cells("ifeval_phitilde_ddof0.csv", "Phi~");
}

/* q_bh of D <= .05 for five judges, all confirmed by Z. Their intervals of Z, and those of Phi~, to
 * +-10 % of the width and half a printed digit. */
static void ifeval_verdicts(void **state)
{
    static const int found[5] = {1, 2, 3, 5, 9};
    static const double ends[5][2] = {{.46, 2.5}, {.46, 2.5}, {.52, 1.7}, {.13, .91}, {.38, 1.1}};
    (void)state;
    for (int j = 0, n = 0; j < 12; j++) {
        const tare_reading *x = matrix_bench_reading(&shared, "self", "D", ifeval[j], NULL);
        bool expected = n < 5 && found[n] == j;
        assert_true((x->q <= .05) == expected);
        assert_true((x->verdict == TARE_FOUND) == expected);
        if (!expected) continue;
        const tare_reading *z = matrix_bench_reading(&shared, "cells", "Z", ifeval[j], ifeval[j]);
        double slack = 0.1 * (ends[n][1] - ends[n][0]) + .05;
        assert_within(z->lo, ends[n][0], 0, slack);
        assert_within(z->hi, ends[n][1], 0, slack);
        n++;
    }
    static const struct { int j; double lo, hi; } phi2[3] = {
        {3, 1.0, 2.7}, {4, -2.0, .7}, {9, .7, 1.4}};
    for (int k = 0; k < 3; k++) {
        const char *name = ifeval[phi2[k].j];
        const tare_reading *x = matrix_bench_reading(&shared, "cells", "Phi~", name, name);
        double slack = 0.1 * (phi2[k].hi - phi2[k].lo) + .05;
        assert_within(x->lo, phi2[k].lo, 0, slack);
        assert_within(x->hi, phi2[k].hi, 0, slack);
        assert_int_equal(x->verdict, TARE_DESCRIPTIVE);
    }
}

/* Sign test 11 of 12 (of Phi~), p .0031738; identity permutation p ~ .0018 and ~ .0011 within 5
 * Monte Carlo SE of both runs. */
static void ifeval_models(void **state)
{
    (void)state;
    const tare_reading *x =
        matrix_bench_reading(&shared, "identity", "positive_self_cells", NULL, "Phi~");
    assert_close(x->estimate, 11);
    NEAR(x->p, .0031738, 7);
    x = matrix_bench_reading(&shared, "identity", "identity_R", NULL, "one-sided");
    assert_within(x->p, .0018, 0, 5 * sqrt(2 * .0018 / 9999));
    x = matrix_bench_reading(&shared, "identity", "identity_Z", NULL, "one-sided");
    assert_within(x->p, .0011, 0, 5 * sqrt(2 * .0011 / 9999));
    assert_int_equal(x->verdict, TARE_FOUND);
}

static void ifeval_reliability(void **state)
{
    static const double f[12] = {2.59, 1.60, 1.14, 5.04, 2.76, 12.10,
                                 4.57, 7.85, 10.51, 20.19, 16.88, 13.45};
    (void)state;
    for (int j = 0; j < 12; j++) {
        const tare_reading *x =
            matrix_bench_reading(&shared, "reliability", "F_author", ifeval[j], NULL);
        NEAR(x->estimate, f[j], 2);
        x = matrix_bench_reading(&shared, "reliability", "column_reliability", ifeval[j], NULL);
        assert_true((strstr(x->marks, "low-spread judge") != NULL) == (1 - 1 / f[j] < .9));
    }
}

/* By NumPy: halves by the lowest bit of the first byte of SHA-256 of the item's id (284 and 257
 * items). */
static void ifeval_split(void **state)
{
    (void)state;
    assert_close(matrix_bench_reading(&shared, "split-half", "R", NULL, NULL)->estimate,
                 0.8966047959347032);
    assert_close(matrix_bench_reading(&shared, "split-half", "Z", NULL, NULL)->estimate,
                 0.8323408394422906);
    assert_close(matrix_bench_reading(&shared, "split-half", "Phi~", NULL, NULL)->estimate,
                 0.7282071196476685);
}

/* By NumPy: D without the same family among authors and judges. */
static void ifeval_no_family(void **state)
{
    static const double want[12] = {
        0.020150156318, 0.047089295087, 0.063074781497, 0.022501540357, -0.006272335182,
        0.022831519135, 0.004210310125, 0.016430478538, 0.006943930992, 0.074534812076,
        -0.010455945779, 0.00202094886};
    (void)state;
    for (int j = 0; j < 12; j++) NEAR(self_number(j, "D_no_family"), want[j], 12);
}

/* By NumPy: least and most without one of the other judges. The verdicts do not hang on one. */
static void ifeval_leave_out(void **state)
{
    static const struct { int j; double want[6]; } known[2] = {
        {9, {0.0640508597994733, 0.07266005713325452, 0.05337571649956108, 0.06055004761104543,
             0.9462107269974834, 1.210474760296854}},
        {2, {0.04307679381616536, 0.053596034279953075, 0.0358973281801378, 0.044663361899960896,
             1.7155224887656784, 2.0315783110645174}}};
    static const char *const columns[6] = {
        "D_without_one_least", "D_without_one_most", "R_without_one_least", "R_without_one_most",
        "Phi~_without_one_least", "Phi~_without_one_most"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        for (int n = 0; n < 6; n++)
            assert_close(self_number(known[k].j, columns[n]), known[k].want[n]);
        assert_close(self_number(known[k].j, "verdict_holds"), 11);
        assert_close(self_number(known[k].j, "judges_left_out"), 11);
    }
}

/* ---- Judgemark ------------------------------------------------------------------------------- */

static void judgemark(void **state)
{
    static const char *const names[4][2] = {
        {"anthropic/claude-3.5-sonnet-20240620", "claude-3-5-sonnet-20240620"},
        {"deepseek/deepseek-r1", "DeepSeek-R1"},
        {"mistralai/mistral-large-2411", "Mistral-Large-Instruct-2411"},
        {"openai/gpt-4o-2024-11-20", "gpt-4o-2024-11-20"}};
    static const double r[4] = {.308993, .737702, .260446, .950050};
    static const double z[4] = {-.095648, .233877, .248571, .421606};
    static const double phi2[4] = {-.31835, .79091, .85637, 1.63478};
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 1);
    text_add(&b.roster, "id,alias\n");
    for (int j = 0; j < 4; j++) text_add_format(&b.roster, "%s,%s\n", names[j][0], names[j][1]);
    const char *options[] = {"cells-from=writer,judge,mean_raw,sd_raw,n", NULL};
    assert_ok(matrix_bench_run(&b, JUDGES "judgemark_v2_matrix.csv", options, &err));
    for (int j = 0; j < 4; j++) {
        const char *name = names[j][0];
        NEAR(matrix_bench_reading(&b, "cells", "R", name, name)->estimate, r[j], 6);
        NEAR(matrix_bench_reading(&b, "cells", "Z", name, name)->estimate, z[j], 6);
        NEAR(matrix_bench_reading(&b, "cells", "Phi~", name, name)->estimate, phi2[j], 5);
        assert_int_equal(matrix_bench_reading(&b, "cells", "R", name, name)->n_base, 120);
    }
    const tare_reading *x =
        matrix_bench_reading(&b, "identity", "identity_R", NULL, "one-sided");
    assert_close(x->p, 4.0 / 24);
    x = matrix_bench_reading(&b, "identity", "identity_Z", NULL, "one-sided");
    assert_close(x->p, 5.0 / 24);
    matrix_bench_close(&b);
}

int main(void)
{
    NEED_SHARED();
    const struct CMUnitTest small[] = {cmocka_unit_test(xsum_numbers),
                                       cmocka_unit_test(xsum_verdicts),
                                       cmocka_unit_test(judgemark)};
    const struct CMUnitTest large[] = {
        cmocka_unit_test(ifeval_diagonal), cmocka_unit_test(ifeval_cells),
        cmocka_unit_test(ifeval_verdicts), cmocka_unit_test(ifeval_models),
        cmocka_unit_test(ifeval_reliability), cmocka_unit_test(ifeval_split),
        cmocka_unit_test(ifeval_no_family), cmocka_unit_test(ifeval_leave_out)};
    int failed = cmocka_run_group_tests(small, NULL, NULL);
    return failed + cmocka_run_group_tests(large, open_ifeval, close_ifeval);
}
