#!/usr/bin/env bash
# Runs what VoxPilot does on Windows under Wine: the tests of the packages whose
# code differs there, and the program itself without its window.
#
#   build/wine.sh                            all of it
#   build/wine.sh backend/platform/power …   some packages, and not the program
#   build/wine.sh -- COMMAND…                a command that uses the same Wine, and nothing else
#
# It needs an X server, which build/withx.sh gives it: without one there are no
# windows, not even those that are never shown. Everything is kept in a folder of
# its own, which is removed at the end.
set -euo pipefail
cd "$(dirname "$0")/.."

for command in wine wineserver x86_64-w64-mingw32-gcc; do
	command -v "$command" >/dev/null || { echo "$command is not installed: run build/deps.sh wine" >&2; exit 1; }
done

# The packages, which of their tests are run, and which of these are not, with
# the reason: Wine is not Windows. Of the tests of the engine and of the desktop
# nearly all pass; those are run that touch files, programs, secrets, trust and the
# window, in half a minute. Of the others cannot run here: Restore_LostSession,
# RecapDisabled and SessionFilesIfRequested (folders cannot be removed as Go does
# that), Protected (there are no links), IncompleteAsksAtEachStart (a minute for its
# thousand files).
# What says that a stand-in is a shell script, or asks for bash, runs on no Windows.
plan() {
	cat <<'PLAN'
internal/keychain           .  -
internal/process            .  -
backend/agent               Stop_EndsProcess|WaitsForPreviousProcess|HasNameAndCapabilities|Contract_FakeAgent$  Contract/A_killed_agent_comes_back_with_its_session  what a process that is ended had written to a pipe is lost
backend/commandline         .  -
backend/data                .  -
backend/desktop             Window_(Close|Position|Hidden)|Clipboard|NotificationLinks|Notification_Raises|MenuBar|Quit_Idle  -
backend/engine              Image|Attach|FilesOfAFolder|FolderWithoutChat|Export|AfterRestart|ExternalSession|Permission_|SecondApp|MissingProgram|Key_NotStored|Key_NewOne|Observe|Trust_Folder|Trust_AllowedEditStarts|IncludesAppFolders|SessionFolder  -
backend/logfile             .  Tail_ReturnsLastLines  a folder can be opened as a file
backend/platform/autostart  .  -
backend/platform/hotkey     .  -
backend/platform/instance   .  -
backend/platform/notify     Toast|Quiet  -
backend/platform/power      .  -
backend/platform/tray       .  -
backend/quick               .  -
backend/store               OneProcessAtATime|NewerVersion|RepairsAfterCrash|EveryFieldRoundTrips|IsIdempotent|Chats_NewestFirst  -
backend/terminal            .  -
backend/update              .  Download_Resumes|Download_Failure|Download_Quit  that the other side of a connection hangs up is not always noticed
backend/workspace           .  Link|Tree|Git|Repositor|Branch|Path_|Guard|Editor_(OpensFile|Defaults|StartFailure|Invalid)  links and git are not there, and a test with a folder cannot be skipped
PLAN
}

work=$(mktemp -d)
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree=d;mshtml=d'
export GOARCH=amd64 CGO_ENABLED=0
end() {
	wineserver -k || true
	wineserver -w || true
	rm -rf "$work"
}
trap end EXIT

wine wineboot -i >/dev/null 2>&1
wineserver -w
# Wine 8 has no bcryptprimitives.dll, without which no program of Go's starts.
system=$WINEPREFIX/drive_c/windows/system32
if [ ! -e "$system/bcryptprimitives.dll" ]; then
	x86_64-w64-mingw32-gcc -shared -O2 -s -o "$system/bcryptprimitives.dll" build/windows/bcryptprimitives.c -ladvapi32
fi

if [ "${1:-}" = -- ]; then
	shift
	"$@"
	exit
fi

failed=()
while read -r package run skip why; do
	if [ $# -gt 0 ] && [[ " $* " != *" $package "* ]]; then continue; fi
	SECONDS=0
	echo "$package"
	[ "$skip" = - ] && skip='^$' || echo "not run: $skip: $why"
	build/again.sh "wine $package" build/wine-test.sh -run "$run" -skip "$skip" "./$package" || failed+=("$package")
	echo "$package took $SECONDS s"
done < <(plan)

if [ $# = 0 ]; then
	GOOS=windows go build -buildvcs=false -tags desktop,production -o "$work/voxpilot.exe" .
	export VOXPILOT_DATA_DIR='C:\voxpilot'
	wine "$work/voxpilot.exe" --version
	# Its exit code is 1: the Copilot CLI is not installed there.
	wine "$work/voxpilot.exe" doctor --json >"$work/doctor.json" || true
	for check in VoxPilot 'Copilot CLI' Keychain Database; do
		grep -q "\"name\": \"$check\"" "$work/doctor.json" || failed+=("voxpilot.exe doctor --json says nothing of: $check")
	done
fi

if [ ${#failed[@]} -gt 0 ]; then
	printf '✗ failed under Wine: %s\n' "${failed[@]}" >&2
	exit 1
fi
