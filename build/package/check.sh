#!/usr/bin/env bash
# Tries what `make package` has made, and prints what was tried and how. It is
# run by `make package-check`. Each try is a function that fails with its first
# command that does.
#
# With root (or a sudo that asks nothing) the .deb is installed on this machine
# with apt and removed again; without, it is unpacked and started from there, and
# the table says so. Nothing of the caller's is read or written: all of it has a
# desktop and a home of its own (build/withx.sh).
# shellcheck disable=SC2317 # functions are called by try
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
[ "${VOXPILOT_DESKTOP:-}" = private ] || exec build/withx.sh "$0"

id=io.github.voxpilot.VoxPilot
release=$(cat VERSION)
# What was packaged says so itself: a commit since then is no matter.
VERSION=$(sed -n '/"component"/,$ s/^ *"version": "\(.*\)",\{0,1\}$/\1/p' "dist/voxpilot_$release.cdx.json" | head -n 1)
[[ $VERSION = "$release" || $VERSION = "$release+"* ]] || { echo "dist/ has VoxPilot '$VERSION', and VERSION says $release: run make package first" >&2; exit 1; }
arch=$(go env GOARCH)
dist=$PWD/dist
deb=$dist/voxpilot_${release}_$arch.deb
rpm=$dist/voxpilot_${release}_$arch.rpm
tar=$dist/voxpilot_${release}_$arch.tar.gz
setup=$dist/VoxPilot-$release-setup.exe
zip=$dist/VoxPilot-$release-windows-portable.zip
work=$(mktemp -d)
export VERSION release work setup tried="$work"

rows=() failed=0
finish() {
	# What was installed is removed, whatever happened.
	[ ! -e "$work/installed" ] || root dpkg --purge voxpilot >/dev/null 2>&1
	# The root that an .rpm was installed into is root's.
	! is_root || root rm -rf "$work/rpm"
	rm -rf "$work"
}
trap finish EXIT
# What runs is waited for: a package that is half installed cannot be removed.
trap 'exit 143' TERM INT HUP

row() { rows+=("$1|$2|$3|$4"); }

# try PACKAGE WHAT HOW FUNCTION… does it, and keeps a row of the table. It stands
# as a command of its own, and what became of it is in $? afterwards: after "if",
# and before "&&" or "||", bash leaves set -e out, in here as well, and a function
# would fail with nothing but its last command.
try() {
	local package=$1 what=$2 how=$3 status begun=$SECONDS
	shift 3
	(set -ex; "$@") >"$work/log" 2>&1
	status=$?
	case $status in
	0) row "$package" "$what" "$how" "ok, $((SECONDS - begun)) s" ;;
	*)
		row "$package" "$what" "$how" FAILED
		failed=1
		printf '✗ %s: %s\n' "$package" "$what" >&2
		tail -n 60 "$work/log" | sed 's/^/    /' >&2
		;;
	esac
	return $status
}

skip() { row "$1" "$2" "$3" 'not tried'; }

# no COMMAND… fails where the command does not. (What follows a "!" is not looked
# at by set -e.)
no() { if "$@"; then return 1; fi; }

root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}
is_root() { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }

# at_most BYTES LIMIT
at_most() {
	echo "$1 bytes, at most $2"
	[ "$1" -le "$2" ]
}
mb() { awk -v bytes="$1" 'BEGIN { printf "%.1f MB", bytes / 1e6 }'; }
bytes_in() { find "$1" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }'; }

# says PROGRAM… looks at what the program says of itself without a window.
says() {
	[ "$("$@" --version | tr -d '\r')" = "voxpilot $VERSION" ]
	# Its exit code is 1 where something has to be put right, such as a sign-in.
	"$@" doctor --json >"$work/doctor.json" || [ $? = 1 ]
	grep -q '"name": "Copilot CLI"' "$work/doctor.json"
	grep -qF "\"version\": \"$VERSION\"" "$work/doctor.json"
}

# The page's text is antialiased: it has hundreds of colours, an empty window few.
painted() { [ "$(import -window "$1" png:- | identify -format %k -)" -gt 200 ]; }

