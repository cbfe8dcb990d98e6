/* tare compare: two finished runs, or two score tables, read by one analysis, with the differences
 * between them. */
#include "audit/job_registry.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "audit/input_hash.h"
#include "audit/photos/photo_options.h"
#include "audit/photos/photo_session.h"
#include "audit/scorer/analyse.h"
#include "audit/scorer/analysis_options.h"
#include "audit/scorer/cube_from_input.h"
#include "audit/scorer/cube_merge.h"
#include "audit/scorer/table_options.h"
#include "base/error.h"
#include "base/os.h"

static const tare_option_info options[] = {
    {"output", "DIR", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0, "folder of the results",
     "Input and output"},
    {"label-a", "NAME", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 0,
     "what the first is called (its file name, or A)", "Input and output"},
    {"label-b", "NAME", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 0,
     "what the second is called (its file name, or B)", "Input and output"},
    PHOTO_OPTION_GROUP,
    {"paired", "NAME", TARE_OPTION_CHOICE, "auto", "auto|yes|no", 0, 0, 0,
     "both are of the same images, matched by name (auto: two runs whose images have the same "
     "names and pixels)", "Statistics"},
    PHOTO_OPTION_SEED,
    ANALYSIS_OPTIONS,
    {"scorer", "COLUMN", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,
     "of a score table: the column that names the scorer", "Instruments"},
    {"lower-is-better", "NAME", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,
     "of a score table: this scorer gives low numbers to good images", "Instruments"},
    TABLE_OPTIONS,
};

typedef struct comparison {
    tare_job *job;
    cube_input input[2];
    cube_side side[2];
    cube merged;
    cube_merged seen;
} comparison;

/* ---- inputs ---------------------------------------------------------------------------------- */

static tare_status refuse_inputs(const tare_job *job, tare_error *err)
{
    char full[2][PATH_MAX];
    if (job->input_count != 2)
        return error_set(err, TARE_E_USAGE, "job.inputs", NULL,
                         "give two run folders, two score tables, or one of each; %zu %s given",
                         job->input_count, job->input_count == 1 ? "was" : "were");
    const char *a = job->inputs[0], *b = job->inputs[1];
    bool same = strcmp(a, b) == 0;
    if (realpath(a, full[0]) && realpath(b, full[1])) same = strcmp(full[0], full[1]) == 0;
    if (same)
        return error_set(err, TARE_E_USAGE, "compare.same", b,
                         "both inputs are the same: nothing to compare");
    const char *folder = job_text(job, "output");
    if (folder && photo_is_run(folder))
        return error_set(err, TARE_E_USAGE, "compare.output", folder,
                         "this folder holds a run on photographs: its report would be lost; use "
                         "another");
    return TARE_OK;
}

/* "runs/ffhq/" -> "ffhq", "scores.csv.gz" -> "scores"; NULL: no memory. "" for standard input. */
static const char *name_of(arena *a, const char *path, bool folder)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/') end--;
    size_t start = end;
    while (start && path[start - 1] != '/') start--;
    size_t dot = start + 1;
    while (!folder && dot < end && path[dot] != '.') dot++;
    if (folder || dot > end) dot = end;
    bool none = dot == start || path[start] == '.' || path[start] == '-' || path[start] == '/';
    return none ? "" : arena_text(a, path + start, dot - start);
}

static tare_status choose_labels(comparison *x, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const named[2] = {"label-a", "label-b"}, *const plain[2] = {"A", "B"};
    const char *own[2];
    tare_job *job = x->job;
    for (size_t k = 0; k < 2; k++)
        TRY_NEW(own[k] = name_of(&job->result.a, job->inputs[k], x->input[k].folder));
    bool use = own[0][0] && own[1][0] && strcmp(own[0], own[1]) != 0;
    for (size_t k = 0; k < 2; k++) {
        const char *given = job_text(job, named[k]);
        if (given && strchr(given, '/'))
            FAIL(err, TARE_E_USAGE, "compare.label", given,
                 "a label stands before '/' in the names of arms and has none itself");
        x->side[k].label = given ? given : use ? own[k] : plain[k];
    }
    if (strcmp(x->side[0].label, x->side[1].label) == 0)
        FAIL(err, TARE_E_USAGE, "compare.label", x->side[0].label,
             "both sides have this name: give --label-a and --label-b");
done:
    return status;
}

/* A run knows these itself. */
static bool for_tables(const tare_option_info *o)
{
    return !strcmp(o->section, TABLE_OPTIONS_SECTION) || !strcmp(o->section, "Instruments") ||
           !strcmp(o->name, "group");
}

