tare_fuzz(tokenizer scorer)
