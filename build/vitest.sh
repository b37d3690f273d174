#!/usr/bin/env bash
# build/vitest.sh runs the page's unit tests. If VOXPILOT_FLAKY names a file, failed test
# files run again. If they pass the second time, the run passes and the names of the
# failed tests are added to that file.
set -euo pipefail
cd "$(dirname "$0")/../frontend"

report=$(mktemp)
trap 'rm -f "$report"' EXIT
npx vitest run --reporter=default --reporter=json --outputFile.json="$report" && exit
[ -n "${VOXPILOT_FLAKY:-}" ] || exit 1

# failed prints the failed test files, or the names of the failed tests.
# shellcheck disable=SC2016 # JavaScript
failed() { # files|tests
	node -e '
		const { testResults } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
		const short = (path) => require("node:path").relative(process.cwd(), path);
		for (const { name, status, assertionResults } of testResults) {
			if (status !== "failed") continue;
			const tests = assertionResults.filter((each) => each.status === "failed").map((each) => each.fullName);
			if (process.argv[2] === "files") console.log(short(name));
			else for (const test of tests.length > 0 ? tests : [""]) console.log(`${short(name)} ${test}`.trim());
		}' "$report" "$1"
}
mapfile -t files < <(failed files)
mapfile -t tests < <(failed tests)
# An error outside all tests has no file; then all files run again.
[ ${#tests[@]} -gt 0 ] || tests=('the page: an error outside its tests')
printf 'failed: %s\n' "${tests[@]}"
echo "retrying: ${files[*]:-all files}"
npx vitest run "${files[@]}" || exit
printf '%s\n' "${tests[@]}" >>"$VOXPILOT_FLAKY"
