/* max-T beside BH in the grids of the scorer audit (statistics 6), and the cells as a table with
 * both marks (scorer audit 11). */
#include <string.h>

#include "audit/scorer/members.h"
#include "scorer_tables.h"
#include "support/check.h"

static void run(bench *b, uint32_t replicates)
{
    tare_error err = {0};
    b->options.boot_b = b->options.perm_p = replicates;
    assert_ok(bench_run(b, &err));
}

/* Some scorers over `images` with two groups, attribute and artifact; `effect` on the first alone.
 * names: in which order of bytes they come. */
static void put(bench *b, uint64_t seed, int images, double effect, const char *const names[3])
{
    gauss g = {seed};
    text_add(&b->csv, "base,group,dose,scorer,score,ita,artifact\n");
    for (int i = 0; i < images; i++)
        for (int dose = -10; dose <= 10; dose += 5) {
            double ita = 2 * dose + gauss_next(&g), clip = dose ? fabs(gauss_next(&g)) : 0;
            double common = gauss_next(&g); /* scorers agree in part */
            for (int s = 0; s < 3; s++)
                text_add_format(&b->csv, "f%03d,g%d,%d,%s,%.17g,%.17g,%.17g\n", i, i % 2, dose,
                                names[s], common + gauss_next(&g) + (s ? 0 : effect * dose), ita,
                                clip);
        }
}

static const char *const forward[3] = {"a", "b", "c"}, *const backward[3] = {"z", "y", "x"};

static const char *fdr_cell(const bench *b, const char *grid, size_t column)
{
    const result_table *t = bench_table(b, "fdr");
    for (size_t i = 0; i < t->row_count; i++) {
        const cell *row = &t->cells[i * t->column_count];
        if (strcmp(row[0].text, grid) == 0)
            return row[column].kind == CELL_EMPTY ? "" : row[column].text;
    }
    fail_msg("no grid %s", grid);
    return "";
}

/* Every tested cell has one, not below its p; and a cell without a p has none. */
static void never_below_p(void **state)
{
    (void)state;
    static const int sizes[2] = {20, 40}; /* sign flips and t; bootstrap */
    for (int k = 0; k < 2; k++) {
        bench b;
        size_t with = 0;
        bench_open(&b, 1);
        put(&b, 3, sizes[k], .02, forward);
        run(&b, 499);
        for (size_t i = 0; i < b.result.reading_count; i++) {
            const tare_reading *r = &b.result.readings[i];
            bool expected = r->grid[0] && strcmp(r->grid, "iv") != 0 && !isnan(r->q);
            assert_true(expected == !isnan(r->q_maxt));
            if (!expected) continue;
            assert_true(r->q_maxt >= r->p && r->q_maxt <= 1);
            with++;
        }
        /* three scorers: FI, A; beta, drift; drift in doses; adjusted; omnibus, adjusted */
        assert_int_equal(with, 3 * (2 + 2 + 1 + 2 + 2 + 2));
        assert_string_equal(fdr_cell(&b, "ii", 7), "single step");
        assert_string_equal(fdr_cell(&b, "iv", 7), "its p is the larger of two");
        assert_string_equal(fdr_cell(&b, "v", 7), "");
        bench_close(&b);
    }
}

/* Without effects, of correlated scorers: on the average below Bonferroni, which knows nothing of
 * the correlation, and above p. */
static void between_p_and_bonferroni(void **state)
{
    (void)state;
    double p = 0, maxt = 0, bonferroni = 0;
    size_t n = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        bench b;
        bench_open(&b, 1);
        b.options.seed = seed;
        put(&b, 100 + seed, 40, 0, forward);
        run(&b, 199);
        for (size_t i = 0; i < b.result.reading_count; i++) {
            const tare_reading *r = &b.result.readings[i];
            if (strcmp(r->grid, "ii") != 0) continue;
            p += r->p;
            maxt += r->q_maxt;
            bonferroni += fmin(1, 6 * r->p);
            n++;
        }
        bench_close(&b);
    }
    assert_int_equal(n, 120);
    print_message("mean p %.3f, max-T %.3f, Bonferroni %.3f\n", p / 120, maxt / 120,
                  bonferroni / 120);
    assert_true(p < maxt && maxt < bonferroni);
}

/* The order of the scorers moves nothing. */
static void the_order_does_not_matter(void **state)
{
    (void)state;
    bench b[2];
    for (int k = 0; k < 2; k++) {
        bench_open(&b[k], 1);
        put(&b[k], 5, 40, .02, k ? backward : forward);
        run(&b[k], 299);
    }
    size_t compared = 0;
    for (size_t i = 0; i < b[0].result.reading_count; i++) {
        const tare_reading *r = &b[0].result.readings[i];
        if (!r->grid[0]) continue;
        const char *other = r->instrument[0] == 'a' ? "z" : r->instrument[0] == 'b' ? "y" : "x";
        const tare_reading *o = bench_reading(&b[1], NULL, other, r->name, r->condition);
        assert_true(isnan(r->q_maxt) ? isnan(o->q_maxt) : r->q_maxt == o->q_maxt);
        assert_true(r->q == o->q && r->p == o->p);
        compared++;
    }
    assert_int_equal(compared, 3 * (2 + 2 + 1 + 2 + 2 + 2 + 1));
    bench_close(&b[0]);
    bench_close(&b[1]);
}

/* One omnibus alone: the single step over one test is its own p (statistics 17: the largest pair of
 * an omnibus has its p; that is in test_permute). */
