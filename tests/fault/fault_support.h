/* fault_support.h - one small audit through the public interface, and what it answered. */
#ifndef TESTS_FAULT_SUPPORT_H
#define TESTS_FAULT_SUPPORT_H

#include "base/text.h"
#include "tare.h"

typedef struct fault_audit {
    const char *input;
    const char *const *options; /* "name", "value", ..., NULL */
    const char *report;         /* folder of the report; NULL: none is written */
    const char *job;            /* NULL: audit                                 */
} fault_audit;

/* Run it on a context of these options. What it answered goes to `readings` (may be NULL): every
 * reading with its numbers in full, and the sentences. `readings` belongs to the system's allocator
 * whatever the context uses. Everything made is freed. */
tare_status fault_run(text *readings, const fault_audit *audit,
                      const tare_context_options *options, tare_error *err);
/* The same on a context that has all it needs; it must succeed. Released with text_free. */
void fault_reference(text *readings, const fault_audit *audit);
/* It must succeed now, with these readings. `what` is said if not. */
void fault_goes_on(const fault_audit *audit, const text *wanted, const char *what);

#endif
