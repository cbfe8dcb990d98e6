#!/usr/bin/env python3
"""Small vocabularies and the ids that the official code gives with them: tests/data/tokens.

  make_tokens.py OPEN_CLIP/tokenizer.py bpe_simple_vocab_16e6.txt.gz TEXT... OUT/

Needs the packages tokenizers 0.23, ftfy 6.3 and regex; the first two arguments are files of
open_clip_torch 3.3.0 (PyPI). `make test` needs none of them. The texts that the vocabularies are
made from are this project's own documentation. Columns of prompts.json:

  open_clip  open_clip's SimpleTokenizer with the small bpe.txt.gz, with start and end
  clip       tokenizers, put together as transformers' CLIPTokenizerFast, with the same merges
  bert       tokenizers, BertNormalizer, BertPreTokenizer and WordPiece, with the small vocab.txt
  published  open_clip's SimpleTokenizer with the published vocabulary
"""
import gzip
import importlib.util
import json
import os
import sys
import types

from tokenizers import (Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers,
                        processors, trainers)

MERGES = 300
PROMPTS = [
    "a photo", "A  Photo\n", "a photo of a person", "a cat with two horns on its head", "an image",
    "a photo depicts a dog", "", "   ", "the scorer's prompt; it'll be read, we've said",
    "IT'S THEY'RE I'M HE'D 'twas o'clock", "3 photographs, 17.5 % of 1024x768", "...---...!?",
    "unbelievably_long-compound/words (with) [brackets] {braces} <tags> @#$^*+=~`|\\",
    "reading readings reads re-read unread", "x", "antidisestablishmentarianism" * 2, "q" * 101,
    "a painting of an ocean with clouds and birds, day time, low depth field effect",
    "fish & chips &amp; &lt;b&gt;", "na\u00efve caf\u00e9", "nai\u0308ve cafe\u0301",
    "\u00c5ngstr\u00f6m \u212b", "\u0130stanbul \u0131",
    "\u039f\u0394\u039f\u03a3 \u03bf\u03b4\u03cc\u03c2",
    "\u4e00\u5f35\u7167\u7247 photo\u7167", "\ud55c\uad6d\uc5b4 \uc0ac\uc9c4",
    "\u3053\u308c\u306f\u5199\u771f\u3067\u3059",
    "\u0444\u043e\u0442\u043e\u0433\u0440\u0430\u0444\u0438\u044f \u0451\u0436",
    "\u0635\u0648\u0631\u0629", "photo \U0001f600\U0001f3fd ok",
    "tab\there\u00a0nbsp\u2003em\u3000wide", "soft\u00adhyphen zero\u200bwidth",
    "bell\u0007 and \u007f", "\u201cquoted\u201d \u2014 dash \u2026",
    "\u00bd \u00b2 \u2167 \u0664", "z\u0300\u0316\u0301\u0327\u0300",
    "\ufb01ne \u01c5 \u1e9e", "\u2028line\u2029para\u0085next", "\ufffd replaced",
]


