/* Which arms belong together as reference and compared (scorer audit 8). */
#include <string.h>

#include "audit/scorer/transfer.h"

static bool is_kind(const cube_arm *arm, const char *kind)
{
    return arm_main(arm) && strcmp(arm->kind, kind) == 0;
}

/* The edit of an arm: its operator; of a table, the name of the arm without the kind that stands
 * before it ("real skin", "synthetic_skin"; "real" itself: ""). */
static const char *edit_of(const cube_arm *arm)
{
    static const char *const kinds[] = {"real", "synthetic"};
    const char *name = arm->operator_name;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !arm->edited_here; k++) {
        size_t length = strlen(kinds[k]);
        if (strncmp(name, kinds[k], length) != 0) continue;
        if (name[length] == '\0') return "";
        if (strchr(" _-.:", name[length])) return name + length + 1;
    }
    return name;
}

/* The one main arm of a run, of an edit if it is given; NULL: none or several. */
static const cube_arm *only_arm(const cube *c, size_t run, const char *edit)
{
    const cube_arm *found = NULL;
    for (size_t a = 0; a < c->arms; a++) {
        const cube_arm *arm = &c->arm[a];
        if (!arm_main(arm) || arm->run != run) continue;
        if (edit && strcmp(edit_of(arm), edit) != 0) continue;
        if (found) return NULL;
        found = arm;
    }
    return found;
}

static const char *after_label(const cube_arm *arm)
{
    const char *slash = strchr(arm->name, '/');
    return slash ? slash + 1 : arm->name;
}

/* Of two runs: arms of one name, or the only arms of one edit, or the only arms at all where a
 * table does not say which edit it is about (ours). */
static bool runs_match(const cube *c, const cube_arm *x, const cube_arm *y)
{
    if (strcmp(after_label(x), after_label(y)) == 0) return true;
    const char *edit = edit_of(x);
    if (strcmp(edit, edit_of(y)) == 0 && only_arm(c, 0, edit) && only_arm(c, 1, edit)) return true;
    return !(x->edited_here && y->edited_here) && only_arm(c, 0, NULL) && only_arm(c, 1, NULL);
}

/* Of one run: arms of one edit; of a table, whose arms may be called anything, also the only two
 * arms (ours). */
static bool kinds_match(const cube *c, const cube_arm *x, const cube_arm *y)
{
    if (strcmp(edit_of(x), edit_of(y)) == 0) return true;
    size_t arms = 0;
    for (size_t a = 0; a < c->arms; a++) arms += arm_main(&c->arm[a]);
    return arms == 2 && !x->edited_here && !y->edited_here;
}

size_t transfer_pairs(size_t (*pair)[2], const cube *c)
{
    size_t n = 0;
    for (size_t a = 0; a < c->arms; a++)
        for (size_t b = 0; b < c->arms; b++) {
            const cube_arm *x = &c->arm[a], *y = &c->arm[b];
            bool sides = c->runs == 2 ? arm_main(x) && arm_main(y) && x->run == 0 && y->run == 1
                                      : is_kind(x, "synthetic") && is_kind(y, "real");
            if (!sides || !(c->runs == 2 ? runs_match(c, x, y) : kinds_match(c, x, y))) continue;
            pair[n][0] = a;
            pair[n++][1] = b;
        }
    return n;
}

bool transfer_expected(const cube *c)
{
    bool real = false, synthetic = false;
    for (size_t a = 0; a < c->arms; a++) {
        real = real || is_kind(&c->arm[a], "real");
        synthetic = synthetic || is_kind(&c->arm[a], "synthetic");
    }
    return c->runs == 2 || (real && synthetic);
}
