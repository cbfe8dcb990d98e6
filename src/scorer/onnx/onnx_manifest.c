/* onnx_manifest.c - the top of a manifest: what stands beside input, prompt and output. */
#include "scorer/onnx/onnx_manifest.h"

#include <math.h>
#include <string.h>

#include "base/os.h"
#include "scorer/onnx/onnx_manifest_parts.h"
#include "table/document.h"

static const char *const top_keys[] = {"tare_scorer", "name", "model", "sha256", "source",
                                       "licence", "input", "prompt", "output", "batch", NULL};

const char *manifest_place(const manifest_reader *r, const char *file)
{
    if (*file == '/' || !strcmp(r->folder, ".")) return arena_copy(r->a, file);
    bool slash = r->folder[strlen(r->folder) - 1] == '/';
    return arena_printf(r->a, "%s%s%s", r->folder, slash ? "" : "/", file);
}

/* The folder of a file: "." for a bare name. */
static const char *folder_of(arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash) return arena_copy(a, ".");
    return arena_text(a, path, slash == path ? 1 : (size_t)(slash - path));
}

/* Asked before the keys: another version may have others. */
static tare_status check_version(const manifest_reader *r, const json_value *top, tare_error *err)
{
    tare_status status = TARE_OK;
    if (top->kind != JSON_K_OBJECT)
        MANIFEST_FAIL(r, top, "type", "a manifest is a mapping of keys to values; here it is %s",
                      manifest_shown(r, top));
    const json_value *v = json_member(top, "tare_scorer");
    if (!v)
        MANIFEST_FAIL(r, top, "version",
                      "tare_scorer is missing: a manifest of a scorer says tare_scorer: 1");
    if (v->kind != JSON_K_NUMBER || v->number != 1)
        MANIFEST_FAIL(r, v, "version", "tare_scorer is %s; allowed: 1, the only version so far",
                      manifest_shown(r, v));
done:
    return status;
}

static tare_status read_sha256(const char **out, const manifest_part *top, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *v = manifest_given(top, "sha256");
    if (!v) goto done;
    if (v->kind != JSON_K_TEXT || v->length != 64 ||
        strspn(v->text, "0123456789abcdefABCDEF") != 64)
        MANIFEST_FAIL(top->r, v, "value", "sha256 must be 64 hexadecimal digits, as sha256sum "
                      "prints them; here it is %s", manifest_shown(top->r, v));
    char *lower;
    TRY_NEW(lower = arena_copy(top->r->a, v->text));
    for (char *c = lower; *c; c++)
        if (*c >= 'A' && *c <= 'F') *c = (char)(*c - 'A' + 'a');
    *out = lower;
done:
    return status;
}

static tare_status read_top(onnx_manifest *out, const manifest_reader *r, const json_value *v,
                            tare_error *err)
{
    static const manifest_bounds batch = {1, MANIFEST_BATCH_MOST, true,
                                          "a whole number from 1 to 4096"};
    tare_status status = TARE_OK;
    manifest_part top;
    const char *model = NULL;
    double images = 1;
    TRY(manifest_part_open(&top, r, v, "", top_keys, err));
    TRY(manifest_need(&top, "name", "the scorer's name in tables and reports", err));
    TRY(manifest_need(&top, "model", "the .onnx file", err));
    TRY(manifest_need(&top, "input", "what the model takes", err));
    TRY(manifest_need(&top, "output", "what of the model's output is the score", err));
    TRY(manifest_text(&out->name, &top, "name", MANIFEST_LINE_MOST, err));
    TRY(manifest_text(&model, &top, "model", MANIFEST_PATH_MOST, err));
    TRY_NEW(out->model = manifest_place(r, model));
    TRY(read_sha256(&out->sha256, &top, err));
    TRY(manifest_prose(&out->source, &top, "source", err));
    TRY(manifest_prose(&out->licence, &top, "licence", err));
    TRY(manifest_number(&images, &top, "batch", &batch, err));
    out->batch = (size_t)images;
    TRY(manifest_read_input(out, r, manifest_get(&top, "input"), err));
    if (manifest_given(&top, "prompt"))
        TRY(manifest_read_prompt(&out->prompt, r, manifest_get(&top, "prompt"), err));
    TRY(manifest_read_output(out, r, manifest_get(&top, "output"), err));
done:
    return status;
}

tare_status onnx_manifest_parse(onnx_manifest *out, arena *a, const char *path, const char *bytes,
                                size_t length, tare_error *err)
{
    tare_status status = TARE_OK;
    manifest_reader r = {a, path, NULL};
    json_value *top;
    memset(out, 0, sizeof *out);
    out->sha256 = out->source = out->licence = "";
    out->prompt.text = out->prompt.vocabulary_hash = "";
    if (length > MANIFEST_BYTES_MOST)
        FAIL(err, TARE_E_LIMIT, "manifest.bytes", path, "%zu bytes; a manifest has at most %d",
             length, (int)MANIFEST_BYTES_MOST);
    TRY_NEW(out->path = arena_copy(a, path));
    TRY_NEW(out->folder = r.folder = folder_of(a, path));
    TRY(document_parse(&top, a, path, bytes, length, err));
    TRY(check_version(&r, top, err));
    TRY(read_top(out, &r, top, err));
    TRY_NEW(out->identity = manifest_identity(out, a));
done:
    return status;
}

tare_status onnx_manifest_read(onnx_manifest *out, arena *a, const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    char *bytes = NULL;
    size_t length = 0;
    TRY(os_read_plain(&bytes, &length, a->m, path, MANIFEST_BYTES_MOST, err));
    TRY(onnx_manifest_parse(out, a, path, bytes, length, err));
done:
    mem_free(a->m, bytes);
    return status;
}
