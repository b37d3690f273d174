#!/usr/bin/env bash
# Prints the notes of a release: the section of CHANGELOG.md under its version. It fails
# if there is no such section.
#
#   build/package/notes.sh 0.1.0
set -euo pipefail
cd "$(dirname "$0")/../.."
notes=$(awk -v head="## ${1:?usage: notes.sh VERSION}" '
	$0 == head || index($0, head " ") == 1 { on = 1; next }
	/^## / { on = 0 }
	on' "${CHANGELOG:-CHANGELOG.md}")
[ -n "${notes//[[:space:]]/}" ] || { echo "CHANGELOG.md has no section \"## $1\". Add one for this release." >&2; exit 1; }
printf '%s\n' "$notes"
