/* The tables of docs/judge-tables.md are read as the page says. */
#include <string.h>

#include "base/os.h"
#include "score_desk.h"
#include "support/check.h"

/* The next fenced block on the page that is marked with a kind of table. */
static char *next_block(char **page, char kind[16], char format[8])
{
    for (char *at = *page; (at = strstr(at, "\n```")) != NULL;) {
        at += 4;
        char *body = strchr(at, '\n'), *end = strstr(body, "\n```");
        int found = sscanf(at, "%7s %15s", format, kind);
        assert_non_null(end);
        *page = end + 4;
        if (found == 2 && strchr(at, ' ') && strchr(at, ' ') < body) {
            end[1] = '\0';
            return body + 1;
        }
        at = *page;
    }
    return NULL;
}

static void read_block(score_desk *d, const char *kind, const char *format, const char *block)
{
    static const char *const scores = "item,author,judge,score\n"
                                      "q1,harbour,quay,3\nq1,quay,quay,5\n";
    tare_error err = {0};
    char name[32], path[64] = "";
    snprintf(name, sizeof name, "scores.%s", format);
    d->o = (score_table_options){.keep_rows = true};
    d->o.author_optional = strcmp(kind, "agree") == 0;
    if (strcmp(kind, "cells") == 0) d->o.cells_from = "writer,judge,mean,sd,n";
    if (strcmp(kind, "human") == 0) {
        desk_file(path, ".csv", block);
        d->o.human = path;
        block = scores;
    }
    assert_ok(desk_read_as(d, name, block, &err));
    if (*path) unlink(path);
}

static void tables_of_the_page(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    char *page, kind[16], format[8], *block;
    size_t length, count = 0;
    desk_open(&d, 1);
    assert_ok(os_read_file(&page, &length, &d.m, TARE_SOURCE_DIR "/docs/judge-tables.md", 1 << 20,
                           &err));
    for (char *at = page; (block = next_block(&at, kind, format)) != NULL; count++) {
        read_block(&d, kind, format, block);
        const score_table *t = &d.t;
        switch (count) {
        case 0:
            assert_close(desk_score(&d, "q1", "quay", "harbour"), 2);
            break;
        case 1:
            assert_int_equal(desk_reason(&d, "18", "quay", "harbour"), TARE_R_REFUSED);
            assert_string_equal(desk_fact(&d, "Columns", "author"), "generator (by guess)");
            break;
        case 2:
            assert_int_equal(desk_reason(&d, "q2", "harbour", "quay"), TARE_R_OUT_OF_RANGE);
            assert_int_equal(desk_reason(&d, "q2", "quay", "quay"), TARE_R_BLOCKED);
            break;
        case 3:
            assert_int_equal(desk_reason(&d, "q2", "harbour", "quay"), TARE_R_MISSING);
            assert_int_equal(desk_reason(&d, "q2", "quay", "harbour"), TARE_R_REFUSED);
            break;
        case 4:
            assert_close(t->layer[0].gold[1], 2);
            break;
        case 5:
            assert_int_equal(t->rater.count, 3);
            assert_true(t->layer[0].gold[0] == 11.0 / 3.0);
            break;
        case 6:
            assert_close(t->layer[0].gold[desk_unit(&d, "q1", "harbour")], 4.5);
            assert_string_equal(desk_fact(&d, "Rows", "human ratings of nothing that was scored"),
                                "1 of 4");
            break;
        default:
            assert_true(t->cells_only);
            assert_close(t->cell_n[desk_unit(&d, "", "quay") * 2 + 1], 119);
        }
    }
    assert_int_equal(count, 8);
    mem_free(&d.m, page);
    desk_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tables_of_the_page)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
