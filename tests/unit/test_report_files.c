#include "support/check.h"
#include "support/failing_mem.h"

#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/json.h"
#include "base/os.h"
#include "browser/sample_report.h"
#include "report/file_names.h"
#include "report/files.h"

static char folder[128];
static tare_context *context;
static tare_job *job;
static tare_error err;

static int setup(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/tare-report-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    if (tare_context_new(&context, NULL, &err) != TARE_OK) return 1;
    job = sample_job(context);
    return job ? 0 : 1;
}

static int teardown(void **state)
{
    (void)state;
    char command[200];
    sample_free(job);
    tare_context_free(context);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static char *path_of(const char *name)
{
    static char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static char *file_of(const char *name, size_t *length)
{
    char *bytes = NULL;
    mem m = mem_system();
    assert_ok(os_read_file(&bytes, length, &m, path_of(name), (size_t)64 << 20, &err));
    return bytes;
}

static const json_value *parse(arena *a, const char *bytes, size_t length)
{
    json_value *v = NULL;
    assert_ok(json_parse(&v, a, "readings.json", bytes, length, NULL, &err));
    return v;
}

static const json_value *member(const json_value *v, const char *key)
{
    const json_value *m = json_member(v, key);
    if (!m) fail_msg("no member %s", key);
    return m;
}

static void test_json_holds_what_the_result_holds(void **state)
{
    (void)state;
    mem m = mem_system();
    arena a;
    size_t length;
    arena_init(&a, &m);
    assert_true(sample_rich(job));
    assert_ok(tare_report_write(job, folder, &err));
    char *bytes = file_of("readings.json", &length);
    const json_value *v = parse(&a, bytes, length);
    assert_string_equal(member(v, "format")->text, "tare readings 1");
    assert_string_equal(member(v, "title")->text, job->result.title);
    const json_value *readings = member(v, "readings");
    assert_int_equal(readings->length, job->result.reading_count);
    const json_value *first = &readings->children[0];
    assert_string_equal(first->keys[0], "family"); /* order is part of the format */
    assert_string_equal(first->keys[7], "estimate");
    assert_true(member(first, "estimate")->number == .0741236); /* to the last bit */
    assert_int_equal(member(first, "se")->kind, JSON_K_NULL);
    assert_true(member(member(first, "n_missing"), "no_skin")->number == 3);
    assert_null(json_member(member(first, "n_missing"), "decode"));
    assert_string_equal(member(&readings->children[2], "marks")->children[0].text, "raw only");
    assert_string_equal(member(&readings->children[10], "verdict")->text, "no answer");
    const json_value *files = member(v, "files");
    for (size_t i = 0; i < files->length; i++)
        assert_true(os_exists(path_of(files->children[i].text)));
    free(bytes);
    arena_free(&a);
}

static void test_tsv(void **state)
{
    (void)state;
    size_t length;
    assert_true(sample_rich(job));
    assert_ok(tare_report_write(job, folder, &err));
    char *table = file_of("tables/curve.tsv", &length);
    assert_string_equal(table, "arm\tdose\tdelta\tn\nskin\t-15\t-1.5\t\nskin\t-10\t-1\t\n"
                               "skin\t-5\t-0.5\t\nskin\t0\t\t\nskin\t5\t-0.5\t\nskin\t10\t-1\t\n"
                               "skin\t15\t-1.5\t\n");
    free(table);
    char *readings = file_of("readings.tsv", &length);
    size_t tabs = 0, rows = 0, first = 0;
    for (char *c = readings; *c; c++) {
        tabs += *c == '\t';
        if (*c != '\n') continue;
        if (rows++ == 0) first = tabs;
        assert_int_equal(tabs, rows * first); /* the same number of fields in every row */
    }
    assert_int_equal(rows, job->result.reading_count + 1);
    assert_non_null(strstr(readings, "\tmissing_no_skin\t"));
    free(readings);
}

static tare_status count_up(const void *arg, cell *cells, size_t row, arena *scratch,
                            tare_error *e)
{
    if (row == *(const size_t *)arg) return error_set(e, TARE_E_DATA, "t.row", "t", "no more");
    cells[0] = count_cell(row);
    cells[1] = words_cell(arena_printf(scratch, "row %zu", row));
    return TARE_OK;
}

/* A table of made rows is written in pieces, all of it or nothing. */
static void test_tsv_of_made_rows(void **state)
{
    (void)state;
    enum { ROWS = 60000 };
    mem m = mem_system();
    const char *columns[] = {"n", "words"};
    size_t stop = SIZE_MAX, length, at = 0;
    result_table t = {.name = "t", .title = "", .columns = columns, .column_count = 2,
                      .row_count = ROWS, .make = count_up, .arg = &stop};
    assert_ok(table_file(path_of("t.tsv"), &t, &m, &err));
    char *bytes = file_of("t.tsv", &length), line[64];
    assert_memory_equal(bytes, "n\twords\n", 8);
    at = 8;
    for (int k = 0; k < ROWS; k++) {
        int n = snprintf(line, sizeof line, "%d\trow %d\n", k, k);
        assert_memory_equal(bytes + at, line, n);
        at += (size_t)n;
    }
    assert_int_equal(at, length);
    stop = ROWS - 1;
    assert_int_equal(table_file(path_of("t.tsv"), &t, &m, &err), TARE_E_DATA);
    size_t still;
    char *old = file_of("t.tsv", &still);
    assert_int_equal(still, length);
    assert_int_equal(access(path_of("t.tsv.tmp"), F_OK), -1);
    free(old);
    free(bytes);
}

static void test_tsv_quotes_only_where_needed(void **state)
{
    (void)state;
    mem m = mem_system();
    const char *columns[] = {"a\tb", "plain"};
    cell cells[] = {{CELL_TEXT, "say \"x\"\nend", NAN, 0}, {CELL_TEXT, "it's; fine, 1", NAN, 0},
                    {CELL_NUMBER, NULL, INFINITY, 0}, {CELL_INTEGER, NULL, NAN, INT64_MIN}};
    result_table t = {.name = "t", .title = "", .columns = columns, .column_count = 2,
                      .cells = cells, .row_count = 2};
    size_t length;
    assert_ok(table_file(path_of("t.tsv"), &t, &m, &err));
    char *out = file_of("t.tsv", &length);
    assert_string_equal(out, "\"a\tb\"\tplain\n\"say \"\"x\"\"\nend\"\tit's; fine, 1\n"
                                  "inf\t-9223372036854775808\n");
    free(out);
}

static void test_same_bytes(void **state)
{
    (void)state;
    static const char *const names[] = {"readings.json", "readings.tsv", "report.html",
                                        "tables/curve.tsv", "figures/forest.vl.json"};
    assert_true(sample_rich(job));
    assert_ok(tare_report_write(job, folder, &err));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        size_t before, after;
        char *one = file_of(names[k], &before);
        assert_null(strstr(one, folder)); /* no absolute path */
        assert_ok(tare_report_write(job, folder, &err));
        char *two = file_of(names[k], &after);
        assert_int_equal(before, after);
        assert_memory_equal(one, two, before);
        free(one);
        free(two);
    }
}

static void test_stale_files_go(void **state)
{
    (void)state;
    size_t length;
    assert_true(sample_rich(job));
    assert_ok(tare_report_write(job, folder, &err));
    assert_ok(os_write_file(path_of("tables/mine.tsv"), "x", 1, &err));
    size_t tables = job->result.table_count, figures = job->result.figure_count;
    job->result.table_count = 0; /* the next result has no table and fewer figures */
    job->result.figure_count = 1;
    assert_ok(tare_report_write(job, folder, &err));
    job->result.table_count = tables;
    job->result.figure_count = figures;
    assert_false(os_exists(path_of("tables/curve.tsv")));
    assert_false(os_exists(path_of("figures/forest.vl.json")));
    assert_false(os_exists(path_of("figures/strip-skin-01.png")));
    assert_true(os_exists(path_of("figures/curve-laion-v2.vl.json")));
    assert_true(os_exists(path_of("tables/mine.tsv"))); /* not written by tare */
    char *json = file_of("readings.json", &length);
    assert_null(strstr(json, "strip-skin"));
    free(json);
}

static void test_a_forged_list_removes_nothing_else(void **state)
{
    (void)state;
    static const char forged[] =
        "{\"files\": [\"../victim.tsv\", \"tables/../victim.tsv\", \"victim.tsv\","
        " \"tables/.h.tsv\","
        " \"tables/a/b.tsv\", \"figures/notes.txt\", \"/tmp/victim.tsv\", 7, null,"
        " \"tables/old.tsv\", \"tables/x.tsv\\u0000y\"]}";
    assert_ok(os_make_folders(path_of("tables/a"), &err));
    assert_ok(os_make_folders(path_of("figures"), &err));
    static const char *const kept[] = {"victim.tsv", "tables/.h.tsv", "tables/a/b.tsv",
                                       "figures/notes.txt", "tables/x.tsv"};
    for (size_t k = 0; k < 5; k++) assert_ok(os_write_file(path_of(kept[k]), "x", 1, &err));
    assert_ok(os_write_file(path_of("tables/old.tsv"), "x", 1, &err));
    assert_ok(os_write_file(path_of("readings.json"), forged, sizeof forged - 1, &err));
    assert_true(sample_rich(job));
    assert_ok(tare_report_write(job, folder, &err));
    for (size_t k = 0; k < 5; k++) assert_true(os_exists(path_of(kept[k])));
    assert_false(os_exists(path_of("tables/old.tsv")));
}

/* In a folder of somebody else tables/ may be a link into a folder of ours: nothing there is
 * deleted or written. */
static void test_links_are_not_followed(void **state)
{
    (void)state;
    static const char *const names[] = {"tables", "figures"};
    static const char list[] = "{\"files\": [\"tables/thesis.tsv\", \"figures/thesis.png\"]}";
    assert_true(sample_rich(job));
    size_t tables = job->result.table_count;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char victim[400], link[400], thesis[420];
        strcpy(victim, path_of("victim"));
        strcpy(link, path_of("out/"));
        strcat(link, names[k]);
        snprintf(thesis, sizeof thesis, "%s/thesis.%s", victim, k ? "png" : "tsv");
        assert_ok(os_make_folders(victim, &err));
        assert_ok(os_make_folders(path_of("out"), &err));
        assert_ok(os_write_file(path_of("out/readings.json"), list, sizeof list - 1, &err));
        assert_ok(os_write_file(thesis, "mine", 4, &err));
        assert_int_equal(symlink(victim, link), 0);
        assert_int_equal(tare_report_write(job, path_of("out"), &err), TARE_E_IO);
        assert_string_equal(err.code, "io.link");
        job->result.table_count = 0; /* a result that has nothing to put there */
        size_t figures = job->result.figure_count;
        job->result.figure_count = 0;
        assert_ok(tare_report_write(job, path_of("out"), &err));
        job->result.table_count = tables;
        job->result.figure_count = figures;
        assert_true(os_exists(thesis));
        assert_int_equal(unlink(thesis), 0);
        assert_int_equal(rmdir(victim), 0); /* and it held nothing else */
        assert_int_equal(unlink(link), 0);
    }
    /* The folder that the user names may be a link. */
    assert_ok(os_make_folders(path_of("real"), &err));
    char real[400];
    strcpy(real, path_of("real"));
    assert_int_equal(symlink(real, path_of("named")), 0);
    assert_ok(tare_report_write(job, path_of("named"), &err));
    assert_true(os_exists(path_of("real/report.html")));
}

