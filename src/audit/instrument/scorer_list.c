/* scorer_list.c - what is in a file of weights, and which published scorers it is for. */
#include <inttypes.h>
#include <stdio.h>

#include "audit/instrument/scorer_commands.h"
#include "base/error.h"
#include "base/text.h"

/* ---- Tensors --------------------------------------------------------------------------------- */

/* Numbers of the file that a tensor reaches: fewer than it has elements if a view repeats them. */
static uint64_t numbers_of(const checkpoint_tensor *t)
{
    uint64_t reach = 1;
    for (size_t k = 0; k < t->rank && t->elements > 0; k++)
        reach += (uint64_t)(t->dim[k] - 1) * (uint64_t)t->stride[k];
    return reach < t->elements ? reach : t->elements;
}

static const char *dims_words(arena *a, const checkpoint_tensor *t)
{
    const char *how = numbers_of(t) < t->elements ? " (expanded)"
                      : t->contiguous             ? ""
                                                  : " (strided)";
    const char *out = "[";
    for (size_t k = 0; k < t->rank && out; k++)
        out = arena_printf(a, "%s%s%" PRId64, out, k ? "," : "", t->dim[k]);
    return out ? arena_printf(a, "%s]%s", out, how) : NULL;
}

static tare_status add_tensors(audit_result *r, const checkpoint *c, size_t shown, tare_error *err)
{
    static const char *const columns[] = {"type", "file", "offset", "dims", "name"};
    tare_status status = TARE_OK;
    result_table *t;
    TRY_NEW(t = result_add_table(r, "tensors", "Tensors", columns, 5));
    for (size_t i = 0; i < c->tensor_count; i++) {
        const checkpoint_tensor *x = &c->tensor[i];
        cell *row;
        const char *dims, *name;
        TRY_NEW(row = result_add_row(r, t));
        TRY_NEW(dims = dims_words(&r->a, x));
        TRY_NEW(name = arena_copy(&r->a, x->name)); /* the file is closed before the report */
        row[0] = words_cell(tensor_type_name(x->type));
        if (x->file != SIZE_MAX) {
            row[1] = count_cell(x->file + 1);
            row[2] = count_cell(x->offset);
        }
        row[3] = words_cell(dims);
        row[4] = words_cell(name);
    }
    t->shown = shown;
done:
    return status;
}

/* ---- Recipes --------------------------------------------------------------------------------- */

static const char *hash_words(arena *a, const recipe_match *m)
{
    if (m->foreign) return arena_printf(a, "of %s", m->foreign_recipe);
    return m->known ? "known" : "";
}

static const char *first_words(arena *a, const recipe_match *m)
{
    if (m->lack_count && *m->lack->name == '(') /* no tensor, but the tower of all of them */
        return arena_printf(a, "%s %s, wanted %s", m->lack->name,
                            m->lack->found ? m->lack->found : "none", m->lack->wanted);
    if (m->lack_count && m->lack->found)
        return arena_printf(a, "%s is %s, wanted %s", m->lack->name, m->lack->found,
                            m->lack->wanted);
    if (m->lack_count)
        return arena_printf(a, "%s %s is missing", m->lack->name, m->lack->wanted);
    return m->surplus_count ? arena_printf(a, "%s is surplus", *m->surplus) : "";
}

typedef struct lister {
    audit_result *r;
    const checkpoint *c;
    result_table *t;
    text fits;
} lister;

static tare_status add_match(lister *l, const recipe *x, recipe_role role, tare_error *err)
{
    tare_status status = TARE_OK;
    recipe_match m;
    tare_error why;
    cell *row;
    size_t missing = 0;
    const char *part = recipe_role_name(role), *hash, *first, *fits;
    status = recipe_match_file(&m, &l->r->a, x, role, l->c, &why);
    if (status != TARE_OK && status != TARE_E_DATA) {
        if (err) *err = why;
        goto done;
    }
    bool contradicted = status == TARE_E_DATA;
    status = TARE_OK;
    for (size_t i = 0; i < m.lack_count; i++) missing += !m.lack[i].found;
    TRY_NEW(hash = hash_words(&l->r->a, &m));
    TRY_NEW(first = contradicted ? arena_copy(&l->r->a, why.message)
                                 : first_words(&l->r->a, &m));
    fits = contradicted ? "no: config.json" : m.whole && m.foreign ? "no: other hash"
           : m.whole ? "yes" : m.resized ? "arch=any" : "no";
    TRY_NEW(row = result_add_row(l->r, l->t));
    row[0] = words_cell(x->name);
    row[1] = words_cell(part);
    row[2] = words_cell(fits);
    row[3] = words_cell(hash);
    row[4] = count_cell(missing);
    row[5] = count_cell(m.lack_count - missing);
    row[6] = count_cell(m.surplus_count);
    row[7] = words_cell(first);
    if (m.whole && !m.foreign && !contradicted)
        text_add_format(&l->fits, "%s%s (%s%s%s)", l->fits.length ? ", " : "", x->name, part,
                        *m.stripped ? ", without the prefix " : "", m.stripped);
done:
    return status;
}

