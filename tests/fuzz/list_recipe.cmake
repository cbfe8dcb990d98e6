tare_fuzz(recipe scorer)
