/* Published matrices: judge audits A.10 (2, 3, 4), statistics 16.6. */
#include <string.h>

#include "base/mem.h"
#include "stats/gstudy.h"
#include "stats/identity.h"
#include "support/check.h"

#define PLAN(seed, analysis, draws) \
    (&(identity_plan){&m, rng_key_of((seed), (analysis)), (draws)})

#define JUDGES TARE_SHARED_DIR "/data/judges/"

/* Residuals of rows and columns. */
static void centre(double *r, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows; i++) {
        double mean = 0;
        for (size_t j = 0; j < columns; j++) mean += r[i * columns + j] / (double)columns;
        for (size_t j = 0; j < columns; j++) r[i * columns + j] -= mean;
    }
    for (size_t j = 0; j < columns; j++) {
        double mean = 0;
        for (size_t i = 0; i < rows; i++) mean += r[i * columns + j] / (double)rows;
        for (size_t i = 0; i < rows; i++) r[i * columns + j] -= mean;
    }
}

/* Every column to mean 0 and population SD 1, then centred. */
static void standardise(double *r, size_t rows, size_t columns)
{
    for (size_t j = 0; j < columns; j++) {
        double mean = 0, square = 0;
        for (size_t i = 0; i < rows; i++) mean += r[i * columns + j] / (double)rows;
        for (size_t i = 0; i < rows; i++)
            square += pow(r[i * columns + j] - mean, 2) / (double)rows;
        for (size_t i = 0; i < rows; i++)
            r[i * columns + j] = (r[i * columns + j] - mean) / sqrt(square);
    }
    centre(r, rows, columns);
}

static void read_ifeval(double *phi)
{
    char line[4096];
    FILE *f = fopen(JUDGES "ifeval_phi.csv", "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    for (size_t i = 0; i < 12; i++) {
        assert_non_null(fgets(line, sizeof line, f));
        char *at = strchr(line, ',');
        for (size_t j = 0; j < 12; j++) phi[i * 12 + j] = strtod(at + 1, &at);
    }
    fclose(f);
}

static void test_ifeval(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    double r[288];
    uint8_t same[144] = {0};
    const size_t family[12] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4};
    identity_result id[2];
    block_result block[2];
    read_ifeval(r);
    memcpy(r + 144, r, 144 * sizeof *r);
    centre(r, 12, 12);
    standardise(r + 144, 12, 12);
    for (size_t a = 0; a < 12; a++)
        for (size_t b = 0; b < 12; b++) same[a * 12 + b] = family[a] == family[b];
    assert_ok(identity_permutation(id, r, 12, 2, PLAN(1, "items/perm", 49999), &err));
    assert_within(id[0].p_one, .0018, 0, 5 * sqrt(.0018 / 49999));
    assert_within(id[1].p_one, .0011, 0, 5 * sqrt(.0011 / 49999));
    assert_ok(block_permutation(block, r, same, 12, 2, PLAN(1, "items/perm", 49999), &err));
    assert_within(block[0].statistic, .015257, 0, 5e-7);
    assert_within(block[1].statistic, .608673, 0, 5e-7);
    assert_within(block[0].p, .0017, 0, 5 * sqrt(.0017 / 49999));
    assert_within(block[1].p, .0025, 0, 5 * sqrt(.0025 / 49999));
}

/* Rows "judge,author,...": the mean of column `value` in r[author][judge], names by first sight. */
typedef struct names { char name[40][96]; size_t count; } names;
static size_t place(names *n, const char *name)
{
    for (size_t k = 0; k < n->count; k++)
        if (strcmp(n->name[k], name) == 0) return k;
    assert_true(n->count < 40);
    snprintf(n->name[n->count], sizeof n->name[0], "%s", name);
    return n->count++;
}

static void test_judgemark(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    /* the four that judge and write, under the names of either side */
    const char *judge[4] = {"anthropic/claude-3.5-sonnet-20240620", "deepseek/deepseek-r1",
                            "mistralai/mistral-large-2411", "openai/gpt-4o-2024-11-20"};
    static const char *own[4] = {"claude-3-5-sonnet-20240620", "DeepSeek-R1",
                                   "Mistral-Large-Instruct-2411", "gpt-4o-2024-11-20"};
    names judges = {.count = 0}, writers = {.count = 0};
    double all[14 * 17], z[14 * 17], r[32];
    char line[512];
    FILE *f = fopen(JUDGES "judgemark_v2_matrix.csv", "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    while (fgets(line, sizeof line, f)) {
        char *j = strtok(line, ","), *w = strtok(NULL, ",");
        strtok(NULL, ",");
        size_t row = place(&writers, w), column = place(&judges, j);
        all[row * 14 + column] = strtod(strtok(NULL, ","), NULL);
    }
    fclose(f);
    assert_int_equal(judges.count, 14);
    assert_int_equal(writers.count, 17);
    memcpy(z, all, sizeof z);
    centre(all, 17, 14);
    standardise(z, 17, 14);
    size_t row[4], column[4];
    for (size_t k = 0; k < 4; k++) {
        row[k] = column[k] = 99;
        for (size_t i = 0; i < 14; i++)
            if (strcmp(judges.name[i], judge[k]) == 0) column[k] = i;
        for (size_t i = 0; i < 17; i++)
            if (strcmp(writers.name[i], own[k]) == 0) row[k] = i;
        assert_true(row[k] < 17 && column[k] < 14);
    }
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++) {
            r[a * 4 + b] = all[row[a] * 14 + column[b]];
            r[16 + a * 4 + b] = z[row[a] * 14 + column[b]];
        }
    identity_result id[2];
    assert_ok(identity_permutation(id, r, 4, 2, PLAN(1, "items/perm", 9999), &err));
    assert_within(r[0], .308993, 0, 5e-7);
    assert_within(r[15], .950050, 0, 5e-7);
    assert_within(id[0].statistic, .564297610, 0, 5e-10);
    assert_within(id[1].statistic, .202101, 0, 5e-7);
    assert_close(id[0].p_one, 4 / 24.0);
    assert_close(id[1].p_one, 5 / 24.0);
}

