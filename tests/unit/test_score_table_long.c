/* Long score tables: canonical order, columns, statuses, repeats, duplicates (judge audits 0.1 to
 * 0.3). */
#include <string.h>

#include "score_desk.h"
#include "support/check.h"

static void long_table(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 2);
    assert_ok(desk_read(&d,
                        "judge,item,author,score,setting,dim,gold,rep,status\n"
                        "m2,q1,m1,4,ref,style,3,0,\n"
                        "m2,q1,m1,6,ref,style,3,1,ok\n"
                        "m1,q1,m1,7,ref,style,3,0,\n"
                        "m1,q1,m1,,ref,style,3,1,refused\n"
                        "m1,q0,m2,5,free,style,,0,\n"
                        "m2,q0,m2,,free,style,,0,unparsed\n"
                        "m1,q0,human,1e308,free,style,2.5,0,\n",
                        &err));
    const score_table *t = &d.t;
    assert_int_equal(t->item.count, 2);
    assert_string_equal(t->item.name[0], "q0");
    assert_int_equal(t->author.count, 3);
    assert_string_equal(t->author.name[0], "human");
    assert_int_equal(t->judge.count, 2);
    assert_int_equal(t->layers, 2);
    assert_string_equal(t->setting.name[t->layer[0].setting], "free");
    assert_int_equal(t->units, 3);
    assert_int_equal(t->reps, 2);
    assert_int_equal(t->duplicates, 0);
    /* judges that are authors */
    assert_int_equal(t->author_of_judge[0], 1);
    assert_int_equal(t->author_of_judge[1], 2);
    assert_string_equal(desk_fact(&d, "Judges", "m1"), "also an author");
    /* free: units (q0, human), (q0, m2) */
    assert_close(desk_score(&d, "q0", "human", "m1"), 1e308);
    assert_int_equal(desk_reason(&d, "q0", "human", "m2"), TARE_R_ABSENT);
    assert_int_equal(desk_reason(&d, "q0", "m2", "m2"), TARE_R_UNPARSED);
    assert_true(isnan(desk_score(&d, "q0", "m2", "m2")));
    /* ref: repeats averaged over the ok ones */
    const score_layer *ref = &t->layer[1];
    size_t u = desk_unit(&d, "q1", "m1");
    assert_close(ref->score[u * 2 + 0], 7);
    assert_close(ref->score[u * 2 + 1], 5);
    assert_close(ref->gold[u], 3);
    assert_true(isnan(t->layer[0].gold[desk_unit(&d, "q0", "m2")]));
    /* gold belongs to the dimension, not to the setting */
    assert_close(ref->gold[desk_unit(&d, "q0", "human")], 2.5);
    /* rows: absent ones only where unit and judge occur in the layer */
    assert_int_equal(t->rows, 8);
    missing_counts all = score_table_missing(t, SIZE_MAX, SIZE_MAX, SIZE_MAX);
    assert_int_equal(all.expected, 8);
    assert_int_equal(all.used, 5);
    assert_int_equal(all.by_reason[TARE_R_ABSENT], 1);
    assert_int_equal(all.by_reason[TARE_R_REFUSED], 1);
    assert_int_equal(all.by_reason[TARE_R_UNPARSED], 1);
    missing_counts one = score_table_missing(t, 1, 1, 0);
    assert_int_equal(one.expected, 2);
    assert_int_equal(one.used, 1);
    size_t *index;
    assert_ok(score_table_index(&index, &d.a, t, &err));
    assert_int_equal(index[1 * 3 + 1], u);
    assert_true(index[1 * 3 + 0] == SIZE_MAX);
    desk_close(&d);
}

/* The rows after the header, in another order. */
static void shuffle_lines(char *csv, unsigned seed)
{
    char *line[400], copy[16384], *at = strchr(csv, '\n') + 1, *head = at;
    size_t n = 0, length = strlen(at);
    assert_true(length < sizeof copy);
    memcpy(copy, at, length + 1);
    for (char *s = strtok(copy, "\n"); s; s = strtok(NULL, "\n")) line[n++] = s;
    for (size_t k = n - 1; k > 0; k--) {
        seed = seed * 1664525u + 1013904223u;
        size_t j = (seed >> 8) % (k + 1);
        char *swap = line[k];
        line[k] = line[j];
        line[j] = swap;
    }
    for (size_t k = 0; k < n; k++) head += sprintf(head, "%s\n", line[k]);
}

