/* page.h - the sections of report.html, one file each. All text is written here in C: without a
 * script the page lacks its charts, sorting and filtering, and nothing else. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "audit/result.h"
#include "base/text.h"
#include "report/file_names.h"
#include "report/headline.h"

typedef struct page {
    text *out;
    const audit_result *r;
    const file_names *names;
    headline head;
} page;

void page_answer(page *p);    /* title, answer, cautions                           */
void page_verdicts(page *p);  /* a card per scorer: the readings that were tested  */
void page_checks(page *p);   /* the validity cards                                */
void page_charts(page *p);    /* each with its specification and its numbers       */
void page_strips(page *p);    /* pictures                                          */
void page_readings(page *p);  /* all of them, a table per family                   */
void page_missing(page *p);   /* what was not used, what has no answer, and why    */
void page_facts(page *p);     /* how it was made, and the files beside the page    */

/* `<span class="verdict v-found">...found</span>` */
void page_verdict(text *out, tare_verdict verdict);
/* "3 found, 1 inconclusive"; descriptive ones are left out. */
void page_tally(text *out, const size_t tally[HEADLINE_VERDICTS]);
/* `<td class="num" data-v="0.0741..." title="0.0741...">0.0741</td>` */
void page_number_cell(text *out, double value);
bool page_has(const page *p, bool strips); /* charts, or strips */

#endif
