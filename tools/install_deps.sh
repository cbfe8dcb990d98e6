#!/bin/sh
# install_deps.sh GROUP...   install the Debian packages of these groups of tools/packages.txt.
#
# Quiet, quick and offline when everything is there already. Works as root or with sudo.
set -eu
list=$(dirname "$0")/packages.txt
[ $# -gt 0 ] || set -- build test

wanted=
for group in "$@"; do
    found=$(awk -v group="$group" '$1 == group { print $2 }' "$list")
    [ -n "$found" ] || { echo "install_deps: no group '$group' in $list" >&2; exit 2; }
    wanted="$wanted $found"
done

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "install_deps: this is no Debian; the packages meant are:$wanted" >&2
    exit 0
fi

missing=
for package in $wanted; do
    state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    case $state in
        "install ok installed") ;;
        *) missing="$missing $package" ;;
    esac
done
# another build of a program does as well as the package of that name
still=
for package in $missing; do
    case $package in
        nodejs) command -v node >/dev/null 2>&1 && continue ;;
        npm) command -v npm >/dev/null 2>&1 && continue ;;
    esac
    case " $still " in *" $package "*) continue ;; esac
    still="$still $package"
done
[ -n "$still" ] || exit 0

root=
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 || {
        echo "install_deps: as root, run: apt-get install$still" >&2
        exit 1
    }
    root=sudo
fi
echo "install_deps: installing$still" >&2
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    $root env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" >"$log" 2>&1
}
# shellcheck disable=SC2086
if ! apt install -y --no-install-recommends $still; then
    apt update || { tail -n 20 "$log" >&2; exit 1; }
    apt install -y --no-install-recommends $still || { tail -n 40 "$log" >&2; exit 1; }
fi
