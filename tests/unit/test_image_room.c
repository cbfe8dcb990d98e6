/* The budget that decodes share: it holds under many threads, lets the large one in alone and in
 * its turn, and is empty after every decode, whatever came of it. */
#include <stdatomic.h>
#include <string.h>

#include "base/os.h"
#include "image/image_room.h"
#include "support/check.h"

#define FOLDER TARE_SOURCE_DIR "/tests/ref/image_files/"
enum { THREADS = 8, TURNS = 200 };

static mem m;

typedef struct user {
    image_room *room;
    uint64_t bytes;
    int turns;
    atomic_ullong *in, *most;
    atomic_uint *alone; /* NULL: not to be alone */
} user;

static void *comes_and_goes(void *arg)
{
    user *u = arg;
    for (int k = 0; k < u->turns; k++) {
        image_room_enter(u->room, u->bytes);
        unsigned long long now = atomic_fetch_add(u->in, u->bytes) + u->bytes;
        unsigned long long most = atomic_load(u->most);
        if (u->alone != NULL) {
            if (now == u->bytes) atomic_fetch_add(u->alone, 1);
        } else {
            while (now > most && !atomic_compare_exchange_weak(u->most, &most, now)) continue;
        }
        if (k % 16 == 0) usleep(100);
        atomic_fetch_sub(u->in, u->bytes);
        image_room_leave(u->room, u->bytes);
    }
    return NULL;
}

static void holds(void **state)
{
    image_room room;
    pthread_t threads[THREADS];
    user users[THREADS];
    atomic_ullong in = 0, most = 0;
    atomic_uint alone = 0;
    (void)state;
    image_room_init(&room, 100);
    for (int k = 0; k < THREADS; k++) { /* one of them asks for more than there is */
        users[k] = (user){&room, k == 0 ? 150 : 20 + 10 * (uint64_t)k, TURNS, &in, &most,
                          k == 0 ? &alone : NULL};
        assert_int_equal(pthread_create(&threads[k], NULL, comes_and_goes, &users[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) pthread_join(threads[k], NULL);
    assert_true(atomic_load(&most) <= 100);
    assert_int_equal(atomic_load(&alone), TURNS);
    assert_int_equal(room.taken, 0);
    assert_int_equal(room.inside, 0);
    image_room_free(&room);
}

typedef struct decoder {
    image_decoding how;
    const char *name;
    tare_status status;
    atomic_bool done;
} decoder;

static void *decodes(void *arg)
{
    decoder *d = arg;
    char path[512], *bytes = NULL;
    size_t length = 0;
    tare_error err;
    image i;
    snprintf(path, sizeof path, FOLDER "%s", d->name);
    d->status = os_read_file(&bytes, &length, &m, path, 1 << 20, &err);
    if (d->status == TARE_OK) {
        d->status = image_decode(&i, &m, bytes, length, d->name, &d->how, &err);
        image_free(&i, &m);
    }
    mem_free(&m, bytes);
    atomic_store(&d->done, true);
    return NULL;
}

/* 64 x 48 pixels of three bytes, stored and made: 18,432. */
static void a_decode_waits(void **state)
{
    image_room room;
    pthread_t thread;
    decoder d = {.how = IMAGE_DECODING_DEFAULT, .name = "rgb_64x48_sub2.jpg"};
    (void)state;
    image_room_init(&room, 20000);
    d.how.room = &room;
    image_room_enter(&room, 20000 - 18431);
    assert_int_equal(pthread_create(&thread, NULL, decodes, &d), 0);
    usleep(50000);
    assert_false(atomic_load(&d.done));
    image_room_leave(&room, 20000 - 18431);
    pthread_join(thread, NULL);
    assert_int_equal(d.status, TARE_OK);
    assert_int_equal(room.taken, 0);
    atomic_store(&d.done, false);
    image_room_enter(&room, 20000 - 18432); /* it fits beside this */
    assert_int_equal(pthread_create(&thread, NULL, decodes, &d), 0);
    pthread_join(thread, NULL);
    assert_int_equal(d.status, TARE_OK);
    image_room_leave(&room, 20000 - 18432);
    image_room_free(&room);
}

static void is_empty_after(void **state)
{
    static const char *const names[] = {"rgb_64x48_sub2.jpg", "progressive.jpg", "exif_6.png",
                                        "icc_p3.png", "palette_opaque.png"};
    image_room room;
    (void)state;
    image_room_init(&room, 1);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[512], *bytes = NULL;
        size_t length = 0;
        tare_error err;
        snprintf(path, sizeof path, FOLDER "%s", names[k]);
        assert_ok(os_read_file(&bytes, &length, &m, path, 1 << 20, &err));
        for (size_t cut = 0; cut < 8; cut++) {
            image i;
            image_decoding how = IMAGE_DECODING_DEFAULT;
            how.room = &room;
            tare_status status = image_decode(&i, &m, bytes, length - cut * length / 8, names[k],
                                              &how, &err);
            assert_int_equal(status == TARE_OK, cut == 0);
            image_free(&i, &m);
            assert_int_equal(room.taken, 0);
            assert_int_equal(room.inside, 0);
        }
        mem_free(&m, bytes);
    }
    image_room_free(&room);
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {cmocka_unit_test(holds), cmocka_unit_test(a_decode_waits),
                                       cmocka_unit_test(is_empty_after)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
