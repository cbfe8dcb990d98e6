/* What the sanitizers are not to say of ONNX Runtime, which they cannot see into. Linked into every
 * test that opens it; visible, so that they find it. */

/* 1.17 never gives back 32 bytes of its start. 1.30 gives back all, so that a leak of ours is seen
 * there: what it holds for us is allocated inside it too. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libonnxruntime.so.1.17";
}

/* The library is not instrumented: what its own locks order in 1.17 looks like a race. In 1.30
 * nothing does, so that a race of ours is seen there. */
__attribute__((visibility("default"))) const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
    return "race:libonnxruntime.so.1.17";
}