/* 2 settings, 2 dims, 5 items, 3 authors, 3 judges, up to 2 repeats; holes of several kinds. */
static void put_holes(char *csv, bool repeats)
{
    char *at = csv + sprintf(csv, "item,author,judge,setting,dim,rep,score,status,gold,cluster,"
                                  "length,fold\n");
    for (int i = 0; i < 2 * 2 * 5 * 3 * 3 * (repeats ? 2 : 1); i++) {
        int k = i;
        int setting = k % 2, dim = k / 2 % 2, item = k / 4 % 5, author = k / 20 % 3;
        int judge = k / 60 % 3, rep = k / 180;
        if (i % 180 % 11 == 3 || i % 19 == 7) continue;
        const char *status = i % 13 == 5 ? "refused" : i % 17 == 2 ? "unparsed" : "";
        at += sprintf(at, "i%d,m%d,m%d,s%d,d%d,%d,", item, author, judge + 1, setting, dim, rep);
        if (*status == '\0') at += sprintf(at, "%.17g", i * .1 + rep);
        at += sprintf(at, ",%s,%d,c%d,%d,f%d\n", status, item + author + dim, item / 2,
                      item * 10 + author, item % 2);
    }
}

static void order_of_rows_does_not_matter(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    for (int repeats = 0; repeats < 2; repeats++) {
        static char csv[16384];
        char *want = NULL;
        put_holes(csv, repeats);
        for (unsigned k = 0; k < 6; k++) {
            desk_open(&d, k % 3 + 1);
            d.o.columns.fold = "fold";
            assert_ok(desk_read(&d, csv, &err));
            assert_int_equal(d.t.layers, 4);
            assert_int_equal(d.t.cluster.count, 3);
            assert_int_equal(d.t.item_fold[1], 1);
            char *got = desk_dump(&d);
            if (want) assert_string_equal(got, want);
            if (want) mem_free(&d.m, got);
            if (!want) want = got;
            desk_close(&d);
            shuffle_lines(csv, k);
        }
        free(want);
    }
}

/* The tally is what the rows say, by author and judge. */
static void tallies_agree_with_rows(void **state)
{
    (void)state;
    static char csv[16384];
    score_desk d;
    tare_error err = {0};
    for (int repeats = 0; repeats < 2; repeats++) {
        desk_open(&d, 2);
        put_holes(csv, repeats);
        assert_ok(desk_read(&d, csv, &err));
        const score_table *t = &d.t;
        uint64_t rows = 0;
        for (size_t l = 0; l < t->layers; l++)
            for (size_t g = 0; g < t->author.count; g++)
                for (size_t j = 0; j < t->judge.count; j++) {
                    missing_counts want = {0}, got = score_table_missing(t, l, g, j);
                    for (size_t k = 0; k < t->rows; k++)
                        if (t->row_layer[k] == l && t->unit_author[t->row_unit[k]] == g &&
                            t->row_judge[k] == j)
                            missing_add(&want, (tare_reason)t->row_status[k]);
                    assert_memory_equal(&got, &want, sizeof got);
                    rows += got.expected;
                }
        assert_int_equal(rows, t->rows);
        assert_true(score_table_missing(t, SIZE_MAX, SIZE_MAX, SIZE_MAX).by_reason[TARE_R_ABSENT]);
        desk_close(&d);
    }
}

