#include "audit/scorer/analysis_options.h"

#include <string.h>

/* The values of the paper's preset (scorer audit 14). */
static void use_paper(analyse_options *o)
{
    o->boot_b = o->perm_p = 2000;
    o->ci = "percentile";
    o->bon_draws = 100;
    o->bon_ties = "first";
    o->margins = false;
    o->paper = true;
}

static void set_text(const char **to, const tare_job *job, const char *option)
{
    const char *value = job_text(job, option);
    if (value) *to = value;
}

static void set_number(double *to, const tare_job *job, const char *option)
{
    if (job_count(job, option)) *to = job_number(job, option);
}

analyse_options analysis_options_read(const tare_job *job)
{
    analyse_options o = ANALYSE_OPTIONS_DEFAULT;
    if (!strcmp(job_text(job, "preset"), "paper")) use_paper(&o);
    o.seed = (uint64_t)job_integer(job, "seed");
    o.boot_b = (uint32_t)job_integer_or(job, "boot-b", o.boot_b);
    o.perm_p = (uint32_t)job_integer_or(job, "perm-p", o.perm_p);
    o.bon_n = (size_t)job_integer_or(job, "bon-n", o.bon_n);
    o.bon_draws = job_integer_or(job, "bon-draws", o.bon_draws);
    o.group_min = (size_t)job_integer_or(job, "group-min", o.group_min);
    o.seeds = (size_t)job_integer_or(job, "seeds", o.seeds);
    if (job_count(job, "bon-replace")) o.bon_replace = job_flag(job, "bon-replace");
    if (job_count(job, "margins")) o.margins = !strcmp(job_text(job, "margins"), "yes");
    if (job_count(job, "bon-pool")) o.bon_mixed = !strcmp(job_text(job, "bon-pool"), "mixed");
    set_text(&o.doses, job, "fidelity-doses");
    set_text(&o.ci, job, "boot-ci");
    set_text(&o.boot_p, job, "boot-p");
    set_text(&o.perm_exact, job, "perm-exact");
    set_text(&o.bon_ties, job, "bon-ties");
    set_number(&o.alpha, job, "alpha");
    set_number(&o.margin_sd, job, "margin-sd");
    set_number(&o.margin_beta_sd, job, "margin-sd");
    set_number(&o.margin_drift_attribute, job, "margin-drift");
    set_number(&o.margin_drift_dose, job, "margin-drift-dose");
    return o;
}
