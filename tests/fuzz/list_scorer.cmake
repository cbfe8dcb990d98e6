tare_fuzz(scorer_lines scorer)
tare_fuzz(scorer_brisque scorer)
