/* clip_bpe.c - a text into words, and each word's bytes merged pair by pair. */
#include "scorer/token/clip_bpe.h"

#include <string.h>

#include "base/error.h"
#include "scorer/token/code_points.h"

void clip_bpe_free(clip_bpe *b)
{
    if (b->m == NULL) return;
    vocabulary_free(&b->words);
    mem_free(b->m, b->table);
    *b = (clip_bpe){0};
}

/* ---- Bytes as letters ---------------------------------------------------- */

/* Those that print in Latin 1 stand for themselves; all others get letters from U+0100 on. */
static bool prints(int byte)
{
    return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) ||
           (byte >= 174 && byte <= 255);
}

size_t clip_bpe_letter(char out[BPE_LETTER_MAX], int byte, bool last)
{
    int point = byte;
    if (!prints(byte)) {
        point = 256;
        for (int i = 0; i < byte; i++) point += !prints(i);
    }
    size_t n = code_point_bytes((unsigned char *)out, point);
    if (last) memcpy(out + n, "</w>", 4);
    return last ? n + 4 : n;
}

int clip_bpe_byte_at(int k)
{
    for (int pass = 0; pass < 2; pass++)
        for (int byte = 0; byte < BPE_BYTES; byte++)
            if (prints(byte) == (pass == 0) && k-- == 0) return byte;
    return -1;
}

/* ---- The table of merges ------------------------------------------------- */

static size_t place_of(const clip_bpe *b, int32_t left, int32_t right)
{
    uint64_t key = ((uint64_t)(uint32_t)left << 32 | (uint32_t)right) * 0x9E3779B97F4A7C15U;
    size_t place = (size_t)(key >> 24) & (b->places - 1);
    while (b->table[place].merged >= 0 &&
           (b->table[place].left != left || b->table[place].right != right))
        place = (place + 1) & (b->places - 1);
    return place;
}

static tare_status grow(clip_bpe *b, tare_error *err)
{
    clip_bpe wider = {.places = b->places == 0 ? 1024 : b->places * 2};
    wider.table = mem_new(b->m, wider.places, sizeof *wider.table);
    if (wider.table == NULL) return error_memory(err);
    for (size_t i = 0; i < wider.places; i++) wider.table[i].merged = -1;
    for (size_t i = 0; i < b->places; i++) {
        bpe_merge *g = &b->table[i];
        if (g->merged >= 0) wider.table[place_of(&wider, g->left, g->right)] = *g;
    }
    mem_free(b->m, b->table);
    b->table = wider.table;
    b->places = wider.places;
    return TARE_OK;
}

tare_status clip_bpe_add_merge(clip_bpe *b, bool *again, int32_t left, int32_t right,
                               int32_t merged, tare_error *err)
{
    tare_status status = TARE_OK;
    if (b->merges * 2 >= b->places) TRY(grow(b, err));
    size_t place = place_of(b, left, right);
    *again = b->table[place].merged >= 0;
    if (*again) goto done;
    b->table[place] = (bpe_merge){left, right, merged, (int32_t)b->merges++};
done:
    return status;
}

static const bpe_merge *find_merge(const clip_bpe *b, int32_t left, int32_t right)
{
    if (b->places == 0) return NULL;
    const bpe_merge *g = &b->table[place_of(b, left, right)];
    return g->merged >= 0 ? g : NULL;
}

/* ---- One word ------------------------------------------------------------ */

/* Symbols of a word in a list, and a heap of the pairs that could be merged: the lowest rank first,
 * leftmost among equals. Pairs that are no more stay in the heap until they come up. */
typedef struct symbol {
    int32_t id, before, after; /* id < 0: merged into the one before */
} symbol;

typedef struct candidate {
    int32_t rank, at;
} candidate;

typedef struct word {
    const clip_bpe *b;
    symbol *s;
    size_t count, symbol_room;
    candidate *heap;
    size_t heap_count, heap_room;
} word;

static bool comes_first(candidate a, candidate b)
{
    return a.rank != b.rank ? a.rank < b.rank : a.at < b.at;
}

