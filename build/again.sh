#!/usr/bin/env bash
# build/again.sh NAME COMMAND… runs the command. If it fails and VOXPILOT_FLAKY names a
# file, the command runs again. If it passes the second time, the script passes and adds
# the failures to that file: the lines that the command printed with "✗ ", or else NAME.
set -euo pipefail

name=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$@" 2>&1 | tee "$log" && exit
[ -n "${VOXPILOT_FLAKY:-}" ] || exit 1
mapfile -t failed < <(sed -n "s|^✗ |$name |p" "$log" | sort -u)
[ ${#failed[@]} -gt 0 ] || failed=("$name")
printf 'failed: %s\n' "${failed[@]}"
echo "retrying: $name"
"$@" || exit
printf '%s\n' "${failed[@]}" >>"$VOXPILOT_FLAKY"
