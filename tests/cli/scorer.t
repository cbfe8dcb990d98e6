Published scorers: where their files come from, what is in a file, whether published values hold.
Nothing is fetched, and a home without files stands for a machine on which nobody has any.

  $ mkdir home; HOME=$PWD/home tare scorer where laion-v1 -q -o files > where.txt; grep -v '^  laion' where.txt
  Published scorers: what to fetch, and where it is looked for
  
  laion-v1: LAION-Aesthetics V1. A guess at ratings from 1 to 10; a wider scale
  than V2's, and values below 1 and above 10 occur. Published by
  LAION-AI/aesthetic-predictor, on OpenAI's CLIP ViT-L/14; licence of the weights:
  MIT (head), MIT (CLIP).
  - tare fetches nothing: put the files of each scorer into a folder of its own,
    named like the scorer (pickscore/model.safetensors: several call theirs so),
    and name the folder around them by --weights or TARE_MODELS; or leave them
    where the authors' own code put them.
  
  Files
    scorer    part      what           value
  $ sed 's/.*home/HOME/' where.txt | grep HOME
  HOME/.cache/clip (cache): not there
  HOME/.cache/huggingface/hub/models--openai--clip-vit-large-patch14/snapshots (Hugging Face): not there
  HOME/.cache/emb_reader (cache): not there
  $ cut -f 1-3 files/tables/scorer_files.tsv | head -n 5
  scorer	part	what
  laion-v1	backbone	file
  laion-v1	backbone	or
  laion-v1	backbone	or
  laion-v1	backbone	from
  $ HOME=$PWD/home tare scorer where -q | grep '  sha256 '
    clip-b32     backbone    sha256         40d365715913c9da98579312b702a82c18be219cc2a73407c4526f58eba950af
    clip-l14     backbone    sha256         b8cca3fd41ae0c99ba7e8951adf17d267cdb84cd88be6f7c2e0eca1737a03836
    hpsv2.0      backbone    sha256         none is on record: any is accepted
    hpsv2.1      backbone    sha256         none is on record: any is accepted
    imagereward  backbone    sha256         none is on record: any is accepted
    laion-v1     backbone    sha256         b8cca3fd41ae0c99ba7e8951adf17d267cdb84cd88be6f7c2e0eca1737a03836
    laion-v1     head        sha256         2cd4e60f4f24ae3bcd57b847b13c1f3ba27edc28cc1a7f9ce74ee9f421243cba
    laion-v2     backbone    sha256         b8cca3fd41ae0c99ba7e8951adf17d267cdb84cd88be6f7c2e0eca1737a03836
    laion-v2     head        sha256         21dd590f3ccdc646f0d53120778b296013b096a035a2718c9cb0d511bff0f1e0
    nsfw         backbone    sha256         c32f104fd562b08cdff5ed69dfe1209643afa47e792fb12751d2949aa61a397a
    nsfw         backbone    sha256         ef2e0a63f7d2c4960b37b024b669313f65d3c45cd59e9042636c55b39de53517
    pickscore    backbone    sha256         none is on record: any is accepted
  $ mkdir -p home/.cache/clip m; echo > home/.cache/clip/ViT-B-32.pt; echo > m/ViT-B-32.pt
  $ HOME=$PWD/home tare scorer where clip-b32 -q | grep -w found
    clip-b32  backbone    found          .../home/.cache/clip/ViT-B-32.pt
    clip-b32  vocabulary  found          no
  $ HOME=$PWD/home TARE_MODELS=m tare scorer where clip-b32 -q | grep -w found
    clip-b32  backbone    found          m/ViT-B-32.pt
    clip-b32  vocabulary  found          no
  $ HOME=$PWD/home TARE_MODELS=m tare scorer where clip-b32 -q --weights home | grep -w found
    clip-b32  backbone    found          no
    clip-b32  vocabulary  found          no
  $ tare scorer where hpsv2
  tare scorer: hpsv2: hpsv2 is several scorers, whose numbers do not compare; say which: hpsv2.0, hpsv2.1 (see: tare help scorer)
  [2]
  $ tare scorer where laionv2
  tare scorer: laionv2: no published scorer of this name; the nearest is laion-v2; known: clip-b32, clip-l14, hpsv2.0, hpsv2.1, imagereward, laion-v1, laion-v2, nsfw, pickscore (see: tare help scorer)
  [2]

