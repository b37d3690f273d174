#!/usr/bin/env bash
# build/chaos.sh does all rounds of the tests that break things on purpose, and
# prints a table of what came out of it. With "engine", "app" or "fuzz" it does that
# part only; with "hostile" all of what folders and agents may try (internal/hostile),
# which is no part of the others. VOXPILOT_CHAOS_SEED=number does a run again;
# FUZZ_TIME is how long each fuzz test looks for new lines (30s).
set -euo pipefail
cd "$(dirname "$0")/.."

export VOXPILOT_CHAOS=long
rows=$(mktemp)
export VOXPILOT_CHAOS_TABLE=$rows
table=$(mktemp)
trap 'rm -f "$rows" "$table"' EXIT
failed=0

section() { # heading package tests what
	: >"$rows"
	build/withx.sh node build/gotest.mjs -count=1 -timeout 60m -run "${3:-^TestChaos}" -- "$2" || failed=1
	printf '\n## %s\n\n| %s | Times | What came out of it | Test |\n| --- | ---: | --- | --- |\n' "$1" "${4:-What is broken}" >>"$table"
	sort -t'|' -k5 "$rows" >>"$table" # they came in the order in which the tests ended
}

# fuzz looks for lines that break a fuzz test, and adds what it did as a row.
fuzz() { # package target words
	local out
	out=$(build/withx.sh go test -count=1 -run '^$' -fuzz "^$2\$" -fuzztime "${FUZZ_TIME:-30s}" -fuzzminimizetime 1x "$1" 2>&1) || failed=1
	printf '%s\n' "$out" | tail -n 20
	local tries result='no crash, no hang'
	tries=$(grep -oE 'execs: [0-9]+' <<<"$out" | tail -n 1 | grep -oE '[0-9]+') || tries=0
	if grep -q '^--- FAIL\|^FAIL' <<<"$out"; then result='**failed**'; fi
	printf '| %s | %s | %s | `%s` |\n' "$3" "$tries" "$result" "$2" >>"$table"
}

part=${1:-}
if [ "$part" = hostile ]; then
	VOXPILOT_CHAOS_SEED=${VOXPILOT_HOSTILE_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
	export VOXPILOT_CHAOS_SEED
	echo "to do this again: VOXPILOT_HOSTILE_SEED=$VOXPILOT_CHAOS_SEED make hostile"
	section 'Requests' ./backend/agent '^TestRequests_' 'What is tried'
	section 'Folders, paths and commands' ./internal/hostile '^Test' 'What is tried'
	section 'Trust' ./backend/engine '^TestUntrusted_.*OfTheCorpus$' 'What is tried'
	fuzz ./internal/hostile FuzzParse_MatchesShells 'Lines that fuzzing comes up with, as bash, dash and zsh run them'
	printf '\nSeed: %s\n' "$VOXPILOT_CHAOS_SEED" >>"$table"
	cat "$table"
	exit "$failed"
fi
if [ -z "$part" ] || [ "$part" = engine ]; then
	section 'The engine' ./backend/agent
fi
if [ "$part" != app ]; then
	fuzz ./backend/agent FuzzWire 'Bytes that fuzzing comes up with, between the lines of an answer'
fi
if [ "$part" = fuzz ]; then
	fuzz ./internal/hostile FuzzParse_MatchesShells 'Lines that fuzzing comes up with, as bash, dash and zsh run them'
fi
if [ -z "$part" ] || [ "$part" = engine ]; then
	section 'The tools of agents' ./backend/mcp
fi
if [ -z "$part" ] || [ "$part" = app ]; then
	section 'The app' ./internal/chaos
fi
cat "$table"
exit "$failed"