# opens PROGRAM COMMAND… starts the program by the command, and waits until its
# window shows a page, a later start is answered, and its database is there.
opens() {
	local program=$1 window=''
	shift
	"$@" &
	for ((i = 0; i < 600; i++)); do
		window=$(xdotool search --onlyvisible --class '^voxpilot$' 2>/dev/null | tail -n 1) || true
		[ -z "$window" ] || ! painted "$window" || break
		sleep 0.1
	done
	[ -n "$window" ]
	painted "$window"
	pid=$(xdotool getwindowpid "$window")
	trap 'kill -TERM "$pid" 2>/dev/null || true' EXIT
	# The program of a release is hidden from other users than root.
	[ "$(id -u)" != 0 ] || [ "$(readlink "/proc/$pid/exe")" = "$program" ]
	[[ $(xprop -id "$window" WM_CLASS) == *'"voxpilot", "Voxpilot"'* ]]
	timeout 60 "$program" voxpilot://open
	for ((i = 0; i < 600; i++)); do
		[ ! -s "$HOME/.local/share/VoxPilot/voxpilot.db" ] || break
		sleep 0.1
	done
	[ -s "$HOME/.local/share/VoxPilot/voxpilot.db" ]
	kill -TERM "$pid"
	for ((i = 0; i < 600; i++)); do
		# One that has ended is gone, or waits for whoever is to be told of it.
		[[ $(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null) == [!Z]* ]] || return 0
		sleep 0.1
	done
	return 1
}

# 1. All of it.
checksums() {
	cd "$dist"
	sha256sum --check --quiet SHA256SUMS
	[ "$(wc -l <SHA256SUMS)" = 6 ]
}
sbom() {
	local file=$dist/voxpilot_$release.cdx.json
	# shellcheck disable=SC2016 # it is JavaScript
	node -e '
		const bom = JSON.parse(require("fs").readFileSync(process.argv[1]));
		const urls = bom.components.map((c) => c.purl);
		const all = ["pkg:golang/github.com/wailsapp/wails/v2@", "pkg:golang/std@", "pkg:npm/solid-js@"];
		for (const one of all) if (!urls.some((u) => u.startsWith(one))) throw new Error(`${one} is missing`);
		if (new Set(urls).size !== urls.length) throw new Error("a component is there twice");
		if (bom.metadata.component.version !== process.argv[2]) throw new Error("another version");
	' "$file" "$VERSION"
}
scripts() {
	shellcheck build/package/*.sh build/package/*/*.sh
	bash -n build/package/linux/voxpilot.bash
	! command -v zsh || zsh -n build/package/linux/voxpilot.zsh
	! command -v fish || fish --no-execute build/package/linux/voxpilot.fish
}
try all 'checksums' 'sha256sum --check' checksums
try all 'SBOM' 'CycloneDX: read, main parts found' sbom
try all 'scripts, completions' 'shellcheck, bash -n' scripts
try all 'workflows' 'actionlint' go tool -modfile=build/package/tools/go.mod actionlint

