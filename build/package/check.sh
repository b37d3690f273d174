#!/usr/bin/env bash
# Checks the packages built by `make package` and prints a table of the checks. Run it
# with `make package-check`. Each check is a function that fails if one of its commands
# fails.
#
# With root, or with sudo that needs no password, apt installs and removes the .deb on
# this machine; otherwise the .deb is unpacked and the program started from there, and the
# table says so. The checks have a private desktop and home (build/withx.sh), so none of
# the caller's files are read or written.
# shellcheck disable=SC2317 # functions are called by try
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
[ "${VOXPILOT_DESKTOP:-}" = private ] || exec build/withx.sh "$0"

id=io.github.voxpilot.VoxPilot
release=$(cat VERSION)
# The version is read from the SBOM, since there may be newer commits.
VERSION=$(sed -n '/"component"/,$ s/^ *"version": "\(.*\)",\{0,1\}$/\1/p' "dist/voxpilot_$release.cdx.json" | head -n 1)
[[ $VERSION = "$release" || $VERSION = "$release+"* ]] || { echo "dist/ contains VoxPilot '$VERSION', but the file VERSION is $release. Run: make package" >&2; exit 1; }
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
	# Remove installed packages in every case.
	[ ! -e "$work/installed" ] || root dpkg --purge voxpilot >/dev/null 2>&1
	# The installation root of the .rpm belongs to root.
	! is_root || root rm -rf "$work/rpm"
	rm -rf "$work"
}
trap finish EXIT
# bash exits only after the running command: a half-installed package can't be removed.
trap 'exit 143' TERM INT HUP

row() { rows+=("$1|$2|$3|$4"); }

# try PACKAGE CHECK METHOD FUNCTION… runs the function and adds a row to the table. Call it
# as a separate command and read its result from $?: after "if" and before "&&" or "||",
# bash ignores set -e in all functions called, so only their last command could fail.
try() {
	local package=$1 check=$2 method=$3 status started=$SECONDS
	shift 3
	(set -ex; "$@") >"$work/log" 2>&1
	status=$?
	case $status in
	0) row "$package" "$check" "$method" "ok, $((SECONDS - started)) s" ;;
	*)
		row "$package" "$check" "$method" FAILED
		failed=1
		printf '✗ %s: %s\n' "$package" "$check" >&2
		tail -n 60 "$work/log" | sed 's/^/    /' >&2
		;;
	esac
	return $status
}

skip() { row "$1" "$2" "$3" skipped; }

# no COMMAND… fails if the command succeeds. (set -e ignores commands after "!".)
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

# reports PROGRAM… checks the program's --version and doctor output.
reports() {
	[ "$("$@" --version | tr -d '\r')" = "voxpilot $VERSION" ]
	# It exits with 1 if something needs fixing, such as a missing sign-in.
	"$@" doctor --json >"$work/doctor.json" || [ $? = 1 ]
	grep -q '"name": "Copilot CLI"' "$work/doctor.json"
	grep -qF "\"version\": \"$VERSION\"" "$work/doctor.json"
}

# painted checks that a window shows the page: antialiased text has hundreds of colors,
# an empty window few.
painted() { [ "$(import -window "$1" png:- | identify -format %k -)" -gt 200 ]; }

# opens PROGRAM COMMAND… starts the program with the command and waits until its window
# shows a page, it accepts a second start, and its database exists.
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
	# Only root can read the program path of a release build.
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
		# An exited process is gone, or a zombie until its parent reads its status.
		[[ $(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null) == [!Z]* ]] || return 0
		sleep 0.1
	done
	return 1
}

# 1. All packages.
checksums() {
	cd "$dist"
	sha256sum --check --quiet SHA256SUMS
	[ "$(wc -l <SHA256SUMS)" = 6 ]
}
sbom() {
	local file=$dist/voxpilot_$release.cdx.json
	# shellcheck disable=SC2016 # JavaScript
	node -e '
		const bom = JSON.parse(require("fs").readFileSync(process.argv[1]));
		const urls = bom.components.map((c) => c.purl);
		const all = ["pkg:golang/github.com/wailsapp/wails/v2@", "pkg:golang/std@", "pkg:npm/solid-js@"];
		for (const one of all) if (!urls.some((u) => u.startsWith(one))) throw new Error(`${one} is missing`);
		if (new Set(urls).size !== urls.length) throw new Error("a component is listed twice");
		if (bom.metadata.component.version !== process.argv[2]) throw new Error("wrong version");
	' "$file" "$VERSION"
}
scripts() {
	shellcheck build/package/*.sh build/package/*/*.sh
	bash -n build/package/linux/voxpilot.bash
	! command -v zsh || zsh -n build/package/linux/voxpilot.zsh
	! command -v fish || fish --no-execute build/package/linux/voxpilot.fish
}
try all 'checksums' 'sha256sum --check' checksums
try all 'SBOM' 'CycloneDX: parsed, main components found' sbom
try all 'scripts, completions' 'shellcheck, bash -n' scripts
try all 'workflows' 'actionlint' go tool -modfile=build/package/tools/go.mod actionlint

