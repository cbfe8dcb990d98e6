#include "scorer/token/vocabulary_file.h"

#include <string.h>

#include "base/error.h"
#include "base/os.h"
#include "table/gunzip.h"

static const char vocab_json[] = "vocab.json", merges_txt[] = "merges.txt";
/* In a folder, the first that is there. Merges before what is made from them: a folder may hold
 * both tokenisers' files, and then tokenizer.json is one's or the other's. */
static const char *const clip_files[] = {"bpe_simple_vocab_16e6.txt.gz",
                                         "bpe_simple_vocab_16e6.txt", vocab_json, "tokenizer.json",
                                         NULL};
static const char *const bert_files[] = {"vocab.txt", "tokenizer.json", NULL};
static const char *const any_files[] = {"tokenizer.json", NULL};

static const char *const *files_of(tokenizer_kind kind)
{
    if (kind == TOKENIZER_CLIP) return clip_files;
    return kind == TOKENIZER_BERT ? bert_files : any_files;
}

static const char *names_of(tokenizer_kind kind)
{
    if (kind == TOKENIZER_CLIP)
        return "bpe_simple_vocab_16e6.txt.gz, vocab.json with merges.txt, or tokenizer.json";
    return kind == TOKENIZER_BERT ? "vocab.txt or tokenizer.json" : "tokenizer.json";
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* The file NAME where `path` is. */
static char *beside(arena *a, const char *path, const char *name)
{
    return arena_printf(a, "%.*s%s", (int)(base_name(path) - path), path, name);
}

/* Of a folder: the file in it that is to be read. */
static tare_status choose(const char **out, arena *a, tokenizer_kind kind, const char *path,
                          tare_error *err)
{
    tare_status status = TARE_OK;
    const char *file = NULL;
    *out = path;
    if (!os_is_folder(path)) goto done;
    for (const char *const *name = files_of(kind); *name != NULL; name++) {
        TRY_NEW(file = arena_printf(a, "%s/%s", path, *name));
        if (!os_exists(file)) continue;
        const char *merges = beside(a, file, merges_txt);
        if (merges == NULL) FAIL_MEMORY(err);
        if (*name == vocab_json && !os_exists(merges)) continue;
        *out = file;
        goto done;
    }
    FAIL(err, TARE_E_DATA, "vocabulary.none", path, "this folder holds no vocabulary; wanted: %s",
         names_of(kind));
done:
    return status;
}

/* vocab.json needs merges.txt, and the other way round. */
static tare_status find_second(vocabulary_file *f, arena *a, tokenizer_kind kind, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *name = base_name(f->path);
    if (kind == TOKENIZER_CLIP && strcmp(name, merges_txt) == 0) {
        const char *vocab;
        TRY_NEW(vocab = beside(a, f->path, vocab_json));
        f->more_path = f->path;
        f->path = vocab;
    } else if (kind == TOKENIZER_CLIP && strcmp(name, vocab_json) == 0) {
        TRY_NEW(f->more_path = beside(a, f->path, merges_txt));
    }
done:
    return status;
}

static tare_status inflate_it(vocabulary_file *f, tare_error *err)
{
    tare_status status = TARE_OK;
    char *plain = NULL;
    size_t length = 0;
    gunzip_input in = {f->path, f->bytes, f->length, VOCABULARY_BYTES_MOST};
    if (f->length < 2 || memcmp(f->bytes, "\x1F\x8B", 2) != 0) goto done;
    TRY(gunzip(&plain, &length, f->m, &in, err));
    mem_free(f->m, f->bytes);
    f->bytes = plain;
    f->length = length;
done:
    return status;
}

/* An object is JSON. A BERT vocabulary may begin with "{" alone on a line, so that what follows is
 * looked at, too. */
static bool is_json(const char *s, size_t length)
{
    size_t i = 0;
    while (i < length && (s[i] == ' ' || s[i] == '\n' || s[i] == '\r' || s[i] == '\t')) i++;
    if (i == length || s[i] != '{') return false;
    for (i++; i < length && (s[i] == ' ' || s[i] == '\n' || s[i] == '\r' || s[i] == '\t');) i++;
    return i < length && (s[i] == '"' || s[i] == '}');
}

tare_status vocabulary_file_read(vocabulary_file *out, arena *a, tokenizer_kind kind,
                                 const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    vocabulary_file f = {.m = a->m, .form = VOCABULARY_LINES};
    unsigned char digest[SHA256_BYTES];
    sha256 h;
    TRY(choose(&f.path, a, kind, path, err));
    TRY(find_second(&f, a, kind, err));
    TRY(os_read_plain(&f.bytes, &f.length, f.m, f.path, VOCABULARY_BYTES_MOST, err));
    sha256_init(&h);
    sha256_add(&h, f.bytes, f.length);
    if (f.more_path != NULL) {
        TRY(os_read_plain(&f.more, &f.more_length, f.m, f.more_path, VOCABULARY_BYTES_MOST, err));
        sha256_add(&h, f.more, f.more_length);
    }
    sha256_done(&h, digest);
    sha256_hex(digest, f.hash);
    TRY(inflate_it(&f, err));
    if (f.more_path != NULL) f.form = VOCABULARY_PAIR;
    else if (is_json(f.bytes, f.length)) f.form = VOCABULARY_JSON;
    if (f.form == VOCABULARY_LINES && kind == TOKENIZER_BY_FILE)
        FAIL(err, TARE_E_DATA, "vocabulary.kind", f.path, "this is no tokenizer.json");
    *out = f;
    f.bytes = f.more = NULL;
done:
    vocabulary_file_free(&f);
    return status;
}

void vocabulary_file_free(vocabulary_file *f)
{
    if (f->m == NULL) return;
    mem_free(f->m, f->bytes);
    mem_free(f->m, f->more);
    f->bytes = f->more = NULL;
}
