#!/usr/bin/env bash
# build/again.sh NAME COMMAND… runs the command. Where it fails and VOXPILOT_FLAKY
# names a file, it is run once more. If it passes then, what it said with "✗ " that
# failed, or else the name, is added to that file, and this passes.
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
echo "once more: $name"
"$@" || exit
printf '%s\n' "${failed[@]}" >>"$VOXPILOT_FLAKY"