# 2. .deb
metadata_of_deb() {
	[ "$(dpkg-deb -f "$deb" Version)" = "$release" ]
	[[ $(dpkg-deb -f "$deb" Depends) == *'libgtk-3-0t64 | libgtk-3-0'* ]]
	# The program needs no newer libc than the package declares.
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
	root apt-get remove -y -qq voxpilot | tee "$work/removal"
	grep -qF .local/share/VoxPilot "$work/removal"
	root dpkg --purge voxpilot
	while read -r path; do [ ! -e "$path" ] || { echo "$path still exists"; return 1; }; done <"$work/files"
	[ ! -e /usr/share/voxpilot ]
	[ -s "$HOME/.local/share/VoxPilot/voxpilot.db" ]
}
size=$(stat -c %s "$deb")
try .deb "size: $(mb "$size") of 15 MB" 'file size' at_most "$size" 15000000
try .deb 'version, dependencies' 'dpkg-deb, objdump' metadata_of_deb
size=$(bytes_in "$work/deb")
try .deb "installed: $(mb "$size") of 42 MB" 'sum of all files' at_most "$size" 42000000
try .deb 'entry, AppStream, man, icons' 'desktop-file-validate, appstreamcli, mandoc' lint "$work/deb"
if ! command -v apt-get >/dev/null || ! is_root; then
	skip .deb 'installed, removed' 'requires apt-get and root'
	try .deb 'version, doctor' 'the program, unpacked' reports "$work/deb/usr/bin/voxpilot"
	try .deb 'window' 'the program, unpacked, under Xvfb' opens "$work/deb/usr/bin/voxpilot" "$work/deb/usr/bin/voxpilot"
elif dpkg -s voxpilot >/dev/null 2>&1; then
	skip .deb 'installed, removed' 'VoxPilot is installed on this machine'
else
	try .deb 'installed' 'apt-get install, dpkg -V, gio mime' install_deb
	installed=$?
	if [ $installed = 0 ]; then
		try .deb 'version, doctor' 'voxpilot doctor --json' reports voxpilot
		try .deb 'started from the menu entry' 'gio launch under Xvfb: window, page, second start' \
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
	# It owns no folders of other packages.
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
		# Its paths are absolute. Debian's rpm2cpio exits with 1 even on success, so the
		# files are checked below instead.
		(cd "$at" && { rpm2cpio "$rpm" || true; } | cpio -idm --quiet --no-absolute-filenames)
	fi
	[ "$(cat "$at/usr/share/voxpilot/packaged")" = rpm ]
	[ -e "$at/usr/share/zsh/site-functions/_voxpilot" ]
	cmp "$at/usr/bin/voxpilot" "$work/deb/usr/bin/voxpilot"
	reports "$at/usr/bin/voxpilot"
	lint "$at"
	is_root || return 0
	root rpm --root "$at" -e --noscripts voxpilot
	[ ! -e "$at/usr/bin/voxpilot" ] && [ ! -e "$at/usr/share/voxpilot" ]
}
try .rpm 'version, dependencies, folders' 'rpm -qp' rpm_is_right
try .rpm 'installed, removed' "$(is_root && echo 'rpm --root: in a separate root' || echo 'rpm2cpio: installing requires root')" rpm_in_a_root

# 4. .tar.gz
unpack_tar() {
	tar -xzf "$tar" -C "$work"
	reports "$work/voxpilot-$release/voxpilot"
	[ ! -e "$work/voxpilot-$release/share/voxpilot" ] # it updates itself
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
try .zip 'version, icon, manifest' 'resources of the executable' resources
size=$(stat -c %s "$exe" 2>/dev/null || echo 0)
try .zip "installed: $(mb "$size") of 42 MB" 'size of the executable' at_most "$size" 42000000
try .zip 'signature' 'osslsigncode, with a test certificate' signature
in_wine() {
	build/wine.sh -- build/package/windows/check.sh "$1"
	[ -e "$work/tried-$1" ]
}
if command -v wine >/dev/null; then
	export exe
	try .zip 'version, doctor' 'wine' in_wine portable
	try setup.exe 'installed, upgraded, removed' 'wine: /S, files, registry, doctor, user data kept' in_wine installer
else
	skip setup.exe 'installed, removed' 'requires wine'
fi
skip setup.exe 'window, WebView2 bootstrapper' 'requires Windows'
skip .dmg 'everything except its files' 'requires macOS'

printf '\n%-10s %-34s %-52s %s\n' package check method result
for line in "${rows[@]}"; do
	IFS='|' read -r package check method result <<<"$line"
	printf '%-10s %-34s %-52s %s\n' "$package" "$check" "$method" "$result"
done
exit $failed
