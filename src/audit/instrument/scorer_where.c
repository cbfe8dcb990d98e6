/* scorer_where.c - which files a published scorer needs, and where they are looked for. */
#include "audit/instrument/scorer_commands.h"
#include "base/error.h"
#include "base/os.h"

static tare_status add_line(result_table *t, audit_result *r, const char *scorer, const char *file,
                            const char *what, const char *value, tare_error *err)
{
    tare_status status = TARE_OK;
    cell *row;
    TRY_NEW(row = result_add_row(r, t));
    row[0] = words_cell(scorer);
    row[1] = words_cell(file);
    row[2] = words_cell(what);
    row[3] = words_cell(value);
done:
    return status;
}

static tare_status add_places(result_table *t, audit_result *r, const struct tare_job *job,
                              const recipe *x, const recipe_file *f, tare_error *err)
{
    tare_status status = TARE_OK;
    recipe_place *place;
    size_t count;
    const char *weights = job_text(job, "weights"), *part = recipe_role_name(f->role), *path;
    tare_error why;
    TRY(recipe_places(&place, &count, &r->a, x, f->role, weights, err));
    for (size_t i = 0; i < count; i++) {
        const char *line;
        TRY_NEW(line = arena_printf(&r->a, "%s (%s)%s", place[i].folder, place[i].why,
                                    place[i].there ? "" : ": not there"));
        TRY(add_line(t, r, x->name, part, "looked for in", line, err));
    }
    tare_status found = recipe_find_file(&path, &r->a, x, f->role, weights, &why);
    if (found == TARE_E_MEMORY) FAIL_MEMORY(err);
    TRY(add_line(t, r, x->name, part, "found", found == TARE_OK ? path : "no", err));
done:
    return status;
}

static tare_status add_file(result_table *t, audit_result *r, const struct tare_job *job,
                            const recipe *x, const recipe_file *f, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *part = recipe_role_name(f->role);
    for (size_t i = 0; i < f->name_count; i++)
        TRY(add_line(t, r, x->name, part, i ? "or" : "file", f->name[i], err));
    TRY(add_line(t, r, x->name, part, "from", f->address, err));
    TRY(add_line(t, r, x->name, part, "size", f->size, err));
    TRY(add_line(t, r, x->name, part, "licence", f->licence, err));
    for (size_t i = 0; i < f->sha256_count; i++)
        TRY(add_line(t, r, x->name, part, "sha256", f->sha256[i], err));
    if (!f->sha256_count)
        TRY(add_line(t, r, x->name, part, "sha256", "none is on record: any is accepted", err));
    if (*f->about) TRY(add_line(t, r, x->name, part, "note", f->about, err));
    TRY(add_places(t, r, job, x, f, err));
done:
    return status;
}

static tare_status add_vocabulary(result_table *t, audit_result *r, const struct tare_job *job,
                                  const recipe *x, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *path;
    if (!x->prompt) goto done;
    for (size_t i = 0; i < x->vocabulary_count; i++)
        TRY(add_line(t, r, x->name, "vocabulary", i ? "or" : "file", x->vocabulary[i], err));
    TRY(add_line(t, r, x->name, "vocabulary", "note", "not needed for the prompt `a photo`", err));
    TRY(recipe_find_vocabulary(&path, &r->a, x, job_text(job, "weights"), err));
    TRY(add_line(t, r, x->name, "vocabulary", "found", path ? path : "no", err));
done:
    return status;
}

static tare_status add_recipe(result_table *t, const struct tare_job *job, audit_result *r,
                              const char *name, tare_error *err)
{
    tare_status status = TARE_OK;
    recipe x;
    TRY(recipe_named(&x, &r->a, name, err));
    TRY(result_answer(r, err, "%s: %s. %s Published by %s; licence of the weights: %s.", x.name,
                      x.title, x.meaning, x.source, x.licence));
    for (size_t i = 0; i < x.file_count; i++)
        TRY(add_file(t, r, job, &x, &x.file[i], err));
    TRY(add_vocabulary(t, r, job, &x, err));
done:
    return status;
}

tare_status scorer_where(struct tare_job *job, tare_error *err)
{
    static const char *const columns[] = {"scorer", "part", "what", "value"};
    tare_status status = TARE_OK;
    audit_result *r = &job->result;
    result_table *t;
    const char *weights = job_text(job, "weights");
    if (weights && !os_exists(weights))
        FAIL(err, TARE_E_IO, "weights.missing", weights, "there is no such file or folder");
    r->title = "Published scorers: what to fetch, and where it is looked for";
    TRY_NEW(t = result_add_table(r, "scorer_files", "Files", columns, 4));
    if (!scorer_argument_count(job))
        for (size_t i = 0; recipe_name_at(i); i++)
            TRY(add_recipe(t, job, r, recipe_name_at(i), err));
    for (size_t i = 0; i < scorer_argument_count(job); i++)
        TRY(add_recipe(t, job, r, scorer_argument(job, i), err));
    t->shown = t->row_count;
    TRY(result_answer(r, err, "tare fetches nothing: put the files of each scorer into a folder of "
                      "its own, named like the scorer (pickscore/model.safetensors: several call "
                      "theirs so), and name the folder around them by --weights or TARE_MODELS; or "
                      "leave them where the authors' own code put them."));
done:
    return status;
}
