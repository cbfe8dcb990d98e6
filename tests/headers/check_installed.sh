#!/bin/sh
# check_installed.sh BUILD CC [FLAGS]   install into a scratch prefix and use what is there.
set -eu
build=$1
cc=$2
flags=${3-}
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix" >"$prefix/log" || { cat "$prefix/log"; exit 1; }

pc=$(dirname "$(find "$prefix" -name tare.pc)")
lib=$(dirname "$pc")
pkg() { PKG_CONFIG_PATH=$pc pkg-config --define-variable=prefix="$prefix" "$@" tare; }
fail() { echo "check_installed: $*" >&2; exit 1; }

# shellcheck disable=SC2046,SC2086
$cc -std=c99 -Wall -Wextra -Werror $flags "$here/consumer.c" $(pkg --cflags --libs) \
    -o "$prefix/shared" || fail "no program with libtare.so"
LD_LIBRARY_PATH=$lib "$prefix/shared" || fail "the program with libtare.so failed"

mkdir "$prefix/static_only"
cp "$lib/libtare.a" "$prefix/static_only/"
# shellcheck disable=SC2046,SC2086
$cc -std=c99 $flags "$here/consumer.c" $(pkg --cflags) -L"$prefix/static_only" \
    $(pkg --static --libs | sed "s#-L$lib##") -o "$prefix/static" ||
    fail "no program with libtare.a"
"$prefix/static" || fail "the program with libtare.a failed"

# nothing but the public names can be seen from outside
others() {
    grep -v -E ' tare_[a-z0-9_]+$| (__|_)?(asan|ubsan|tsan|sancov|odr|start|stop|end|edata)' |
    grep -v -E ' (__bss_start|_init|_fini)$' || true
}
seen=$(nm -D --defined-only "$lib/libtare.so" | others)
[ -z "$seen" ] || fail "libtare.so shows: $seen"
seen=$(nm -g --defined-only "$lib/libtare.a" | grep -E '^[0-9a-f]+ ' | others)
[ -z "$seen" ] || fail "libtare.a shows: $seen"

"$prefix/bin/tare" version >/dev/null || fail "the installed program does not run"
[ -s "$prefix/share/man/man1/tare-audit.1" ] || fail "no manual page of tare audit"
[ -s "$prefix/share/bash-completion/completions/tare" ] || fail "no completion for bash"
