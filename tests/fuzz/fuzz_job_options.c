/* Options as text: the first byte chooses the job, each line is "option=value". What is refused is
 * a usage error that says why; a job without an input refuses to run, whatever its options. */
#include <string.h>

#include "base/text.h"
#include "fuzz.h"
#include "tare.h"

static void set_line(tare_job *job, char *line)
{
    tare_error err = {TARE_OK, "", "", ""};
    char *equals = strchr(line, '=');
    const char *value = equals ? equals + 1 : "yes";
    if (equals) *equals = '\0';
    tare_status status = tare_job_set(job, line, value, &err);
    if (status == TARE_OK) return;
    REQUIRE(status == TARE_E_USAGE && err.status == status && *err.code && *err.message);
    REQUIRE(memchr(err.where, '\0', sizeof err.where) != NULL);
    REQUIRE(memchr(err.message, '\0', sizeof err.message) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    size_t jobs = 0;
    while (tare_job_info_at(jobs)) jobs++;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    tare_context *context = NULL;
    tare_job *job = NULL;
    tare_error err = {TARE_OK, "", "", ""};
    o.threads = 1;
    REQUIRE(tare_context_new(&context, &o, &err) == TARE_OK);
    REQUIRE(tare_job_new(&job, context, tare_job_info_at(data[0] % jobs)->name, &err) == TARE_OK);
    char *lines = strndup((const char *)data + 1, size - 1), *rest = lines;
    REQUIRE(lines != NULL);
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) set_line(job, line);
    tare_status status = tare_job_run(job, &err);
    REQUIRE(status != TARE_OK && status == err.status && *err.code && *err.message);
    REQUIRE(status == TARE_E_USAGE);
    REQUIRE(tare_job_reading_count(job) == 0 && !tare_job_answer(job, 0));
    free(lines);
    tare_job_free(job);
    tare_context_free(context);
    return 0;
}
