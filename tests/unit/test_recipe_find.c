/* Where the files of a recipe are found: named folders, TARE_MODELS, the caches of the published
 * code and Hugging Face's (scorers 3.3). */
#include <string.h>

#include "recipe_fixture.h"
#include "support/check.h"

static tare_error err;

static const char *find(recipe_fixture *x, const char *name, recipe_role role, const char *weights)
{
    recipe r;
    const char *path = NULL;
    memset(&err, 0, sizeof err);
    assert_ok(recipe_named(&r, &x->a, name, &err));
    tare_status status = recipe_find_file(&path, &x->a, &r, role, weights, &err);
    assert_true((status == TARE_OK) == (path != NULL));
    if (status) assert_string_equal(err.code, "weights.missing");
    return path ? path : "";
}

#define FOUND(name, role, weights, path)                                                   \
    assert_string_equal(find(x, name, role, weights), in_home(x, path))
#define ABSENT(name, role, weights) assert_string_equal(find(x, name, role, weights), "")

static void test_caches(void **state)
{
    recipe_fixture *x = *state;
    ABSENT("laion-v2", RECIPE_BACKBONE, NULL);
    assert_non_null(strstr(err.message, "ViT-L-14.pt"));
    assert_non_null(strstr(err.message, ".cache/clip"));
    assert_non_null(strstr(err.message, "tare scorer where laion-v2"));
    touch(x, ".cache/clip/ViT-L-14.pt");
    touch(x, ".cache/ImageReward/sac+logos+ava1-l14-linearMSE.pth");
    touch(x, ".cache/emb_reader/sa_0_4_vit_l_14_linear.pth");
    touch(x, ".cache/hpsv2/HPS_v2.1_compressed.pt");
    FOUND("laion-v2", RECIPE_BACKBONE, NULL, ".cache/clip/ViT-L-14.pt");
    FOUND("clip-l14", RECIPE_BACKBONE, NULL, ".cache/clip/ViT-L-14.pt");
    FOUND("laion-v2", RECIPE_HEAD, NULL, ".cache/ImageReward/sac+logos+ava1-l14-linearMSE.pth");
    FOUND("laion-v1", RECIPE_HEAD, NULL, ".cache/emb_reader/sa_0_4_vit_l_14_linear.pth");
    FOUND("hpsv2.1", RECIPE_BACKBONE, NULL, ".cache/hpsv2/HPS_v2.1_compressed.pt");
    ABSENT("hpsv2.0", RECIPE_BACKBONE, NULL);
    ABSENT("clip-b32", RECIPE_BACKBONE, NULL);
    unsetenv("HOME");
    ABSENT("laion-v2", RECIPE_BACKBONE, NULL);
    assert_non_null(strstr(err.message, "no folder at all"));
    setenv("HOME", x->home, 1);
}

#define PICK "models--yuvalkirstain--PickScore_v1/"

static void test_hub(void **state)
{
    recipe_fixture *x = *state;
    touch(x, ".cache/huggingface/hub/" PICK "blobs/aa");
    touch(x, ".cache/huggingface/hub/" PICK "snapshots/0000/README.md");
    assert_int_equal(symlink("../../blobs/aa",
                             in_home(x, ".cache/huggingface/hub/" PICK
                                        "snapshots/0000/model.safetensors")), 0);
    FOUND("pickscore", RECIPE_BACKBONE, NULL,
          ".cache/huggingface/hub/" PICK "snapshots/0000/model.safetensors");
    /* The snapshot of refs/main first, whatever the order of names. */
    touch(x, ".cache/huggingface/hub/" PICK "snapshots/ffff/model.safetensors");
    write_words(x, ".cache/huggingface/hub/" PICK "refs/main", "ffff\n");
    FOUND("pickscore", RECIPE_BACKBONE, NULL,
          ".cache/huggingface/hub/" PICK "snapshots/ffff/model.safetensors");
    write_words(x, ".cache/huggingface/hub/" PICK "refs/main", "../../..");
    FOUND("pickscore", RECIPE_BACKBONE, NULL,
          ".cache/huggingface/hub/" PICK "snapshots/0000/model.safetensors");
    /* HF_HOME and HF_HUB_CACHE take its place. */
    touch(x, "elsewhere/hub/" PICK "snapshots/1/model.safetensors.index.json");
    setenv("HF_HOME", in_home(x, "elsewhere"), 1);
    FOUND("pickscore", RECIPE_BACKBONE, NULL,
          "elsewhere/hub/" PICK "snapshots/1/model.safetensors.index.json");
    touch(x, "third/" PICK "snapshots/2/pytorch_model.bin");
    setenv("HF_HUB_CACHE", in_home(x, "third"), 1);
    FOUND("pickscore", RECIPE_BACKBONE, NULL, "third/" PICK "snapshots/2/pytorch_model.bin");
    setenv("HF_HUB_CACHE", "", 1);
    FOUND("pickscore", RECIPE_BACKBONE, NULL,
          "elsewhere/hub/" PICK "snapshots/1/model.safetensors.index.json");
    unsetenv("HF_HUB_CACHE");
    unsetenv("HF_HOME");
}

