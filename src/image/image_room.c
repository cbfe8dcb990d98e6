/* image_room.c - a budget of bytes that decodes share. Who comes first is let in first, so that
 * small pictures cannot keep a large one waiting for ever; and whoever is inside asks for nothing
 * more, so that somebody always leaves. */
#include "image/image_room.h"

void image_room_init(image_room *r, uint64_t bytes)
{
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, NULL);
    r->bytes = bytes;
    r->taken = 0;
    r->inside = r->tickets = r->served = 0;
}

void image_room_free(image_room *r)
{
    if (r == NULL) return;
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
}

/* More than the whole budget: nobody else may be in. */
static bool fits(const image_room *r, uint64_t bytes)
{
    return r->inside == 0 || (r->taken <= r->bytes && bytes <= r->bytes - r->taken);
}

void image_room_enter(image_room *r, uint64_t bytes)
{
    pthread_mutex_lock(&r->lock);
    uint64_t ticket = r->tickets++;
    while (r->served != ticket || !fits(r, bytes)) pthread_cond_wait(&r->changed, &r->lock);
    r->served++;
    r->inside++;
    r->taken += bytes;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

void image_room_leave(image_room *r, uint64_t bytes)
{
    pthread_mutex_lock(&r->lock);
    r->inside--;
    r->taken -= bytes;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}
