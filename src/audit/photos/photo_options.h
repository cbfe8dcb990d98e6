/* photo_options.h - options that every job on photographs shares, as initialisers of
 * tare_option_info, so that no list is typed twice. */
#ifndef AUDIT_PHOTOS_PHOTO_OPTIONS_H
#define AUDIT_PHOTOS_PHOTO_OPTIONS_H

#define PHOTO_OPTION_OUTPUT                                                                        \
    {"output", "DIR", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,                                       \
     "run folder: everything raw, resumable, and the results", "Input and output"}
#define PHOTO_OPTION_MANIFEST                                                                      \
    {"manifest", "FILE", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,                                    \
     "table of the bases: base, file, arm, kind, cluster, group, prompt, mask, silhouette, "       \
     "band_top, band_bottom; with dose: of your own variants", "Input and output"}
#define PHOTO_OPTION_GROUP                                                                         \
    {"group", "COLUMN", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 0,                                     \
     "column with the group, of the manifest or the score table", "Input and output"}
#define PHOTO_OPTION_MAX_PIXELS                                                                    \
    {"max-pixels", "N", TARE_OPTION_INTEGER, "100000000", NULL, 1, 4294836225.0, 0,                \
     "refuse larger photographs", "Input and output"}
#define PHOTO_OPTION_PREPARE_SIZE                                                                  \
    {"prepare-size", "S", TARE_OPTION_INTEGER, "0", NULL, 0, 65535, 0,                             \
     "resize to short side S and crop the centre square before all else (0: leave as it is)",      \
     "Photographs"}
/* Audits compare small differences: what silently changes colours is refused unless it is asked
 * for. */
#define PHOTO_OPTIONS_DECODING_AUDIT                                                               \
    {"decoding", "NAME", TARE_OPTION_CHOICE, "strict", "strict|canonical", 0, 0, 0,                \
     "files whose colours need a decision (alpha, CMYK, 16 bits, several pictures) are refused, "  \
     "or converted in one documented way, with a remark", "Photographs"},                          \
    PHOTO_OPTION_TRANSPARENT
#define PHOTO_OPTIONS_DECODING_SCORE                                                               \
    {"decoding", "NAME", TARE_OPTION_CHOICE, "canonical", "strict|canonical|published", 0, 0, 0,   \
     "files whose colours need a decision are refused, converted in one documented way, or given " \
     "to the scorer as its own loader sees them", "Photographs"},                                  \
    PHOTO_OPTION_TRANSPARENT
#define PHOTO_OPTION_TRANSPARENT                                                                   \
    {"transparent", "COLOUR", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 0,                               \
     "what is behind transparent pixels under canonical decoding: white (if not said), black, "    \
     "#rrggbb, drop, refuse", "Photographs"}
#define PHOTO_OPTION_SEED                                                                          \
    {"seed", "N", TARE_OPTION_INTEGER, "1", NULL, 0, 9007199254740992.0, 0,                        \
     "seed of every random draw", "Statistics"}

