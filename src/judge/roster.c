/* roster.c - which format a roster has, and questions about one. */
#include "judge/roster.h"

#include <stdio.h>
#include <string.h>

#include "base/os.h"
#include "judge/roster_parts.h"
#include "table/document.h"

/* ---- Formats --------------------------------------------------------------------------------- */

typedef enum roster_format { ROSTER_YAML, ROSTER_JSON, ROSTER_CSV } roster_format;

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), e = strlen(end);
    if (n < e) return false;
    for (size_t i = 0; i < e; i++) {
        char c = name[n - e + i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != end[i]) return false;
    }
    return true;
}

/* Is one of the fields of the first line "id", and is there another field? */
static bool looks_like_csv(const char *bytes, size_t length)
{
    size_t start = 0, fields = 0;
    bool id = false;
    for (size_t i = 0; i <= length; i++) {
        bool line_end = i == length || bytes[i] == '\n' || bytes[i] == '\r';
        if (!line_end && bytes[i] != ',' && bytes[i] != '\t') continue;
        size_t n = i - start;
        id = id || (n == 2 && !memcmp(bytes + start, "id", 2)) ||
             (n == 4 && !memcmp(bytes + start, "\"id\"", 4));
        fields++;
        if (line_end) break;
        start = i + 1;
    }
    return id && fields > 1;
}

static roster_format format_of(const char *name, const char *bytes, size_t length)
{
    if (ends_with(name, ".json")) return ROSTER_JSON;
    if (ends_with(name, ".csv") || ends_with(name, ".tsv")) return ROSTER_CSV;
    if (ends_with(name, ".yaml") || ends_with(name, ".yml")) return ROSTER_YAML;
    if (length >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3)) {
        bytes += 3;
        length -= 3;
    }
    size_t i = 0;
    while (i < length && strchr(" \t\r\n", bytes[i]) && bytes[i]) i++;
    if (i < length && (bytes[i] == '{' || bytes[i] == '[')) return ROSTER_JSON;
    return looks_like_csv(bytes, length) ? ROSTER_CSV : ROSTER_YAML;
}

/* What the reader of YAML has to say, under the codes of this room and by line, as all else is. */
static void as_roster_error(tare_error *err)
{
    static const char room[] = "document.";
    const size_t n = sizeof room - 1;
    char kind[sizeof err->code];
    if (!err || strncmp(err->code, room, n) != 0) return;
    snprintf(kind, sizeof kind, "%s", err->code + n);
    char *column = strrchr(err->where, ':');
    if (column) *column = '\0';
    if (!strcmp(kind, "empty")) snprintf(err->message, sizeof err->message, "it names no model");
    snprintf(err->code, sizeof err->code, "roster.%.30s", kind);
}

/* Every scalar of YAML is text: `no` is not false. */
static tare_status read_yaml(json_value **out, arena *a, const roster_bytes *in, tare_error *err)
{
    tare_status status =
        document_yaml(out, a, in->name, in->bytes, in->length, DOCUMENT_TEXT, err);
    if (status != TARE_OK) as_roster_error(err);
    return status;
}

tare_status roster_parse(roster *out, arena *a, const char *name, const char *bytes, size_t length,
                         tare_error *err)
{
    tare_status status = TARE_OK;
    roster_maker k;
    roster_bytes in = {name, bytes, length};
    json_value *top = NULL;
    memset(out, 0, sizeof *out);
    TRY(roster_maker_begin(&k, out, a, name, err));
    if (length > ROSTER_BYTES_MAX)
        FAIL(err, TARE_E_LIMIT, "roster.bytes", name, "%zu bytes; a roster has at most %d", length,
             (int)ROSTER_BYTES_MAX);
    switch (format_of(name, bytes, length)) {
    case ROSTER_CSV: TRY(roster_read_csv(&k, &in, err)); break;
    case ROSTER_JSON: TRY(document_json(&top, a, name, bytes, length, err)); break;
    case ROSTER_YAML: TRY(read_yaml(&top, a, &in, err)); break;
    }
    if (top) TRY(roster_read_tree(&k, top, err));
    TRY(roster_make(&k, err));
done:
    roster_maker_end(&k);
    return status;
}

tare_status roster_load(roster *out, arena *a, const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    char *bytes = NULL;
    size_t length = 0;
    if (!strcmp(path, "-"))
        FAIL(err, TARE_E_USAGE, "roster.stdin", "--roster",
             "the roster is a file: standard input may be the scores");
    TRY(os_read_file(&bytes, &length, a->m, path, ROSTER_BYTES_MAX, err));
    TRY(roster_parse(out, a, path, bytes, length, err));
done:
    mem_free(a->m, bytes);
    return status;
}

/* ---- Questions ------------------------------------------------------------------------------- */

size_t roster_find(const roster *r, const char *name)
{
    for (size_t k = 0; k < r->count; k++) {
        const roster_model *m = &r->models[k];
        if (!strcmp(m->id, name)) return k;
        for (size_t i = 0; i < m->alias_count; i++)
            if (!strcmp(m->alias[i], name)) return k;
    }
    return ROSTER_NONE;
}

size_t roster_grouping(const roster *r, const char *name)
{
    for (size_t g = 0; g < r->grouping_count; g++)
        if (!strcmp(r->grouping[g], name)) return g;
    return ROSTER_NONE;
}

bool roster_share(const roster *r, size_t grouping, size_t a, size_t b)
{
    const roster_values *x = &r->models[a].group[grouping], *y = &r->models[b].group[grouping];
    for (size_t i = 0; i < x->count; i++)
        for (size_t j = 0; j < y->count; j++)
            if (!strcmp(x->value[i], y->value[j])) return true;
    return false;
}
