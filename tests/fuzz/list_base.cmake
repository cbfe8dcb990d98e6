tare_fuzz(json base)
