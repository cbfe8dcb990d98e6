/* model_hash.h - SHA-256 sums of large files, remembered between runs. Scorers 1.2.
 *
 * One small text file for each model file in the user's cache folder (XDG_CACHE_HOME/tare/sha256,
 * or ~/.cache/tare/sha256). A sum belongs to device, inode, size, mtime and ctime in ns: a file
 * that was touched is hashed again. TARE_REHASH=1 hashes all again. Nothing here fails: at worst a
 * file is hashed. */
#ifndef SCORER_ONNX_MODEL_HASH_H
#define SCORER_ONNX_MODEL_HASH_H

#include <stdbool.h>

#include "base/hash.h"
#include "scorer/onnx/model_file.h"

enum { MODEL_HASH_FROM = 1 << 20 }; /* smaller files are hashed faster than looked up */

bool model_hash_recall(char out[SHA256_HEX], const model_stamp *stamp);
void model_hash_keep(const char sum[SHA256_HEX], const model_stamp *stamp);

#endif