static void push(word *w, candidate c)
{
    size_t i = w->heap_count++;
    while (i > 0 && comes_first(c, w->heap[(i - 1) / 2])) {
        w->heap[i] = w->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    w->heap[i] = c;
}

static candidate pop(word *w)
{
    candidate top = w->heap[0], last = w->heap[--w->heap_count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < w->heap_count; i = child) {
        if (child + 1 < w->heap_count && comes_first(w->heap[child + 1], w->heap[child])) child++;
        if (!comes_first(w->heap[child], last)) break;
        w->heap[i] = w->heap[child];
    }
    w->heap[i] = last;
    return top;
}

static const bpe_merge *merge_at(const word *w, int32_t at)
{
    if (at < 0 || w->s[at].id < 0 || w->s[at].after < 0) return NULL;
    return find_merge(w->b, w->s[at].id, w->s[w->s[at].after].id);
}

static void offer(word *w, int32_t at)
{
    const bpe_merge *g = merge_at(w, at);
    if (g != NULL) push(w, (candidate){g->rank, at});
}

static void merge(word *w)
{
    while (w->heap_count > 0) {
        candidate c = pop(w);
        const bpe_merge *g = merge_at(w, c.at);
        if (g == NULL || g->rank != c.rank) continue;
        symbol *left = &w->s[c.at], *right = &w->s[left->after];
        left->id = g->merged;
        left->after = right->after;
        right->id = -1;
        if (left->after >= 0) w->s[left->after].before = c.at;
        offer(w, left->before);
        offer(w, c.at);
    }
}

static tare_status finish_word(token_ids *out, word *w, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = w->b->m;
    if (w->count == 0) goto done;
    /* one for each pair there is, and at most two for each of the count - 1 merges */
    if (!mem_reserve(m, &w->heap, &w->heap_room, 3 * w->count, sizeof *w->heap)) FAIL_MEMORY(err);
    for (size_t i = 0; i < w->count; i++) {
        bool last = i + 1 == w->count;
        int32_t byte = w->s[i].id;
        w->s[i] = (symbol){last ? w->b->last_byte[byte] : w->b->byte[byte], (int32_t)i - 1,
                           last ? -1 : (int32_t)i + 1};
    }
    w->heap_count = 0;
    for (size_t i = 0; i + 1 < w->count; i++) offer(w, (int32_t)i);
    merge(w);
    for (int32_t i = 0; i >= 0; i = w->s[i].after) TRY(token_ids_add(out, w->s[i].id, err));
    w->count = 0;
done:
    return status;
}

/* ---- Words --------------------------------------------------------------- */

/* Points from `from` on that are one word; 0 at white space. */
static size_t ending_length(const code_points *c, size_t from)
{
    static const char *const endings[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
        size_t n = strlen(endings[k]), i = 0;
        while (i < n && from + i < c->count && c->at[from + i] == endings[k][i]) i++;
        if (i == n) return n;
    }
    return 0;
}

static bool is_sign(int32_t p)
{
    return !code_point_is_space(p) && !code_point_is_letter(p) && !code_point_is_number(p);
}

static size_t word_length(const code_points *c, size_t from)
{
    size_t n = ending_length(c, from);
    if (n > 0) return n;
    if (code_point_is_space(c->at[from])) return 0;
    if (code_point_is_number(c->at[from])) return 1;
    bool letters = code_point_is_letter(c->at[from]);
    while (from + n < c->count &&
           (letters ? code_point_is_letter(c->at[from + n]) : is_sign(c->at[from + n])))
        n++;
    return n;
}

static tare_status add_bytes(word *w, int32_t point, tare_error *err)
{
    unsigned char bytes[4];
    size_t n = code_point_bytes(bytes, point);
    if (!mem_reserve(w->b->m, &w->s, &w->symbol_room, w->count + n, sizeof *w->s))
        return error_memory(err);
    for (size_t i = 0; i < n; i++) w->s[w->count++].id = bytes[i];
    return TARE_OK;
}

tare_status clip_bpe_run(token_ids *out, const clip_bpe *b, const char *text, size_t length,
                         tare_error *err)
{
    tare_status status = TARE_OK;
    word w = {.b = b};
    code_points raw, c;
    code_points_init(&raw, b->m);
    code_points_init(&c, b->m);
    if (!code_points_read(&c, text, length) || !code_points_decompose(&raw, &c)) FAIL_MEMORY(err);
    code_points_compose(&raw);
    if (!code_points_lower(&c, &raw)) FAIL_MEMORY(err);
    for (size_t i = 0; i < c.count;) {
        size_t n = word_length(&c, i);
        for (size_t k = 0; k < n; k++) TRY(add_bytes(&w, c.at[i + k], err));
        TRY(finish_word(out, &w, err));
        i += n > 0 ? n : 1;
    }
done:
    mem_free(b->m, w.s);
    mem_free(b->m, w.heap);
    code_points_free(&raw);
    code_points_free(&c);
    return status;
}
