/* tower_fixture.h - a tower over a checkpoint of formula weights, opened and asked. */
#ifndef TESTS_TOWER_FIXTURE_H
#define TESTS_TOWER_FIXTURE_H

#include "scorer/graph/graph_model.h"
#include "support/formula_weights.h"
#include "support/ort_fixture.h"

typedef enum tower_kind { TOWER_VISION, TOWER_TEXT, TOWER_BERT } tower_kind;

typedef struct tower {
    tare_context *context;
    arena a;
    checkpoint *c;
    tower_plan plan;
    graph_model graph;
    ort_session *session;
    size_t batch;
} tower;

/* Sizes and settings of scorers 8.4. */
extern const formula_sizes SIZES_CLIP, SIZES_BLIP, SIZES_BERT;
tower_plan plan_clip(graph_layout layout, graph_activation activation);
tower_plan plan_blip(void);
tower_plan plan_bert(void);
static const int64_t WORDS[4] = {98, 5, 17, 99};

/* A file of the scratch folder with both towers: of CLIP, or of BLIP with a head 48-32-16-8-4-1. */
void weights_clip(const char *file, int type, size_t shift);
void weights_clip_hf(const char *file, int type);
void weights_blip(const char *file);
formula_list list_clip(void); /* OpenAI's names */
formula_list list_blip(void);

/* The checkpoint alone; then plan, graph and session. */
void tower_read(tower *t, const char *file, const tower_plan *plan, size_t batch);
void tower_load(tower *t, tower_kind kind);
void tower_open(tower *t, const char *file, tower_kind kind, const tower_plan *plan,
                size_t batch);
void tower_close(tower *t);
/* To be released with tower_release. */
ort_output tower_see(tower *t, const float *pixels);
ort_output tower_say(tower *t, const int64_t *ids, size_t n);
ort_output tower_say_of(tower *t, const int64_t *ids, size_t n, const ort_output *image);
void tower_release(ort_output *out);
/* The vector of 8.4's pixels or words; released by the caller. */
ort_output vector_of(const char *file, tower_kind kind, const tower_plan *plan);
double largest_gap(const ort_output *a, const double *b);

#endif
