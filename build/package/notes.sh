#!/usr/bin/env bash
# Prints the notes of a release: the section of CHANGELOG.md that its version
# heads. It fails where there is none.
#
#   build/package/notes.sh 0.1.0
set -euo pipefail
cd "$(dirname "$0")/../.."
notes=$(awk -v head="## ${1:?name a version}" '
	$0 == head || index($0, head " ") == 1 { on = 1; next }
	/^## / { on = 0 }
	on' "${CHANGELOG:-CHANGELOG.md}")
[ -n "${notes//[[:space:]]/}" ] || { echo "CHANGELOG.md has no section \"## $1\": name the release there" >&2; exit 1; }
printf '%s\n' "$notes"