# 2. .deb
metadata_of_deb() {
	[ "$(dpkg-deb -f "$deb" Version)" = "$release" ]
	[[ $(dpkg-deb -f "$deb" Depends) == *'libgtk-3-0t64 | libgtk-3-0'* ]]
	# What the program needs of libc is what the package says.
	dpkg-deb -x "$deb" "$work/deb"
	needs=$(objdump -T "$work/deb/usr/bin/voxpilot" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
	needs=${needs#GLIBC_}
	[ "$(printf '%s\n2.34\n' "$needs" | sort -V | tail -n 1)" = 2.34 ]
	[ "$(cat "$work/deb/usr/share/voxpilot/packaged")" = deb ]
}
lint() {
	local share=$1/usr/share
	desktop-file-validate "$share/applications/$id.desktop"
	appstreamcli validate --no-net "$share/metainfo/$id.metainfo.xml"
	grep -qF "version=\"$release\"" "$share/metainfo/$id.metainfo.xml"
	gzip -dc "$share/man/man1/voxpilot.1.gz" >"$work/voxpilot.1"
	mandoc -Tlint -Wwarning "$work/voxpilot.1"
	mandoc -Thtml "$work/voxpilot.1" | grep -F 'voxpilot://chat' >/dev/null
	[ "$(find "$share/icons/hicolor" -name "$id*.png" | wc -l)" = 10 ]
	[ -s "$share/icons/hicolor/scalable/apps/$id.svg" ]
	[ -s "$share/icons/hicolor/symbolic/apps/$id-symbolic.svg" ]
}
install_deb() {
	touch "$work/installed"
	root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$deb"
	verified=$(dpkg -V voxpilot)
	[ -z "$verified" ]
	gio mime x-scheme-handler/voxpilot | grep -F "$id.desktop" >/dev/null
	gio mime inode/directory | grep -F "$id.desktop" >/dev/null
}
remove_deb() {
	dpkg -L voxpilot | while read -r path; do [ -d "$path" ] || echo "$path"; done >"$work/files"
	grep -qx /usr/bin/voxpilot "$work/files"
	root apt-get remove -y -qq voxpilot | tee "$work/said"
	grep -qF .local/share/VoxPilot "$work/said"
	root dpkg --purge voxpilot
	while read -r path; do [ ! -e "$path" ] || { echo "$path is still there"; return 1; }; done <"$work/files"
	[ ! -e /usr/share/voxpilot ]
	[ -s "$HOME/.local/share/VoxPilot/voxpilot.db" ]
}
size=$(stat -c %s "$deb")
try .deb "size: $(mb "$size") of 15 MB" 'the file' at_most "$size" 15000000
try .deb 'version, dependencies' 'dpkg-deb, objdump' metadata_of_deb
size=$(bytes_in "$work/deb")
try .deb "installed: $(mb "$size") of 40 MB" 'all its files added up' at_most "$size" 40000000
try .deb 'entry, AppStream, man, icons' 'desktop-file-validate, appstreamcli, mandoc' lint "$work/deb"
if ! command -v apt-get >/dev/null || ! is_root; then
	skip .deb 'installed, removed' 'needs apt-get and root'
	try .deb 'version, doctor' 'the program, unpacked' says "$work/deb/usr/bin/voxpilot"
	try .deb 'window' 'the program, unpacked, under Xvfb' opens "$work/deb/usr/bin/voxpilot" "$work/deb/usr/bin/voxpilot"
elif dpkg -s voxpilot >/dev/null 2>&1; then
	skip .deb 'installed, removed' 'VoxPilot is installed on this machine'
else
	try .deb 'installed' 'apt-get install, dpkg -V, gio mime' install_deb
	installed=$?
	if [ $installed = 0 ]; then
		try .deb 'version, doctor' 'voxpilot doctor --json' says voxpilot
		try .deb 'started from its entry' 'gio launch under Xvfb: window, page, second start' \
			opens /usr/bin/voxpilot gio launch /usr/share/applications/$id.desktop
		try .deb 'removed, chats kept' 'apt-get remove, dpkg --purge' remove_deb
		removed=$?
		[ $removed != 0 ] || rm -f "$work/installed"
	fi
fi

# 3. .rpm
rpm_is_right() {
	[ "$(rpm -qp --qf '%{VERSION}' "$rpm")" = "$release" ]
	rpm -qp --requires "$rpm" | grep -x gtk3 >/dev/null
	rpm -qp --requires "$rpm" | grep -x webkit2gtk4.1 >/dev/null
	rpm -qp --scripts "$rpm" | grep -F .local/share/VoxPilot >/dev/null
	# It takes no folder that belongs to others.
	rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' "$rpm" | grep '^d' >"$work/folders"
	[ "$(sort "$work/folders" | awk '{ print $2 }' | tr '\n' ' ')" = '/usr/share/doc/voxpilot /usr/share/voxpilot ' ]
}
rpm_in_a_root() {
	local at=$work/rpm
	mkdir -p "$at"
	if is_root; then
		root rpm --root "$at" --initdb
		root rpm --root "$at" -i --nodeps --noscripts --ignorearch "$rpm"
		root rpm --root "$at" -V --nodeps voxpilot
	else
		# The names in it are absolute. Debian's rpm2cpio says 1 even where all came
		# out, so that is looked at instead, below.
		(cd "$at" && { rpm2cpio "$rpm" || true; } | cpio -idm --quiet --no-absolute-filenames)
	fi
	[ "$(cat "$at/usr/share/voxpilot/packaged")" = rpm ]
	[ -e "$at/usr/share/zsh/site-functions/_voxpilot" ]
	cmp "$at/usr/bin/voxpilot" "$work/deb/usr/bin/voxpilot"
	says "$at/usr/bin/voxpilot"
	lint "$at"
	is_root || return 0
	root rpm --root "$at" -e --noscripts voxpilot
	[ ! -e "$at/usr/bin/voxpilot" ] && [ ! -e "$at/usr/share/voxpilot" ]
}
try .rpm 'version, dependencies, folders' 'rpm -qp' rpm_is_right
try .rpm 'installed, removed' "$(is_root && echo 'rpm --root: a root of its own' || echo 'rpm2cpio: it needs root to be installed')" rpm_in_a_root

# 4. .tar.gz
unpack_tar() {
	tar -xzf "$tar" -C "$work"
	says "$work/voxpilot-$release/voxpilot"
	[ ! -e "$work/voxpilot-$release/share/voxpilot" ] # it is updated by itself
}
try .tar.gz 'version, doctor' 'unpacked' unpack_tar
unpacked=$?
[ $unpacked != 0 ] ||
	try .tar.gz 'window' 'started under Xvfb' opens "$work/voxpilot-$release/voxpilot" "$work/voxpilot-$release/voxpilot"

# 5. Windows
exe=$work/zip/voxpilot.exe
resources() {
	unzip -q "$zip" -d "$work/zip"
	file=$(strings -el "$exe")
	grep -A1 -x ProductVersion <<<"$file" | grep -xF "$VERSION" >/dev/null
	grep -A1 -x FileVersion <<<"$file" | grep -xF "$release" >/dev/null
	grep -aqF permonitorv2 "$exe"
	grep -aqF longPathAware "$exe"
	objdump -p "$exe" | grep 'Subsystem.*Windows GUI' >/dev/null
}
signature() {
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj '/CN=VoxPilot test' -addext extendedKeyUsage=codeSigning \
		-keyout "$work/key.pem" -out "$work/cert.pem"
	openssl pkcs12 -export -inkey "$work/key.pem" -in "$work/cert.pem" -passout pass:one -out "$work/cert.pfx"
	cp "$exe" "$work/signed.exe"
	WINDOWS_CERTIFICATE=$work/cert.pfx WINDOWS_CERTIFICATE_PASSWORD=one build/package/windows/sign.sh "$work/signed.exe"
	osslsigncode verify -CAfile "$work/cert.pem" -in "$work/signed.exe"
	no osslsigncode verify -CAfile "$work/cert.pem" -in "$exe"
}
try .zip 'version, icon, manifest' 'what the executable says of itself' resources
size=$(stat -c %s "$exe" 2>/dev/null || echo 0)
try .zip "installed: $(mb "$size") of 40 MB" 'the executable' at_most "$size" 40000000
try .zip 'signature' 'osslsigncode, with a certificate made here' signature
in_wine() {
	build/wine.sh -- build/package/windows/check.sh "$1"
	[ -e "$work/tried-$1" ]
}
if command -v wine >/dev/null; then
	export exe
	try .zip 'version, doctor' 'wine' in_wine portable
	try setup.exe 'installed, upgraded, removed' 'wine: /S, files, registry, doctor, chats kept' in_wine installer
else
	skip setup.exe 'installed, removed' 'there is no wine'
fi
skip setup.exe 'window, WebView2 bootstrapper' 'needs Windows'
skip .dmg 'all but its files' 'needs macOS'

printf '\n%-10s %-34s %-52s %s\n' package tried how result
for line in "${rows[@]}"; do
	IFS='|' read -r package what how result <<<"$line"
	printf '%-10s %-34s %-52s %s\n' "$package" "$what" "$how" "$result"
done
exit $failed
