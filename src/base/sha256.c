/* sha256.c - FIPS 180-4. */
#include <string.h>

#include "base/hash.h"
#include "base/sha256_blocks.h"

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static uint32_t load_be(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void sha256_block(uint32_t state[8], const unsigned char *p)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++) w[i] = load_be(p + 4 * i);
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7]
               + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i += 8) {
        /* The eight words keep their places and the names move: after eight rounds all is as
         * before. */
#pragma GCC unroll 8
        for (int j = 0; j < 8; j++) {
            uint32_t a = s[-j & 7], b = s[(1 - j) & 7], c = s[(2 - j) & 7];
            uint32_t e = s[(4 - j) & 7], f = s[(5 - j) & 7], g = s[(6 - j) & 7];
            uint32_t t = s[(7 - j) & 7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25))
                         + (g ^ (e & (f ^ g))) + K[i + j] + w[i + j];
            s[(3 - j) & 7] += t;
            s[(7 - j) & 7] = t + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22))
                             + ((a & b) ^ (c & (a ^ b)));
        }
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

/* Asking the CPU is slow on virtual machines, so it is done once per hash and only for long data.
 * */
static void sha256_blocks(sha256 *h, const unsigned char *p, size_t count)
{
    if (h->path == SHA256_UNKNOWN && count >= 16) {
        h->path = sha256_fast_available() ? SHA256_FAST : SHA256_PORTABLE;
    }
    if (h->path == SHA256_FAST) {
        sha256_fast_blocks(h->state, p, count, K);
    } else {
        for (; count > 0; count--, p += 64) sha256_block(h->state, p);
    }
}

void sha256_init(sha256 *h)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(h->state, start, sizeof start);
    h->length = 0;
    h->path = SHA256_UNKNOWN;
}

void sha256_add(sha256 *h, const void *bytes, size_t count)
{
    const unsigned char *p = bytes;
    size_t held = (size_t)(h->length % 64);
    h->length += count;
    if (held > 0 && count > 0) {
        size_t n = count < 64 - held ? count : 64 - held;
        memcpy(h->block + held, p, n);
        p += n;
        count -= n;
        if (held + n < 64) return;
        sha256_blocks(h, h->block, 1);
    }
    if (count >= 64) sha256_blocks(h, p, count / 64);
    if (count % 64 > 0) memcpy(h->block, p + count / 64 * 64, count % 64);
}

void sha256_done(sha256 *h, unsigned char out[SHA256_BYTES])
{
    uint64_t bits = h->length * 8;
    unsigned char tail[72] = {0x80};
    size_t pad = (size_t)((h->length % 64 < 56 ? 56 : 120) - h->length % 64);
    for (int i = 0; i < 8; i++) tail[pad + (size_t)i] = (unsigned char)(bits >> (56 - 8 * i));
    sha256_add(h, tail, pad + 8);
    for (int i = 0; i < SHA256_BYTES; i++) {
        out[i] = (unsigned char)(h->state[i / 4] >> (24 - 8 * (i % 4)));
    }
}

void sha256_of(const void *bytes, size_t count, unsigned char out[SHA256_BYTES])
{
    sha256 h;
    sha256_init(&h);
    sha256_add(&h, bytes, count);
    sha256_done(&h, out);
}

void sha256_hex(const unsigned char digest[SHA256_BYTES], char out[SHA256_HEX])
{
    static const char hex[] = "0123456789abcdef";
    for (int i = 0; i < SHA256_BYTES; i++) {
        out[2 * i] = hex[digest[i] >> 4];
        out[2 * i + 1] = hex[digest[i] & 15];
    }
    out[2 * SHA256_BYTES] = '\0';
}
