#!/usr/bin/env bash
# Installs those of the named Debian packages that are missing. Where it may not, it says so and
# goes on: the tests that need a missing package fail and name it.
set -euo pipefail

missing=()
for package in "$@"; do
    dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
        missing+=("$package")
done
((${#missing[@]})) || exit 0

echo "installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
{ apt-get update --quiet=2 && apt-get install --quiet=2 --yes --no-install-recommends "${missing[@]}"; } \
    >/dev/null || echo "could not install ${missing[*]}: tests that need them will fail" >&2