static tare_status open_inputs(comparison *x, tare_error *err)
{
    tare_status status = TARE_OK;
    tare_job *job = x->job;
    cube_table_options table;
    if (job_count(job, "scorer") > 1)
        FAIL(err, TARE_E_USAGE, "compare.scorer", "--scorer",
             "it names the one column with the scorer: nothing is scored here");
    TRY(table_options_read(&table, job, err));
    for (size_t k = 0; k < 2; k++) {
        TRY(cube_open(&x->input[k], job->context, job->inputs[k], &table, err));
        if (!x->input[k].folder)
            TRY(table_options_check(&x->input[k].c, job->inputs[k], err));
        x->side[k].c = &x->input[k].c;
    }
    bool tables = !x->input[0].folder || !x->input[1].folder;
    for (size_t i = 0; i < sizeof options / sizeof *options && !tables; i++)
        if (for_tables(&options[i]) && job_count(job, options[i].name))
            FAIL(err, TARE_E_USAGE, "compare.option", options[i].name,
                 "this option is for score tables; both inputs are runs");
done:
    return status;
}

/* ---- what the reader must know --------------------------------------------------------------- */

/* Options that decide what is scored, and are no name of a file or an instrument. */
static bool decides_images(const tare_option_info *o)
{
    static const char *const others[] = {"scorer", "timeout", "retry", "keep-variants",
                                         "lower-is-better"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (!strcmp(o->name, others[k])) return false;
    return o->type != TARE_OPTION_PATH &&
           (!strcmp(o->section, "Photographs") || !strcmp(o->section, "Instruments"));
}

static bool same_values(const tare_job *x, const tare_job *y, const char *name)
{
    size_t n = job_count(x, name);
    if (n != job_count(y, name)) n = SIZE_MAX; /* one has the default: the first value tells */
    for (size_t k = 0; n != SIZE_MAX && k < n; k++)
        if (strcmp(job_text_at(x, name, k), job_text_at(y, name, k)) != 0) return false;
    if (n != SIZE_MAX && n) return true;
    const char *a = job_text(x, name), *b = job_text(y, name);
    return a == b || (a && b && strcmp(a, b) == 0);
}

static tare_status caution_settings(comparison *x, tare_error *err)
{
    tare_status status = TARE_OK;
    const tare_job *a = x->input[0].reader, *b = x->input[1].reader;
    audit_result *r = &x->job->result;
    if (!a || !b) return TARE_OK;
    for (size_t i = 0; i < a->class_->info.option_count; i++) {
        const tare_option_info *o = &a->class_->info.options[i];
        if (!decides_images(o) || same_values(a, b, o->name)) continue;
        const char *p = job_text(a, o->name), *q = job_text(b, o->name);
        TRY(result_caution(r, err,
                           "The runs differ in --%s (%s: %s; %s: %s): what differs between them "
                           "can come from that.", o->name, x->side[0].label, p ? p : "not set",
                           x->side[1].label, q ? q : "not set"));
    }
done:
    return status;
}

/* "4 of 9 have one of their own, SHA-256 0123456789abcdef" */
static const char *own_prompts(const photo_prompts *x, arena *a)
{
    if (!x->own) return "none has one of its own";
    return arena_printf(a, "%zu of %zu have one of their own, SHA-256 %.16s", x->own, x->of,
                        x->sha256);
}

/* As --prompt, which these stand in place of. */
static tare_status caution_prompts(comparison *x, tare_error *err)
{
    tare_status status = TARE_OK;
    audit_result *r = &x->job->result;
    const photo_prompts *a = &x->input[0].prompts, *b = &x->input[1].prompts;
    const char *p, *q;
    if (!photo_prompts_differ(a, b)) goto done;
    TRY_NEW(p = own_prompts(a, &r->a));
    TRY_NEW(q = own_prompts(b, &r->a));
    TRY(result_caution(r, err, "The runs differ in the prompts of their photographs (%s: %s; %s: "
                       "%s): what differs between them can come from that.", x->side[0].label, p,
                       x->side[1].label, q));
done:
    return status;
}

static tare_status caution_images(comparison *x, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_merged *seen = &x->seen;
    audit_result *r = &x->job->result;
    const char *a = x->side[0].label, *b = x->side[1].label;
    bool no = strcmp(job_text(x->job, "paired"), "no") == 0;
    size_t n = seen->paired_bases;
    if (n && seen->other_clusters)
        TRY(result_caution(r, err,
                           "%s and %s put the same images into other clusters; for the "
                           "differences clusters with an image in common are one.", a, b));
    if (n && (n < seen->of[0] || n < seen->of[1]))
        TRY(result_caution(r, err,
                           "Only some images are in both: %zu of the %zu of %s and of the %zu of "
                           "%s. The readings of each side rest on all of its own; their "
                           "differences heed the images in common.", n, seen->of[0], a,
                           seen->of[1], b));
    if (n || !seen->common) goto done;
    if (no && seen->same)
        TRY(result_caution(r, err,
                           "%zu images of %s are in %s as well, by name and pixels. As --paired "
                           "no asks, they are taken for other images, so that the differences "
                           "have wrong intervals and p.", seen->same, b, a));
    else if (!no && !seen->pixels_known)
        TRY(result_caution(r, err,
                           "%zu bases of %s have the name of one of %s. They are taken for other "
                           "images; if they are the same, say --paired yes, and say --paired no if "
                           "not.", seen->common, b, a));
done:
    return status;
}

static tare_status caution_instruments(comparison *x, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_merged *seen = &x->seen;
    audit_result *r = &x->job->result;
    if (seen->other[0])
        TRY(result_caution(r, err,
                           "Not the same instrument in %s and %s: %s. A difference between the "
                           "arms can be one between the instruments; the readings are marked "
                           "\"other instrument\".", x->side[0].label, x->side[1].label,
                           seen->other));
    if (!seen->instruments_known)
        TRY(result_caution(r, err,
                           "A score table does not say what its scorers were: that a name stands "
                           "for the same instrument on both sides is taken on trust."));
    for (size_t k = 0; k < 2; k++)
        if (seen->left_out[k][0])
            TRY(result_caution(r, err, "Only %s has scores of: %s. They are left out.",
                               x->side[k].label, seen->left_out[k]));
done:
    return status;
}

static tare_status compare_facts(comparison *x, tare_error *err)
{
    tare_status status = TARE_OK;
    audit_result *r = &x->job->result;
    static const char *const sides[2] = {"reference", "compared"};
    const cube_merged *seen = &x->seen;
    bool whole = seen->paired_bases == seen->of[0] && seen->paired_bases == seen->of[1];
    TRY(result_fact_add(r, "Run", "tare", tare_version(), err));
    TRY(result_fact_add(r, "Run", "command", x->job->class_->info.name, err));
    for (size_t k = 0; k < 2; k++) {
        const char *what;
        TRY_NEW(what = arena_printf(&r->a, "%s, %s of %zu bases", x->side[k].label,
                                    x->input[k].folder ? "a run" : "a score table",
                                    x->seen.of[k]));
        TRY(result_fact_add(r, "Run", sides[k], what, err));
        if (!x->input[k].folder) TRY(input_hash_log(r, x->job->inputs[k], err));
    }
    TRY(result_fact_add(r, "Run", "differences",
                        !seen->paired_bases ? "of independent sets"
                        : whole            ? "paired by base"
                                           : "of sets with some bases in common", err));
    if (!x->input[0].folder || !x->input[1].folder) TRY(table_options_facts(x->job, r, err));
done:
    return status;
}

static tare_status run(tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    static const cube_pairing hows[] = {PAIRING_AUTO, PAIRING_YES, PAIRING_NO};
    comparison x = {.job = job};
    analyse_options o = analysis_options_read(job);
    const char *how = job_text(job, "paired");
    audit_result *r = &job->result;
    TRY(refuse_inputs(job, err));
    TRY(open_inputs(&x, err));
    TRY(choose_labels(&x, err));
    TRY(cube_merge(&x.merged, &x.seen, &r->a, x.side,
                   hows[!strcmp(how, "yes") ? 1 : !strcmp(how, "no") ? 2 : 0], err));
    TRY_NEW(r->title = arena_printf(&r->a, "Does what holds in %s hold in %s?", x.side[0].label,
                                    x.side[1].label));
    TRY(caution_instruments(&x, err));
    TRY(caution_images(&x, err));
    TRY(caution_settings(&x, err));
    TRY(caution_prompts(&x, err));
    TRY(analyse_cube(r, job->context, &x.merged, &o, err));
    TRY(compare_facts(&x, err));
done:
    for (size_t k = 0; k < 2; k++) cube_close(&x.input[k]);
    return status;
}

const job_class job_compare = {
    {"compare", "find out whether what holds in one run holds in another",
     "RUN_A/ | a.csv  RUN_B/ | b.csv",
     "Two finished runs of tare audit, or two score tables, are read by one analysis: the first "
     "is the reference, the second is compared with it. Arms of one name are paired, and for "
     "every scorer that both have, FI, A and the net drift of both are put beside each other, "
     "with the difference between them (second less first), its interval, p and q.\n\n"
     "Each pair of readings gets one class: reversal, attenuation, unchanged, amplification, "
     "collapse (only in the reference), emergent (only in the second) or null. That something is "
     "significant here and not there is not by itself a difference: a class is confirmed only if "
     "the difference itself is significant after FDR, and the summary counts confirmed classes "
     "only.\n\n"
     "Runs of the same photographs are compared photograph by photograph; all others as "
     "independent sets. Doses must be the same. Nothing is scored: no photograph and no "
     "instrument is needed. A run that was stopped is finished with tare audit first.",
     "tare compare synthetic/ real/ -o transfer/\n"
     "tare compare before.csv after.csv --paired yes -o out/\n"
     "tare compare monday/ tuesday/ --label-a before --label-b after",
     options, sizeof options / sizeof *options},
    run};