static void test_dangling_link(void **state)
{
    recipe_fixture *x = *state;
    touch(x, ".cache/clip/README");
    assert_int_equal(symlink("nowhere", in_home(x, ".cache/clip/ViT-L-14.pt")), 0);
    ABSENT("clip-l14", RECIPE_BACKBONE, NULL);
}

static void test_named(void **state)
{
    recipe_fixture *x = *state;
    touch(x, "models/ViT-L-14.pt");
    touch(x, ".cache/clip/ViT-L-14.pt");
    const char *folder = in_home(x, "models");
    FOUND("laion-v2", RECIPE_BACKBONE, folder, "models/ViT-L-14.pt");
    /* The head may be elsewhere, once the folder holds the other file. */
    ABSENT("laion-v2", RECIPE_HEAD, folder);
    touch(x, ".cache/ImageReward/sac+logos+ava1-l14-linearMSE.pth");
    FOUND("laion-v2", RECIPE_HEAD, folder,
          ".cache/ImageReward/sac+logos+ava1-l14-linearMSE.pth");
    touch(x, "models/sac+logos+ava1-l14-linearMSE.pth");
    FOUND("laion-v2", RECIPE_HEAD, folder, "models/sac+logos+ava1-l14-linearMSE.pth");
    /* A folder with neither is a mistake, whatever the caches hold. */
    touch(x, "empty/x");
    ABSENT("laion-v2", RECIPE_BACKBONE, in_home(x, "empty"));
    assert_null(strstr(err.message, ".cache"));
    ABSENT("laion-v2", RECIPE_BACKBONE, in_home(x, "no-such"));
    assert_non_null(strstr(err.message, "no such file or folder"));
    ABSENT("laion-v2", RECIPE_BACKBONE, in_home(x, "models/no-such.pt"));
    assert_non_null(strstr(err.message, "no such file or folder"));
    /* A folder called like the recipe comes before its parent. */
    touch(x, "models/laion-v2/ViT-L-14.pt");
    FOUND("laion-v2", RECIPE_BACKBONE, folder, "models/laion-v2/ViT-L-14.pt");
    touch(x, "models/PickScore_v1/model.safetensors");
    FOUND("pickscore", RECIPE_BACKBONE, folder, "models/PickScore_v1/model.safetensors");
}

static void test_named_file(void **state)
{
    recipe_fixture *x = *state;
    const char *file = touch(x, "w/any-name.safetensors");
    const char *head = touch(x, "w/sac+logos+ava1-l14-linearMSE.pth");
    FOUND("laion-v2", RECIPE_BACKBONE, file, "w/any-name.safetensors");
    FOUND("laion-v2", RECIPE_HEAD, file, "w/sac+logos+ava1-l14-linearMSE.pth");
    FOUND("laion-v2", RECIPE_HEAD, head, "w/sac+logos+ava1-l14-linearMSE.pth");
    /* The head's file says nothing about the backbone. */
    ABSENT("laion-v2", RECIPE_BACKBONE, head);
    touch(x, ".cache/clip/ViT-L-14.pt");
    FOUND("laion-v2", RECIPE_BACKBONE, head, ".cache/clip/ViT-L-14.pt");
}

