/* make_report FOLDER [hostile|large]: write a sample report, for the browser tests. */
#include <stdio.h>
#include <string.h>

#include "sample_report.h"

int main(int argc, char **argv)
{
    tare_context *context = NULL;
    tare_error err;
    const char *kind = argc > 2 ? argv[2] : "rich";
    int rich = !strcmp(kind, "rich");
    if (argc < 2) return fprintf(stderr, "usage: make_report FOLDER [hostile|large]\n"), 2;
    if (tare_context_new(&context, NULL, &err) != TARE_OK) return 1;
    tare_job *job = sample_job(context);
    int made = job && (rich ? sample_rich(job)
                      : !strcmp(kind, "large") ? sample_large(job) : sample_hostile(job));
    if (made && tare_report_write(job, argv[1], &err) != TARE_OK) {
        fprintf(stderr, "%s: %s\n", err.where, err.message);
        made = 0;
    }
    char *summary = NULL;
    if (made && rich && tare_report_summary(&summary, job, 96, 0, &err) == TARE_OK)
        fputs(summary, stdout);
    tare_text_free(context, summary);
    sample_free(job);
    tare_context_free(context);
    return made ? 0 : 1;
}
