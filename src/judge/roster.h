/* roster.h - the one file of models: who is who, and who belongs together (judge audits 0.2, judge
 * client 1).
 *
 * YAML, JSON or CSV. One entry per model: `id` (required), `alias` (text or list), `family`,
 * `groups` (mapping of grouping to a value or a list of values); in CSV alias and grouping columns
 * hold lists separated by ';' and every column but id, alias and family is a grouping. YAML and
 * JSON hold the entries as a list, at the top or under `judges` or `models`. Keys of an endpoint
 * (provider, model, base_url, ..., or `endpoint: {...}`) are accepted and kept, not interpreted
 * here. Unknown keys, an id or alias that names two models, and a literal API key are errors with
 * file and line. YAML scalars are taken as text (`no` is not false) but for the null of YAML;
 * anchors, aliases, tags and merge keys are refused. The manual: docs/roster.md. */
#ifndef JUDGE_ROSTER_H
#define JUDGE_ROSTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"
#include "base/mem.h"
#include "tare.h"

typedef struct roster_values { const char **value; size_t count; } roster_values;

typedef struct roster_model {
    const char *id;
    const char **alias;
    size_t alias_count;
    roster_values *group;      /* [roster.grouping_count] values by grouping; count 0: none      */
    const json_value *source;  /* the entry as it was read; NULL from CSV                        */
    size_t line;
} roster_model;

typedef struct roster {
    const char *name;          /* of the file, for messages                                      */
    roster_model *models;      /* in file order                                                  */
    size_t count;
    const char **grouping;     /* "family" first (always there), then the others by bytes        */
    size_t grouping_count;
} roster;

#define ROSTER_NONE SIZE_MAX

/* Everything lives in the arena. `path` "-" is refused (standard input is the scores').
 * Errors: IO, USAGE ("-"), DATA ("roster.syntax", "roster.unknown_key", "roster.duplicate",
 * "roster.no_id", "roster.secret", "roster.type", "roster.empty"; "json.*" and "table.*" of those
 * readers), LIMIT (4 MiB, 10,000 models, 100 groupings, depth 64), MEMORY. */
tare_status roster_load(roster *out, arena *a, const char *path, tare_error *err);
tare_status roster_parse(roster *out, arena *a, const char *name, const char *bytes, size_t length,
                         tare_error *err); /* the format by name, else by content */
/* By id or alias, exact bytes. */
size_t roster_find(const roster *r, const char *name);
size_t roster_grouping(const roster *r, const char *name); /* ROSTER_NONE: no such grouping */
/* Do two models share a value of the grouping? False where either has none. */
bool roster_share(const roster *r, size_t grouping, size_t a, size_t b);

#endif
