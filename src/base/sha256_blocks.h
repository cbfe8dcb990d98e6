/* sha256_blocks.h - the compression function in instructions of its own, where the CPU has them. */
#ifndef BASE_SHA256_BLOCKS_H
#define BASE_SHA256_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values of sha256.path. */
enum { SHA256_UNKNOWN, SHA256_PORTABLE, SHA256_FAST };

bool sha256_fast_available(void);
/* `count` blocks of 64 bytes; `k`: the 64 round constants. Same result as the portable code. */
void sha256_fast_blocks(uint32_t state[8], const unsigned char *p, size_t count,
                        const uint32_t k[64]);

#endif
