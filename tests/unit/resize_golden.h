/* resize_golden.h - what Pillow makes of an image of known bytes; printed by
 * tests/ref/image_resize_modes.py. */
#ifndef TESTS_RESIZE_GOLDEN_H
#define TESTS_RESIZE_GOLDEN_H

#include <stdint.h>

typedef struct resize_golden {
    const char *mode, *kernel;
    int size[4]; /* width, height, to width, to height */
    uint64_t sum;
    const char *sha;
} resize_golden;

/* Pillow 9.4 */
static const resize_golden golden[] = {
    {"RGB", "nearest", {61, 47, 29, 23}, 257517, "228ad6d410f03881"},
    {"RGB", "box", {40, 90, 55, 31}, 651949, "79d8ee4b90b4272f"},
    {"RGB", "bilinear", {40, 90, 33, 80}, 1010539, "d589aff481181f1d"},
    {"RGB", "hamming", {19, 200, 17, 21}, 136541, "e1e8f148bf72dd8e"},
    {"RGB", "bicubic", {61, 47, 29, 23}, 255086, "90557bb49e96b238"},
    {"RGB", "lanczos", {40, 90, 55, 31}, 652167, "f77bd6c1cc032832"},
    {"L", "nearest", {40, 90, 55, 31}, 221746, "1b404557c1d19cbd"},
    {"L", "box", {40, 90, 33, 80}, 336823, "88b6f5fa0a16b1a9"},
    {"L", "bilinear", {19, 200, 17, 21}, 45512, "a670f2d6257ddeef"},
    {"L", "hamming", {61, 47, 29, 23}, 85007, "d3e5a57516366a6b"},
    {"L", "bicubic", {40, 90, 55, 31}, 217422, "b70059412a1232f2"},
    {"L", "lanczos", {40, 90, 33, 80}, 336619, "2896d17ef5a419a2"},
    {"LA", "nearest", {40, 90, 33, 80}, 669696, "904b11064beabedb"},
    {"LA", "box", {19, 200, 17, 21}, 85353, "f8ee9a4a142319df"},
    {"LA", "bilinear", {61, 47, 29, 23}, 157592, "18b523a49ca1b19d"},
    {"LA", "hamming", {40, 90, 55, 31}, 406896, "63921d27444e28b1"},
    {"LA", "bicubic", {40, 90, 33, 80}, 641746, "464dfa802579ed52"},
    {"LA", "lanczos", {19, 200, 17, 21}, 84757, "18c30c5fb89c8452"},
    {"RGBA", "nearest", {19, 200, 17, 21}, 182574, "24f281844cbb7df5"},
    {"RGBA", "box", {61, 47, 29, 23}, 335397, "de4ad5613084fd31"},
    {"RGBA", "bilinear", {40, 90, 55, 31}, 849457, "faf69e544aafdb78"},
    {"RGBA", "hamming", {40, 90, 33, 80}, 1339430, "72be31f7f7f82f2b"},
    {"RGBA", "bicubic", {19, 200, 17, 21}, 178076, "be78a224fa60c978"},
    {"RGBA", "lanczos", {61, 47, 29, 23}, 334296, "68c847d9206c4bd6"},
    {"CMYK", "nearest", {61, 47, 29, 23}, 340786, "dd30f536612e8fc1"},
    {"CMYK", "box", {40, 90, 55, 31}, 870000, "e266b68934cfccf6"},
    {"CMYK", "bilinear", {40, 90, 33, 80}, 1346764, "ccb84e9df6675aee"},
    {"CMYK", "hamming", {19, 200, 17, 21}, 182088, "be9bd83b9665eb86"},
    {"CMYK", "bicubic", {61, 47, 29, 23}, 340157, "6a890fcb12f6103b"},
    {"CMYK", "lanczos", {40, 90, 55, 31}, 869494, "6526c02c4b2147b3"},
    {"P", "nearest", {40, 90, 55, 31}, 221746, "1b404557c1d19cbd"},
    {"P", "box", {40, 90, 33, 80}, 334384, "dd001897a85877d7"},
    {"P", "bilinear", {19, 200, 17, 21}, 45473, "500e2c2c76aebc3f"},
    {"P", "hamming", {61, 47, 29, 23}, 85605, "e8941a5b598f3f7d"},
    {"P", "bicubic", {40, 90, 55, 31}, 221746, "1b404557c1d19cbd"},
    {"P", "lanczos", {40, 90, 33, 80}, 334384, "dd001897a85877d7"},
    {"1", "nearest", {40, 90, 33, 80}, 335835, "7778fed92bfc2c37"},
    {"1", "box", {19, 200, 17, 21}, 45645, "8bc2c83b27996663"},
    {"1", "bilinear", {61, 47, 29, 23}, 85935, "381e469a784042a6"},
    {"1", "hamming", {40, 90, 55, 31}, 226695, "151afe7a34ff2d47"},
    {"1", "bicubic", {40, 90, 33, 80}, 335835, "7778fed92bfc2c37"},
    {"1", "lanczos", {19, 200, 17, 21}, 45645, "8bc2c83b27996663"},
    {"I", "nearest", {61, 47, 29, 23}, 169843, "4b0b2933dde6f676"},
    {"I", "box", {40, 90, 55, 31}, 433393, "94f667e05373bf7a"},
    {"I", "bilinear", {40, 90, 33, 80}, 680832, "b1fcfb458645d90c"},
    {"I", "hamming", {19, 200, 17, 21}, 89985, "0b14647d7683cbf6"},
    {"I", "bicubic", {61, 47, 29, 23}, 170366, "73e292592935b912"},
    {"I", "lanczos", {40, 90, 55, 31}, 436138, "ad932c2e07e3b9ea"},
};

