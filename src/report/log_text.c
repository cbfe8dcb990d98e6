#include <string.h>

#include "report/files.h"
#include "report/plain.h"

static void put_facts(text *out, const result_fact *facts, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (k == 0 || strcmp(facts[k].section, facts[k - 1].section)) {
            plain_text(out, facts[k].section);
            text_add(out, "\n");
        }
        text_add(out, "    ");
        plain_text(out, facts[k].key);
        text_add(out, ": ");
        plain_text(out, facts[k].value);
        text_add(out, "\n");
    }
}

void log_text(text *out, const audit_result *r)
{
    put_facts(out, r->log, r->log_count);
    put_facts(out, r->facts, r->fact_count);
}
