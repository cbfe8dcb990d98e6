/* make_models FOLDER: writes the small models of tiny_onnx.h, for scenarios. */
#include <stdio.h>

#include "support/tiny_onnx.h"

int main(int argc, char **argv)
{
    if (argc != 2 || !tiny_models_make(argv[1])) {
        fprintf(stderr, "usage: make_models FOLDER (that can be written to)\n");
        return 1;
    }
    return 0;
}
