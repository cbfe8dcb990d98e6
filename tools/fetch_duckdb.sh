#!/bin/sh
# fetch_duckdb.sh [FOLDER]   put DuckDB's library into FOLDER (default build/deps): libduckdb.so.
#
# It is optional: tare opens it at run time for `duckdb:SELECT ...` and for Parquet files. It comes
# out of an npm package that is never installed (fetch_npm_file.sh). Any user may run this, and a
# second run does nothing. Exits with 1, and says why, where it cannot be had: no network, no npm,
# another kind of machine.
set -eu
script=fetch_duckdb
tools=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$tools/../build/deps}
. "$tools/fetch_npm_file.sh"

package=@duckdb/node-bindings-linux-x64
library_sha=3f4962cdd266eab2b479a5b5a4a6d063d279b2954ae814ed00385d553b747633
npm_is "$folder/libduckdb.so" $library_sha && exit 0
[ "$(uname -s) $(uname -m)" = "Linux x86_64" ] ||
    npm_fail "$package is for Linux on x86-64; name a libduckdb of your own in TARE_DUCKDB"
npm_file $package 1.5.6-r.1 1b9f82478539bb9a1d1df44bd103121a12ae52142c07158dc52b97d2ec1d69ff \
    libduckdb.so $library_sha "$folder/libduckdb.so"
