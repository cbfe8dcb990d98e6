#include "checkpoint_fixture.h"

#include <string.h>

#include "base/os.h"
#include "support/check.h"

void weights_begin(weights_folder *w)
{
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    o.threads = 1;
    strcpy(w->folder, "/tmp/tare-weights-XXXXXX");
    assert_non_null(mkdtemp(w->folder));
    assert_int_equal(tare_context_new(&w->context, &o, NULL), TARE_OK);
}

void weights_end(weights_folder *w)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", w->folder);
    assert_int_equal(system(command), 0);
    tare_context_free(w->context);
}

const char *weights_path(const weights_folder *w, const char *name)
{
    static char path[8][192];
    static size_t next;
    char *out = path[next++ % 8];
    snprintf(out, sizeof *path, "%s/%s", w->folder, name);
    return out;
}

void weights_write(const weights_folder *w, const char *name, const void *bytes, size_t length)
{
    assert_int_equal(os_write_file(weights_path(w, name), bytes, length, NULL), TARE_OK);
}

void safetensors_make(text *t, const char *header, const void *data, size_t length)
{
    size_t n = strlen(header);
    for (unsigned k = 0; k < 8; k++) text_add_char(t, (char)(n >> 8 * k & 0xff));
    text_add_bytes(t, header, n);
    if (length > 0) text_add_bytes(t, data, length);
    assert_false(t->failed);
}

void weights_write_safetensors(const weights_folder *w, const char *name, const char *header,
                               const void *data, size_t length)
{
    mem m = mem_system();
    text t;
    text_init(&t, &m);
    safetensors_make(&t, header, data, length);
    weights_write(w, name, t.data, t.length);
    text_free(&t);
}

tare_error weights_refused(const weights_folder *w, const char *name, tare_status status)
{
    tare_error err = {TARE_OK, "", "", ""};
    checkpoint *c = NULL;
    assert_int_equal(checkpoint_open(&c, w->context, weights_path(w, name), &err), status);
    assert_int_equal(err.status, status);
    assert_null(c);
    return err;
}

void bytes_begin(bytes_checkpoint *b, const mem *m, const void *bytes, size_t length)
{
    memset(b, 0, sizeof *b);
    b->context.mem = *m;
    b->file = (model_file){.path = "f", .descriptor = -1, .bytes = bytes, .length = length};
    arena_init(&b->c.a, m);
    b->c.context = &b->context;
    b->c.path = "f";
    b->c.file = &b->file;
    b->c.file_count = 1;
}

void bytes_end(bytes_checkpoint *b)
{
    arena_free(&b->c.a);
}
