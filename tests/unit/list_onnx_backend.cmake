tare_test(test_embedding_cache scorer)
tare_test(test_onnx_prepare scorer)