static void test_xsum(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    static const char *judge[3] = {"gpt35", "gpt4", "llama"};
    static double y[1000 * 15];
    names sources = {.count = 0};
    for (size_t k = 0; k < 3; k++) place(&sources, judge[k]);
    char line[512], first[1000][16];
    size_t seen = 0;
    FILE *f = fopen(JUDGES "panickssery_xsum_scores.csv", "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    while (fgets(line, sizeof line, f)) {
        char *j = strtok(line, ","), *s = strtok(NULL, ","), *item = strtok(NULL, ",");
        size_t i = 0, e = 0;
        while (i < seen && strcmp(first[i], item) != 0) i++;
        assert_true(i < 1000);
        if (i == seen) snprintf(first[seen++], sizeof first[0], "%s", item);
        while (strcmp(judge[e], j) != 0) e++;
        y[(i * 5 + place(&sources, s)) * 3 + e] = strtod(strtok(NULL, ","), NULL);
    }
    fclose(f);
    g_study g;
    assert_ok(g_study_table(&g, y, 1000, 5, 3, &m, &err));
    const double want[7] = {.040820441, .030879175, .064781294, .033565021,
                            .162121733, .060460511, .179605293};
    const double got[7] = {g.s2_i, g.s2_g, g.s2_j, g.s2_ig, g.s2_ij, g.s2_gj, g.s2_e};
    for (size_t k = 0; k < 7; k++) assert_within(got[k], want[k], 0, 6e-10);
    const double design[3][4] = {{1000, 3, .6039805007, .4240786366},
                                 {100, 3, .5942072269, .4144333425},
                                 {1000, 1, .3372824825, .1972642659}};
    for (size_t k = 0; k < 3; k++) {
        g_coefficients c = g_study_design(&g, design[k][0], design[k][1]);
        assert_within(c.e_rho2, design[k][2], 0, 6e-11);
        assert_within(c.phi, design[k][3], 0, 6e-11);
    }
    double r[15];
    for (size_t c = 0; c < 15; c++) {
        r[c] = 0;
        for (size_t i = 0; i < 1000; i++) r[c] += y[i * 15 + c] / 1000;
    }
    centre(r, 5, 3);
    identity_result id;
    assert_ok(identity_permutation(&id, r, 3, 1, PLAN(1, "items/perm", 9999), &err));
    assert_within(id.statistic, .067150349, 0, 6e-10);
    assert_close(id.p_one, 1 / 6.0);
    /* author F ratio of each judge's own item x author table: A.10, golden 2 */
    const double f_ratio[3] = {162.48, 577.92, 6.40};
    for (size_t e = 0; e < 3; e++) {
        static double table[5000];
        for (size_t c = 0; c < 5000; c++) table[c] = y[c * 3 + e];
        assert_within(two_way_table(table, 1000, 5, 5).f, f_ratio[e], 0, .005);
    }
}

/* lme4's Penicillin: EMS estimates of statistics 16.6. */
static void test_penicillin(void **state)
{
    (void)state;
    double y[24 * 6];
    char line[64];
    FILE *f = fopen(TARE_SHARED_DIR "/data/stats/penicillin.csv", "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    while (fgets(line, sizeof line, f)) {
        int value;
        char plate, sample;
        assert_int_equal(sscanf(line, "%d,\"%c\",\"%c\"", &value, &plate, &sample), 3);
        y[(plate - 'a') * 6 + (sample - 'A')] = value;
    }
    fclose(f);
    two_way t = two_way_table(y, 24, 6, 6);
    two_way_parts parts = two_way_components(&t, 24, 6);
    assert_within(t.grand, 22.9722222222, 0, 6e-11);
    assert_within(parts.row, .716908212560, 0, 6e-13);
    assert_within(parts.column, 3.730917874396, 0, 6e-13);
    assert_within(parts.error, .302415458937, 0, 6e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ifeval),
        cmocka_unit_test(test_judgemark),
        cmocka_unit_test(test_xsum),
        cmocka_unit_test(test_penicillin),
    };
    NEED_SHARED();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
