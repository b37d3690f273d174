#!/usr/bin/env bash
# build/side-by-side.sh NAME COMMAND [NAME COMMAND]… runs shell commands in parallel and
# prefixes their output with their names. It waits for all of them, prints the duration
# and processor time of each, and fails if one of them failed.
set -euo pipefail
cd "$(dirname "$0")/.."

run() { # name command
	local status=0 clock used
	clock=$(mktemp)
	SECONDS=0
	bash -euo pipefail -c "$2" </dev/null 2>&1 | sed -u "s/^/$1 | /" || status=$?
	times >"$clock"
	used=$(awk 'NR == 2 { gsub(/[ms]/, " "); print int($1 + $3 + ($2 + $4) / 60) }' "$clock")
	rm "$clock"
	echo "$1: $((SECONDS / 60)) min $((SECONDS % 60)) s, $used min of processor time$([ "$status" = 0 ] || echo ', failed')"
	return "$status"
}

running=()
while [ $# -gt 0 ]; do
	run "$1" "$2" &
	running+=($!)
	shift 2
done
trap 'kill "${running[@]}" 2>/dev/null || true' TERM INT HUP
failed=0
for each in "${running[@]}"; do
	wait "$each" || failed=1
done
exit "$failed"
