/* bench_variants FOLDER THREADS bytes|measures|sets [OPERATOR] - decode each photograph, prepare it
 * and make the seven doses of an operator (skin), without or with all their measures, or with the
 * ITA over the tight and loose masks too. A torso is a column two fifths wide. One TSV line: who,
 * work, threads, photos, variants, seconds, CPU seconds, sum of all bytes made (to be compared with
 * the peer). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/os.h"
#include "base/pool.h"
#include "perturb/perturb.h"

enum { PHOTOS_MOST = 100000 };

typedef struct work {
    const mem *m;
    const char *folder;
    os_listing list;
    bool measures, sets;
    const perturb_operator *op;
    uint64_t *sum; /* [photo] */
    size_t *made;  /* [photo] */
} work;

static tare_status one_variant(perturb_variant *v, const work *w, const perturb_base *base,
                               double dose, tare_error *err)
{
    const perturb_operator *op = w->op;
    const image *photo = base->photo;
    tare_status status = TARE_OK;
    if (w->measures) return perturb_variant_make(v, base, op, dose, err);
    if (v->picture.rgb == NULL)
        status = image_new(&v->picture, w->m, photo->width, photo->height, err);
    if (status != TARE_OK) return status;
    memcpy(v->picture.rgb, photo->rgb, image_pixels(photo) * 3);
    perturb_edit edit = {.rgb = v->picture.rgb};
    return op->apply(&edit, base, dose, err);
}

static unsigned char *column(const mem *m, const image *photo)
{
    unsigned char *s = mem_new(m, image_pixels(photo), 1);
    for (size_t i = 0; s != NULL && i < image_pixels(photo); i++) {
        size_t x = i % (size_t)photo->width, width = (size_t)photo->width;
        s[i] = 10 * x >= 3 * width && 10 * x < 7 * width;
    }
    return s;
}

static tare_status variants_of(work *w, size_t k, const image *photo, tare_error *err)
{
    const perturb_operator *op = w->op;
    perturb_base base;
    perturb_variant v = {0};
    perturb_options o = PERTURB_OPTIONS_DEFAULT;
    unsigned char *person = op->needs == PERTURB_NEEDS_TORSO ? column(w->m, photo) : NULL;
    const perturb_guides guides = {.silhouette = person};
    o.whole = op->support != PERTURB_SKIN;
    o.sets = w->sets;
    tare_status status = perturb_base_make(&base, w->m, photo, &guides, w->list.paths[k], &o, err);
    size_t bytes = image_pixels(photo) * 3;
    for (size_t d = 0; status == TARE_OK && base.reason == TARE_R_NONE && d < op->n_doses; d++) {
        status = one_variant(&v, w, &base, op->doses[d], err);
        if (status != TARE_OK) break;
        for (size_t i = 0; i < bytes; i++) w->sum[k] += v.picture.rgb[i];
        w->made[k]++;
    }
    perturb_variant_free(&v, w->m);
    perturb_base_free(&base);
    mem_free(w->m, person);
    return status;
}

static tare_status one_photo(work *w, size_t k, tare_error *err)
{
    char path[4096], *bytes = NULL;
    size_t length;
    image photo = {0};
    snprintf(path, sizeof path, "%s/%s", w->folder, w->list.paths[k]);
    tare_status status = os_read_file(&bytes, &length, w->m, path, (size_t)512 << 20, err);
    if (status == TARE_OK) status = image_decode(&photo, w->m, bytes, length, path, NULL, err);
    if (status == TARE_OK) status = variants_of(w, k, &photo, err);
    else if (status == TARE_E_DATA) status = TARE_OK; /* no photograph: as in an audit */
    image_free(&photo, w->m);
    mem_free(w->m, bytes);
    return status;
}

static tare_status photos(void *arg, size_t begin, size_t end, unsigned worker, tare_error *err)
{
    tare_status status = TARE_OK;
    (void)worker;
    for (size_t k = begin; k < end && status == TARE_OK; k++) status = one_photo(arg, k, err);
    return status;
}

int main(int argc, char **argv)
{
    mem m = mem_system();
    arena a;
    tare_error err;
    const perturb_operator *op = perturb_operator_find(argc == 5 ? argv[4] : "skin");
    if (argc < 4 || argc > 5 || op == NULL) {
        fprintf(stderr, "usage: bench_variants FOLDER THREADS bytes|measures|sets [OPERATOR]\n");
        return 2;
    }
    work w = {.m = &m, .folder = argv[1], .op = op, .sets = strcmp(argv[3], "sets") == 0};
    w.measures = w.sets || strcmp(argv[3], "measures") == 0;
    unsigned threads = (unsigned)atoi(argv[2]);
    arena_init(&a, &m);
    tare_status status = os_list_files(&w.list, &a, w.folder, PHOTOS_MOST, &err);
    pool *p = pool_new(&m, threads);
    size_t n = status == TARE_OK ? w.list.count : 0;
    w.sum = arena_new(&a, n, sizeof *w.sum);
    w.made = arena_new(&a, n, sizeof *w.made);
    double start = os_seconds();
    clock_t cpu = clock();
    if (status == TARE_OK && p != NULL && w.sum != NULL && w.made != NULL)
        status = pool_for(p, n, 1, photos, &w, &err);
    double seconds = os_seconds() - start;
    double busy = (double)(clock() - cpu) / CLOCKS_PER_SEC;
    uint64_t sum = 0;
    size_t made = 0;
    for (size_t k = 0; status == TARE_OK && k < n; k++) {
        sum += w.sum[k];
        made += w.made[k];
    }
    if (status != TARE_OK) fprintf(stderr, "%s: %s\n", err.where, err.message);
    else printf("tare\t%s\t%u\t%zu\t%zu\t%.4f\t%.4f\t%" PRIu64 "\n", argv[3], threads, n, made,
                seconds, busy, sum);
    pool_free(p);
    arena_free(&a);
    return status == TARE_OK ? 0 : 1;
}
