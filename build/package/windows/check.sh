#!/usr/bin/env bash
# Checks the Windows packages under Wine. build/package/check.sh runs it.
set -euo pipefail
: "${VERSION:?}" "${release:?}" "${work:?}" "${tried:?}" "${exe:?}" "${setup:?}"

# no COMMAND… fails if the command succeeds.
no() { if "$@"; then return 1; fi; }

drive=$WINEPREFIX/drive_c

# reports PROGRAM checks its --version and doctor output. doctor exits with 1, because the
# Copilot CLI isn't installed there.
reports() {
	local version
	version=$(wine "$1" --version | tr -d '\r')
	echo "$version"
	[ "$version" = "voxpilot $VERSION" ]
	wine "$1" doctor --json >"$work/doctor.json" || [ $? = 1 ]
	grep -q '"name": "Copilot CLI"' "$work/doctor.json"
}

portable() { reports "$exe"; }

uninstall='HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\io.github.voxpilot.VoxPilot'
run='HKCU\Software\Microsoft\Windows\CurrentVersion\Run'

installer() {
	local local_data program data
	# Marks WebView2 as installed, so that Microsoft's installer doesn't run.
	wine reg add 'HKCU\Software\Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}' /v pv /d 120.0.0.0 /f
	local_data=$(wine cmd /c echo %LOCALAPPDATA% | tr -d '\r')
	local_data=$(winepath -u "$local_data")
	program=$local_data/Programs/VoxPilot
	data=$local_data/VoxPilot
	mkdir -p "$data"
	echo kept >"$data/voxpilot.db"

	# Over an older version, which is replaced.
	mkdir -p "$program"
	echo old >"$program/voxpilot.exe"
	wine "$setup" /S
	cmp "$program/voxpilot.exe" "$exe"
	reports "$program/voxpilot.exe"
	[ -e "$program/uninstall.exe" ]
	[ -n "$(find "$drive" -ipath '*start menu*' -name VoxPilot.lnk)" ]
	wine reg query "$uninstall" /v DisplayVersion | grep -F "$release" >/dev/null
	wine reg query "$uninstall" /v QuietUninstallString | grep -F '/S' >/dev/null
	wine reg query 'HKCU\Software\Classes\voxpilot' /v 'URL Protocol'
	wine reg query 'HKCU\Software\Classes\voxpilot\shell\open\command' /ve | grep -F '"%1"' >/dev/null
	wine reg query 'HKCU\Software\Classes\Directory\shell\VoxPilot\command' /ve | grep -F '"%V\."' >/dev/null
	wine reg query 'HKCU\Software\Classes\Directory\Background\shell\VoxPilot\command' /ve | grep -F '"%V\."' >/dev/null
	no wine reg query "$run" /v VoxPilot # only with /AUTOSTART

	# Over itself: with /AUTOSTART, and then without, which doesn't change the setting.
	wine "$setup" /S /AUTOSTART
	wine reg query "$run" /v VoxPilot | grep -F -- --hidden >/dev/null
	wine "$setup" /S
	wine reg query "$run" /v VoxPilot | grep -F -- --hidden >/dev/null

	# Over an installation without the folder menu, which isn't added.
	wine reg delete 'HKCU\Software\Classes\Directory\shell\VoxPilot' /f
	wine "$setup" /S
	no wine reg query 'HKCU\Software\Classes\Directory\shell\VoxPilot'
	wine reg add 'HKCU\Software\Classes\Directory\shell\VoxPilot' /ve /d VoxPilot /f

	# Written by VoxPilot when it runs.
	wine reg add 'HKCU\Software\Classes\AppUserModelId\io.github.voxpilot.VoxPilot' /v DisplayName /d VoxPilot /f

	# The uninstaller continues in a copy of itself; wait for it.
	wine "$program/uninstall.exe" /S
	for ((i = 0; i < 3000; i++)); do
		[ -e "$program" ] || break
		sleep 0.1
	done
	wineserver -w
	[ ! -e "$program" ]
	[ -z "$(find "$drive" -ipath '*start menu*' -name VoxPilot.lnk)" ]
	for key in "$uninstall" 'HKCU\Software\Classes\voxpilot' 'HKCU\Software\Classes\AppUserModelId\io.github.voxpilot.VoxPilot' \
		'HKCU\Software\Classes\Directory\shell\VoxPilot'; do
		no wine reg query "$key"
	done
	no wine reg query "$run" /v VoxPilot
	[ "$(cat "$data/voxpilot.db")" = kept ]
}

"$1"
touch "$tried/tried-$1"
