#!/bin/sh
# fetch_onnxruntime.sh [FOLDER]   put ONNX Runtime's library into FOLDER (default build/deps):
# libonnxruntime.so.1, and in ort-1.17/ the oldest that tare works with, for the tests.
# fetch_onnxruntime.sh FOLDER newest | oldest   only one of them.
#
# It is optional: tare opens it at run time for scorers that are ONNX models. It comes out of npm
# packages that are never installed (fetch_npm_file.sh). Any user may run this, and a second run
# does nothing. Exits with 1, and says why, where it cannot be had: no network, no npm, another kind
# of machine.
set -eu
script=fetch_onnxruntime
tools=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$tools/../build/deps}
which=${2:-both}
. "$tools/fetch_npm_file.sh"
npm_seconds=180 # the packages hold libraries for several systems: 32 and 114 MB

case "$(uname -s) $(uname -m)" in
"Linux x86_64")
    arch=x64
    newest_sha=ffb75a925ba05e47b235bb66e3e3911714a80b328a9c9425539feb204aa32a23
    oldest_sha=e734a269546870b82d7b3a4324c57f5d5123560661cc0db223d268ffb56e507d ;;
"Linux aarch64")
    arch=arm64
    newest_sha=1f549d46250b005580b597f4164984aaf75b3bcb9f3aeb07c7f8a8fe60b23c76
    oldest_sha=c84a328bac2fd363418f130f93180044b0d9679cdf92b35ed72f7b07751ac085 ;;
*)
    npm_fail "the libraries here are for Linux on x86-64 and arm64; name a libonnxruntime of your \
own in TARE_ORT_LIB" ;;
esac
[ "$which" = oldest ] ||
    npm_file onnxruntime-node 1.30.0 \
        6e3390d6b783e7be946fad629292799da28d0b42f84856e50d2c1b0383291e75 \
        bin/napi-v6/linux/$arch/libonnxruntime.so.1 $newest_sha "$folder/libonnxruntime.so.1"
[ "$which" = newest ] ||
    npm_file onnxruntime-node 1.17.0 \
        8e40f87f86c545fd68616af2659026226c6a6d7851ddb9fccd56ae2ca9a3cd8c \
        bin/napi-v3/linux/$arch/libonnxruntime.so.1.17.0 $oldest_sha \
        "$folder/ort-1.17/libonnxruntime.so.1.17.0"
