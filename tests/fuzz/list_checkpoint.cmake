tare_fuzz(safetensors scorer)
tare_fuzz(zip_directory scorer)
