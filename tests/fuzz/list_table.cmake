tare_fuzz(table table)
tare_fuzz(table_jsonl table)
tare_fuzz(table_gzip table)
