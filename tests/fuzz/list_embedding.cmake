tare_fuzz(embedding_cache scorer)
