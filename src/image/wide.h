/* wide.h - let a hot loop be compiled twice, for the oldest x86-64 and for AVX2, and be chosen when
 * the program starts. Both give the same bits: there is no fused multiply-add in either. */
#ifndef IMAGE_WIDE_H
#define IMAGE_WIDE_H

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define IMAGE_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define IMAGE_WIDE
#endif

#endif
