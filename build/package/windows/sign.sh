#!/usr/bin/env bash
# build/package/windows/sign.sh FILE signs a Windows program in its place, with
# the certificate that WINDOWS_CERTIFICATE names (a .pfx file, whose password is
# in WINDOWS_CERTIFICATE_PASSWORD). Without one it does nothing. The time stamp
# is fetched from WINDOWS_TIMESTAMP_URL, where that is given.
set -euo pipefail
[ -n "${WINDOWS_CERTIFICATE:-}" ] || exit 0
signed=$1.signed
time=()
[ -z "${WINDOWS_TIMESTAMP_URL:-}" ] || time=(-ts "$WINDOWS_TIMESTAMP_URL")
# The password goes by a file descriptor: a command line is seen by everybody.
osslsigncode sign -pkcs12 "$WINDOWS_CERTIFICATE" -readpass <(printf %s "${WINDOWS_CERTIFICATE_PASSWORD:-}") \
	-h sha256 -n VoxPilot -i https://github.com/voxpilot/voxpilot "${time[@]}" -in "$1" -out "$signed" >/dev/null
mv "$signed" "$1"