static tare_status add_recipes(lister *l, tare_error *err)
{
    static const char *const columns[] = {"scorer", "part", "fits", "hash", "missing",
                                          "misshaped", "surplus", "first"};
    tare_status status = TARE_OK;
    TRY_NEW(l->t = result_add_table(l->r, "recipes", "Published scorers", columns, 8));
    for (size_t i = 0; recipe_name_at(i); i++) {
        recipe x;
        TRY(recipe_named(&x, &l->r->a, recipe_name_at(i), err));
        for (size_t k = 0; k < x.file_count; k++) TRY(add_match(l, &x, x.file[k].role, err));
    }
    l->t->shown = l->t->row_count;
done:
    return status;
}

/* ---- The file -------------------------------------------------------------------------------- */

static tare_status say_file(audit_result *r, const checkpoint *c, const char *path,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    uint64_t numbers = 0, bytes = 0;
    size_t expanded = 0;
    for (size_t i = 0; i < c->tensor_count; i++) {
        numbers += numbers_of(&c->tensor[i]);
        expanded += numbers_of(&c->tensor[i]) < c->tensor[i].elements;
    }
    for (size_t i = 0; i < c->file_count; i++) bytes += c->file[i].length;
    TRY(result_answer(r, err, "%s: %s, %zu tensor%s with %" PRIu64 " number%s, %" PRIu64
                      " bytes.", path, checkpoint_kind_name(c->kind), c->tensor_count,
                      c->tensor_count == 1 ? "" : "s", numbers, numbers == 1 ? "" : "s", bytes));
    if (expanded)
        TRY(result_answer(r, err, "Expanded views among them: %zu. They repeat numbers that the "
                          "file has once, and which are counted once.", expanded));
    for (size_t i = 0; i < c->file_count; i++)
        TRY(result_answer(r, err, "%s%ssha256 %s", c->file_count > 1 ? c->file[i].path : "",
                          c->file_count > 1 ? ": " : "", c->file[i].sha256));
    if (c->opaque)
        TRY(result_answer(r, err, "%zu value%s of its pickle %s neither tensor%s nor "
                          "container%s and left alone, and nothing in the file was run.",
                          c->opaque, c->opaque == 1 ? "" : "s", c->opaque == 1 ? "is" : "are",
                          c->opaque == 1 ? "" : "s", c->opaque == 1 ? "" : "s"));
done:
    return status;
}

tare_status scorer_list(struct tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    audit_result *r = &job->result;
    const char *path = scorer_argument(job, 0), *other = job_text(job, "same-weights-as");
    checkpoint *c = NULL;
    lister l = {.r = r};
    text_init(&l.fits, &job->context->mem);
    TRY(checkpoint_open(&c, job->context, path, err));
    l.c = c;
    TRY_NEW(r->title = arena_printf(&r->a, "What is in %s?", path));
    TRY(say_file(r, c, path, err));
    TRY(add_recipes(&l, err));
    if (l.fits.failed) FAIL_MEMORY(err);
    if (l.fits.length) TRY(result_answer(r, err, "It fits %s.", l.fits.data));
    else TRY(result_answer(r, err, "It fits no published scorer that tare knows."));
    if (other) {
        TRY(scorer_same_weights(job, c, other, err));
        TRY(checkpoint_settle(c, err));
    }
    TRY(add_tensors(r, c, (size_t)job_integer(job, "tensors"), err));
done:
    text_free(&l.fits);
    checkpoint_close(c);
    return status;
}
