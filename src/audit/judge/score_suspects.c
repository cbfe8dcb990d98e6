/* score_suspects.c - names that differ by letter case, blanks or '-', '_', '.' only. Nothing is
 * joined: a caution names them and says how to join them (judge audits 0.1). */
#include <stdlib.h>
#include <string.h>

#include "audit/judge/score_build.h"
#include "base/error.h"

enum { SUSPECTS_SHOWN = 8 };

typedef struct suspect { const char *folded, *name; size_t model; } suspect;

static int compare_suspects(const void *x, const void *y)
{
    const suspect *a = x, *b = y;
    int order = strcmp(a->folded, b->folded);
    return order ? order : strcmp(a->name, b->name);
}

/* What is left of a name without case, blanks and joints; of other letters than ASCII the bytes. */
static const char *fold(score_build *b, const char *name)
{
    char *folded = arena_new(&b->scratch, strlen(name) + 1, 1);
    if (!folded) return NULL;
    size_t n = 0;
    for (const unsigned char *s = (const unsigned char *)name; *s; s++) {
        if (s[0] == 0xC2 && s[1] == 0xA0) { /* no-break space */
            s++;
            continue;
        }
        if (*s <= ' ' || *s == '-' || *s == '_' || *s == '.') continue;
        folded[n++] = (char)(*s >= 'A' && *s <= 'Z' ? *s - 'A' + 'a' : *s);
    }
    folded[n] = '\0';
    return folded;
}

static tare_status put(suspect *list, size_t *count, score_build *b, const name_axis *axis,
                       const size_t *model, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < axis->count; k++) {
        suspect *s = &list[(*count)++];
        s->name = axis->name[k];
        s->model = model ? model[k] : ROSTER_NONE;
        TRY_NEW(s->folded = fold(b, s->name));
    }
done:
    return status;
}

/* Cautions about list[count]; `join` says how two of them become one. */
static tare_status look(score_build *b, suspect *list, size_t count, const char *what,
                        const char *join, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t found = 0;
    if (count) qsort(list, count, sizeof *list, compare_suspects);
    for (size_t k = 1; k < count; k++) {
        const suspect *x = &list[k - 1], *y = &list[k];
        if (strcmp(x->folded, y->folded) != 0 || strcmp(x->name, y->name) == 0) continue;
        if (x->model != ROSTER_NONE && y->model != ROSTER_NONE) continue; /* two, says the roster */
        if (found++ >= SUSPECTS_SHOWN) continue;
        const char *one = score_shown(b, x->name), *two = score_shown(b, y->name);
        if (!one || !two) FAIL_MEMORY(err);
        TRY(score_caution(b, err,
                          "\"%s\" and \"%s\" differ by letter case, blanks or '-', '_', '.' only, "
                          "and are read as two %s; %s.",
                          one, two, what, join));
    }
    if (found > SUSPECTS_SHOWN)
        TRY(score_caution(b, err, "%zu more pairs of %s have names that differ so little.",
                          found - SUSPECTS_SHOWN, what));
done:
    return status;
}

tare_status score_find_suspects(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = b->out;
    const char *rename = "write them alike if they are one";
    suspect *list;
    size_t most = t->judge.count + t->author.count + t->setting.count + t->dim.count, count = 0;
    TRY_NEW(list = arena_new(&b->scratch, most + 1, sizeof *list));
    TRY(put(list, &count, b, &t->judge, t->judge_model, err));
    if (b->author.codes) TRY(put(list, &count, b, &t->author, t->author_model, err));
    TRY(look(b, list, count, "models",
             "if they are one, make one the alias of the other in a roster (--roster)", err));
    count = 0;
    TRY(put(list, &count, b, &t->setting, NULL, err));
    TRY(look(b, list, count, "settings", rename, err));
    count = 0;
    TRY(put(list, &count, b, &t->dim, NULL, err));
    TRY(look(b, list, count, "dimensions", rename, err));
done:
    return status;
}
