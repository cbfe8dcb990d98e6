/* tfjs_module.h - the one value that a JavaScript module exports, read as data: nothing is run.
 *
 * nsfwjs packs a model's JSON and the base64 of its weights into modules, so that bundlers take
 * them along. The value begins after the first `exports =` that a `{` or a quote follows; what
 * stands before and after is not looked at. */
#ifndef SCORER_CHECKPOINT_TFJS_MODULE_H
#define SCORER_CHECKPOINT_TFJS_MODULE_H

#include "base/mem.h"
#include "base/text.h"
#include "tare.h"

/* An object literal as JSON: keys get quotes, !0 and !1 become true and false, .5 becomes 0.5. Any
 * other expression is refused. Errors: DATA ("tfjs.module", where "PATH:byte N"), MEMORY. */
tare_status tfjs_module_json(text *out, const char *path, const unsigned char *bytes,
                             size_t length, tare_error *err);
/* A string literal of base64 as bytes in the arena. Errors: DATA ("tfjs.module"), MEMORY. */
tare_status tfjs_module_bytes(unsigned char **out, size_t *count, arena *a, const char *path,
                              const unsigned char *bytes, size_t length, tare_error *err);

#endif
