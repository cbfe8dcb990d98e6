#include "scorer/exec_protocol.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"

const char exec_hello_request[] = "{\"tare\":1,\"op\":\"hello\"}\n";

/* Python's json module writes bare NaN: it is a score that is not finite, not a broken line. */
static const json_limits limits = {8, (size_t)1 << 20, 200000, true};

const char *exec_prompt_name(exec_prompt use)
{
    static const char *const names[] = {"none", "optional", "required"};
    return names[use];
}

/* ---- hello ------------------------------------------------------------------ */

static tare_status hello_fail(const char *what, tare_error *err)
{
    return error_set(err, TARE_E_INSTRUMENT, "exec.hello", NULL,
                     "the reply to hello is wrong: %s", what);
}

/* A short text member without control characters; absent or null leaves `out` empty. */
static tare_status text_member(char out[EXEC_TEXT_MAX], const json_value *object, const char *key,
                               tare_error *err)
{
    const json_value *v = json_member(object, key);
    char what[64];
    out[0] = '\0';
    if (!v || v->kind == JSON_K_NULL) return TARE_OK;
    bool good = v->kind == JSON_K_TEXT && v->length < EXEC_TEXT_MAX;
    for (size_t i = 0; good && i < v->length; i++) {
        unsigned char c = (unsigned char)v->text[i];
        good = c >= 32 && c != 127;
    }
    snprintf(what, sizeof what, "%s must be one short line of text", key);
    if (!good) return hello_fail(what, err);
    memcpy(out, v->text, v->length + 1);
    return TARE_OK;
}

static bool whole_within(const json_value *v, double lo, double hi)
{
    return v->kind == JSON_K_NUMBER && v->number_is_integer && v->number >= lo && v->number <= hi;
}

static tare_status hello_prompt(exec_hello *out, const json_value *v, tare_error *err)
{
    if (!v || v->kind == JSON_K_NULL) return TARE_OK;
    for (int k = 0; v->kind == JSON_K_TEXT && k < 3; k++)
        if (!strcmp(v->text, exec_prompt_name((exec_prompt)k))) {
            out->prompt = (exec_prompt)k;
            return TARE_OK;
        }
    return hello_fail("prompt is none, optional or required", err);
}

static tare_status hello_numbers(exec_hello *out, const json_value *h, tare_error *err)
{
    const json_value *v = json_member(h, "max_batch");
    if (v && v->kind != JSON_K_NULL) {
        if (!whole_within(v, 1, 1e6)) return hello_fail("max_batch is a whole number from 1", err);
        out->max_batch = (size_t)v->number;
    }
    v = json_member(h, "size");
    if (v && v->kind != JSON_K_NULL) {
        if (v->kind != JSON_K_ARRAY || v->length != 2 || !whole_within(&v->children[0], 1, 65535) ||
            !whole_within(&v->children[1], 1, 65535))
            return hello_fail("size is [width, height]", err);
        out->width = (int)v->children[0].number;
        out->height = (int)v->children[1].number;
    }
    v = json_member(h, "higher_is_better");
    if (v && v->kind != JSON_K_NULL) {
        if (v->kind != JSON_K_BOOL) return hello_fail("higher_is_better is true or false", err);
        out->lower_is_better = !v->boolean;
    }
    return TARE_OK;
}

static tare_status hello_fill(exec_hello *out, const json_value *h, tare_error *err)
{
    tare_status status = TARE_OK;
    char error_text[EXEC_TEXT_MAX];
    if (h->kind != JSON_K_OBJECT) return hello_fail("it is not an object", err);
    TRY(text_member(error_text, h, "error", err));
    if (*error_text) return hello_fail(error_text, err);
    TRY(text_member(out->name, h, "name", err));
    TRY(text_member(out->version, h, "version", err));
    TRY(text_member(out->fingerprint, h, "fingerprint", err));
    TRY(hello_prompt(out, json_member(h, "prompt"), err));
    TRY(hello_numbers(out, h, err));
    const json_value *v = json_member(h, "image");
    if (v && v->kind != JSON_K_NULL) {
        bool png = v->kind == JSON_K_TEXT && !strcmp(v->text, "png");
        out->paths = v->kind == JSON_K_TEXT && !strcmp(v->text, "path");
        if (!png && !out->paths) return hello_fail("image is png or path", err);
    }
    if (!*out->name) return hello_fail("it has no name", err);
done:
    return status;
}