What is in a file:

  $ cp $SOURCE/tests/data/checkpoints/zip_f16.pt . ; tare scorer list zip_f16.pt -q --tensors 4 -o list
  What is in zip_f16.pt?
  
  zip_f16.pt: torch zip, 5 tensors with 91 numbers, 2316 bytes.
  - sha256 99b5c903d473970489469eb3a04851c13874e90d6082493a7843b159ae1f04e0
  - It fits no published scorer that tare knows.
  
  Published scorers
    scorer       part      fits  hash  missing  misshaped  surplus  first
    clip-b32     backbone  no              301          0        4  visual.conv1.weight [768,3,32,32] is missing
    clip-l14     backbone  no              445          0        4  visual.conv1.weight [1024,3,14,14] is missing
    hpsv2.0      backbone  no              685          0        4  visual.conv1.weight [1280,3,14,14] is missing
    hpsv2.1      backbone  no              685          0        4  visual.conv1.weight [1280,3,14,14] is missing
    imagereward  backbone  no              620          0        5  blip.visual_encoder.patch_embed.proj.weight [1024,3,16,16] is missing
    laion-v1     backbone  no              296          0        4  visual.conv1.weight [1024,3,14,14] is missing
    laion-v1     head      no                0          2        3  weight is f16 [6,5], wanted [1,768]
    laion-v2     backbone  no              296          0        4  visual.conv1.weight [1024,3,14,14] is missing
    laion-v2     head      no               10          0        5  layers.0.weight [1024,768] is missing
    nsfw         backbone  no                0          1        0  (topology) torch zip, wanted a TF.js layers model
    pickscore    backbone  no              909          0        4  vision_model.embeddings.patch_embedding.weight [1280,3,14,14] is missing
  
  Tensors
    type  file  offset  dims       name
    f16      1     896  [6]        bias
    f16      1    1024  [4,3,2,2]  block.0.conv.weight
    f16      1    1216  [3,1,2]    block.0.norm.scale
    f16      1    1344  []         logit_scale
    ... and 1 more
  $ tail -n +2 list/tables/tensors.tsv | wc -l
  5

