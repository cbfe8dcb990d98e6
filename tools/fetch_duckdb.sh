#!/bin/sh
# fetch_duckdb.sh [FOLDER]   put DuckDB's library into FOLDER (default build/deps): libduckdb.so.
#
# It is optional: tare opens it at run time for `duckdb:SELECT ...` and for Parquet files. It comes
# out of an npm package that is unpacked in a scratch folder and never installed; package and
# library are pinned by version and SHA-256. Any user may run this, and a second run does nothing.
# Exits with 1, and says why, where it cannot be had: no network, no npm, another kind of machine.
set -eu
package=@duckdb/node-bindings-linux-x64
version=1.5.6-r.1
package_sha=1b9f82478539bb9a1d1df44bd103121a12ae52142c07158dc52b97d2ec1d69ff
library_sha=3f4962cdd266eab2b479a5b5a4a6d063d279b2954ae814ed00385d553b747633
tools=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$tools/../build/deps}

complete() {
    [ -f "$folder/libduckdb.so" ] &&
        echo "$library_sha  $folder/libduckdb.so" | sha256sum --status -c - 2>/dev/null
}
complete && exit 0

fail() {
    echo "fetch_duckdb: $1" >&2
    exit 1
}
[ "$(uname -s) $(uname -m)" = "Linux x86_64" ] ||
    fail "$package is for Linux on x86-64; name a libduckdb of your own in TARE_DUCKDB"
command -v npm >/dev/null 2>&1 || fail "npm is needed to fetch $package"

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
(cd "$scratch" && timeout 60 npm pack --silent --fetch-retries=0 "$package@$version") \
    >"$scratch/log" 2>&1 || {
    tail -n 3 "$scratch/log" | sed 's/^/    /' >&2
    fail "$package $version could not be had; is there a network?"
}
echo "$package_sha  $(echo "$scratch"/*.tgz)" | sha256sum --status -c - ||
    fail "$package $version is not the package that is pinned here"
tar -xzf "$scratch"/*.tgz -C "$scratch" --no-same-owner package/libduckdb.so
echo "$library_sha  $scratch/package/libduckdb.so" | sha256sum --status -c - ||
    fail "the library in $package $version is not the one that is pinned here"
cp "$scratch/package/libduckdb.so" "$folder/libduckdb.so.part.$$"
chmod 755 "$folder/libduckdb.so.part.$$"
mv "$folder/libduckdb.so.part.$$" "$folder/libduckdb.so"
echo "fetch_duckdb: $folder/libduckdb.so" >&2
