/* formula_weights.h - tensors from the formula of scorers 8.4, under the names of each layout.
 *
 * Names and dims are written down here a second time, apart from the tables of the program. */
#ifndef TESTS_FORMULA_WEIGHTS_H
#define TESTS_FORMULA_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct formula_tensor {
    char name[160];
    size_t rank, count;
    int64_t dim[4];
    float *value;
} formula_tensor;

typedef struct formula_list {
    formula_tensor *item;
    size_t count;
} formula_list;

/* mlp 0: four times the width; one tower uses what it needs */
typedef struct formula_sizes {
    int width, layers, mlp, embedding;
    int patch, side;               /* vision */
    int vocabulary, context;       /* text   */
    int cross;                     /* BERT   */
} formula_sizes;

/* One tensor, all values from the formula; what kind it is is told from the name. */
formula_tensor *formula_add(formula_list *l, const char *name, size_t rank, const int64_t *dim);
void formula_openai_vision(formula_list *l, const formula_sizes *s);
void formula_openai_text(formula_list *l, const formula_sizes *s);
void formula_blip_vision(formula_list *l, const formula_sizes *s);
void formula_blip_text(formula_list *l, const formula_sizes *s);
/* `mlp.layers.N` with these widths, as ImageReward has it; `numbers` one fewer. */
void formula_head(formula_list *l, const int *numbers, const int *widths, size_t layers);
/* The same numbers as Hugging Face names and cuts them. */
formula_list formula_as_hf(const formula_list *openai);
void formula_free(formula_list *l);

const formula_tensor *formula_find(const formula_list *l, const char *name); /* asserts it */
/* Values become those of f16 or bf16, by ONNX's number of the type. */
void formula_round(formula_list *l, int type);
/* A safetensors file whose elements are stored so (f32, f16, bf16); the data begin `shift` bytes
 * later than they need, so that 1 makes all unaligned. */
void formula_save(const formula_list *l, const char *path, int type, size_t shift);
/* "pixels": float32(((7919 i) mod 1000)/500 - 1) */
void formula_pixels(float *out, size_t count);

#endif
