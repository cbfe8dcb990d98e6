#include "audit/scorer/analyse.h"

#include "audit/scorer/study.h"
#include "base/error.h"

/* The order matters: calibration may bar the attribute before the regression speaks of it, what is
 * missing caps verdicts, floors leave the grids, and shapes need verdicts. */
static tare_status (*const families[])(study *t, tare_error *err) = {
    noise_run, fidelity_run, calibration_run, regression_run, bestofn_run, crossimage_run,
    placebo_run, missing_run, exclusion_run, population_run, floors_run, shape_joint_run,
    robust_run, robust_masks_run, robust_seeds_run, criterion_run, transfer_difference_run,
    grids_run, shape_class_run, influence_run, validity_cards_run, wording_run,
    transfer_class_run, tables_run, figures_run, transfer_report_run, facts_run, answer_run,
    prompts_run, transfer_answer_run,
};

tare_status analyse_cube(audit_result *out, tare_context *context, const cube *c,
                         const analyse_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    study t;
    TRY(study_open(&t, out, context, c, options, err));
    for (size_t k = 0; k < sizeof families / sizeof *families; k++) TRY(families[k](&t, err));
done:
    study_close(&t);
    return status;
}
