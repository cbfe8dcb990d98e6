/* ort_api.h - the functions of ONNX Runtime's C interface that tare calls. Scorers 2.2.
 *
 * Nothing of the library is needed to build. It gives an array of function pointers that only
 * grows: one that knows version 17 of the interface has all of these at these places.
 * tests/unit/test_ort_slots.c compares the places with the library's own header where there is
 * one. */
#ifndef SCORER_ONNX_ORT_API_H
#define SCORER_ONNX_ORT_API_H

#include <stddef.h>
#include <stdint.h>

enum { ORT_API_VERSION_ASKED = 17 };

typedef struct OrtStatus OrtStatus; /* NULL: done */
typedef struct OrtEnv OrtEnv;
typedef struct OrtSession OrtSession;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtRunOptions OrtRunOptions;
typedef struct OrtValue OrtValue;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtAllocator OrtAllocator;
typedef struct OrtTypeInfo OrtTypeInfo;
typedef struct OrtTensorTypeAndShapeInfo OrtTensorTypeAndShapeInfo;
typedef struct OrtCUDAProviderOptionsV2 OrtCUDAProviderOptionsV2;

/* What OrtGetApiBase gives. */
typedef struct ort_base {
    const void *(*get_api)(uint32_t version);
    const char *(*version)(void);
} ort_base;

