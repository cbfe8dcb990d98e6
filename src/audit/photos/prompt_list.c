#include "audit/photos/prompt_list.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/os.h"
#include "base/text.h"

enum { FILE_BYTES_MOST = 1 << 20 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Lower case, one blank for several: what tokenisers make of it. */
static const char *folded(arena *a, const char *prompt)
{
    size_t n = 0;
    char *out = arena_copy(a, prompt);
    for (const char *s = prompt; out && *s; s++)
        if (!is_blank(*s) || !is_blank(s[1]))
            out[n++] = is_blank(*s) ? ' ' : *s >= 'A' && *s <= 'Z' ? (char)(*s - 'A' + 'a') : *s;
    if (out) out[n] = '\0';
    return out;
}

/* Two that differ in this alone are two prompts, and most scorers will not see it. */
static tare_status warn_alike(const prompt_list *l, arena *a, const tare_job *job,
                              const char *file, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < l->count; i++)
        for (size_t k = 0; k < i; k++) {
            const char *x, *y;
            TRY_NEW(x = folded(a, l->prompt[k]));
            TRY_NEW(y = folded(a, l->prompt[i]));
            if (strcmp(x, y) != 0) continue;
            context_message(job->context, TARE_WARNING, "%s: \"%s\" and \"%s\" differ in case or "
                            "white space only: they count as two prompts, though most scorers "
                            "see one", file, l->prompt[k], l->prompt[i]);
            break;
        }
done:
    return status;
}

static tare_status add_line(prompt_list *out, arena *a, map *seen, const char *line, size_t length,
                            const char *where, tare_error *err)
{
    tare_status status = TARE_OK;
    bool is_new;
    while (length > 0 && is_blank(line[length - 1])) length--;
    while (length > 0 && is_blank(*line)) line++, length--;
    if (length == 0) goto done;
    if (!utf8_valid(line, length))
        FAIL(err, TARE_E_DATA, "prompts.utf8", where, "this prompt is not UTF-8");
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)line[i] < ' ' || line[i] == 0x7F)
            FAIL(err, TARE_E_DATA, "prompts.control", where,
                 "this prompt has a control character: write one prompt a line, as plain text");
    if (length > PROMPT_BYTES_MOST)
        FAIL(err, TARE_E_DATA, "prompts.long", where, "this prompt has %zu bytes; allowed: %d",
             length, (int)PROMPT_BYTES_MOST);
    if (map_add(seen, line, length, &is_new) == SIZE_MAX) FAIL_MEMORY(err);
    if (!is_new) FAIL(err, TARE_E_DATA, "prompts.twice", where, "this prompt was there before");
    if (out->count == PROMPTS_MOST)
        FAIL(err, TARE_E_DATA, "prompts.count", where, "a sweep has at most %d prompts",
             (int)PROMPTS_MOST);
    TRY_NEW(out->prompt[out->count++] = arena_text(a, line, length));
done:
    return status;
}

static tare_status read_lines(prompt_list *out, arena *a, const char *file, tare_error *err)
{
    tare_status status = TARE_OK;
    char *bytes = NULL, where[320];
    size_t length;
    map *seen = map_new(a->m);
    if (!seen) FAIL_MEMORY(err);
    TRY(os_read_plain(&bytes, &length, a->m, file, FILE_BYTES_MOST, err));
    const char *s = bytes, *end = bytes + length;
    if (length >= 3 && !memcmp(s, "\xEF\xBB\xBF", 3)) s += 3;
    for (size_t line = 1; s < end; line++) {
        const char *newline = memchr(s, '\n', (size_t)(end - s));
        const char *stop = newline ? newline : end;
        snprintf(where, sizeof where, "%s:%zu", file, line);
        TRY(add_line(out, a, seen, s, (size_t)(stop - s), where, err));
        s = newline ? newline + 1 : end;
    }
    if (out->count < PROMPTS_LEAST)
        FAIL(err, TARE_E_DATA, "prompts.count", file, "a sweep needs at least %d prompts, one a "
             "line; here are %zu; a single one is given by --prompt", (int)PROMPTS_LEAST,
             out->count);
done:
    mem_free(a->m, bytes);
    map_free(seen);
    return status;
}

tare_status prompt_list_read(prompt_list *out, arena *a, const tare_job *job, size_t of_photos,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const char *file = job_has(job, "prompts") ? job_text(job, "prompts") : NULL;
    *out = (prompt_list){.sweep = file != NULL};
    TRY_NEW(out->prompt = arena_new(a, PROMPTS_MOST, sizeof *out->prompt));
    if (!file) {
        out->prompt[out->count++] = job_text(job, "prompt");
        goto done;
    }
    if (job_count(job, "prompt"))
        FAIL(err, TARE_E_USAGE, "prompts.both", file, "--prompt and --prompts: give one of them; "
             "a line of the file is a prompt like that of --prompt");
    if (of_photos)
        FAIL(err, TARE_E_USAGE, "prompts.both", file, "--prompts asks every photograph with every "
             "prompt, and the manifest gives %zu photographs a prompt of their own: leave out the "
             "one or the other", of_photos);
    TRY(read_lines(out, a, file, err));
    TRY(warn_alike(out, a, job, file, err));
done:
    return status;
}
