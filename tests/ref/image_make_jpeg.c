/* image_make_jpeg FILE SPACE WIDTH HEIGHT [WORD ...] - JPEG files of kinds that few programs write.
 *
 * SPACE grey, rgb (stored so), ycc, cmyk, ycck. Words: h2, h4, v2: sampling of the first channel;
 * r5: a restart marker every 5 blocks; progressive; arithmetic; bare: without the Adobe marker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

static void set_space(struct jpeg_compress_struct *c, const char *space)
{
    static const struct {
        const char *name;
        int channels;
        J_COLOR_SPACE in, stored;
    } spaces[] = {{"grey", 1, JCS_GRAYSCALE, JCS_GRAYSCALE}, {"rgb", 3, JCS_RGB, JCS_RGB},
                  {"ycc", 3, JCS_RGB, JCS_YCbCr}, {"cmyk", 4, JCS_CMYK, JCS_CMYK},
                  {"ycck", 4, JCS_CMYK, JCS_YCCK}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (strcmp(space, spaces[i].name) == 0) {
            c->input_components = spaces[i].channels;
            c->in_color_space = spaces[i].in;
            jpeg_set_defaults(c);
            jpeg_set_colorspace(c, spaces[i].stored);
            return;
        }
    fprintf(stderr, "no such space: %s\n", space);
    exit(2);
}

static void set_word(struct jpeg_compress_struct *c, const char *word)
{
    if (word[0] == 'h') c->comp_info[0].h_samp_factor = atoi(word + 1);
    else if (word[0] == 'v') c->comp_info[0].v_samp_factor = atoi(word + 1);
    else if (word[0] == 'r') c->restart_interval = (unsigned)atoi(word + 1);
    else if (strcmp(word, "progressive") == 0) jpeg_simple_progression(c);
    else if (strcmp(word, "arithmetic") == 0) c->arith_code = TRUE;
    else if (strcmp(word, "bare") == 0) c->write_Adobe_marker = FALSE;
}

int main(int argc, char **argv)
{
    struct jpeg_compress_struct c;
    struct jpeg_error_mgr errors;
    FILE *file = argc < 5 ? NULL : fopen(argv[1], "wb");
    if (file == NULL) {
        fprintf(stderr, "image_make_jpeg FILE SPACE WIDTH HEIGHT [WORD ...]\n");
        return 2;
    }
    memset(&c, 0, sizeof c);
    c.err = jpeg_std_error(&errors);
    jpeg_create_compress(&c);
    jpeg_stdio_dest(&c, file);
    c.image_width = (JDIMENSION)atoi(argv[3]);
    c.image_height = (JDIMENSION)atoi(argv[4]);
    c.input_components = 3;
    c.in_color_space = JCS_RGB;
    set_space(&c, argv[2]);
    jpeg_set_quality(&c, 85, TRUE);
    for (int k = 1; k < c.num_components; k++)
        c.comp_info[k].h_samp_factor = c.comp_info[k].v_samp_factor = 1;
    c.comp_info[0].h_samp_factor = c.comp_info[0].v_samp_factor = 1;
    for (int i = 5; i < argc; i++) set_word(&c, argv[i]);
    if (c.num_components == 4) { /* black is sampled as the first is */
        c.comp_info[3].h_samp_factor = c.comp_info[0].h_samp_factor;
        c.comp_info[3].v_samp_factor = c.comp_info[0].v_samp_factor;
    }
    jpeg_start_compress(&c, TRUE);
    size_t channels = (size_t)c.input_components;
    JSAMPLE *row = malloc(c.image_width * channels);
    if (row == NULL) return 1;
    for (size_t y = 0; y < c.image_height; y++) {
        for (size_t x = 0; x < c.image_width; x++)
            for (size_t k = 0; k < channels; k++) /* slopes, and an edge across */
                row[x * channels + k] = (JSAMPLE)((x * (3 + 2 * k) + y * (7 - k) + 40 * k +
                                                   (x > y ? 60 : 0)) % 256 * (4 - k % 2) / 4);
        jpeg_write_scanlines(&c, &row, 1);
    }
    jpeg_finish_compress(&c);
    jpeg_destroy_compress(&c);
    free(row);
    return fclose(file) == 0 ? 0 : 1;
}
