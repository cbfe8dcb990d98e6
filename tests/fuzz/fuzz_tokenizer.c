/* A vocabulary and a prompt: the first byte chooses the tokeniser and how many ids there may be,
 * the last line is the prompt, what lies between is the file. It is refused, or the ids lie in the
 * vocabulary between its start and end, as many as allowed. */
#include <string.h>
#include <unistd.h>

#include "base/os.h"
#include "fuzz.h"
#include "scorer/token/tokens.h"

static void run(tare_context *context, const tokenizer *t, const char *prompt, size_t most)
{
    token_list list = {0}, whole = {0};
    tare_error err = {TARE_OK, "", "", ""};
    arena a;
    arena_init(&a, &context->mem);
    tare_status status = tokenizer_run(&list, &a, t, prompt, most, &err);
    if (status != TARE_OK) {
        REQUIRE(status == TARE_E_DATA || status == TARE_E_LIMIT);
        REQUIRE(!strncmp(err.code, "prompt.", 7));
    } else {
        REQUIRE(list.count >= 2 && list.count <= most && list.whole >= list.count);
        for (size_t i = 0; i < list.count; i++)
            REQUIRE(list.id[i] >= 0 && (size_t)list.id[i] < tokenizer_words(t));
        REQUIRE(tokenizer_run(&whole, &a, t, prompt, SIZE_MAX, &err) == TARE_OK);
        REQUIRE(whole.count == list.whole && whole.id[0] == list.id[0]);
        REQUIRE(whole.id[whole.count - 1] == list.id[list.count - 1]);
    }
    arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tare_context *context;
    tokenizer *t;
    tare_error err = {TARE_OK, "", "", ""};
    char path[64], prompt[4096];
    if (size < 2 || size > 1 << 16 || tare_context_new(&context, NULL, &err) != TARE_OK) return 0;
    const uint8_t *line = data + size;
    while (line > data + 1 && line[-1] != '\n') line--;
    size_t n = (size_t)(data + size - line);
    if (n >= sizeof prompt) n = sizeof prompt - 1;
    memcpy(prompt, line, n);
    prompt[n] = '\0';
    snprintf(path, sizeof path, "/tmp/tare_fuzz_tokens_%ld", (long)getpid());
    if (os_write_file(path, data + 1, (size_t)(line - data) - 1, &err) == TARE_OK) {
        if (tokenizer_open(&t, context, (tokenizer_kind)(data[0] % 3), path, &err) == TARE_OK)
            run(context, t, prompt, 2 + data[0] / 3);
        else REQUIRE(t == NULL && err.code[0] && err.message[0]);
        tokenizer_close(t);
        unlink(path);
    }
    tare_context_free(context);
    return 0;
}