#define PHOTO_OPTIONS_INTERVENTION                                                                 \
    {"axis", "NAME", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,                                        \
     "what is moved (skin): skin, nonskin, hue, blur, codec, warp; ARM:NAME for one arm of the "   \
     "manifest; "                                                                                  \
     "may be given several times", "Photographs"},                                                 \
    {"placebo", "NAME", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,                                     \
     "operator that stands beside the axis for comparison, AXIS:NAME beside one axis; all, none "  \
     "(the sham of the axis); may be given several times", "Photographs"},                         \
    {"doses", "LIST", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,                                       \
     "doses in the place of an operator's own, the neutral one among them: NAME=D,D,...",          \
     "Photographs"},                                                                               \
    {"stress-masks", NULL, TARE_OPTION_FLAG, "no", NULL, 0, 0, 0,                                  \
     "make the skin axes again with the tight and with the loose mask, to see whether the "        \
     "readings "                                                                                   \
     "depend on it", "Photographs"},                                                               \
    {"axis-name", "NAME", TARE_OPTION_TEXT, "custom", NULL, 0, 0, 0,                               \
     "what your own variants are called, if the manifest names a file for each dose",              \
     "Photographs"},                                                                               \
    {"segmenter", "SPEC", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 0,                                   \
     "model that finds the person, for the body axis: onnx:FILE.yaml", "Photographs"},             \
    {"warp-window", "NAME", TARE_OPTION_CHOICE, "hann", "hann|tukey", 0, 0, 0,                     \
     "how the warp grows from the borders of the torso band", "Photographs"},                      \
    {"mask-set", "NAME", TARE_OPTION_CHOICE, "default", "default|tight|loose", 0, 0, 0,            \
     "YCbCr thresholds of the skin mask", "Photographs"},                                          \
    {"feather-sigma", "PX", TARE_OPTION_NUMBER, "3", NULL, 0, 1000, 0,                             \
     "softness of the mask's border, in pixels of a 224-pixel image", "Photographs"},              \
    {"feather-mode", "NAME", TARE_OPTION_CHOICE, "lab", "lab|rgb", 0, 0, 0,                        \
     "where the border is blended", "Photographs"},                                                \
    {"measure-mask", "NAME", TARE_OPTION_CHOICE, "base", "base|resegment", 0, 0, 0,                \
     "pixels on which the skin tone is measured", "Photographs"},                                  \
    {"ita-aggregate", "NAME", TARE_OPTION_CHOICE, "mean", "mean|median|trimmed|rgbmean", 0, 0, 0,  \
     "how pixels become one ITA", "Photographs"},                                                  \
    {"ita-angle", "NAME", TARE_OPTION_CHOICE, "atan2", "atan2|atan", 0, 0, 0,                      \
     "arc tangent of the ITA", "Photographs"},                                                     \
    {"keep-variants", NULL, TARE_OPTION_FLAG, "no", NULL, 0, 0, 0,                                 \
     "keep every variant as a PNG file, listed in variants.tsv", "Photographs"}

#define PHOTO_OPTION_PROMPTS                                                                       \
    {"prompts", "FILE", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,                                     \
     "ask scorers that take a prompt once with each line of this file, and show the spread",       \
     "Instruments"}
#define PHOTO_OPTIONS_SCORING                                                                      \
    {"prompt", "TEXT", TARE_OPTION_TEXT, "a photo", NULL, 0, 0, 0,                                 \
     "prompt of scorers that take one", "Instruments"},                                            \
    {"batch", "N", TARE_OPTION_INTEGER, "0", NULL, 0, 4096, 0,                                     \
     "items per call (0: as the instrument says); fixed and recorded", "Instruments"},             \
    {"timeout", "SECONDS", TARE_OPTION_NUMBER, "120", NULL, 0.01, 86400, 0,                        \
     "time limit of one batch (exec: and onnx:)", "Instruments"},                                  \
    {"retry", NULL, TARE_OPTION_FLAG, "no", NULL, 0, 0, 0,                                         \
     "ask again where a scorer failed or ran out of time", "Instruments"},                         \
    {"ort", "FILE", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,                                         \
     "ONNX Runtime's library (else TARE_ORT_LIB, else where the system has it)", "Instruments"},   \
    {"weights", "PATH", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,                                     \
     "folder or file of published weights (else TARE_MODELS, else their own caches)",              \
     "Instruments"},                                                                               \
    {"vocabulary", "PATH", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,                                  \
     "the tokeniser's, for prompts other than `a photo` (else near the weights)",                  \
     "Instruments"},                                                                               \
    {"provider", "NAME", TARE_OPTION_CHOICE, "cpu", "cpu|cuda|coreml", 0, 0, 0,                    \
     "where ONNX Runtime computes; part of the fingerprint", "Instruments"},                       \
    {"low-memory", NULL, TARE_OPTION_FLAG, "no", NULL, 0, 0, 0,                                    \
     "let ONNX Runtime (1.21 or later) read published weights itself", "Instruments"},             \
    {"dump-graph", "DIR", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,                                   \
     "write the graphs of published scorers here, for other viewers", "Instruments"},              \
    {"embeddings", "DIR", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,                                   \
     "keep vectors of images here for other heads and runs (else in memory, for this run)",        \
     "Instruments"},                                                                               \
    {"lower-is-better", "NAME", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,                             \
     "this scorer gives low numbers to good images", "Instruments"}

#endif
