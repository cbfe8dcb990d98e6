/* zip_directory.h - the stored entries of a zip archive in memory. Scorers 4.1.
 *
 * Only what torch writes: no spanning, no encryption, entries stored or (listed, not readable)
 * compressed, zip64. Where an entry's bytes begin is computed from its own local header. */
#ifndef SCORER_CHECKPOINT_ZIP_DIRECTORY_H
#define SCORER_CHECKPOINT_ZIP_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "tare.h"

enum { ZIP_ENTRIES_MOST = 1 << 20 };

typedef struct zip_entry {
    const char *name;    /* no NUL inside */
    uint64_t offset, bytes; /* of the data, inside the archive */
    bool stored;         /* method 0, not encrypted; else `offset` and `bytes` are as packed */
    bool encrypted;
} zip_entry;

typedef struct zip_directory {
    zip_entry *entry;    /* sorted by name, no name twice */
    size_t count;
} zip_directory;

/* `name` is the archive's, for errors. Errors: DATA ("zip.*": truncated, an entry outside the file,
 * a name twice), LIMIT ("zip.entries"), MEMORY. */
tare_status zip_directory_read(zip_directory *out, arena *a, const char *name,
                               const unsigned char *bytes, size_t length, tare_error *err);
const zip_entry *zip_directory_find(const zip_directory *z, const char *name); /* NULL: none */

#endif