tare_status exec_hello_read(exec_hello *out, const mem *m, exec_bytes line, tare_error *err)
{
    tare_status status = TARE_OK;
    tare_error inner;
    json_value *h = NULL;
    arena a;
    text seen;
    arena_init(&a, m);
    text_init(&seen, m);
    memset(out, 0, sizeof *out);
    status = json_parse(&h, &a, "hello", line.at, line.length, &limits, &inner);
    if (status == TARE_E_MEMORY) FAIL_MEMORY(err);
    if (status != TARE_OK) {
        text_add_visible(&seen, line.at, line.length, 160);
        if (seen.failed) FAIL_MEMORY(err);
        FAIL(err, TARE_E_INSTRUMENT, "exec.hello", NULL,
             "the reply to hello is not JSON (%s): %s; standard output is for replies only, print "
             "messages to standard error", inner.message, seen.data ? seen.data : "");
    }
    TRY(hello_fill(out, h, err));
done:
    text_free(&seen);
    arena_free(&a);
    return status;
}

/* ---- request ---------------------------------------------------------------- */

static void add_base64(text *out, const unsigned char *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char quad[4 * 256];
    size_t used = 0;
    for (size_t i = 0; i < length; i += 3) {
        size_t have = length - i < 3 ? length - i : 3;
        uint32_t v = (uint32_t)bytes[i] << 16;
        if (have > 1) v |= (uint32_t)bytes[i + 1] << 8;
        if (have > 2) v |= bytes[i + 2];
        quad[used++] = digits[v >> 18];
        quad[used++] = digits[v >> 12 & 63];
        quad[used++] = have > 1 ? digits[v >> 6 & 63] : '=';
        quad[used++] = have > 2 ? digits[v & 63] : '=';
        if (used == sizeof quad) {
            text_add_bytes(out, quad, used);
            used = 0;
        }
    }
    text_add_bytes(out, quad, used);
}

void exec_request_write(text *out, const exec_request *request)
{
    json_writer w;
    text_add_format(out, "{\"op\":\"score\",\"id\":%llu,\"items\":[",
                    (unsigned long long)request->id);
    for (size_t i = 0; i < request->count; i++) {
        const exec_wire_item *item = &request->items[i];
        text_add(out, i ? ",{\"key\":" : "{\"key\":");
        json_begin(&w, out, 0);
        json_string(&w, item->key);
        if (item->png) {
            text_add(out, ",\"image\":{\"png\":\"");
            add_base64(out, item->png, item->png_length);
            text_add(out, "\"}");
        } else {
            text_add(out, ",\"image\":{\"path\":");
            json_begin(&w, out, 0);
            json_string(&w, item->path);
            text_add(out, "}");
        }
        if (item->prompt) {
            text_add(out, ",\"prompt\":");
            json_begin(&w, out, 0);
            json_string(&w, item->prompt);
        }
        text_add(out, "}");
    }
    text_add(out, "]}\n");
}

/* ---- reply ------------------------------------------------------------------ */

static exec_reply bad(char why[EXEC_WHY_MAX], const char *what, const char *detail)
{
    snprintf(why, EXEC_WHY_MAX, "%s%.70s", what, detail);
    return EXEC_REPLY_BAD;
}

/* Index of the item with this key, tried from `hint` on: replies mostly keep the order. */
static size_t find_key(const exec_request *q, const json_value *key, size_t hint)
{
    for (size_t k = 0; k < q->count; k++) {
        size_t i = (hint + k) % q->count;
        const char *own = q->items[i].key;
        if (strlen(own) == key->length && !memcmp(own, key->text, key->length)) return i;
    }
    return SIZE_MAX;
}

