#!/usr/bin/env bash
# Makes the secrets of compose.yaml, once: what is there stays as it is. Prints the platform's key, which is
# kept nowhere.
#
#     ./secrets.sh [FOLDER] [PLATFORM]
set -euo pipefail
cd "$(dirname "$0")"

folder=${1:-secrets}
platform=${2:-local}

random() { head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n'; }
digest() { printf %s "$1" | sha256sum | cut -d' ' -f1; }

# Nobody but you may enter the folder; the containers, which are of other users, get the files one by one.
mkdir -p "$folder"
chmod 700 "$folder"
keep() {
    if [[ -e $folder/$1 ]]; then
        cat >/dev/null
    else
        cat >"$folder/$1.new"
        chmod 444 "$folder/$1.new"
        mv "$folder/$1.new" "$folder/$1"
    fi
}

if [[ ! -e $folder/redis-url ]]; then
    worker=$(random)
    exporter=$(random)
    grep -E '^user (default|mextrain|exporter) ' redis/users.acl.example |
        sed -e "/^user mextrain /s/SHA-256-of-its-password-in-hex/$(digest "$worker")/" \
            -e "/^user exporter /s/SHA-256-of-its-password-in-hex/$(digest "$exporter")/" |
        keep redis-users
    # Older releases of the exporter look for the address as it is, newer ones with the user in it.
    printf '{"redis://redis:6379": "%s", "redis://exporter@redis:6379": "%s"}\n' "$exporter" "$exporter" |
        keep redis-exporter-passwords
    printf 'redis://mextrain:%s@redis:6379/0\n' "$worker" | keep redis-url
fi
printf '%s\n' "$(random)" | keep signing-key
printf '%s\n' "$(random)" | keep grafana-password
if [[ ! -e $folder/platform-keys ]]; then
    key="mxk_${platform}_$(random)"
    printf '%s:%s\n' "$platform" "$(digest "$key")" | keep platform-keys
    echo "The key of the platform \`$platform\`, shown this once: $key"
fi
