#include "photo_fixture.h"

#include <string.h>

#include "base/os.h"
#include "image/encode.h"
#include "store/store.h"
#include "support/check.h"

static char scratch[64];
static char paths[16][320];
static unsigned next_path;

void scratch_make(void)
{
    /* Runs flush what they write: in memory that costs nothing. */
    bool shared = access("/dev/shm", W_OK | X_OK) == 0;
    strcpy(scratch, shared ? "/dev/shm/tare-test-photos.XXXXXX" : "/tmp/tare-test-photos.XXXXXX");
    assert_non_null(mkdtemp(scratch));
}

void scratch_remove(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    assert_int_equal(system(command), 0);
}

const char *in_scratch(const char *name)
{
    char *path = paths[next_path++ % 16];
    snprintf(path, sizeof *paths, "%s/%s", scratch, name);
    return path;
}

static void write_bytes(const char *name, const void *bytes, size_t length)
{
    tare_error err = {0};
    char folder[320];
    snprintf(folder, sizeof folder, "%s", in_scratch(name));
    *strrchr(folder, '/') = '\0';
    assert_ok(os_make_folders(folder, &err));
    assert_ok(os_write_file(in_scratch(name), bytes, length, &err));
}

void write_text(const char *name, const char *content)
{
    write_bytes(name, content, strlen(content));
}

/* A fixed byte per pixel, so that the pictures are the same on every machine. */
static int texture(unsigned seed, int x, int y)
{
    uint32_t h = seed * 2654435761u + (uint32_t)x * 40503u + (uint32_t)y * 2246822519u;
    h ^= h >> 15;
    h *= 2246822519u;
    return (int)(h >> 29); /* 0..7 */
}

void draw_photo(image *out, unsigned seed, int width, int height)
{
    static const unsigned char tones[][3] = {{141, 85, 60}, {198, 134, 96}, {224, 172, 130},
                                             {241, 194, 150}, {120, 72, 50}};
    const unsigned char *tone = tones[seed % 5];
    mem m = mem_system();
    tare_error err = {0};
    assert_ok(image_new(out, &m, width, height, &err));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            unsigned char *p = out->rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
            double u = (x + 0.5) / width - 0.48 - 0.01 * (seed % 4);
            double v = (y + 0.5) / height - 0.5;
            int t = texture(seed, x, y);
            if (u * u / (0.36 * 0.36) + v * v / (0.40 * 0.40) < 1) {
                for (int c = 0; c < 3; c++)
                    p[c] = (unsigned char)(tone[c] - 12 + t + (x * 10) / width);
            } else {
                p[0] = (unsigned char)(40 + t);
                p[1] = (unsigned char)(70 + t);
                p[2] = (unsigned char)(150 + t);
            }
        }
}

void write_image(const char *name, const image *picture)
{
    mem m = mem_system();
    tare_error err = {0};
    unsigned char *png = NULL;
    size_t length = 0;
    assert_ok(image_png_encode(&png, &length, &m, picture, PNG_FAST, &err));
    write_bytes(name, png, length);
    mem_free(&m, png);
}

void write_photo(const char *name, unsigned seed, int width, int height)
{
    mem m = mem_system();
    image picture;
    draw_photo(&picture, seed, width, height);
    write_image(name, &picture);
    image_free(&picture, &m);
}

void write_photos(const char *name, unsigned count)
{
    for (unsigned k = 0; k < count; k++) {
        char file[160];
        snprintf(file, sizeof file, "%s/p%u.png", name, k);
        write_photo(file, k, 24, 28);
    }
}

void write_plain(const char *name, int width, int height, unsigned char r, unsigned char g,
                 unsigned char b)
{
    mem m = mem_system();
    tare_error err = {0};
    image i;
    assert_ok(image_new(&i, &m, width, height, &err));
    for (size_t k = 0; k < image_pixels(&i); k++) {
        i.rgb[3 * k] = r;
        i.rgb[3 * k + 1] = g;
        i.rgb[3 * k + 2] = b;
    }
    write_image(name, &i);
    image_free(&i, &m);
}

void write_half_mask(const char *name, int width, int height)
{
    mem m = mem_system();
    tare_error err = {0};
    image i;
    assert_ok(image_new(&i, &m, width, height, &err));
    for (size_t k = 0; k < image_pixels(&i); k++)
        memset(i.rgb + 3 * k, k % (size_t)width < (size_t)width / 2 ? 255 : 0, 3);
    write_image(name, &i);
    image_free(&i, &m);
}

tare_job *job_with(tare_context *context, const char *name, const char *input,
                   const char *const *options)
{
    tare_error err = {0};
    tare_job *job = NULL;
    assert_ok(tare_job_new(&job, context, name, &err));
    if (input) assert_ok(tare_job_input(job, input, &err));
    for (; options && *options; options += 2)
        assert_ok(tare_job_set(job, options[0], options[1], &err));
    return job;
}

/* ---- a run folder as text -------------------------------------------------------- */

static void add_number(text *out, double value)
{
    text_add_char(out, ' ');
    if (isnan(value)) text_add(out, "nan");
    else text_add_number(out, value);
}

static tare_status dump_base(void *arg, const store_base *b, tare_error *err)
{
    (void)err;
    text *out = arg;
    text_add_format(out, "base %d %s|%s|%s|%s|%s|%d|%s|%dx%d|%s|%s|%s", (int)b->index, b->id,
                    b->cluster, b->group, b->arm, b->kind, b->status, b->why, b->width, b->height,
                    b->pixels_hash, b->notes, b->shown);
    add_number(out, b->skin_share);
    text_add_char(out, '\n');
    return TARE_OK;
}

static tare_status dump_variant(void *arg, const store_variant *v, tare_error *err)
{
    (void)err;
    text *out = arg;
    text_add_format(out, "variant %d %d %s %s %s", (int)v->base, (int)v->slot, v->operator_name,
                    v->pixels_hash, v->measures);
    add_number(out, v->dose);
    text_add_char(out, '\n');
    return TARE_OK;
}

static tare_status dump_score(void *arg, const store_score *s, tare_error *err)
{
    (void)err;
    text *out = arg;
    text_add_format(out, "score %d %d %d %d %d %s", (int)s->pass, (int)s->scorer, (int)s->base,
                    (int)s->slot, s->status, s->note);
    add_number(out, s->value);
    text_add_char(out, '\n');
    return TARE_OK;
}

void dump_store(text *out, const char *folder, int scorers)
{
    static mem m;
    tare_error err = {0};
    store *s = NULL;
    unsigned char marks[256];
    m = mem_system();
    text_init(out, &m);
    assert_ok(store_open(&s, &m, folder, false, &err));
    assert_ok(store_each_base(s, dump_base, out, &err));
    assert_ok(store_each_variant(s, dump_variant, out, &err));
    assert_ok(store_each_score(s, dump_score, out, &err));
    for (int k = 0; k < scorers; k++)
        for (int pass = 0; pass < 5; pass++) {
            assert_ok(store_marked_batches(marks, sizeof marks, s, k, pass, &err));
            text_add_format(out, "marks %d %d ", k, pass);
            for (size_t i = 0; i < sizeof marks; i++) text_add_char(out, marks[i] ? '1' : '.');
            text_add_char(out, '\n');
        }
    store_close(s);
    assert_false(out->failed);
}
