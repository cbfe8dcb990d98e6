#include "scorer/checkpoint/checkpoint_sniff.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/json.h"

enum { SHOWN = 16, TAR_MAGIC = 257, JSON_MOST = 64 << 20 };

typedef struct bytes_view {
    const unsigned char *at;
    size_t length;
} bytes_view;

static bool begins(bytes_view b, const char *with, size_t length)
{
    return b.length >= length && memcmp(b.at, with, length) == 0;
}
#define BEGINS(b, literal) begins((b), (literal), sizeof(literal) - 1)

/* Begins with this word in small or capital letters. */
static bool begins_word(bytes_view b, const char *word)
{
    size_t n = strlen(word);
    return b.length >= n && strncasecmp((const char *)b.at, word, n) == 0;
}

static bytes_view without_blanks(bytes_view b)
{
    if (BEGINS(b, "\xEF\xBB\xBF")) b = (bytes_view){b.at + 3, b.length - 3};
    while (b.length > 0 && b.at[0] != '\0' && strchr(" \t\r\n", b.at[0]) != NULL) {
        b.at++;
        b.length--;
    }
    return b;
}

/* A length below 2^40 and then the brace: a damaged length too should be called a safetensors
 * file's. */
static bool is_safetensors(bytes_view b)
{
    return b.length > 8 && b.at[8] == '{' && !b.at[5] && !b.at[6] && !b.at[7];
}

/* What bundlers make of a TF.js model: JavaScript, which has no mark of its own. */
static bool is_module(const char *path, bytes_view text)
{
    size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".js") == 0 && text.length > 0 && text.at[0] != '<';
}

static bool is_tar(bytes_view b)
{
    return b.length >= TAR_MAGIC + 5 && memcmp(b.at + TAR_MAGIC, "ustar", 5) == 0;
}

/* Files that people have under a checkpoint's name, and what to do about it. NULL: unknown. */
static const char *known_other(bytes_view b)
{
    bytes_view text = without_blanks(b);
    if (begins_word(text, "<!doctype") || begins_word(text, "<html") || begins_word(text, "<?xml"))
        return "a web page, not weights: a login, licence or error page was saved under this name. "
               "Download the file itself, if need be after signing in";
    if (BEGINS(b, "version https://git-lfs"))
        return "a pointer of Git LFS, not the weights themselves: run `git lfs pull` in that "
               "folder, or download the file itself";
    if (BEGINS(b, "\x1f\x8b"))
        return "compressed with gzip: unpack it first (gunzip, or tar -xzf for a .tar.gz)";
    if (BEGINS(b, "BZh") || BEGINS(b, "\xFD" "7zXZ") || BEGINS(b, "\x28\xB5\x2F\xFD"))
        return "compressed (bzip2, xz or zstd): unpack it first";
    if (is_tar(b))
        return "a tar archive: unpack it and give the file of weights in it. If torch itself wrote "
               "it (before version 0.2), save it again with a newer torch";
    if (BEGINS(b, "\x89HDF\r\n\x1a\n"))
        return "an HDF5 file (Keras): save the model as TF.js layers, safetensors or ONNX";
    if (BEGINS(b, "GGUF") || BEGINS(b, "GGML"))
        return "a GGUF file: take the original weights as safetensors or torch";
    if (BEGINS(b, "\x93NUMPY"))
        return "one array of NumPy: save all tensors under their names as safetensors";
    if (BEGINS(b, "PK\5\6")) return "a zip archive without any entry";
    if (b.length > 10 && b.at[0] == 0x08 && b.at[1] > 0 && b.at[1] < 32 && b.at[2] == 0x12)
        return "very likely an ONNX model: it has its graph already, so give it by a manifest, "
               "--scorer onnx:manifest.json";
    return NULL;
}

/* The member of the outermost object that tells which document it is. */
static tare_status sniff_json(checkpoint_container *out, const mem *m, const char *path,
                              bytes_view b, tare_error *err)
{
    tare_status status = TARE_OK;
    bool map = false, topology = false, manifest = false;
    json_event event = JSON_NULL;
    json_reader r;
    json_open(&r, m, path, (const char *)b.at, b.length, &JSON_LIMITS_DEFAULT);
    if (b.length > JSON_MOST)
        FAIL(err, TARE_E_LIMIT, "checkpoint.kind", path, "a JSON document of %zu bytes; at most %d",
             b.length, (int)JSON_MOST);
    while (event != JSON_END) {
        TRY(json_next(&event, &r, err));
        if (event != JSON_KEY || r.depth != 1) continue;
        map |= strcmp(r.string, "weight_map") == 0;
        topology |= strcmp(r.string, "modelTopology") == 0
                    || strcmp(r.string, "weightsManifest") == 0;
        manifest |= strcmp(r.string, "tare_scorer") == 0;
    }
    if (manifest)
        FAIL(err, TARE_E_DATA, "checkpoint.kind", path, "this is a manifest of tare, not a file of "
             "weights: give it as --scorer onnx:%.200s", path);
    if (map == topology)
        FAIL(err, TARE_E_DATA, "checkpoint.kind", path, "a JSON document that is neither an index "
             "of shards (it would have \"weight_map\") nor a TF.js model (\"modelTopology\", "
             "\"weightsManifest\"): give the file of weights itself");
    *out = map ? CONTAINER_SAFETENSORS_INDEX : CONTAINER_TFJS;
done:
    json_close(&r);
    return status;
}

static tare_status unknown(const char *path, bytes_view b, tare_error *err)
{
    char hex[SHOWN * 3 + 1] = "", plain[SHOWN + 1] = "";
    const char *why = known_other(b);
    if (why != NULL) return error_set(err, TARE_E_DATA, "checkpoint.kind", path, "this is %s", why);
    size_t n = b.length < SHOWN ? b.length : SHOWN;
    for (size_t i = 0; i < n; i++) {
        snprintf(hex + 3 * i, 4, " %02x", b.at[i]);
        plain[i] = isprint(b.at[i]) && b.at[i] < 0x80 ? (char)b.at[i] : '.';
    }
    return error_set(err, TARE_E_DATA, "checkpoint.kind", path,
                     "no file of weights that tare knows (safetensors, its index of shards, a "
                     "torch file, a TF.js model.json): it has %zu byte%s and begins with%s "
                     "(\"%s\"). Was it copied or downloaded whole?", b.length,
                     b.length == 1 ? "" : "s", hex, plain);
}

tare_status checkpoint_sniff(checkpoint_container *out, const mem *m, const char *path,
                             const unsigned char *bytes, size_t length, tare_error *err)
{
    bytes_view b = {bytes, length};
    if (BEGINS(b, "PK\3\4")) {
        *out = CONTAINER_ZIP;
        return TARE_OK;
    }
    if (is_safetensors(b)) {
        *out = CONTAINER_SAFETENSORS;
        return TARE_OK;
    }
    bytes_view text = without_blanks(b);
    if (text.length > 0 && text.at[0] == '{') return sniff_json(out, m, path, b, err);
    /* Protocols 0 and 1 have no mark of their own, and torch never wrote them. */
    if (length > 2 && bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5) {
        *out = CONTAINER_PICKLE;
        return TARE_OK;
    }
    if (is_module(path, text)) {
        *out = CONTAINER_TFJS;
        return TARE_OK;
    }
    return unknown(path, b, err);
}