static void test_unreadable_old_readings_are_no_failure(void **state)
{
    (void)state;
    static const char *const old[] = {"", "{\"files\": [", "[1]", "\xFF\xFE", "{\"files\": {}}"};
    assert_true(sample_rich(job));
    for (size_t k = 0; k < sizeof old / sizeof *old; k++) {
        assert_ok(os_write_file(path_of("readings.json"), old[k], strlen(old[k]), &err));
        assert_ok(tare_report_write(job, folder, &err));
    }
}

static void test_hostile_names(void **state)
{
    (void)state;
    mem m = mem_system();
    arena a;
    size_t length;
    file_names names;
    arena_init(&a, &m);
    assert_true(sample_hostile(job));
    assert_ok(file_names_make(&names, &a, &job->result, &err));
    for (size_t i = 0; i < names.count; i++) {
        assert_true(file_names_is_ours(names.all[i]));
        for (size_t j = 0; j < i; j++) assert_true(strcasecmp(names.all[i], names.all[j]) != 0);
    }
    assert_ok(tare_report_write(job, folder, &err));
    char *json = file_of("readings.json", &length);
    assert_true(utf8_valid(json, length));
    assert_int_equal(member(parse(&a, json, length), "readings")->length,
                     job->result.reading_count);
    free(json);
    for (size_t i = 0; i < job->result.figure_count; i++) {
        if (names.figure[i][0] == 0) continue;
        char *spec = file_of(names.figure[i], &length);
        assert_non_null(json_member(parse(&a, spec, length), "data"));
        free(spec);
    }
    arena_free(&a);
}

