#!/usr/bin/env bash
# build/vitest.sh runs the tests of the page. Where VOXPILOT_FLAKY names a file, the
# files that failed are run once more. If they pass then, the names of the tests that
# failed are added to that file, and the run passes.
set -euo pipefail
cd "$(dirname "$0")/../frontend"

report=$(mktemp)
trap 'rm -f "$report"' EXIT
npx vitest run --reporter=default --reporter=json --outputFile.json="$report" && exit
[ -n "${VOXPILOT_FLAKY:-}" ] || exit 1

# failed prints what failed: its files, or the names of its tests.
# shellcheck disable=SC2016 # it is JavaScript
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
# An error outside of every test has no file: then all is run again.
[ ${#tests[@]} -gt 0 ] || tests=('the page: an error outside of its tests')
printf 'failed: %s\n' "${tests[@]}"
echo "once more: ${files[*]:-all files}"
npx vitest run "${files[@]}" || exit
printf '%s\n' "${tests[@]}" >>"$VOXPILOT_FLAKY"