/* One entry of "scores". False: it is neither a score nor an error. */
static bool read_entry(scorer_result *r, const json_value *entry)
{
    const json_value *error = json_member(entry, "error"), *score = json_member(entry, "score");
    if (error && error->kind != JSON_K_NULL) {
        if (error->kind != JSON_K_TEXT) return false;
        scorer_result_fail(r, TARE_R_SCORER_ERROR, "%.*s",
                           (int)(error->length < 159 ? error->length : 159), error->text);
        return true;
    }
    if (!score) return false;
    if (score->kind == JSON_K_NUMBER && isfinite(score->number)) {
        scorer_result_value(r, score->number);
        return true;
    }
    if (score->kind != JSON_K_NUMBER && score->kind != JSON_K_NULL) return false;
    scorer_result_fail(r, TARE_R_SCORE_NONFINITE, "the scorer gave %s",
                       score->kind == JSON_K_NULL ? "null" : "a number that is not finite");
    return true;
}

static exec_reply read_scores(scorer_result *results, char *why, const mem *m,
                              const exec_request *q, const json_value *scores)
{
    exec_reply kind = EXEC_REPLY_SCORES;
    if (!scores || scores->kind != JSON_K_ARRAY) return bad(why, "the reply has no scores", "");
    if (scores->length < q->count) return bad(why, "the reply leaves keys out", "");
    unsigned char *seen = mem_new(m, q->count, 1);
    if (!seen) return EXEC_REPLY_MEMORY;
    for (size_t k = 0; k < scores->length && kind == EXEC_REPLY_SCORES; k++) {
        const json_value *entry = &scores->children[k];
        const json_value *key = json_member(entry, "key");
        if (!key || key->kind != JSON_K_TEXT) {
            kind = bad(why, "an entry of the reply has no key", "");
            break;
        }
        size_t i = find_key(q, key, k);
        if (i == SIZE_MAX) kind = bad(why, "a key that was not asked for: ", key->text);
        else if (seen[i]++) kind = bad(why, "a key comes twice: ", key->text);
        else if (!read_entry(&results[i], entry))
            kind = bad(why, "neither a score nor an error for ", key->text);
    }
    mem_free(m, seen);
    return kind;
}

static exec_reply read_reply(scorer_result *results, char *why, const mem *m,
                             const exec_request *q, const json_value *reply)
{
    if (reply->kind != JSON_K_OBJECT) return bad(why, "the reply is not an object", "");
    const json_value *id = json_member(reply, "id"), *error = json_member(reply, "error");
    if (!id || !whole_within(id, 0, 9007199254740991.0))
        return bad(why, "the reply has no id", "");
    if ((uint64_t)id->number < q->id) return EXEC_REPLY_STALE;
    if ((uint64_t)id->number > q->id) return bad(why, "the reply has another id", "");
    if (error && error->kind == JSON_K_TEXT) return bad(why, "", error->text);
    return read_scores(results, why, m, q, json_member(reply, "scores"));
}

exec_reply exec_reply_read(scorer_result *results, char why[EXEC_WHY_MAX], const mem *m,
                           const exec_request *request, exec_bytes line)
{
    exec_reply kind = EXEC_REPLY_BAD;
    json_value *reply = NULL;
    arena a;
    text seen;
    arena_init(&a, m);
    text_init(&seen, m);
    tare_status status = json_parse(&reply, &a, "reply", line.at, line.length, &limits, NULL);
    if (status == TARE_OK) {
        kind = read_reply(results, why, m, request, reply);
    } else if (status == TARE_E_MEMORY) {
        kind = EXEC_REPLY_MEMORY;
    } else {
        text_add_visible(&seen, line.at, line.length, 60);
        bad(why, "the reply is not JSON: ", seen.data && !seen.failed ? seen.data : "");
    }
    text_free(&seen);
    arena_free(&a);
    return kind;
}
