/* Any bytes as the table of scores that table: looks up. A score is a number or a reason, and the
 * same for the same key. */
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "scorer/scorer.h"

static void ask(scorer *s)
{
    const scorer_item items[] = {
        {.key = "k", .base = "b1", .arm = "skin", .group = "", .prompt = "", .dose = 5},
        {.key = "l", .base = "b1", .arm = "", .group = "", .prompt = "", .dose = NAN},
        {.key = "k", .base = "b1", .arm = "skin", .group = "", .prompt = "", .dose = 5},
    };
    scorer_result r[3];
    tare_error err;
    for (int i = 0; i < 3; i++) {
        memset(&r[i], 0, sizeof r[i]);
        REQUIRE(scorer_score(s, &r[i], &items[i], 1, &err) == TARE_OK);
        REQUIRE((r[i].status == TARE_R_NONE) == (isfinite(r[i].value) != 0));
        REQUIRE(r[i].status < TARE_REASON_COUNT);
        REQUIRE(memchr(r[i].note, '\0', sizeof r[i].note) != NULL);
    }
    REQUIRE(r[0].status == r[2].status && !strcmp(r[0].note, r[2].note));
    REQUIRE(r[0].status != TARE_R_NONE || r[0].value == r[2].value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    int fd = memfd_create("scores", 0);
    REQUIRE(fd >= 0 && write(fd, data + 1, size - 1) == (ssize_t)(size - 1));
    char spec[64];
    snprintf(spec, sizeof spec, "table:/proc/self/fd/%d%s", fd, data[0] & 1 ? "#s" : "");
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    tare_context *context = NULL;
    scorer *s = NULL;
    tare_error err = {TARE_OK, "", "", ""};
    o.threads = 1;
    REQUIRE(tare_context_new(&context, &o, &err) == TARE_OK);
    tare_status status = scorer_open(&s, context, spec, NULL, &err);
    if (status == TARE_OK) {
        ask(s);
    } else {
        REQUIRE(status == err.status && *err.code && *err.message);
        REQUIRE(status != TARE_E_BUG && status != TARE_E_MEMORY);
    }
    scorer_close(s);
    tare_context_free(context);
    close(fd);
    return 0;
}
