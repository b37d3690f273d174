#!/usr/bin/env bash
# build/e2e.sh [FILE…] runs all end-to-end tests, or the given files, each on a private desktop (build/withx.sh). Two
# files run at a time, or E2E_JOBS if it is set: most of their time is spent waiting. The output of a file is printed
# when it has ended. If VOXPILOT_SAMPLE is set, only a third of the files run.
#
# The names of failed files are written to frontend/e2e/.out/failed. To run them again:
# make e2e E2E="$(cat frontend/e2e/.out/failed)". If VOXPILOT_FLAKY names a file, they
# run again automatically. If they pass the second time, the run passes and the names of
# the failed tests are added to that file.
set -euo pipefail
cd "$(dirname "$0")/../frontend/e2e"

# one runs one file and writes its output to .out/FILE.log and its failed tests to
# .out/FILE.failed.
one() {
	local file=$1 status=0
	SECONDS=0
	../../build/withx.sh node --test --test-concurrency=1 \
		--test-reporter=spec --test-reporter-destination=stdout \
		--test-reporter=./failed.mjs --test-reporter-destination=".out/$file.failed" \
		"$file" >".out/$file.log" 2>&1 || status=$?
	(
		flock 9
		cat ".out/$file.log"
		echo "$file: $SECONDS s"
		[ "$status" = 0 ] || echo "$file" >>.out/failed
	) 9>.out/lock
}

if [ "${1:-}" = --one ]; then
	one "$2"
	exit
fi

# all runs the files and fails if one of them fails.
all() {
	local jobs=${E2E_JOBS:-2}
	: >.out/failed
	printf '%s\0' "$@" | E2E_SCREENS=$((jobs == 1 ? 2 : 1)) xargs -0 -n 1 -P "$jobs" ../../build/e2e.sh --one
	[ ! -s .out/failed ]
}

if [ $# = 0 ]; then
	# Slow files start first, so that none of them runs alone at the end.
	slow=(screens.test.mjs signin.test.mjs faults.test.mjs)
	mapfile -t rest < <(printf '%s\n' *.test.mjs | grep -vxF "$(printf '%s\n' "${slow[@]}")")
	set -- "${slow[@]}" "${rest[@]}"
	if [ -n "${VOXPILOT_SAMPLE:-}" ]; then
		mapfile -t drawn < <(printf '%s\n' "$@" | awk "NR == 1 || (NR + $VOXPILOT_SAMPLE) % 3 == 0")
		set -- "${drawn[@]}"
	fi
fi
mkdir -p .out

# Shared by all files and built once: the page and the helper programs in harness.mjs.
helpers=$(mktemp -d)
trap 'rm -rf "$helpers"' EXIT
for name in fakegithub/cmd longchat notifytest/cmd traytest/cmd x11test; do
	(cd ../.. && go build -o "$helpers/${name//\//-}" "./internal/$name")
done
export VOXPILOT_PAGE=$PWD/../dist VOXPILOT_HELPERS=$helpers
# The Copilot CLI unpacks itself into the user's cache folder when it first runs. Each app
# gets links to these files, which saves it 3 s of computing and 235 MB on disk.
copilot=${VOXPILOT_TEST_COPILOT:-$(../../build/copilot-path.sh)}
[ -z "$copilot" ] || XDG_CACHE_HOME=$helpers/cache HOME=$helpers "$copilot" --version >/dev/null

all "$@" && exit
mapfile -t failed <.out/failed
echo "Failed: ${failed[*]}" >&2
[ -n "${VOXPILOT_FLAKY:-}" ] || exit 1

names=$helpers/failed
for file in "${failed[@]}"; do
	if [ -s ".out/$file.failed" ]; then cat ".out/$file.failed"; else echo "$file"; fi
done | sed 's/^/e2e /' >"$names"
sed 's/^/failed: /' "$names"
echo "retrying: ${failed[*]}"
if all "${failed[@]}"; then
	cat "$names" >>"$VOXPILOT_FLAKY"
else
	echo "Failed again: $(tr '\n' ' ' <.out/failed)" >&2
	exit 1
fi
