# fetch_npm_file.sh - sourced by the other fetch scripts: files out of an npm package that is
# unpacked in a scratch folder and never installed. Package and files are pinned by SHA-256.
#
#   npm_file PACKAGE VERSION PACKAGE_SHA PATH_IN_IT FILE_SHA TARGET
#
# does nothing where TARGET is that file already, and ends the script with 1, and says why, where it
# cannot be had. Several files: npm_open PACKAGE VERSION PACKAGE_SHA, then for each
# npm_take PATH_IN_IT FILE_SHA TARGET MODE, then npm_close. The script has set `script`, its own
# name, for messages.

npm_fail() {
    echo "$script: $1" >&2
    exit 1
}

npm_is() { # FILE SHA
    [ -f "$1" ] && echo "$2  $1" | sha256sum --status -c - 2>/dev/null
}

npm_scratch=
trap 'npm_close' EXIT
trap 'exit 130' INT TERM

npm_open() {
    command -v npm >/dev/null 2>&1 || npm_fail "npm is needed to fetch $1"
    npm_package="$1 $2"
    npm_scratch=$(mktemp -d)
    (
        cd "$npm_scratch"
        timeout "${npm_seconds:-60}" npm pack --silent --fetch-retries=0 "$1@$2"
    ) >"$npm_scratch/log" 2>&1 || {
        tail -n 3 "$npm_scratch/log" | sed 's/^/    /' >&2
        npm_fail "$npm_package could not be had; is there a network?"
    }
    npm_is "$(echo "$npm_scratch"/*.tgz)" "$3" ||
        npm_fail "$npm_package is not the package that is pinned here"
}

npm_take() {
    tar -xzf "$npm_scratch"/*.tgz -C "$npm_scratch" --no-same-owner "package/$1"
    npm_is "$npm_scratch/package/$1" "$2" ||
        npm_fail "the file $1 in $npm_package is not the one that is pinned here"
    mkdir -p "$(dirname "$3")"
    cp "$npm_scratch/package/$1" "$3.part.$$"
    chmod "$4" "$3.part.$$"
    mv "$3.part.$$" "$3"
    echo "$script: $3" >&2
}

npm_close() {
    [ -z "$npm_scratch" ] || rm -rf "$npm_scratch"
    npm_scratch=
}

npm_file() {
    npm_is "$6" "$5" && return 0
    npm_open "$1" "$2" "$3"
    npm_take "$4" "$5" "$6" 755
    npm_close
}
