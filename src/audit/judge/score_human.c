/* score_human.c - human ratings in a file of their own: item, [author,] [dim,] rater, rating. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/judge/score_build.h"
#include "base/error.h"

enum { HUMAN_ITEM, HUMAN_AUTHOR, HUMAN_DIM, HUMAN_RATER, HUMAN_RATING, HUMAN_ROLES };

tare_status score_open_human(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    score_human *h = &b->human;
    bool authors = b->role[ROLE_AUTHOR].column != TABLE_NONE;
    if (!b->o->human) return TARE_OK;
    table_role role[HUMAN_ROLES] = {
        [HUMAN_ITEM] = {"item", b->role[ROLE_ITEM].names, NULL, true, TABLE_TEXT, 0, TABLE_ABSENT},
        [HUMAN_AUTHOR] = {"author", b->role[ROLE_AUTHOR].names, NULL, authors, TABLE_TEXT, 0,
                          TABLE_ABSENT},
        [HUMAN_DIM] = {"dim", b->role[ROLE_DIM].names, NULL, false, TABLE_TEXT, 0, TABLE_ABSENT},
        [HUMAN_RATER] = {"rater", "rater|rater_id|annotator|annotator_id|worker|worker_id|human|"
                         "judge", NULL, false, TABLE_TEXT, 0, TABLE_ABSENT},
        [HUMAN_RATING] = {"rating", "rating|score|human_rating|human_score|value|grade|gold|label",
                          NULL, true, TABLE_NUMBER, 0, TABLE_ABSENT},
    };
    TRY(table_open(&h->t, b->m, b->context->pool, b->o->human, NULL, err));
    if (b->o->labels) role[HUMAN_RATING].kind |= TABLE_TEXT;
    TRY(table_load_roles(h->t, role, HUMAN_ROLES, err));
    h->item = role[HUMAN_ITEM].column;
    h->author = authors ? role[HUMAN_AUTHOR].column : TABLE_NONE;
    h->dim = role[HUMAN_DIM].column;
    h->rater = role[HUMAN_RATER].column;
    h->rating = role[HUMAN_RATING].column;
done:
    return status;
}

tare_status score_fill_human(score_build *b, tare_error *err)
{
    (void)b, (void)err;
    return TARE_OK;
}
