#include "scorer/exec_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/os.h"

extern char **environ;

static const double slice = 0.05; /* seconds between looks at the stop flag */

void exec_process_init(exec_process *p, const mem *m)
{
    memset(p, 0, sizeof *p);
    p->in = p->out = -1;
    text_init(&p->buffer, m);
}

static void close_fd(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

/* Descriptors below 3 would collide with those of the child. */
static int raise_fd(int fd)
{
    if (fd < 0 || fd > 2) return fd;
    int higher = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    close(fd);
    return higher;
}

/* ends[0] ours, ends[1] the child's: its input (a socket) and its output (a pipe). */
static tare_status open_ends(int input[2], int output[2], int *log, const char *log_path,
                             tare_error *err)
{
    int pair[2];
    const char *path = log_path ? log_path : "/dev/null";
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return error_system(err, errno, "open", "a socket pair");
    for (int k = 0; k < 2; k++) input[k] = raise_fd(pair[k]);
    if (pipe2(pair, O_CLOEXEC) != 0) return error_system(err, errno, "open", "a pipe");
    for (int k = 0; k < 2; k++) output[k] = raise_fd(pair[k]);
    *log = raise_fd(open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY,
                          0666));
    if (*log < 0 && errno == ELOOP) /* the run folder may be somebody else's */
        return error_set(err, TARE_E_IO, "io.link", path,
                         "this is a link, and nothing is written through it: remove it, or use "
                         "another output folder");
    if (*log < 0) return error_system(err, errno, "open", path);
    if (input[0] < 0 || input[1] < 0 || output[0] < 0 || output[1] < 0)
        return error_system(err, EMFILE, "open", "a pipe");
    if (fcntl(input[0], F_SETFL, O_NONBLOCK) != 0 || fcntl(output[0], F_SETFL, O_NONBLOCK) != 0)
        return error_system(err, errno, "set up", "a pipe");
    return TARE_OK;
}

/* Own process group, no blocked signals, SIGPIPE as usual whatever the host does with it. */
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    int failed = posix_spawnattr_setpgroup(attributes, 0);
    if (!failed) failed = posix_spawnattr_setsigmask(attributes, &none);
    if (!failed) failed = posix_spawnattr_setsigdefault(attributes, &usual);
    if (!failed)
        failed = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return failed;
}

static int spawn(pid_t *pid, char *const *words, int in, int out, int log)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed) {
        posix_spawn_file_actions_destroy(&actions);
        return failed;
    }
    failed = set_attributes(&attributes);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, in, 0);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, out, 1);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, log, 2);
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
    /* Descriptors that other code of the host left inheritable are none of the child's business. */
    if (!failed) failed = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#endif