static void columns_by_name_guess_and_option(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 1);
    assert_ok(desk_read(&d, "question_id,Generator,evaluator,rating,note\na,x,y,1,n\n", &err));
    assert_string_equal(desk_fact(&d, "Columns", "item"), "question_id (by guess)");
    assert_string_equal(desk_fact(&d, "Columns", "author"), "Generator (by guess)");
    assert_string_equal(desk_fact(&d, "Columns", "not used"), "note");
    assert_non_null(strstr(d.said.data, "column rating is taken for the score"));
    /* `model` is the author beside a judge, and the judge where there is an author */
    assert_ok(desk_read(&d, "item,model,judge,score\na,x,y,1\n", &err));
    assert_string_equal(d.t.author.name[0], "x");
    assert_ok(desk_read(&d, "item,author,model,score\na,x,y,1\n", &err));
    assert_string_equal(d.t.judge.name[0], "y");
    /* where no author is needed, the only model is the judge */
    assert_int_equal(desk_read(&d, "item,model,score\na,x,1\n", &err), TARE_E_DATA);
    assert_string_equal(err.code, "table.no_role");
    d.o.author_optional = true;
    assert_ok(desk_read(&d, "item,model,score\na,x,1\n", &err));
    assert_string_equal(d.t.judge.name[0], "x");
    assert_string_equal(d.t.author.name[0], "");
    d.o.columns.judge = "who";
    d.o.columns.score = "mark";
    assert_ok(desk_read(&d, "item,who,mark,score\na,x,3,1\n", &err));
    assert_close(desk_score(&d, "a", "", "x"), 3);
    assert_string_equal(desk_fact(&d, "Columns", "judge"), "who (by option)");
    assert_int_equal(desk_read(&d, "item,whom,mark\na,x,3\n", &err), TARE_E_USAGE);
    assert_non_null(strstr(err.message, "whom"));
    d.o.columns.score = "who";
    assert_int_equal(desk_read(&d, "item,who,mark\na,x,3\n", &err), TARE_E_USAGE);
    assert_string_equal(err.code, "score.column_twice");
    /* expected scores are never mixed with parsed ones */
    d.o.columns = (score_columns){0};
    d.o.score_expected = true;
    assert_ok(desk_read(&d, "item,judge,score,score_expect\na,x,3,2.5\n", &err));
    assert_close(desk_score(&d, "a", "", "x"), 2.5);
    desk_close(&d);
}

static void statuses(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 1);
    assert_ok(desk_read(&d,
                        "item,author,judge,score,status,reason\n"
                        "a,x,1,2,ok,\nb,x,1,,,\nc,x,1,,unparsed,out_of_range\n"
                        "d,x,1,what,unparsed,it said what\ne,x,1,inf,,\nf,x,1,1e999,OK,\n"
                        "g,x,1,7,truncated,\nh,x,1,NaN,,\ni,x,1,,no_marker,\nj,x,1,,NA,\n"
                        "k,x,2,,blocked,\nl,x,1,-0,,\nm,x,1,n/a,empty,\n",
                        &err));
    const struct { const char *item; tare_reason reason; } want[] = {
        {"a", TARE_R_NONE}, {"b", TARE_R_MISSING}, {"c", TARE_R_OUT_OF_RANGE},
        {"d", TARE_R_UNPARSED}, {"e", TARE_R_SCORE_NONFINITE}, {"f", TARE_R_SCORE_NONFINITE},
        {"g", TARE_R_TRUNCATED}, {"h", TARE_R_MISSING}, {"i", TARE_R_NO_MARKER},
        {"j", TARE_R_MISSING}, {"k", TARE_R_ABSENT}, {"l", TARE_R_NONE}, {"m", TARE_R_EMPTY},
    };
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        assert_int_equal(desk_reason(&d, want[k].item, "x", "1"), want[k].reason);
        assert_int_equal(isnan(desk_score(&d, want[k].item, "x", "1")),
                         want[k].reason != TARE_R_NONE);
    }
    /* a judge that scored nothing stays a judge */
    assert_int_equal(d.t.judge.count, 2);
    assert_int_equal(desk_reason(&d, "k", "x", "2"), TARE_R_BLOCKED);
    assert_string_equal(desk_fact(&d, "Rows", "scores not used: their status is not ok"), "1");
    /* a status may stand where the score would */
    assert_ok(desk_read(&d, "item,author,judge,score\na,x,1,refused\nb,x,1,5\n", &err));
    assert_int_equal(desk_reason(&d, "a", "x", "1"), TARE_R_REFUSED);
    assert_string_equal(desk_fact(&d, "Rows", "statuses in place of a score"), "1");
    /* every row may say why there is no score */
    assert_ok(desk_read(&d, "item,author,judge,score,status\na,x,1,,error\nb,x,1,,error\n", &err));
    assert_int_equal(d.t.judge.count, 1);
    assert_int_equal(score_table_missing(&d.t, 0, 0, 0).by_reason[TARE_R_ERROR], 2);
    desk_close(&d);
}