def load_open_clip(path):
    """The module without torch, which only its other functions need."""
    for name in ("torch", "numpy"):
        sys.modules.setdefault(name, types.ModuleType(name))
    sys.modules["torch"].Tensor = sys.modules["torch"].LongTensor = object
    spec = importlib.util.spec_from_file_location("open_clip_tokenizer", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def clip_shell(model):
    """convert_slow_tokenizer.CLIPConverter of transformers."""
    tok = Tokenizer(model)
    tok.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    tok.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(
            Regex(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"),
            behavior="removed", invert=True),
        pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tok.decoder = decoders.ByteLevel()
    return tok


def make_clip(open_clip, texts, out):
    trained = clip_shell(models.BPE(end_of_word_suffix="</w>"))
    trainer = trainers.BpeTrainer(vocab_size=4000, end_of_word_suffix="</w>",
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    trained.train(texts, trainer)
    merges = [m if isinstance(m, str) else " ".join(m)
              for m in json.loads(trained.to_str())["model"]["merges"]]
    merges = [tuple(m.split(" ")) for m in merges][:MERGES]
    letters = list(open_clip.bytes_to_unicode().values())
    symbols = letters + [c + "</w>" for c in letters] + ["".join(m) for m in merges]
    symbols += ["<|startoftext|>", "<|endoftext|>"]
    assert len(set(symbols)) == len(symbols)
    vocab = {s: i for i, s in enumerate(symbols)}
    lines = "\n".join(" ".join(m) for m in merges)
    with open(os.path.join(out, "bpe.txt.gz"), "wb") as raw:
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as f:
            f.write(('"bpe.txt#version: 0.2\n' + lines).encode())
    os.makedirs(os.path.join(out, "clip"), exist_ok=True)
    with open(os.path.join(out, "clip", "vocab.json"), "w", encoding="utf-8") as f:
        json.dump(vocab, f)
    with open(os.path.join(out, "clip", "merges.txt"), "w", encoding="utf-8") as f:
        f.write("#version: 0.2\n" + lines + "\n")
    tok = clip_shell(models.BPE(vocab=vocab, merges=merges, continuing_subword_prefix="",
                                end_of_word_suffix="</w>", unk_token="<|endoftext|>"))
    tok.post_processor = processors.TemplateProcessing(
        single="<|startoftext|> $A <|endoftext|>",
        special_tokens=[(s, vocab[s]) for s in symbols[-2:]])
    tok.save(os.path.join(out, "clip_pairs.json"))
    saved = json.loads(tok.to_str())
    saved["model"]["merges"] = [" ".join(m) for m in merges]
    saved["added_tokens"] = [{"id": vocab[s], "content": s, "special": True, "single_word": False,
                              "lstrip": False, "rstrip": False, "normalized": False}
                             for s in symbols[-2:]]
    with open(os.path.join(out, "clip_strings.json"), "w", encoding="utf-8") as f:
        json.dump(saved, f, ensure_ascii=False)
    return tok


def make_bert(texts, out):
    tok = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tok.normalizer = normalizers.BertNormalizer(lowercase=True)
    tok.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tok.train(texts, trainers.WordPieceTrainer(vocab_size=700, special_tokens=special,
                                               initial_alphabet=list("\u7167\u4e00\u1112\u0444")))
    vocab = tok.get_vocab()
    bert = Tokenizer(models.WordPiece(vocab=vocab, unk_token="[UNK]",
                                      max_input_chars_per_word=100))
    bert.normalizer, bert.pre_tokenizer = tok.normalizer, tok.pre_tokenizer
    bert.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", vocab["[CLS]"]),
                                                 ("[SEP]", vocab["[SEP]"])])
    bert.decoder = decoders.WordPiece()
    bert.save(os.path.join(out, "bert.json"))
    with open(os.path.join(out, "vocab.txt"), "w", encoding="utf-8") as f:
        f.write("".join(s + "\n" for s, _ in sorted(vocab.items(), key=lambda v: v[1])))
    return bert


def main():
    module_path, published, *texts, out = sys.argv[1:]
    open_clip = load_open_clip(module_path)
    os.makedirs(out, exist_ok=True)
    clip, bert = make_clip(open_clip, texts, out), make_bert(texts, out)
    ours = open_clip.SimpleTokenizer(os.path.join(out, "bpe.txt.gz"))
    theirs = open_clip.SimpleTokenizer(published)

    def slow(tokenizer, prompt):
        return [tokenizer.sot_token_id] + tokenizer.encode(prompt) + [tokenizer.eot_token_id]
    rows = [{"prompt": p, "open_clip": slow(ours, p), "clip": clip.encode(p).ids,
             "bert": bert.encode(p).ids, "published": slow(theirs, p)} for p in PROMPTS]
    with open(os.path.join(out, "prompts.json"), "w", encoding="utf-8") as f:
        f.write("[\n" + ",\n".join(json.dumps(r) for r in rows) + "\n]\n")


if __name__ == "__main__":
    main()
