/* check.h - what all unit tests use: cmocka, tolerances that name the source, skipping. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* |got - want| <= 1e-9 |want|, or 1e-12 near 0: the project's rule for deterministic quantities. */
#define assert_close(got, want) assert_within((got), (want), 1e-9, 1e-12)
#define assert_within(got, want, relative, absolute)                                              \
    do {                                                                                          \
        double got_ = (got), want_ = (want);                                                      \
        if (!(fabs(got_ - want_) <= fmax((relative) * fabs(want_), (absolute))))                  \
            fail_msg("%s: got %.17g, want %.17g (off by %.3g)", #got, got_, want_, got_ - want_); \
    } while (0)
#define assert_ok(call)                                                          \
    do {                                                                         \
        tare_status status_ = (call);                                            \
        if (status_ != TARE_OK)                                                  \
            fail_msg("%s: %s [%s] %s", #call, err.where, err.code, err.message); \
    } while (0)
/* In main() of a test on ../shared/data: */
#define NEED_SHARED()                                                             \
    do {                                                                          \
        if (access(TARE_SHARED_DIR "/data", R_OK) != 0) {                         \
            printf("skipped: no shared data at %s\n", TARE_SHARED_DIR "/data");   \
            return 77;                                                            \
        }                                                                         \
    } while (0)

#endif
