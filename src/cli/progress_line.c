#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

#define SECONDS_BETWEEN_LINES 5.0

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_line_begin(progress_line *line, const cli_arguments *args)
{
    *line = (progress_line){.quiet = argument_flag(args, "quiet"),
                            .verbose = argument_flag(args, "verbose"),
                            .terminal = isatty(STDERR_FILENO) == 1,
                            .last = now()};
}

void progress_line_clear(progress_line *line)
{
    if (line->shown) fputs("\r\033[K", stderr);
    line->shown = false;
}

static void print_time(double seconds)
{
    unsigned long s = (unsigned long)(seconds + 0.5);
    if (s >= 3600) fprintf(stderr, ", %lu:%02lu:%02lu left", s / 3600, s / 60 % 60, s % 60);
    else fprintf(stderr, ", %lu:%02lu left", s / 60, s % 60);
}

/* Three digits are known of a rate: 4,620 and no power of ten. */
static void print_rate(double rate)
{
    double step = 1;
    while (rate / step >= 1000 && rate < 1e15) step *= 10;
    if (rate < 999.5 || rate >= 1e15) {
        fprintf(stderr, ", %.3g/s", rate);
        return;
    }
    unsigned long long whole = (unsigned long long)(rate / step + 0.5) * (unsigned long long)step;
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%llu", whole);
    fputs(", ", stderr);
    for (int k = 0; k < n; k++)
        fprintf(stderr, "%s%c", k && (n - k) % 3 == 0 ? "," : "", digits[k]);
    fputs("/s", stderr);
}

void progress_line_show(void *user, const tare_progress *p)
{
    progress_line *line = user;
    if (line->quiet) return;
    bool end = p->done >= p->total;
    bool fresh = strcmp(line->step, p->step) != 0;
    if (fresh) snprintf(line->step, sizeof line->step, "%s", p->step);
    double t = now();
    /* without a terminal: every few seconds, and the end of a step that was worth a line */
    if (!line->terminal) {
        if (t - line->last < SECONDS_BETWEEN_LINES && !(end && line->verbose)) return;
        line->last = t;
    }
    progress_line_clear(line);
    fprintf(stderr, "%s: %llu of %llu %ss", p->step, (unsigned long long)p->done,
            (unsigned long long)p->total, p->unit);
    if (p->per_second > 0) print_rate(p->per_second);
    if (!end && p->seconds_left >= 0 && p->seconds_left < 1e7) print_time(p->seconds_left);
    line->shown = line->terminal && !(end && line->verbose);
    if (!line->shown) fputc('\n', stderr);
    fflush(stderr);
}

void progress_line_message(void *user, tare_level level, const char *text)
{
    progress_line *line = user;
    if (line->quiet || (level == TARE_NOTE && !line->verbose)) return;
    progress_line_clear(line);
    fprintf(stderr, "%s: %s\n", level == TARE_WARNING ? "warning" : "note", text);
}
