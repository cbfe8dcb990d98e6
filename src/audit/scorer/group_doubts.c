#include "audit/scorer/group_doubts.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

#define ALIKE_NAMED 5

/* A label, and how it reads without blanks at its ends and without case. */
typedef struct reading_of {
    const char *label;
    char *plain;
} reading_of;

static int compare_plain(const void *x, const void *y)
{
    const reading_of *a = x, *b = y;
    int order = strcmp(a->plain, b->plain);
    return order ? order : strcmp(a->label, b->label);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static char *plain_of(arena *a, const char *label)
{
    while (is_blank(*label)) label++;
    char *plain = arena_copy(a, label);
    if (!plain) return NULL;
    size_t n = strlen(plain);
    while (n > 0 && is_blank(plain[n - 1])) plain[--n] = '\0';
    for (char *c = plain; *c; c++)
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
    return plain;
}

static tare_status say_alike(study *t, const cube_arm *arm, tare_error *err)
{
    tare_status status = TARE_OK;
    reading_of *read;
    size_t named = 0, more = 0;
    text list;
    text_init(&list, t->m);
    TRY_NEW(read = arena_new(&t->scratch, arm->groups, sizeof *read));
    for (size_t k = 0; k < arm->groups; k++) {
        read[k].label = arm->group_id[k];
        TRY_NEW(read[k].plain = plain_of(&t->scratch, arm->group_id[k]));
    }
    qsort(read, arm->groups, sizeof *read, compare_plain);
    for (size_t k = 1; k < arm->groups; k++) {
        if (strcmp(read[k - 1].plain, read[k].plain) != 0) continue;
        if (named == ALIKE_NAMED) {
            more++;
            continue;
        }
        text_add_format(&list, "%s'%s' and '%s'", named++ ? ", " : "", read[k - 1].label,
                        read[k].label);
    }
    if (more) text_add_format(&list, ", and %zu more", more);
    if (list.failed) FAIL_MEMORY(err);
    if (named)
        TRY(result_caution(t->out, err,
                           "%s: labels of groups differ only in blanks or in case, and count as "
                           "different groups: %s.", arm->name, list.data));
done:
    text_free(&list);
    return status;
}

tare_status group_doubts(study *t, const cube_arm *arm, tare_error *err)
{
    if (!arm->group || arm->groups == 0 || !arm_has_population(arm)) return TARE_OK;
    if (arm->groups == 1 && !arm->group_id[0][0])
        return result_caution(t->out, err,
                              "%s: groups were asked for, and none were found: there is a column "
                              "of groups (--group), and no image that can be used has a label in "
                              "it.", arm->name);
    return say_alike(t, arm, err);
}
