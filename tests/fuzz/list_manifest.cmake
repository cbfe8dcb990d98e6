tare_fuzz(document table)
tare_fuzz(npy scorer)
tare_fuzz(scorer_manifest scorer)
