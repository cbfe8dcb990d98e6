tare_fuzz(onnx_model scorer)
