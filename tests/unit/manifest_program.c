/* manifest_program.c - manifests for the tests that are written in Python.
 *
 *   manifest_program show FILE        the document as JSON; exit 1 and the error if it is no
 *                                     manifest
 *   manifest_program run FILE DATA    scores of an output: batch, rank, dimensions and values of
 *                                     DATA, all as doubles; `error CODE` where there are none */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/os.h"
#include "scorer/onnx/onnx_manifest.h"
#include "table/document.h"

static void write_value(json_writer *w, const json_value *v)
{
    switch (v->kind) {
    case JSON_K_NULL: json_null(w); break;
    case JSON_K_BOOL: json_bool(w, v->boolean); break;
    case JSON_K_NUMBER: json_number(w, v->number); break;
    case JSON_K_TEXT: json_string_bytes(w, v->text, v->length); break;
    case JSON_K_ARRAY:
        json_array(w);
        for (size_t i = 0; i < v->length; i++) write_value(w, &v->children[i]);
        json_array_end(w);
        break;
    case JSON_K_OBJECT:
        json_object(w);
        for (size_t i = 0; i < v->length; i++) {
            json_key(w, v->keys[i]);
            write_value(w, &v->children[i]);
        }
        json_object_end(w);
        break;
    }
}

/* The document is printed whether it is a manifest or not, if only it is a document. */
static tare_status show(arena *a, const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    char *bytes = NULL;
    size_t length;
    json_value *top;
    onnx_manifest m;
    text t;
    json_writer w;
    text_init(&t, a->m);
    TRY(os_read_file(&bytes, &length, a->m, path, 1 << 20, err));
    TRY(document_parse(&top, a, path, bytes, length, err));
    json_begin(&w, &t, 0);
    write_value(&w, top);
    if (t.failed) FAIL_MEMORY(err);
    printf("%s\n", t.data);
    TRY(onnx_manifest_parse(&m, a, path, bytes, length, err));
done:
    text_free(&t);
    mem_free(a->m, bytes);
    return status;
}

static tare_status run(arena *a, const char *path, const char *data, tare_error *err)
{
    tare_status status = TARE_OK;
    onnx_manifest m;
    char *bytes = NULL;
    size_t length;
    ort_output x = {0};
    double *scores;
    TRY(onnx_manifest_read(&m, a, path, err));
    TRY(os_read_file(&bytes, &length, a->m, data, 1 << 24, err));
    const double *at = (const double *)(const void *)bytes;
    size_t batch = (size_t)at[0];
    x.rank = (size_t)at[1];
    x.count = 1;
    for (size_t k = 0; k < x.rank; k++) x.count *= (size_t)(x.dim[k] = (int64_t)at[2 + k]);
    TRY_NEW(x.value = mem_new(a->m, x.count, sizeof *x.value));
    memcpy(x.value, at + 2 + x.rank, x.count * sizeof *x.value);
    TRY_NEW(scores = arena_new(a, batch, sizeof *scores));
    TRY(onnx_ops_run(scores, a->m, &x, batch, m.ops, m.op_count, err));
    for (size_t i = 0; i < batch; i++) printf("%.17g\n", scores[i]);
done:
    mem_free(a->m, x.value);
    mem_free(a->m, bytes);
    return status;
}

int main(int argc, char **argv)
{
    mem m = mem_system();
    arena a;
    tare_error err;
    tare_status status = TARE_E_USAGE;
    arena_init(&a, &m);
    memset(&err, 0, sizeof err);
    if (argc == 3 && !strcmp(argv[1], "show")) status = show(&a, argv[2], &err);
    if (argc == 4 && !strcmp(argv[1], "run")) status = run(&a, argv[2], argv[3], &err);
    if (status != TARE_OK) printf("error %s\n", err.code);
    if (status != TARE_OK) fprintf(stderr, "%s: %s\n", err.where, err.message);
    arena_free(&a);
    return status == TARE_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