static void test_names_that_differ_in_case_only(void **state)
{
    (void)state;
    static const char *const columns[] = {"c"};
    arena a;
    file_names names;
    mem m = mem_system();
    arena_init(&a, &m);
    result_add_table(&job->result, "Skin", "", columns, 1);
    result_add_table(&job->result, "skin", "", columns, 1);
    result_add_table(&job->result, "skin-2", "", columns, 1);
    assert_ok(file_names_make(&names, &a, &job->result, &err));
    assert_string_equal(names.table[0], "tables/Skin.tsv");
    assert_string_equal(names.table[1], "tables/skin-2.tsv");
    assert_string_equal(names.table[2], "tables/skin-2-2.tsv");
    arena_free(&a);
}

static void test_refusals(void **state)
{
    (void)state;
    job->has_result = 0;
    assert_int_equal(tare_report_write(job, folder, &err), TARE_E_USAGE);
    job->has_result = 1;
    assert_true(sample_rich(job));
    assert_ok(os_write_file(path_of("file"), "x", 1, &err));
    assert_int_equal(tare_report_write(job, path_of("file"), &err), TARE_E_IO);
    assert_true(err.where[0] != 0 && err.message[0] != 0);
    assert_int_equal(tare_report_write(job, path_of("file"), NULL), TARE_E_IO);
}