static void repeats_and_duplicates(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 1);
    assert_ok(desk_read(&d,
                        "item,author,judge,run,score,status\n"
                        "a,x,1,r1,1,\na,x,1,r1,1.0,\na,x,1,r2,4,\na,x,1,r3,,refused\n"
                        "b,x,1,r1,1e308,\nb,x,1,r2,1e308,\nb,x,1,r3,1e308,\n"
                        "c,x,1,r2,,unparsed\nc,x,1,r1,,truncated\nc,x,1,r1,,truncated\n"
                        "a,x,2,r1,3,\n",
                        &err));
    assert_close(desk_score(&d, "a", "x", "1"), 2.5);
    assert_close(desk_score(&d, "b", "x", "1"), 1e308); /* the sum is beyond doubles */
    assert_int_equal(desk_reason(&d, "c", "x", "1"), TARE_R_TRUNCATED); /* of the first repeat */
    assert_int_equal(d.t.reps, 3);
    assert_int_equal(d.t.duplicates, 2);
    assert_string_equal(desk_fact(&d, "Rows", "equal rows dropped"), "2");
    /* an absent cell has no repeat */
    size_t absent = 0;
    for (size_t k = 0; k < d.t.rows; k++)
        if (d.t.row_status[k] == TARE_R_ABSENT) {
            assert_int_equal(d.t.row_rep[k], SCORE_NO_REP);
            absent++;
        }
    assert_int_equal(absent, 2);
    assert_int_equal(d.t.rows, 9 + 2);
    desk_close(&d);
}

static void names_that_may_be_one(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 1);
    assert_ok(desk_read(&d,
                        "item,author,judge,score,setting\na,GPT-4o,gpt-4o,1,ref free\n"
                        "a,qwen 2,Qwen2,1,ref-free\na,\" llama\",llama,2,free\n",
                        &err));
    assert_int_equal(d.t.author.count, 3);
    assert_int_equal(d.t.judge.count, 3);
    for (size_t k = 0; k < 3; k++) assert_true(d.t.author_of_judge[k] == SIZE_MAX);
    assert_true(desk_cautions(&d, "\"GPT-4o\" and \"gpt-4o\" differ"));
    assert_true(desk_cautions(&d, "\"Qwen2\" and \"qwen 2\" differ"));
    assert_true(desk_cautions(&d, "\" llama\" and \"llama\" differ"));
    assert_true(desk_cautions(&d, "--roster"));
    assert_true(desk_cautions(&d, "\"ref free\" and \"ref-free\" differ"));
    assert_int_equal(d.result.caution_count, 4);
    assert_non_null(strstr(d.said.data, "warning: \"GPT-4o\""));
    desk_close(&d);
}

static void roster_joins_aliases(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    char path[64];
    desk_open(&d, 1);
    desk_file(path, ".csv", "id,alias,family\ngpt-4o,GPT-4o;openai/gpt-4o,gpt\nmini,,gpt\n"
                            "Mini,,other\n");
    d.o.roster = path;
    assert_ok(desk_read(&d,
                        "item,author,judge,score\na,GPT-4o,openai/gpt-4o,1\na,mini,Mini,2\n"
                        "a,human,gpt-4o,3\n",
                        &err));
    assert_int_equal(d.t.judge.count, 2);
    assert_int_equal(d.t.author.count, 3);
    size_t judge = desk_place(&d.t.judge, "gpt-4o"), author = desk_place(&d.t.author, "gpt-4o");
    assert_int_equal(d.t.author_of_judge[judge], author);
    assert_close(desk_score(&d, "a", "human", "gpt-4o"), 3);
    assert_string_equal(desk_fact(&d, "Aliases", "openai/gpt-4o"), "gpt-4o");
    /* two ids of the roster are two models, however alike */
    assert_false(desk_cautions(&d, "differ"));
    assert_true(desk_cautions(&d, "Not in the roster, so without family or other grouping: "
                                  "human."));
    assert_true(score_table_kin(&d.t, 0, desk_place(&d.t.author, "mini"), judge));
    assert_false(score_table_kin(&d.t, 0, desk_place(&d.t.author, "human"), judge));
    /* the aliases of one judge give two rows of one key */
    assert_int_equal(desk_read(&d, "item,author,judge,score\na,x,gpt-4o,1\na,x,GPT-4o,2\n", &err),
                     TARE_E_DATA);
    assert_string_equal(err.code, "score.duplicate");
    unlink(path);
    desk_close(&d);
}

