/* recipe_parse.c - the top of a recipe. */
#include <string.h>

#include "base/error.h"
#include "scorer/recipe/recipe_parts.h"

static const char *const top_keys[] = {"tare_recipe", "name", "scheme", "words", "version", "title",
                                       "meaning", "source", "licence", "family", "files", "layouts",
                                       "mobilenet", "prefix", "vision", "text", "input", "prompt",
                                       "score", "published", "tested", NULL};

/* Asked before the keys: another version may have others. */
static tare_status check_version(const manifest_reader *r, const json_value *top, tare_error *err)
{
    tare_status status = TARE_OK;
    if (top->kind != JSON_K_OBJECT)
        MANIFEST_FAIL(r, top, "type", "a recipe is a mapping of keys to values; here it is %s",
                      manifest_shown(r, top));
    const json_value *v = json_member(top, "tare_recipe");
    if (!v || v->kind != JSON_K_NUMBER || v->number != 1)
        MANIFEST_FAIL(r, v ? v : top, "version", "tare_recipe must be 1, the only version so far");
done:
    return status;
}

static tare_status read_names(recipe *out, const manifest_part *top, tare_error *err)
{
    static const manifest_bounds version = {1, 1e6, true, "a whole number from 1 to 1000000"};
    tare_status status = TARE_OK;
    double n = 1;
    TRY(manifest_need(top, "name", "of the recipe", err));
    TRY(manifest_need(top, "version", "goes up with any change of the number", err));
    TRY(manifest_need(top, "licence", "of the weights", err));
    TRY(manifest_need(top, "source", "where it was published", err));
    TRY(manifest_text(&out->name, top, "name", MANIFEST_LINE_MOST, err));
    out->scheme = out->family = out->title = out->name;
    out->words = out->meaning = out->tested = "";
    TRY(manifest_text(&out->scheme, top, "scheme", MANIFEST_LINE_MOST, err));
    TRY(manifest_text(&out->words, top, "words", MANIFEST_LINE_MOST, err));
    TRY(manifest_text(&out->family, top, "family", MANIFEST_LINE_MOST, err));
    TRY(manifest_number(&n, top, "version", &version, err));
    out->version = (int)n;
    TRY(manifest_text(&out->title, top, "title", MANIFEST_LINE_MOST, err));
    TRY(manifest_prose(&out->meaning, top, "meaning", err));
    TRY(manifest_prose(&out->source, top, "source", err));
    TRY(manifest_prose(&out->licence, top, "licence", err));
    TRY(manifest_text(&out->tested, top, "tested", MANIFEST_LINE_MOST, err));
done:
    return status;
}

static tare_status read_input(recipe *out, const manifest_part *top, tare_error *err)
{
    tare_status status = TARE_OK;
    onnx_manifest m;
    memset(&m, 0, sizeof m);
    TRY(manifest_need(top, "input", "what becomes of the pixels", err));
    TRY(manifest_read_input(&m, top->r, manifest_get(top, "input"), err));
    if (m.kind != ONNX_IMAGE)
        MANIFEST_FAIL(top->r, manifest_get(top, "input"), "value", "input.kind must be image");
    out->input = m.image;
done:
    return status;
}

/* Tests that looked at certain files say nothing of others: their hashes must be on record. */
static tare_status check_tested(const recipe *r, const manifest_part *top, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; *r->tested && i < r->file_count; i++)
        if (!r->file[i].sha256_count)
            MANIFEST_FAIL(top->r, manifest_get(top, "tested"), "conflict", "tested goes with known "
                          "files only, and files[%zu] has no sha256", i);
done:
    return status;
}

static tare_status read_top(recipe *out, const manifest_reader *r, const json_value *v,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    manifest_part top;
    TRY(manifest_part_open(&top, r, v, "", top_keys, err));
    TRY(read_names(out, &top, err));
    TRY(manifest_need(&top, "files", "what the user fetches", err));
    TRY(manifest_need(&top, "score", "how the vector becomes the score", err));
    TRY(recipe_read_files(out, &top, err));
    TRY(recipe_read_towers(out, &top, err));
    TRY(read_input(out, &top, err));
    TRY(recipe_read_score(out, &top, err));
    TRY(recipe_read_published(out, &top, err));
    TRY(check_tested(out, &top, err));
done:
    return status;
}

/* The readers are those of manifests; what they find is said of a recipe. */
static void rename_code(tare_error *err)
{
    static const char from[] = "manifest.", to[] = "recipe.";
    if (!err || strncmp(err->code, from, sizeof from - 1) != 0) return;
    memmove(err->code + sizeof to - 1, err->code + sizeof from - 1,
            strlen(err->code + sizeof from - 1) + 1);
    memcpy(err->code, to, sizeof to - 1);
}

tare_status recipe_parse(recipe *out, arena *a, const char *path, const char *bytes, size_t length,
                         tare_error *err)
{
    tare_status status = TARE_OK;
    manifest_reader r = {a, path, "."};
    json_value *top;
    memset(out, 0, sizeof *out);
    if (length > MANIFEST_BYTES_MOST)
        FAIL(err, TARE_E_LIMIT, "recipe.bytes", path, "%zu bytes; a recipe has at most %d", length,
             (int)MANIFEST_BYTES_MOST);
    TRY(json_parse(&top, a, path, bytes, length, NULL, err));
    TRY(check_version(&r, top, err));
    TRY(read_top(out, &r, top, err));
    TRY(recipe_identify(out, a, err));
    out->as_read = out->identity;
done:
    if (status != TARE_OK) rename_code(err);
    return status;
}
