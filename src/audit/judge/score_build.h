/* score_build.h - a score table while it is put together: what the files score_*.c share.
 *
 * A *lane* is a column that holds scores: one in a long table, one per judge in a wide one. An
 * *entry* is one score: entry = row * lanes + lane. */
#ifndef AUDIT_JUDGE_SCORE_BUILD_H
#define AUDIT_JUDGE_SCORE_BUILD_H

#include "audit/judge/score_table.h"
#include "base/hash.h"

enum {
    ROLE_ITEM, ROLE_AUTHOR, ROLE_JUDGE, ROLE_SCORE, ROLE_STATUS, ROLE_REASON, ROLE_REP,
    ROLE_SETTING, ROLE_DIM, ROLE_GOLD, ROLE_CLUSTER, ROLE_LENGTH, ROLE_FOLD, ROLE_SD, ROLE_N,
    ROLE_COUNT
};

#define SCORE_CELLS_MAX ((size_t)1 << 28)  /* units x judges x layers              */
#define SCORE_LAYERS_MAX ((size_t)1 << 16)
#define SCORE_NO_CODE UINT32_MAX

/* A text column as places on an axis: place[codes[row]]. */
typedef struct score_codes {
    const uint32_t *codes; /* NULL: there is no such column, every row is at place 0 */
    uint32_t *place;       /* [levels] */
    size_t levels;
} score_codes;

/* A column of numbers as it is used: text labels have become codes. */
typedef struct score_lane {
    size_t column;
    uint32_t judge;        /* of a wide table */
    const double *value;   /* [rows] */
    const uint8_t *cell;   /* [rows] TABLE_OK, ...: TABLE_BAD where it was text */
} score_lane;

/* Human ratings in a file of their own. */
typedef struct score_human {
    table *t;
    size_t item, author, dim, rater, rating; /* columns, TABLE_NONE */
    score_lane lane;
} score_human;

typedef struct score_build {
    tare_context *context;
    const mem *m;
    arena *a;      /* the table's: outlives the build */
    arena scratch;
    const char *path;        /* NULL: bytes */
    const table_bytes *bytes;
    const score_table_options *o;
    audit_result *result;    /* NULL: facts are not wanted */
    score_table *out;
    table *t;
    table *again;            /* the score columns as text, where they held words */
    size_t rows;
    score_shape shape;
    table_role role[ROLE_COUNT];
    unsigned *kinds;         /* [columns] how each is read */
    bool text_too;           /* scores are read as text as well */
    score_lane *lane;
    size_t lanes;
    score_lane gold;
    score_lane *rater;       /* rater columns of the score table */
    size_t raters;
    score_human human;
    uint8_t *reason;         /* [entries] tare_reason; NULL: every entry is a score */
    score_codes item, author, judge, setting, dim, rep, cluster, fold;
    uint32_t *unit_at;       /* [items * authors], SCORE_NO_CODE; NULL: unit_key is searched */
    uint64_t *unit_key;      /* [units] item * authors + author, ascending */
    uint32_t *layer_at;      /* [settings * dims] SCORE_NO_CODE: no such layer */
    uint32_t *row_unit;      /* [rows]; NULL where unit_at tells */
} score_build;

static inline uint32_t score_place(const score_codes *c, size_t row)
{
    return c->codes ? c->place[c->codes[row]] : 0;
}

static inline uint64_t score_row_key(const score_build *b, size_t row)
{
    return (uint64_t)score_place(&b->item, row) * b->out->author.count +
           score_place(&b->author, row);
}

static inline uint32_t score_row_unit(const score_build *b, size_t row)
{
    return b->row_unit ? b->row_unit[row] : b->unit_at[score_row_key(b, row)];
}

/* setting * dims + dim */
static inline size_t score_row_layer_key(const score_build *b, size_t row)
{
    return (size_t)score_place(&b->setting, row) * b->out->dim.count + score_place(&b->dim, row);
}

/* Text of others for a message: control bytes shown, cut. NULL: no memory. */
const char *score_shown(score_build *b, const char *string);
/* A fact, and a caution that is also a message: of the result, if there is one. */
tare_status score_fact(score_build *b, const char *section, const char *key, const char *value,
                       tare_error *err);
tare_status score_caution(score_build *b, tare_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* DATA: two rows of one table that ought to agree and do not. */
tare_status score_conflict(const table *t, const char *code, const size_t rows[2], size_t column,
                           const char *what, tare_error *err);
/* DATA at one field. */
tare_status score_refuse(const table *t, const char *code, size_t row, size_t column,
                         const char *what, tare_error *err);

/* score_columns.c: which column is what, and reading them. */
tare_status score_open(score_build *b, tare_error *err);
tare_status score_say_columns(score_build *b, tare_error *err);
/* score_wide.c: columns as lanes. */
tare_status score_name_lanes(score_build *b, tare_error *err);  /* before the rows are read */
tare_status score_guess_lanes(score_build *b, tare_error *err); /* and after */
tare_status score_split_cells(const char *names[5], score_build *b, tare_error *err);
/* Splits at commas; blanks around a name do not count. */
tare_status score_split(const char ***out, size_t *count, score_build *b, const char *list,
                        tare_error *err);
/* score_axes.c: names in order, aliases, who is who. */
tare_status score_make_axes(score_build *b, tare_error *err);
tare_status score_make_models(score_build *b, tare_error *err);
size_t score_find_name(const name_axis *axis, const char *name); /* SIZE_MAX */
const char *score_model_name(const score_build *b, const char *name);
/* score_suspects.c: names that are one model, perhaps. */
tare_status score_find_suspects(score_build *b, tare_error *err);
/* score_words.c: statuses, and scores that are words. */
tare_status score_read_words(score_build *b, tare_error *err);
/* score_units.c: units and layers; what is constant in them. */
tare_status score_make_units(score_build *b, tare_error *err);
size_t score_find_unit(const score_build *b, size_t item, size_t author); /* SIZE_MAX */
tare_status score_fill_items(score_build *b, tare_error *err);  /* clusters, folds, lengths */
/* score_gold.c, score_human.c */
tare_status score_fill_gold(score_build *b, tare_error *err);
tare_status score_open_human(score_build *b, tare_error *err);
tare_status score_fill_human(score_build *b, tare_error *err);
/* n values in the table's arena, none known (NaN). NULL: no memory. */
double *score_new_values(score_build *b, size_t n);
/* A layer before this one of the same dimension, which shares its gold; NULL. */
score_layer *score_same_dim(const score_table *t, size_t layer);
/* Mean of ratings by unit, from rating[units][raters]. */
void score_mean_ratings(score_build *b, double *gold, const double *rating);
/* score_cells.c: entries into cells, repeats. */
tare_status score_fill_cells(score_build *b, tare_error *err);

/* Cells of all layers, [layers][units][judges], while they are filled. */
#define SCORE_NO_ROW UINT8_MAX
typedef struct score_filling {
    score_build *b;
    size_t judges, cells;  /* cells of one layer */
    double *score;
    uint8_t *status;       /* SCORE_NO_ROW: no row at all */
    uint32_t *start;       /* [all cells + 1] into list; NULL: one row per cell at most */
    uint32_t *list;        /* entries by cell, then repeat      */
    uint32_t *kept;        /* [all cells] entries without equals */
} score_filling;

/* score_absent.c: rows as they were and those that are absent; SCORE_NO_ROW becomes absent. */
tare_status score_make_rows(score_filling *f, tare_error *err);

#endif
