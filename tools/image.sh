#!/usr/bin/env bash
# Builds the image without a daemon: `build NAME`; then `unpack NAME FOLDER`, `push NAME TARGET`.
# Needs root, buildah, and mmdebstrap for the base, unless IMAGE_BASE names one in a registry.
# `engine WORDS` is podman on the same store, so it runs what was built: `engine run --rm NAME:VERSION rules`.
set -euo pipefail

tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
place=$tree/build/image
suite=bookworm
mkdir -p "$place"

builder() {
    buildah --root "$place/store" --runroot "$place/run" --storage-driver vfs "$@"
}

# Checks of health are run when asked for: systemd, which would repeat them, is not everywhere.
engine() {
    export CONTAINERS_CONF=$tree/tools/containers.conf DISABLE_HC_SYSTEMD=true
    exec podman --root "$place/store" --runroot "$place/run" --storage-driver vfs \
        --network-config-dir "$place/networks" "$@"
}

# The version of the wheel, which is the image's.
version() {
    local wheel
    wheel=$(basename dist/mextrain-*-py3-none-any.whl -py3-none-any.whl)
    echo "${wheel#mextrain-}"
}

# A Debian with Python, made from the packages that this machine's own apt trusts and reaches.
bootstrap() {
    local base="localhost/mextrain-base:$suite" sources=/etc/apt/sources.list.d/debian.sources
    if ! builder inspect --type image "$base" >/dev/null 2>&1; then
        local container root
        container=$(builder from scratch)
        root=$(builder mount "$container")
        grep --quiet --no-messages "$suite" "$sources" || sources=""
        mmdebstrap --quiet --variant=essential --include=ca-certificates,libpython3.11,libstdc++6,python3.11-venv \
            --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/man/*' \
            --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
            "$suite" "$root" ${sources:+"$sources"} >&2
        builder commit --quiet --disable-compression --rm "$container" "$base" >/dev/null
    fi
    echo "$base"
}

build() {
    local name=$1 version revision base secrets=()
    version=$(version)
    revision=$(git rev-parse HEAD)
    base=${IMAGE_BASE:-$(bootstrap)}
    # Where pip finds packages, and whom it trusts, is this machine's affair; neither is kept.
    [[ -r /etc/pip.conf ]] && secrets+=(--secret "id=pip.conf,src=/etc/pip.conf")
    [[ -r ${SSL_CERT_FILE:-} ]] && secrets+=(--secret "id=ca-certificates,src=$SSL_CERT_FILE")
    builder build --quiet --isolation chroot --format docker --timestamp "$SOURCE_DATE_EPOCH" \
        --build-arg "BASE=$base" --build-arg "VERSION=$version" --build-arg "REVISION=$revision" \
        --build-arg "CREATED=$(date --utc --date "@$SOURCE_DATE_EPOCH" +%FT%TZ)" \
        --build-arg "SOURCE=${IMAGE_SOURCE:-unknown}" "${secrets[@]}" \
        --tag "$name:$version" --tag "$name:sha-${revision:0:12}" . >/dev/null
    echo "built $name:$version and $name:sha-${revision:0:12}"
}

unpack() {
    local name=$1 folder=$2 container root
    name=$name:$(version)
    rm -rf "$folder"
    container=$(builder from "$name")
    root=$(builder mount "$container")
    cp --archive "$root" "$folder"
    builder rm "$container" >/dev/null
}

push() {
    local name=$1 target=$2 tag
    for tag in "$(version)" "sha-$(git rev-parse HEAD | cut -c1-12)"; do
        builder push "$name:$tag" "docker://$target:$tag"
    done
}

"$@"