#endif
    if (!failed) failed = posix_spawnp(pid, words[0], &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

tare_status exec_process_start(exec_process *p, char *const *words, const char *log_path,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    int input[2] = {-1, -1}, output[2] = {-1, -1}, log = -1;
    TRY(open_ends(input, output, &log, log_path, err));
    int failed = spawn(&p->pid, words, input[1], output[1], log);
    if (failed) {
        p->pid = 0;
        FAIL(err, TARE_E_INSTRUMENT, "exec.start", words[0], "cannot be started: %s",
             strerror(failed));
    }
    p->in = input[0];
    p->out = output[0];
    input[0] = output[0] = -1;
    text_clear(&p->buffer);
    p->taken = p->scanned = 0;
done:
    for (int k = 0; k < 2; k++) {
        close_fd(&input[k]);
        close_fd(&output[k]);
    }
    close_fd(&log);
    return status;
}

/* A whole line that is already here. */
static bool next_line(exec_process *p, const char **line, size_t *length)
{
    if (p->buffer.length == p->scanned) return false;
    const char *start = p->buffer.data + p->taken, *from = p->buffer.data + p->scanned;
    const char *end = memchr(from, '\n', p->buffer.length - p->scanned);
    p->scanned = end ? (size_t)(end + 1 - p->buffer.data) : p->buffer.length;
    if (!end) return false;
    *line = start;
    *length = (size_t)(end - start);
    p->taken = p->scanned;
    if (*length && start[*length - 1] == '\r') --*length;
    return true;
}

/* Read what there is. EXEC_LINE: go on. */
static exec_outcome read_some(exec_process *p)
{
    char chunk[65536];
    ssize_t n = read(p->out, chunk, sizeof chunk);
    if (n < 0) return errno == EAGAIN || errno == EINTR ? EXEC_LINE : EXEC_ENDED;
    if (n == 0) return EXEC_ENDED;
    if (p->buffer.length + (size_t)n > EXEC_LINE_MAX) return EXEC_TOO_LONG;
    text_add_bytes(&p->buffer, chunk, (size_t)n);
    return p->buffer.failed ? EXEC_MEMORY : EXEC_LINE;
}

static exec_outcome write_some(exec_process *p, const char **bytes, size_t *length)
{
    ssize_t n = send(p->in, *bytes, *length, MSG_NOSIGNAL);
    if (n < 0) return errno == EAGAIN || errno == EINTR ? EXEC_LINE : EXEC_ENDED;
    *bytes += n;
    *length -= (size_t)n;
    return EXEC_LINE;
}

/* Drop the lines that were taken. */
static void compact(exec_process *p)
{
    if (!p->taken) return;
    size_t left = p->buffer.length - p->taken;
    memmove(p->buffer.data, p->buffer.data + p->taken, left);
    p->buffer.data[left] = '\0';
    p->buffer.length = left;
    p->scanned -= p->taken;
    p->taken = 0;
}

exec_outcome exec_process_exchange(exec_process *p, const char **line, size_t *line_length,
                                   const tare_context *context, const char *bytes, size_t length,
                                   double deadline)
{
    compact(p);
    for (;;) {
        /* A line that comes before all is sent waits: half a request must not stay behind. */
        if (!length && next_line(p, line, line_length)) return EXEC_LINE;
        if (context_stopped(context)) return EXEC_STOPPED;
        double left = deadline - os_seconds();
        if (left <= 0.0) return EXEC_TIMEOUT;
        struct pollfd fds[2] = {{p->out, POLLIN, 0}, {p->in, POLLOUT, 0}};
        int wait_ms = (int)(1000.0 * (left < slice ? left : slice)) + 1;
        int ready = poll(fds, length ? 2 : 1, wait_ms);
        if (ready < 0 && errno != EINTR) return EXEC_ENDED;
        if (ready <= 0) continue;
        exec_outcome outcome = EXEC_LINE;
        if (fds[0].revents) outcome = read_some(p);
        if (outcome == EXEC_LINE && length && fds[1].revents)
            outcome = write_some(p, &bytes, &length);
        if (outcome == EXEC_ENDED && !length && next_line(p, line, line_length)) return EXEC_LINE;
        if (outcome != EXEC_LINE) return outcome;
    }
}

/* Has the child ended? It is left unreaped, so that its group id cannot be taken by others. */
static bool has_ended(pid_t pid, siginfo_t *info)
{
    memset(info, 0, sizeof *info);
    int failed = waitid(P_PID, (id_t)pid, info, WEXITED | WNOHANG | WNOWAIT);
    return failed ? errno != EINTR : info->si_pid == pid;
}

static bool wait_until(pid_t pid, siginfo_t *info, double deadline)
{
    long nap = 500000; /* nanoseconds, doubling to 16 ms */
    while (!has_ended(pid, info)) {
        if (os_seconds() >= deadline) return false;
        struct timespec t = {0, nap};
        nanosleep(&t, NULL);
        if (nap < 16000000) nap *= 2;
    }
    return true;
}

void exec_process_end(exec_process *p, double grace, char *how, size_t how_size)
{
    siginfo_t info;
    if (how) *how = '\0';
    close_fd(&p->in);
    if (p->pid > 0) {
        bool by_itself = wait_until(p->pid, &info, os_seconds() + grace);
        kill(-p->pid, SIGKILL);
        if (how && by_itself && info.si_code == CLD_EXITED)
            snprintf(how, how_size, "exit status %d", info.si_status);
        else if (how && by_itself && info.si_pid == p->pid)
            snprintf(how, how_size, "signal %d", info.si_status);
        else if (how)
            snprintf(how, how_size, "killed");
        while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR) continue;
    }
    p->pid = 0;
    close_fd(&p->out);
}

void exec_process_free(exec_process *p)
{
    exec_process_end(p, 0.0, NULL, 0);
    text_free(&p->buffer);
}