Files that nobody ships: a name of a million letters, a view of one number as 10^18, a password, and
what a terminal would obey.

  $ python3 $SOURCE/tests/cli/files/make_weights.py one.safetensors expanded.pt locked.pt escapes.safetensors
  $ tare scorer list one.safetensors -q -o long > long.txt; sed -n 3p long.txt; awk 'length > 300' long.txt | wc -l
  one.safetensors: safetensors, 1 tensor with 1 number, 1000072 bytes.
  0
  $ tail -n 1 long/tables/tensors.tsv | wc -c
  1000019
  $ tare scorer list expanded.pt -q | grep -v '  backbone  \|  head  \|sha256'
  What is in expanded.pt?
  
  expanded.pt: torch zip, 1 tensor with 1 number, 358 bytes.
  - Expanded views among them: 1. They repeat numbers that the file has once, and
    which are counted once.
  - It fits no published scorer that tare knows.
  
  Published scorers
    scorer       part      fits  hash  missing  misshaped  surplus  first
  
  Tensors
    type  file  offset  dims                                name
    f32      1     222  [1000000000,1000000000] (expanded)  w
  $ tare scorer list locked.pt -q
  tare scorer: locked.pt: the entry a/data/0 is encrypted, which torch never does: unpack the archive with its password and pack it without one, and without compression (zip -0) [torch.archive]
  [3]
  $ tare scorer list escapes.safetensors -q 2>&1 | cat -v
  tare scorer: escapes.safetensors: tensor w has elements of type ?[31mX?2J, which tare does not know: save it as F32, F16 or BF16 [safetensors.type]

The same weights in another file, of another container and type:

  $ cp $SOURCE/tests/data/checkpoints/legacy_f32.pt $SOURCE/tests/data/checkpoints/nested.pt .
  $ tare scorer list zip_f16.pt -q --same-weights-as legacy_f32.pt --tensors 2 | sed -n '/Weights that/,/^$/p;/^The same/,/^$/p'
  - Weights that legacy_f32.pt has too: 5. Of them 0 are equal bit for bit, 5 more
    after rounding to the narrower type.
  - They have the same weights, but for rounding: scores differ by that alone,
    though the hashes of the files, and so the identities of scorers that use
    them, differ.
  
  The same weights?
    outcome               numbers that differ      largest difference  type           name                 type there     name there           why
    equal after rounding                    6  0.00004583597183227539  f16 [6]        bias                 f32 [6]        bias                 
    equal after rounding                   48  0.00010955333709716797  f16 [4,3,2,2]  block.0.conv.weight  f32 [4,3,2,2]  block.0.conv.weight  
    ... and 3 more
  
  $ tare scorer list legacy_f32.pt -q --same-weights-as nested.pt --tensors 1 | sed -n '/Weights that/,/^$/p'
  - Weights that nested.pt has too: 5. Of them 0 are equal bit for bit, 0 more
    after rounding to the narrower type, 5 differ, at most by 0.905 (weight).
  - They are not the same weights.
  
  $ tare scorer list zip_f16.pt --same-weights-as no-such-file.pt -q
  tare scorer: no-such-file.pt: cannot open: No such file or directory [io.open]
  [3]
  $ echo '# A page' > page.md; tare scorer list page.md
  tare scorer: page.md: no file of weights that tare knows (safetensors, its index of shards, a torch file, a TF.js model.json): it has 9 bytes and begins with 23 20 41 20 70 61 67 65 0a ("# A page."). Was it copied or downloaded whole? [checkpoint.kind]
  [3]
  $ tare scorer list no-such-file.pt
  tare scorer: no-such-file.pt: cannot open: No such file or directory [io.open]
  [3]
  $ tare scorer list
  tare scorer: list takes FILE; 0 were given (see: tare help scorer)
  [2]

Published values:

  $ tare scorer verify pickscore -q
  Do the published values of pickscore hold?
  
  No value from picture to score was published for pickscore: there is nothing to
  compare with, and it stays not verified.
  [1]
  $ tare scorer verify imagereward
  tare scorer: give the folder with the published pictures by --images: 1.webp, 2.webp, 3.webp, 4.webp (assets/images of the repository) (see: tare help scorer)
  [2]
  $ mkdir empty; tare scorer verify imagereward --images empty -q
  Do the published values of imagereward hold?
  
  imagereward: 4 of 4 published values could not be tried; it stays not verified.
  
  Published values
    picture  setting            published  ours  tolerance  outcome                   prompt                                                                          about
    1.webp             0.5811622738838196            0.005  the picture is not there  a painting of an ocean with clouds and birds, day time, low depth field effect  assets/images of the repository
    2.webp             0.2745276093482971            0.005  the picture is not there  a painting of an ocean with clouds and birds, day time, low depth field effect  assets/images of the repository
    3.webp            -1.4131819009780884            0.005  the picture is not there  a painting of an ocean with clouds and birds, day time, low depth field effect  assets/images of the repository
    4.webp             -2.029569625854492            0.005  the picture is not there  a painting of an ocean with clouds and birds, day time, low depth field effect  assets/images of the repository
  [1]
  $ tare scorer where laion-v2 --weights none
  tare scorer: none: there is no such file or folder [weights.missing]
  [3]
  $ tare scorer verify clip:variant=x100,model=b32 --images empty 2>&1 | grep -o 'variant=cosine: verify it without'
  variant=cosine: verify it without
  $ tare scorer verify imagereward --images none
  tare scorer: none: there is no such folder [scorer.images]
  [3]
  $ tare scorer verify hpsv2
  tare scorer: hpsv2: hpsv2 is several scorers, whose numbers do not compare; say which: hpsv2.0, hpsv2.1 (see: tare help scorer)
  [2]
  $ tare scorer check x
  tare scorer: check: say what to do: list FILE, where [NAME...], verify NAME, noise SPEC PHOTOS... (see: tare help scorer)
  [2]
  $ tare scorer
  tare scorer: say what to do: list FILE, where [NAME...], verify NAME, noise SPEC PHOTOS... (see: tare help scorer)
  [2]