static void test_empty_result(void **state)
{
    (void)state;
    assert_ok(tare_report_write(job, folder, &err));
    assert_false(os_exists(path_of("tables")));
    assert_true(os_exists(path_of("report.html")));
}

/* Each allocation fails in turn: MEMORY, nothing leaks, and the old files stand. */
static void test_out_of_memory(void **state)
{
    (void)state;
    failing_mem f;
    mem bad = failing_mem_start(&f, 0);
    tare_context_options options = TARE_CONTEXT_OPTIONS_INIT;
    options.user = bad.user;
    options.resize = bad.resize;
    tare_context *c = NULL;
    assert_ok(tare_context_new(&c, &options, &err));
    tare_job *small = sample_job(c);
    assert_non_null(small);
    assert_true(sample_rich(small));
    size_t figures = small->result.figure_count;
    small->result.figure_count = 4; /* without the cloud and the strip: fast */
    small->result.reading_count = 3;
    long live = failing_mem_live(&f), failures = 0;
    for (long k = 1;; k += k < 60 ? 1 : 17) {
        atomic_store(&f.failed, false);
        atomic_store(&f.left, k);
        tare_status status = tare_report_write(small, folder, &err);
        atomic_store(&f.left, 0);
        assert_int_equal(failing_mem_live(&f), live);
        if (!atomic_load(&f.failed)) {
            assert_int_equal(status, TARE_OK);
            break;
        }
        assert_int_equal(status, TARE_E_MEMORY);
        failures++;
    }
    assert_true(failures > 60);
    small->result.figure_count = figures;
    sample_free(small);
    tare_context_free(c);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_json_holds_what_the_result_holds), TEST(test_tsv),
        TEST(test_tsv_quotes_only_where_needed),
        TEST(test_tsv_of_made_rows), TEST(test_same_bytes), TEST(test_stale_files_go),
        TEST(test_a_forged_list_removes_nothing_else), TEST(test_links_are_not_followed),
        TEST(test_unreadable_old_readings_are_no_failure), TEST(test_hostile_names),
        TEST(test_names_that_differ_in_case_only), TEST(test_refusals), TEST(test_empty_result),
        TEST(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
