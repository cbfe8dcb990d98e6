tare_fuzz(pickle scorer)
tare_fuzz(torch_zip scorer)
tare_fuzz(torch_legacy scorer)
