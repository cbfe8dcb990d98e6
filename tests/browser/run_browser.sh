#!/bin/sh
# run_browser.sh MAKE_REPORT OUT WEB: write the sample reports into OUT and look at them in a
# browser. Exit code 77: skipped, with the reason. CMAKE, NODE, NPM and CHROMIUM come from the
# environment.
here=$(cd "$(dirname "$0")" && pwd)
make_report=$1 out=$2 web=$3

skip() { echo "skipped: $1"; exit 77; }
[ "$web" = ON ] || skip "built without charts (TARE_WEB=OFF)"
[ -x "$NODE" ] || skip "no node"
[ -x "$NPM" ] || skip "no npm"
[ -x "$CHROMIUM" ] || skip "no chromium"

"$CMAKE" -DFOLDER="$here" -DNPM="$NPM" -P "$here/../../cmake/TareWeb.cmake" || exit 1
rm -rf "$out" && mkdir -p "$out" || exit 1
"$make_report" "$out/rich" > "$out/summary.txt" || exit 1
"$make_report" "$out/hostile" hostile || exit 1
"$make_report" "$out/large" large || exit 1
exec "$NODE" "$here/check_report.mjs" "$CHROMIUM" "$out"
