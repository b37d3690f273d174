#!/usr/bin/env bash
# Tests the Windows build of VoxPilot under Wine: the tests of packages with
# Windows-specific code, and the program itself without its window.
#
#   build/wine.sh                            everything
#   build/wine.sh backend/platform/power …   these packages, without the program
#   build/wine.sh -- COMMAND…                only a command, in the same Wine environment
#
# It needs an X server, which build/withx.sh provides; without one, Wine can't create
# windows, not even hidden ones. All files are in a temporary folder, which is removed at
# the end.
set -euo pipefail
cd "$(dirname "$0")/.."

for command in wine wineserver x86_64-w64-mingw32-gcc; do
	command -v "$command" >/dev/null || { echo "$command is not installed: run build/deps.sh wine" >&2; exit 1; }
done

# plan prints the packages, the pattern of the tests to run, the pattern of those to skip,
# and the reason. Almost all tests of engine and desktop pass under Wine; the ones that
# use files, programs, secrets, trust or the window are run, in half a minute. Not
# among them are the tests of lost sessions and of a deleted chat's files (Wine can't
# remove folders the way Go does), of protected files (no links), and of an incomplete
# inventory (a minute for its thousand files). Tests that use bash, or a shell script as
# a stub, don't run on Windows at all.
plan() {
	cat <<'PLAN'
internal/keychain           .  -
internal/process            .  -
backend/agent               Stop_EndsProcess|WaitsForPreviousProcess|HasNameAndCapabilities|Contract_FakeAgent$  Contract/A_killed_agent_comes_back_with_its_session  Wine loses the pipe output of a killed process
backend/commandline         .  Review_(Opens|Creates|Asks)  no git
backend/data                .  -
backend/desktop             Window_(Close|Position|Hidden)|Clipboard|NotificationLinks|Notification_Raises|MenuBar|Quit_Idle  -
backend/engine              Image|Attach|FilesOfAFolder|FolderWithoutChat|Export|AfterRestart|ExternalSession|Permission_|SecondApp|MissingProgram|Key_NotStored|Key_NewOne|Observe|Trust_Folder|Trust_AllowedEditStarts|IncludesAppFolders|SessionFolder  Chat_ContinuesAfterRestart|Rescue_|InCopilotCLI  no Copilot CLI, and Wine can't remove folders the way Go does, so a deleted chat stays until the next start
backend/logfile             .  Tail_ReturnsLastLines  Wine opens a folder as a file
backend/platform/autostart  .  -
backend/platform/hotkey     .  -
backend/platform/instance   .  -
backend/platform/notify     Toast|Quiet  -
backend/platform/power      .  -
backend/platform/tray       .  -
backend/quick               .  -
backend/snapshot            Apply_|Keep_|Traps_(OpenFile|CaseOnly|ReadOnlyFile)  FileAndFolderSwap|RemovedFileComesBack  no links, and Wine can't remove folders the way Go does
backend/store               OneProcessAtATime|NewerVersion|RepairsAfterCrash|EveryFieldRoundTrips|IsIdempotent|Chats_NewestFirst  -
backend/terminal            .  -
backend/update              .  Download_Resumes|Download_Failure|Download_Quit  Wine doesn't always report that the peer closed a connection
backend/workspace           .  Link|Tree|Git|Repositor|Branch|Path_|Guard|Editor_(OpensFile|Defaults|StartFailure|Invalid)  no links, no git, and a skipped test with a temporary folder fails
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
# Wine 8 has no bcryptprimitives.dll, which every Go program needs to start.
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
	[ "$skip" = - ] && skip='^$' || echo "skipped: $skip: $why"
	build/again.sh "wine $package" build/wine-test.sh -run "$run" -skip "$skip" "./$package" || failed+=("$package")
	echo "$package took $SECONDS s"
done < <(plan)

if [ $# = 0 ]; then
	GOOS=windows go build -buildvcs=false -tags desktop,production -o "$work/voxpilot.exe" .
	export VOXPILOT_DATA_DIR='C:\voxpilot'
	wine "$work/voxpilot.exe" --version
	# It exits with 1, because the Copilot CLI isn't installed there.
	wine "$work/voxpilot.exe" doctor --json >"$work/doctor.json" || true
	for check in VoxPilot 'Copilot CLI' Keychain Database; do
		grep -q "\"name\": \"$check\"" "$work/doctor.json" || failed+=("voxpilot.exe doctor --json has no check: $check")
	done
fi

if [ ${#failed[@]} -gt 0 ]; then
	printf '✗ failed under Wine: %s\n' "${failed[@]}" >&2
	exit 1
fi
