#!/usr/bin/env bash
# Runs a command over a copy of this tree in a Debian 13, whose Python is 3.13, and which has nothing
# but Python and make at first. Needs root and mmdebstrap. The root stays in build/debian-13 with what
# the command installed there, so that the next run is quick; `make clean` removes it.
set -euo pipefail

command=${1:?the command to run}
suite=trixie
root=build/debian-13
copy=$root/srv/mextrain

if [[ ! -x $root/usr/bin/make ]]; then
    rm -rf --one-file-system "$root"
    mkdir -p build
    mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -1)
    mmdebstrap --quiet --variant=apt --include=ca-certificates,make,procps,python3,python3-venv \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        "$suite" "$root" ${mirror:+"$mirror"}
fi

# Where pip finds packages, and whom it trusts, is this machine's affair.
[[ -r /etc/pip.conf ]] && cp /etc/pip.conf "$root/etc/pip.conf"
[[ -r ${SSL_CERT_FILE:-} ]] && cp "$SSL_CERT_FILE" "$root/etc/ssl/certs/ca-certificates.crt"
cp /etc/resolv.conf /etc/hosts "$root/etc/"

mkdir -p "$copy"
find "$copy" -mindepth 1 -maxdepth 1 ! -name .venv ! -name build -exec rm -rf {} +
git ls-files --cached --others --exclude-standard -z |
    tar --create --null --files-from - --ignore-failed-read --warning=no-failed-read |
    tar --extract --directory "$copy"

# Whatever the command leaves running ends with it.
export ROOT=$root COMMAND=$command
exec unshare --mount --pid --fork --kill-child --propagation private bash -euc '
    mount --rbind "$ROOT" "$ROOT"
    mount -t proc proc "$ROOT/proc"
    mount --rbind /dev "$ROOT/dev"
    mount --rbind /sys "$ROOT/sys"
    exec chroot "$ROOT" /usr/bin/env --ignore-environment HOME=/root LANG=C.UTF-8 \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        PIP_CERT=/etc/ssl/certs/ca-certificates.crt SOURCE_DATE_EPOCH=0 \
        bash -euc "cd /srv/mextrain && $COMMAND"'
