#!/usr/bin/env bash
# build/e2e.sh [FILE…] runs the end-to-end tests, or some of them. Two files run at
# a time (E2E_JOBS=1: one), each on a desktop of its own (build/withx.sh), because
# they wait more than they compute. What a file prints comes in one piece when it
# has ended.
#
# The names of files that failed are left in frontend/e2e/.out/failed, so that they
# can be run once more: make e2e E2E="$(cat frontend/e2e/.out/failed)". Where
# VOXPILOT_FLAKY names a file, they are run once more here. If they pass then, the
# names of their tests that failed are added to that file, and the run passes.
set -euo pipefail
cd "$(dirname "$0")/../frontend/e2e"

# one runs one file: its output to .out/FILE.log, its failed tests to .out/FILE.failed.
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

# all runs the files, as many at a time as E2E_JOBS says. It fails where one does.
all() {
	: >.out/failed
	printf '%s\0' "$@" | xargs -0 -n 1 -P "${E2E_JOBS:-2}" ../../build/e2e.sh --one
	[ ! -s .out/failed ]
}

if [ $# = 0 ]; then
	# The long ones first, so that none of them is left over at the end.
	slow=(axe.test.mjs access.test.mjs translations.test.mjs roles.test.mjs signin.test.mjs faults.test.mjs pictures.test.mjs)
	mapfile -t rest < <(printf '%s\n' *.test.mjs | grep -vxF "$(printf '%s\n' "${slow[@]}")")
	set -- "${slow[@]}" "${rest[@]}"
fi
mkdir -p .out

# What several files use is built once: the page, and the programs of helper in harness.mjs.
helpers=$(mktemp -d)
trap 'rm -rf "$helpers"' EXIT
for name in fakegithub/cmd longchat notifytest/cmd traytest/cmd x11test; do
	(cd ../.. && go build -o "$helpers/${name//\//-}" "./internal/$name")
done
export VOXPILOT_PAGE=$PWD/../dist VOXPILOT_HELPERS=$helpers

all "$@" && exit
mapfile -t failed <.out/failed
echo "These failed: ${failed[*]}" >&2
[ -n "${VOXPILOT_FLAKY:-}" ] || exit 1

names=$helpers/failed
for file in "${failed[@]}"; do
	if [ -s ".out/$file.failed" ]; then cat ".out/$file.failed"; else echo "$file"; fi
done | sed 's/^/e2e /' >"$names"
sed 's/^/failed: /' "$names"
echo "once more: ${failed[*]}"
if all "${failed[@]}"; then
	cat "$names" >>"$VOXPILOT_FLAKY"
else
	echo "These failed again: $(tr '\n' ' ' <.out/failed)" >&2
	exit 1
fi
