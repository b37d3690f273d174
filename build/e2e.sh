#!/usr/bin/env bash
# build/e2e.sh [FILE…] runs the end-to-end tests, or some of them, one file after
# the other. The names of those that failed are left in frontend/e2e/.out/failed,
# so that they can be run once more: make e2e E2E="$(cat frontend/e2e/.out/failed)".
set -euo pipefail
cd "$(dirname "$0")/../frontend/e2e"

[ $# -gt 0 ] || set -- *.test.mjs
mkdir -p .out
: >.out/failed
for file in "$@"; do
	SECONDS=0
	node --test --test-concurrency=1 --test-reporter=spec "$file" || echo "$file" >>.out/failed
	echo "$file: $SECONDS s"
done
[ ! -s .out/failed ] || { echo "These failed: $(tr '\n' ' ' <.out/failed)" >&2; exit 1; }
