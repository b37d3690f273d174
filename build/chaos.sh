#!/usr/bin/env bash
# build/chaos.sh runs all rounds of the chaos tests and prints a table of the results.
# With the argument "engine", "app" or "fuzz", it runs only that part; "hostile" runs the
# attacks by untrusted folders and agents (internal/hostile), which no other part
# includes. VOXPILOT_CHAOS_SEED=number repeats a run; FUZZ_TIME is the duration of each
# fuzz test (30s by default).
set -euo pipefail
cd "$(dirname "$0")/.."

export VOXPILOT_CHAOS=long
rows=$(mktemp)
export VOXPILOT_CHAOS_TABLE=$rows
table=$(mktemp)
trap 'rm -f "$rows" "$table"' EXIT
failed=0

section() { # heading package tests column
	: >"$rows"
	build/withx.sh node build/gotest.mjs -count=1 -timeout 60m -run "${3:-^TestChaos}" -- "$2" || failed=1
	printf '\n## %s\n\n| %s | Runs | Result | Test |\n| --- | ---: | --- | --- |\n' "$1" "${4:-Failure}" >>"$table"
	sort -t'|' -k5 "$rows" >>"$table" # the rows are in the order in which the tests ended
}

# fuzz runs a fuzz test and adds its result as a row.
fuzz() { # package target description
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
	echo "To repeat this run: VOXPILOT_HOSTILE_SEED=$VOXPILOT_CHAOS_SEED make hostile"
	section 'Requests' ./backend/agent '^TestRequests_' 'Attack'
	section 'Folders, paths and commands' ./internal/hostile '^Test' 'Attack'
	section 'Trust' ./backend/engine '^TestUntrusted_.*OfTheCorpus$' 'Attack'
	section 'Guard' ./backend/engine '^Test(Guard|Holders)_' 'Attack'
	section 'The sandbox of commands' ./internal/hostile/sandbox '^Test' 'Attack'
	fuzz ./internal/hostile FuzzParse_MatchesShells 'Random commands, compared with bash, dash and zsh'
	printf '\nSeed: %s\n' "$VOXPILOT_CHAOS_SEED" >>"$table"
	cat "$table"
	exit "$failed"
fi
if [ -z "$part" ] || [ "$part" = engine ]; then
	section 'The engine' ./backend/agent
fi
if [ "$part" != app ]; then
	fuzz ./backend/agent FuzzWire 'Random bytes between the lines of an answer'
fi
if [ "$part" = fuzz ]; then
	fuzz ./internal/hostname FuzzAuthority 'Random hosts and ports'
	fuzz ./backend/sandbox/proxy FuzzRequest 'Random requests to the proxy of the sandbox'
	fuzz ./internal/hostile FuzzParse_MatchesShells 'Random commands, compared with bash, dash and zsh'
fi
if [ -z "$part" ] || [ "$part" = engine ]; then
	section 'The tools of agents' ./backend/mcp
	section 'Lines and their messages' ./backend/blame '^TestBlame_ScriptedChat' 'Chat'
	section 'Damaged sessions' ./backend/engine '^TestRescue_' 'Damage'
	section 'Imported conversations' ./backend/copilot/sessionfiles '^TestImport_Real' 'Case'
	section 'Opened sessions' ./backend/sessionimport '_CutAnywhere$|_KilledImportContinues$'
	section 'Going back and branching' ./backend/branch '^TestModel_'
	section 'Comments on lines' ./backend/review/comment '^TestFollow_NeverOnWrongLines$' 'Edits'
	section 'Parts put back' ./backend/review '^TestChaos' 'Edits'
	section 'Snapshots and undo' ./backend/snapshot '^TestChaos|^TestModel_|^TestTraps_|^TestFullDisk_|_IgnoresAsGitDoes$'
fi
if [ -z "$part" ] || [ "$part" = app ]; then
	section 'The app' ./internal/chaos
fi
cat "$table"
exit "$failed"
