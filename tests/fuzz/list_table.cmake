tare_fuzz(table table)
