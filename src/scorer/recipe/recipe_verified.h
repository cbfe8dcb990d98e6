/* recipe_verified.h - for which weights the published values held on this machine.
 *
 * One small file each in the user's cache folder (XDG_CACHE_HOME/tare/verified or
 * ~/.cache/tare/verified), written by `tare scorer verify`. It belongs to all that a recipe says,
 * its version among it, and to the hashes of the weights: another setting or file is verified anew.
 * Nothing here fails for want of a folder: at worst a scorer counts as not verified. */
#ifndef SCORER_RECIPE_RECIPE_VERIFIED_H
#define SCORER_RECIPE_RECIPE_VERIFIED_H

#include "base/hash.h"
#include "scorer/recipe/recipe.h"

#define STANDING_HELD "verified against published values"
#define STANDING_NOT "not verified against published values"
#define STANDING_OTHER "not the published architecture; "
/* Where there is nothing to compare with: what is known of the files instead. */
#define STANDING_NONE STANDING_NOT ": none is published from picture to score"
#define STANDING_RELEASE "; the weights are of a known release"
#define STANDING_NO_RELEASE "; the weights are of no release on record"
#define STANDING_NO_RECORD "; nor is a SHA-256 of the weights on record"

/* `weights`: what identifies the files, backbone first (their hashes as text). The recipe as it is
 * set now. Errors: MEMORY. */
tare_status recipe_verified_key(char out[SHA256_HEX], const recipe *r, const mem *m,
                                const char *const *weights, size_t count, tare_error *err);
bool recipe_verified(const char *key);
/* False: there is no place to keep it. `about`: a line for people. */
bool recipe_keep_verified(const char *key, const char *about);
/* STANDING_HELD or STANDING_NOT, after STANDING_OTHER if the sizes may be any; STANDING_NONE and
 * what follows it where no value is published; the recipe's `tested` for what tests compared.
 * `known`: all files are of known releases. Errors: MEMORY. */
tare_status recipe_standing(const char **out, arena *a, const recipe *r, const char *key,
                            bool known, tare_error *err);
/* What to do about it, in words; NULL: `tare scorer verify` compares. */
const char *recipe_standing_advice(const char *standing);

#endif
