/* published_tensor RECIPE 0|1|- FILE - the float32 tensor that a published scorer's recipe makes of
 * a picture under published decoding, to standard output; the second word is HPSv2's antialias.
 * Exit 3 and the reason on standard error where the recipe does not allow the picture. */
#include <stdio.h>
#include <string.h>

#include "base/os.h"
#include "image/image.h"
#include "scorer/onnx/onnx_prepare.h"
#include "scorer/recipe/recipe.h"

static tare_status tensor(tare_reason *reason, char note[160], const recipe *r,
                          const image *picture, tare_error *err)
{
    mem m = mem_system();
    size_t bytes = onnx_prepare_bytes(&r->input);
    void *out = mem_new(&m, bytes, 1);
    if (!out) return TARE_E_MEMORY;
    tare_status status = onnx_prepare_image(out, reason, note, &m, picture, &r->input, err);
    if (status == TARE_OK && *reason == TARE_R_NONE && fwrite(out, 1, bytes, stdout) != bytes)
        status = TARE_E_IO;
    mem_free(&m, out);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 4) return fputs("published_tensor RECIPE 0|1|- FILE\n", stderr), 2;
    mem m = mem_system();
    tare_error err = {0};
    arena a;
    recipe r;
    char *bytes = NULL, note[160] = "";
    size_t length = 0;
    image picture = {0};
    tare_reason reason = TARE_R_NONE;
    image_decoding how = IMAGE_DECODING_DEFAULT;
    how.policy = IMAGE_PUBLISHED;
    arena_init(&a, &m);
    tare_status status = recipe_named(&r, &a, argv[1], &err);
    if (status == TARE_OK && strcmp(argv[2], "-") != 0) r.input.antialias = argv[2][0] == '1';
    if (status == TARE_OK)
        status = os_read_file(&bytes, &length, &m, argv[3], (size_t)1 << 30, &err);
    if (status == TARE_OK)
        status = image_decode(&picture, &m, bytes, length, argv[3], &how, &err);
    if (status == TARE_OK) status = tensor(&reason, note, &r, &picture, &err);
    if (status != TARE_OK) fprintf(stderr, "%s\n", err.message);
    else if (reason != TARE_R_NONE) fprintf(stderr, "%s\n", note);
    image_free(&picture, &m);
    mem_free(&m, bytes);
    arena_free(&a);
    return status != TARE_OK ? 1 : reason != TARE_R_NONE ? 3 : 0;
}