/* S(place, result, name, arguments) */
#define ORT_SLOTS(S)                                                                               \
    S(2, const char *, GetErrorMessage, (const OrtStatus *status))                                 \
    S(3, OrtStatus *, CreateEnv, (int severity, const char *id, OrtEnv **out))                     \
    S(6, OrtStatus *, DisableTelemetryEvents, (const OrtEnv *env))                                 \
    S(8, OrtStatus *, CreateSessionFromArray,                                                      \
      (const OrtEnv *env, const void *model, size_t length, const OrtSessionOptions *options,      \
       OrtSession **out))                                                                          \
    S(9, OrtStatus *, Run,                                                                         \
      (OrtSession *session, const OrtRunOptions *options, const char *const *input_names,          \
       const OrtValue *const *inputs, size_t input_count, const char *const *output_names,         \
       size_t output_count, OrtValue **outputs))                                                   \
    S(10, OrtStatus *, CreateSessionOptions, (OrtSessionOptions **out))                            \
    S(13, OrtStatus *, SetSessionExecutionMode, (OrtSessionOptions *options, int mode))            \
    S(22, OrtStatus *, SetSessionLogSeverityLevel, (OrtSessionOptions *options, int severity))     \
    S(24, OrtStatus *, SetIntraOpNumThreads, (OrtSessionOptions *options, int threads))            \
    S(25, OrtStatus *, SetInterOpNumThreads, (OrtSessionOptions *options, int threads))            \
    S(30, OrtStatus *, SessionGetInputCount, (const OrtSession *session, size_t *out))             \
    S(31, OrtStatus *, SessionGetOutputCount, (const OrtSession *session, size_t *out))            \
    S(33, OrtStatus *, SessionGetInputTypeInfo,                                                    \
      (const OrtSession *session, size_t index, OrtTypeInfo **out))                                \
    S(34, OrtStatus *, SessionGetOutputTypeInfo,                                                   \
      (const OrtSession *session, size_t index, OrtTypeInfo **out))                                \
    S(36, OrtStatus *, SessionGetInputName,                                                        \
      (const OrtSession *session, size_t index, OrtAllocator *allocator, char **out))              \
    S(37, OrtStatus *, SessionGetOutputName,                                                       \
      (const OrtSession *session, size_t index, OrtAllocator *allocator, char **out))              \
    S(39, OrtStatus *, CreateRunOptions, (OrtRunOptions **out))                                    \
    S(46, OrtStatus *, RunOptionsSetTerminate, (OrtRunOptions *options))                           \
    S(49, OrtStatus *, CreateTensorWithDataAsOrtValue,                                             \
      (const OrtMemoryInfo *memory, void *data, size_t length, const int64_t *dim, size_t rank,    \
       int type, OrtValue **out))                                                                  \
    S(50, OrtStatus *, IsTensor, (const OrtValue *value, int *out))                                \
    S(51, OrtStatus *, GetTensorMutableData, (OrtValue *value, void **out))                        \
    S(55, OrtStatus *, CastTypeInfoToTensorInfo,                                                   \
      (const OrtTypeInfo *info, const OrtTensorTypeAndShapeInfo **out))                            \
    S(60, OrtStatus *, GetTensorElementType, (const OrtTensorTypeAndShapeInfo *info, int *out))    \
    S(61, OrtStatus *, GetDimensionsCount, (const OrtTensorTypeAndShapeInfo *info, size_t *out))   \
    S(62, OrtStatus *, GetDimensions,                                                              \
      (const OrtTensorTypeAndShapeInfo *info, int64_t *dim, size_t rank))                          \
    S(64, OrtStatus *, GetTensorShapeElementCount,                                                 \
      (const OrtTensorTypeAndShapeInfo *info, size_t *out))                                        \
    S(65, OrtStatus *, GetTensorTypeAndShape,                                                      \
      (const OrtValue *value, OrtTensorTypeAndShapeInfo **out))                                    \
    S(69, OrtStatus *, CreateCpuMemoryInfo, (int allocator, int type, OrtMemoryInfo **out))        \
    S(76, OrtStatus *, AllocatorFree, (OrtAllocator *allocator, void *pointer))                    \
    S(78, OrtStatus *, GetAllocatorWithDefaultOptions, (OrtAllocator **out))                       \
    S(92, void, ReleaseEnv, (OrtEnv *))                                                            \
    S(93, void, ReleaseStatus, (OrtStatus *))                                                      \
    S(94, void, ReleaseMemoryInfo, (OrtMemoryInfo *))                                              \
    S(95, void, ReleaseSession, (OrtSession *))                                                    \
    S(96, void, ReleaseValue, (OrtValue *))                                                        \
    S(97, void, ReleaseRunOptions, (OrtRunOptions *))                                              \
    S(98, void, ReleaseTypeInfo, (OrtTypeInfo *))                                                  \
    S(99, void, ReleaseTensorTypeAndShapeInfo, (OrtTensorTypeAndShapeInfo *))                      \
    S(100, void, ReleaseSessionOptions, (OrtSessionOptions *))                                     \
    S(125, OrtStatus *, GetAvailableProviders, (char ***out, int *count))                          \
    S(126, OrtStatus *, ReleaseAvailableProviders, (char **list, int count))                       \
    S(130, OrtStatus *, AddSessionConfigEntry,                                                     \
      (OrtSessionOptions *options, const char *key, const char *value))                            \
    S(204, OrtStatus *, SessionOptionsAppendExecutionProvider_CUDA_V2,                             \
      (OrtSessionOptions *options, const OrtCUDAProviderOptionsV2 *cuda))                          \
    S(205, OrtStatus *, CreateCUDAProviderOptions, (OrtCUDAProviderOptionsV2 **out))               \
    S(206, OrtStatus *, UpdateCUDAProviderOptions,                                                 \
      (OrtCUDAProviderOptionsV2 *cuda, const char *const *keys, const char *const *values,         \
       size_t count))                                                                              \
    S(208, void, ReleaseCUDAProviderOptions, (OrtCUDAProviderOptionsV2 *))                         \
    S(210, OrtStatus *, AddExternalInitializers,                                                   \
      (OrtSessionOptions *options, const char *const *names, const OrtValue *const *values,        \
       size_t count))                                                                              \
    S(216, OrtStatus *, SessionOptionsAppendExecutionProvider,                                     \
      (OrtSessionOptions *options, const char *provider, const char *const *keys,                  \
       const char *const *values, size_t count))

typedef struct ort_api {
#define ORT_MEMBER(place, result, name, arguments) result(*name) arguments;
    ORT_SLOTS(ORT_MEMBER)
#undef ORT_MEMBER
} ort_api;

/* Values of the interface's enumerations. */
enum {
    ORT_SEVERITY_FATAL = 4, ORT_SEQUENTIAL = 0, ORT_ARENA_ALLOCATOR = 1, ORT_MEMORY_DEFAULT = 0
};

#endif