static void labels(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 1);
    d.o.labels = true;
    assert_ok(desk_read(&d,
                        "item,author,judge,score,gold\na,x,1,good,bad\nb,x,1,bad,fair\n"
                        "c,x,1,refused,good\nd,x,1,,\n",
                        &err));
    assert_int_equal(d.t.label.count, 3);
    assert_string_equal(d.t.label.name[1], "fair");
    assert_close(desk_score(&d, "a", "x", "1"), 2);
    assert_close(desk_score(&d, "b", "x", "1"), 0);
    assert_int_equal(desk_reason(&d, "c", "x", "1"), TARE_R_REFUSED);
    assert_int_equal(desk_reason(&d, "d", "x", "1"), TARE_R_MISSING);
    assert_close(d.t.layer[0].gold[1], 1);
    assert_true(isnan(d.t.layer[0].gold[3]));
    /* numbers are kept as they are, also beside text that is only guessed to be gold */
    assert_ok(desk_read(&d, "item,author,judge,score,ref\na,x,1,3,some text\nb,x,1,5,more\n",
                        &err));
    assert_int_equal(d.t.label.count, 0);
    assert_close(desk_score(&d, "b", "x", "1"), 5);
    assert_null(d.t.layer[0].gold);
    desk_close(&d);
}

static void json_lines(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 2);
    assert_ok(desk_read_as(&d, "scores.jsonl",
                           "{\"item\":7,\"author\":\"x\",\"judge\":\"j\",\"score\":3.5,"
                           "\"meta\":{\"setting\":\"free\"}}\n"
                           "{\"item\":8,\"author\":\"x\",\"judge\":\"j\",\"score\":null,"
                           "\"status\":\"refused\",\"meta\":{\"setting\":\"free\"}}\n"
                           "{\"item\":8,\"author\":\"y\",\"judge\":\"j\",\"score\":\"4\"}\n",
                           &err));
    assert_close(desk_score(&d, "7", "x", "j"), 3.5);
    assert_int_equal(desk_reason(&d, "8", "x", "j"), TARE_R_REFUSED);
    assert_close(desk_score(&d, "8", "y", "j"), 4);
    assert_string_equal(desk_fact(&d, "Columns", "not used"), "meta.setting");
    assert_int_equal(desk_read_as(&d, "scores.jsonl",
                                  "{\"item\":7,\"author\":\"x\",\"judge\":\"j\",\"score\":true}\n",
                                  &err),
                     TARE_E_DATA);
    assert_string_equal(err.code, "score.text");
    assert_non_null(strstr(err.message, "\"true\""));
    desk_close(&d);
}

/* A file that is read again to name the words in it, and one that cannot be. */
static void words_in_files_and_pipes(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    char path[64], pipe_path[32];
    const char *text = "item,author,judge,score\na,x,j,refused\nb,x,j,5\n";
    desk_open(&d, 1);
    desk_file(path, ".csv", text);
    assert_ok(desk_load(&d, path, &err));
    assert_int_equal(desk_reason(&d, "a", "x", "j"), TARE_R_REFUSED);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
    close(ends[1]);
    snprintf(pipe_path, sizeof pipe_path, "/dev/fd/%d", ends[0]);
    assert_ok(desk_load(&d, pipe_path, &err));
    assert_int_equal(desk_reason(&d, "a", "x", "j"), TARE_R_REFUSED);
    close(ends[0]);
    unlink(path);
    assert_int_equal(desk_load(&d, path, &err), TARE_E_IO);
    desk_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_table),
        cmocka_unit_test(order_of_rows_does_not_matter),
        cmocka_unit_test(tallies_agree_with_rows),
        cmocka_unit_test(columns_by_name_guess_and_option),
        cmocka_unit_test(statuses),
        cmocka_unit_test(repeats_and_duplicates),
        cmocka_unit_test(names_that_may_be_one),
        cmocka_unit_test(roster_joins_aliases),
        cmocka_unit_test(labels),
        cmocka_unit_test(json_lines),
        cmocka_unit_test(words_in_files_and_pipes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
