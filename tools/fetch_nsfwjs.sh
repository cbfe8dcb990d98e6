#!/bin/sh
# fetch_nsfwjs.sh [FOLDER]   put the NSFW filter of nsfwjs into FOLDER (default build/deps/nsfwjs):
# model.min.js and group1-shard1of1.min.js of its MobileNetV2, as its package has them, and LICENSE
# (MIT, Infinite Red).
#
# It is optional: the scorer `nsfw:` reads these files (docs/scorer-nsfw.md); nothing of them is
# run. They come out of an npm package that is never installed (fetch_npm_file.sh). Any user may run
# this, and a second run does nothing. Exits with 1, and says why, where they cannot be had.
set -eu
script=fetch_nsfwjs
tools=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$tools/../build/deps/nsfwjs}
. "$tools/fetch_npm_file.sh"
npm_seconds=180 # the package holds larger models too: 25 MB

model_sha=c32f104fd562b08cdff5ed69dfe1209643afa47e792fb12751d2949aa61a397a
weights_sha=ef2e0a63f7d2c4960b37b024b669313f65d3c45cd59e9042636c55b39de53517
licence_sha=2f7fe40b4f0d97020f0a0dc2214d637471f6204e565eb83e9fd414f0e5287d94

npm_is "$folder/LICENSE" $licence_sha && npm_is "$folder/model.min.js" $model_sha &&
    npm_is "$folder/group1-shard1of1.min.js" $weights_sha && exit 0
npm_open nsfwjs 4.3.0 4496790efc9bdc6f3e85a826a8e482c1fa1e9db4b3d18c095e98cc0c73cfb12f
npm_take LICENSE $licence_sha "$folder/LICENSE" 644
for file in model group1-shard1of1; do
    sha=$model_sha
    [ $file = model ] || sha=$weights_sha
    npm_take dist/models/mobilenet_v2/$file.min.js $sha "$folder/$file.min.js" 644
done
