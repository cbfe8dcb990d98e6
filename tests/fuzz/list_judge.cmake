tare_fuzz(roster judge)