/* Pillow 13.0.0 */
static const resize_golden golden_13[] = {
    {"RGB", "bicubic", {300, 900, 224, 672}, 57576962, "b58c8eedc71eba2d"},
    {"RGB", "bicubic", {60, 200, 30, 140}, 1606737, "e5c6384bf0d32581"},
    {"RGB", "bicubic", {60, 200, 30, 139}, 1595012, "e9d563de9ab6e339"},
    {"RGB", "bicubic", {60, 200, 59, 198}, 4468335, "7aa451fdf589657f"},
    {"RGB", "bicubic", {60, 200, 59, 197}, 4445852, "e51184fef6224a9e"},
    {"RGB", "bicubic", {60, 200, 60, 199}, 4567043, "7adcb798dcdea212"},
    {"RGB", "bicubic", {60, 200, 90, 199}, 6851419, "8cc57d0ff69b196a"},
    {"RGB", "bicubic", {60, 200, 90, 200}, 6885370, "144758f4b86f9e9d"},
    {"RGB", "bicubic", {60, 200, 90, 201}, 6919869, "7cbb345e56accded"},
    {"RGB", "bicubic", {640, 480, 298, 224}, 25532845, "13a991243d80fcc4"},
    {"RGB", "bicubic", {480, 640, 224, 298}, 25532697, "8e2637484376f8f7"},
    {"RGB", "bicubic", {5, 2000, 4, 10}, 15302, "568beda7e3c6a6e0"},
    {"RGB", "lanczos", {50, 300, 45, 120}, 2065466, "5d3e0b371f279378"},
    {"L", "lanczos", {50, 300, 45, 120}, 688476, "936fb564669e13d2"},
    {"LA", "lanczos", {50, 300, 45, 120}, 1310869, "7a9a96d02cefb553"},
    {"RGBA", "lanczos", {50, 300, 45, 120}, 2693739, "144284241624058a"},
    {"CMYK", "lanczos", {50, 300, 45, 120}, 2753982, "08886766c2a75f3d"},
    {"P", "lanczos", {50, 300, 45, 120}, 688719, "a8f961a3cded372a"},
    {"1", "lanczos", {50, 300, 45, 120}, 689520, "d487173d89d0b759"},
    /* Pillow 9.4, one side after the other */
    {"I", "box", {50, 300, 45, 120}, 1375627, "c70ec8585f615ed2"},
    {"I", "bilinear", {50, 300, 45, 120}, 1389249, "f10ec49009ff2543"},
    {"I", "hamming", {50, 300, 45, 120}, 1383910, "a62e8ae31ad36c62"},
    {"I", "bicubic", {50, 300, 45, 120}, 1366740, "703eac76a5f0823a"},
    {"I", "lanczos", {50, 300, 45, 120}, 1373780, "d109e542d36eae95"},
};

#endif
