#!/usr/bin/env bash
# build/package/windows/sign.sh FILE signs a Windows program in place with the certificate
# in WINDOWS_CERTIFICATE (a .pfx file; its password is in WINDOWS_CERTIFICATE_PASSWORD).
# Without a certificate, it does nothing. If WINDOWS_TIMESTAMP_URL is set, that server
# adds a timestamp.
set -euo pipefail
[ -n "${WINDOWS_CERTIFICATE:-}" ] || exit 0
signed=$1.signed
time=()
[ -z "${WINDOWS_TIMESTAMP_URL:-}" ] || time=(-ts "$WINDOWS_TIMESTAMP_URL")
# The password is passed in a file descriptor, since other users can see command lines.
osslsigncode sign -pkcs12 "$WINDOWS_CERTIFICATE" -readpass <(printf %s "${WINDOWS_CERTIFICATE_PASSWORD:-}") \
	-h sha256 -n VoxPilot -i https://github.com/voxpilot/voxpilot "${time[@]}" -in "$1" -out "$signed" >/dev/null
mv "$signed" "$1"