static const char *owner(recipe_fixture *x, const char *name, const char *path)
{
    recipe r;
    const char *out;
    assert_ok(recipe_named(&r, &x->a, name, &err));
    assert_ok(recipe_of_name(&out, &x->a, &r, path, &err));
    return out ? out : "";
}

/* Version 2.0's file may be named for 2.1, and then it is said whose name it has. */
static void test_name_of_another(void **state)
{
    recipe_fixture *x = *state;
    assert_string_equal(owner(x, "hpsv2.1", "d/HPS_v2_compressed.pt"), "hpsv2.0");
    assert_string_equal(owner(x, "hpsv2.0", "HPS_v2.1_compressed.pt"), "hpsv2.1");
    assert_string_equal(owner(x, "clip-l14", "ViT-B-32.pt"), "clip-b32");
    assert_string_equal(owner(x, "hpsv2.0", "HPS_v2_compressed.pt"), "");
    assert_string_equal(owner(x, "hpsv2.1", "model.safetensors"), ""); /* of several */
    assert_string_equal(owner(x, "hpsv2.1", "mine.pt"), "");
}

static void test_models_variable(void **state)
{
    recipe_fixture *x = *state;
    touch(x, ".cache/clip/ViT-B-32.pt");
    touch(x, "m/ViT-B-32.pt");
    setenv("TARE_MODELS", in_home(x, "m"), 1);
    FOUND("clip-b32", RECIPE_BACKBONE, NULL, "m/ViT-B-32.pt");
    setenv("TARE_MODELS", in_home(x, "none"), 1);
    FOUND("clip-b32", RECIPE_BACKBONE, NULL, ".cache/clip/ViT-B-32.pt");
    unsetenv("TARE_MODELS");
}

static const char *vocabulary(recipe_fixture *x, const char *name, const char *weights)
{
    recipe r;
    const char *path = NULL;
    assert_ok(recipe_named(&r, &x->a, name, &err));
    assert_ok(recipe_find_vocabulary(&path, &x->a, &r, weights, &err));
    return path ? path : "";
}

static void test_vocabulary(void **state)
{
    recipe_fixture *x = *state;
    assert_string_equal(vocabulary(x, "pickscore", NULL), "");
    assert_string_equal(vocabulary(x, "laion-v2", NULL), ""); /* takes no prompt */
    touch(x, "m/vocab.json");
    touch(x, "m/model.safetensors");
    assert_string_equal(vocabulary(x, "pickscore", in_home(x, "m")), "");
    touch(x, "m/merges.txt"); /* both, or none */
    assert_string_equal(vocabulary(x, "pickscore", in_home(x, "m")), in_home(x, "m"));
    assert_string_equal(vocabulary(x, "pickscore", in_home(x, "m/model.safetensors")),
                        in_home(x, "m"));
    touch(x, "m/bpe_simple_vocab_16e6.txt.gz");
    assert_string_equal(vocabulary(x, "pickscore", in_home(x, "m")),
                        in_home(x, "m/bpe_simple_vocab_16e6.txt.gz"));
    assert_string_equal(vocabulary(x, "imagereward", in_home(x, "m")), "");
    touch(x, ".cache/huggingface/hub/models--bert-base-uncased/snapshots/1/vocab.txt");
    assert_string_equal(vocabulary(x, "imagereward", NULL),
                        in_home(x, ".cache/huggingface/hub/models--bert-base-uncased/snapshots/1/"
                                   "vocab.txt"));
}

#define WITH_HOME(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_HOME(test_caches),     WITH_HOME(test_hub),
        WITH_HOME(test_dangling_link), WITH_HOME(test_named),
        WITH_HOME(test_named_file), WITH_HOME(test_models_variable),
        WITH_HOME(test_vocabulary), WITH_HOME(test_name_of_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
