#include "audit/input_hash.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/os.h"

tare_status input_hash_log(audit_result *r, const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    char *bytes = NULL, hex[SHA256_HEX];
    size_t length = 0;
    unsigned char digest[SHA256_BYTES];
    if (!strcmp(path, "-") || !strncmp(path, "duckdb:", 7)) return TARE_OK;
    TRY(os_read_file(&bytes, &length, r->m, path, SIZE_MAX / 2, err));
    sha256_of(bytes, length, digest);
    sha256_hex(digest, hex);
    TRY(result_log_add(r, "Input", path, hex, err));
done:
    mem_free(r->m, bytes);
    return status;
}
