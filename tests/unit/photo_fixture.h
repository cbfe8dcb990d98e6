/* photo_fixture.h - a scratch folder with drawn photographs, jobs on it, and what a run folder
 * holds, as text. For tests of runs on photographs. */
#ifndef TESTS_PHOTO_FIXTURE_H
#define TESTS_PHOTO_FIXTURE_H

#include <stddef.h>

#include "base/text.h"
#include "image/image.h"
#include "tare.h"

/* A folder of its own, and its end. */
void scratch_make(void);
void scratch_remove(void);
/* Absolute path of a name in it; good for the next 15 calls. */
const char *in_scratch(const char *name);
/* Folders on the way are made. */
void write_text(const char *name, const char *content);

/* A head of skin before a blue wall, with shading and a fixed texture: about 40 % skin. `seed`
 * changes tone, place and texture. */
void draw_photo(image *out, unsigned seed, int width, int height);
void write_image(const char *name, const image *picture);
void write_photo(const char *name, unsigned seed, int width, int height);
/* NAME/p0.png ... of 24 x 28 pixels. */
void write_photos(const char *name, unsigned count);
/* One colour: no skin (blue), or a mask (white left half). */
void write_plain(const char *name, int width, int height, unsigned char r, unsigned char g,
                 unsigned char b);
void write_half_mask(const char *name, int width, int height);

/* A job with options from "name", "value" pairs up to NULL, and one input (NULL: none). */
tare_job *job_with(tare_context *context, const char *job, const char *input,
                   const char *const *options);

/* Every row and mark of a run folder, in order, as text: equal runs have equal text. Marks: of
 * `scorers` instruments. Released with text_free. */
void dump_store(text *out, const char *folder, int scorers);

#endif
