#include "scorer/onnx/ort_quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LINE_MOST = 1024 };

/* A lock, not a state: two captures at once would put each other's file in descriptor 2's place. */
static pthread_mutex_t one_capture = PTHREAD_MUTEX_INITIALIZER;

/* Where anything fails nothing is captured: lines are better seen than lost. */
void ort_quiet_begin(ort_quiet *q)
{
    *q = ORT_QUIET_NONE;
    pthread_mutex_lock(&one_capture);
    int saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    int file = saved >= 0 ? memfd_create("onnxruntime", MFD_CLOEXEC) : -1;
    if (file >= 0 && dup2(file, STDERR_FILENO) >= 0) {
        *q = (ort_quiet){saved, file};
        return;
    }
    if (file >= 0) close(file);
    if (saved >= 0) close(saved);
    pthread_mutex_unlock(&one_capture);
}

static void hand_on(tare_context *c, const char *line)
{
    if (*line == '\0' || strstr(line, "Schema error") != NULL) return;
    context_message(c, TARE_WARNING, "ONNX Runtime: %s", line);
}

/* Lines of the file; what is longer than a line may be is cut. */
static void read_lines(int file, tare_context *c)
{
    char line[LINE_MOST], block[4096];
    size_t length = 0;
    ssize_t n;
    if (lseek(file, 0, SEEK_SET) < 0) return;
    while ((n = read(file, block, sizeof block)) > 0 || (n < 0 && errno == EINTR)) {
        for (ssize_t i = 0; i < n; i++) {
            if (block[i] == '\n') {
                line[length] = '\0';
                hand_on(c, line);
                length = 0;
            } else if (length < sizeof line - 1 && block[i] != '\0') {
                line[length++] = block[i];
            }
        }
    }
    line[length] = '\0';
    hand_on(c, line);
}

void ort_quiet_end(ort_quiet *q, tare_context *c)
{
    if (q->saved < 0) return;
    int file = q->file;
    while (dup2(q->saved, STDERR_FILENO) < 0 && errno == EINTR) {}
    close(q->saved);
    *q = ORT_QUIET_NONE;
    pthread_mutex_unlock(&one_capture);
    read_lines(file, c);
    close(file);
}
