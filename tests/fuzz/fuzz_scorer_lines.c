/* Any bytes as what an external scorer says, or as what a user types. The first byte chooses: a
 * command to split, a reply to hello, a reply to a request for two keys, planted terms. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "scorer/exec_protocol.h"
#include "scorer/exec_split.h"
#include "scorer/planted.h"

static void fuzz_reply(const mem *m, exec_bytes line)
{
    static const exec_wire_item items[] = {{.key = "a"}, {.key = "b"}};
    exec_request q = {7, items, 2};
    scorer_result r[2];
    char why[EXEC_WHY_MAX] = "";
    memset(r, 0, sizeof r);
    exec_reply kind = exec_reply_read(r, why, m, &q, line);
    REQUIRE(kind != EXEC_REPLY_MEMORY);
    REQUIRE(memchr(why, '\0', sizeof why) != NULL);
    if (kind != EXEC_REPLY_SCORES) return;
    for (int i = 0; i < 2; i++) {
        REQUIRE((r[i].status == TARE_R_NONE) == !isnan(r[i].value));
        REQUIRE(memchr(r[i].note, '\0', sizeof r[i].note) != NULL);
    }
}

static void fuzz_split(arena *a, const char *command)
{
    char **words = NULL;
    size_t n = 0, total = 0;
    tare_error err;
    if (exec_split(&words, &n, a, command, &err) != TARE_OK) {
        REQUIRE(err.status == TARE_E_USAGE && *err.message);
        return;
    }
    REQUIRE(n >= 1 && n <= EXEC_WORDS_MAX && !words[n] && *words[0]);
    for (size_t i = 0; i < n; i++) total += strlen(words[i]);
    REQUIRE(total <= strlen(command));
}

/* What is accepted has a canonical form that is accepted, and is its own. */
static void fuzz_planted(arena *a, const char *terms)
{
    planted p, again;
    tare_error err;
    if (planted_parse(&p, a, terms, &err) != TARE_OK) {
        REQUIRE(err.status == TARE_E_USAGE && *err.message);
        return;
    }
    REQUIRE(planted_parse(&again, a, p.canonical, &err) == TARE_OK);
    REQUIRE(strcmp(p.canonical, again.canonical) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    mem m = mem_system();
    arena a;
    arena_init(&a, &m);
    exec_bytes line = {(const char *)data + 1, size - 1};
    char *copy = arena_text(&a, line.at, line.length);
    exec_hello hello;
    tare_error err;
    switch (data[0] & 3) {
    case 0: fuzz_split(&a, copy); break;
    case 1:
        if (exec_hello_read(&hello, &m, line, &err) == TARE_OK) REQUIRE(*hello.name);
        else REQUIRE(err.status == TARE_E_INSTRUMENT);
        break;
    case 2: fuzz_reply(&m, line); break;
    default: fuzz_planted(&a, copy); break;
    }
    arena_free(&a);
    return 0;
}