static void a_grid_of_one(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        bench b;
        gauss g = {31};
        bench_open(&b, 1);
        b.options.perm_exact = exact ? "yes" : "no";
        b.options.group_min = 3;
        text_add(&b.csv, "base,group,dose,scorer,score\n"); /* one side: no A */
        for (int i = 0; i < 9; i++)
            for (int dose = 0; dose <= 2; dose++)
                text_add_format(&b.csv, "f%d,g%d,%d,s,%.17g\n", i, i % 3, dose, gauss_next(&g));
        run(&b, 999);
        const tare_reading *r = bench_reading(&b, NULL, "s", "omnibus", "FI");
        if (exact) /* 1680 labelings; max-T comes from the sampled ones */
            assert_within(r->q_maxt, r->p, 0, 5 * sqrt(.25 / 999));
        else
            assert_true(r->q_maxt == r->p);
        bench_close(&b);
    }
}

/* Every cell of every grid with both marks. */
static void cells_have_both_marks(void **state)
{
    (void)state;
    bench b;
    size_t rows[3] = {0}, members = 0;
    bench_open(&b, 1);
    put(&b, 3, 40, .2, forward);
    run(&b, 499);
    const result_table *t = bench_table(&b, "fdr_cells");
    const result_table *sizes = bench_table(&b, "fdr");
    for (size_t i = 0; i < sizes->row_count; i++)
        members += (size_t)sizes->cells[i * sizes->column_count + 2].integer;
    assert_int_equal(t->row_count, members);
    for (size_t i = 0; i < t->row_count; i++) {
        const cell *row = &t->cells[i * t->column_count];
        double p = row[5].number, q = row[7].number;
        const char *raw = row[9].text, *adjusted = row[10].text;
        assert_string_equal(raw, p <= .05 ? "check" : "cross");
        assert_string_equal(adjusted, q <= .05 ? "check" : p <= .05 ? "dagger" : "cross");
        rows[q <= .05 ? 0 : p <= .05 ? 1 : 2]++;
        if (p == 1 / 500.) assert_string_equal(row[6].text, "p < 0.004");
    }
    assert_true(rows[0] > 0 && rows[2] > 0);
    /* FI stands in grid i too, with another q, and is at home in ii. */
    size_t abroad = 0;
    for (size_t i = 0; i < t->row_count; i++) {
        const cell *row = &t->cells[i * t->column_count];
        abroad += strcmp(row[0].text, "i") == 0 && strcmp(row[3].text, "FI") == 0 &&
                  strcmp(row[11].text, "ii") == 0;
    }
    assert_int_equal(abroad, 3);
    bool told = false;
    for (size_t i = 0; i < b.result.fact_count; i++)
        told = told || (strcmp(b.result.facts[i].key, "grid ii") == 0 &&
                        strstr(b.result.facts[i].value, "6 cells, 6 with an answer, "));
    assert_true(told);
    bench_close(&b);
}

static const cube_arm some_arm = {.name = "arm", .operator_name = "skin", .kind = "",
                                  .partner = SIZE_MAX, .attribute_unit = ""};

/* Beyond the room for replicates there is no max-T, and the grid says why; a test without
 * replicates takes it from its grid alone. */
static void what_has_no_room_is_told(void **state)
{
    (void)state;
    for (int full = 0; full < 3; full++) {
        bench b;
        tare_error err = {0};
        audit_result result;
        cube c;
        study t;
        double replicates[99];
        memset(&c, 0, sizeof c);
        bench_open(&b, 1);
        b.options.boot_b = 99;
        result_init(&result, &b.m);
        assert_ok(study_open(&t, &result, b.context, &c, &b.options, &err));
        for (int r = 0; r < 99; r++) replicates[r] = r % 9 - 4;
        if (full == 1) t.member_bytes = MEMBERS_BYTES_MAX - 3 * sizeof replicates / 2;
        for (int k = 0; k < 4; k++) {
            inference inf = inference_none("");
            inf.estimate = k;
            inf.se = 2;
            inf.p = .5;
            inf.replicates = full == 2 && k == 3 ? NULL : replicates;
            reading_spec spec = {.family = "fidelity", .name = "FI", .grid = k < 2 ? "ii" : "i",
                                 .margin = NAN, .floor = NAN};
            assert_ok(study_add(&t, NULL, &some_arm, RD_NONE, &spec, &inf, &err));
        }
        assert_ok(grids_run(&t, &err));
        const char *of_i = t.grid[GRID_I].no_maxt, *of_ii = t.grid[GRID_II].no_maxt;
        if (full == 0) assert_true(!of_i && !of_ii);
        if (full == 1) {
            assert_string_equal(of_i, "more than 64 MB of replicates");
            assert_string_equal(of_ii, "more than 64 MB of replicates");
        }
        if (full == 2) {
            assert_string_equal(of_i, "not every test has replicates");
            assert_null(of_ii);
        }
        assert_true(isnan(result.readings[0].q_maxt) == (full == 1));
        assert_true(isnan(result.readings[2].q_maxt) == (full > 0));
        study_close(&t);
        result_free(&result);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_below_p),
        cmocka_unit_test(between_p_and_bonferroni),
        cmocka_unit_test(the_order_does_not_matter),
        cmocka_unit_test(a_grid_of_one),
        cmocka_unit_test(cells_have_both_marks),
        cmocka_unit_test(what_has_no_room_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
