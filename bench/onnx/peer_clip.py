"""peer_clip.py FILE NAME PHOTOS ROUNDS VECTORS THREADS: the same file of write_vit.py in PyTorch:
transformers' CLIP tower on what its image processor makes of Pillow's pictures. Prints a line as
bench_towers does (memory: after the images, since its weights are mapped until they are used);
exits 77 and says what is missing where the packages are not."""
import os
import sys
import time

try:
    import numpy
    import torch
    import transformers
    from PIL import Image
except ImportError as missing:
    print(f"bench: {sys.executable} has no package {missing.name}: towers are measured without "
          "PyTorch", file=sys.stderr)
    sys.exit(77)

SIZES = {"vit-l-14": (1024, 24, 4096, 768, "quick_gelu"),
         "vit-h-14": (1280, 32, 5120, 1024, "gelu"), "vit-tiny": (128, 2, 256, 64, "quick_gelu")}
HEADS = {"vit-tiny": 4}


def memory():
    """Anonymous and mapped, in MiB."""
    words = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return [int(words[k].split()[0]) / 1024 for k in ("RssAnon", "RssFile")]


def load(path, name):
    width, layers, mlp, vector, activation = SIZES[name]
    config = transformers.CLIPVisionConfig(
        hidden_size=width, num_hidden_layers=layers, intermediate_size=mlp,
        num_attention_heads=HEADS.get(name, 16), projection_dim=vector, patch_size=14,
        image_size=224, hidden_act=activation)
    model = transformers.CLIPVisionModelWithProjection.from_pretrained(
        None, config=config, state_dict=weights(path), torch_dtype=torch.float32)
    return model.eval()


def weights(path):
    from safetensors.torch import load_file
    return {k: v.float() for k, v in load_file(path).items()}


def main():
    path, name, photos, rounds, out, threads = sys.argv[1:]
    torch.set_num_threads(int(threads))
    before, busy, start = memory(), time.process_time(), time.perf_counter()
    model = load(path, name)
    seconds, cpu = time.perf_counter() - start, time.process_time() - busy
    processor = transformers.CLIPImageProcessor()
    files = sorted(os.listdir(photos))
    best, best_cpu = 1e9, 1e9
    for _ in range(int(rounds)):
        vectors = []
        busy, start = time.process_time(), time.perf_counter()
        with torch.inference_mode():
            for file in files:
                picture = Image.open(os.path.join(photos, file)).convert("RGB")
                pixels = processor(picture, return_tensors="pt")["pixel_values"]
                vectors.append(model(pixels).image_embeds[0].numpy())
        best = min(best, time.perf_counter() - start)
        best_cpu = min(best_cpu, time.process_time() - busy)
    after = memory()
    numpy.array(vectors, "<f4").tofile(out)
    print("pytorch", name, "float32", f"{seconds:.2f}", f"{cpu:.2f}", "", "",
          f"{after[0] - before[0]:.0f}", f"{after[1] - before[1]:.0f}", len(files), f"{best:.3f}",
          f"{best_cpu:.3f}", "", "", sep="\t")


main()
