/* A program of somebody else: the installed header and library are all it has. */
#include <stdio.h>
#include <string.h>
#include <tare.h>

int main(void)
{
    char built[32];
    snprintf(built, sizeof built, "%d.%d.%d", TARE_VERSION_MAJOR, TARE_VERSION_MINOR,
             TARE_VERSION_PATCH);
    tare_error err;
    tare_context *context = NULL;
    tare_job *job = NULL;
    if (tare_context_new(&context, NULL, &err) || tare_job_new(&job, context, "audit", &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    tare_status unknown = tare_job_set(job, "no-such-option", "1", &err);
    tare_job_free(job);
    tare_context_free(context);
    puts(tare_version());
    return strcmp(built, tare_version()) != 0 || unknown != TARE_E_USAGE;
}
