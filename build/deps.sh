#!/usr/bin/env bash
# Installs the build dependencies of VoxPilot and prints each step.
#
#   build/deps.sh run      for `make run`: a compiler and libraries, the frontend packages, the Copilot CLI
#   build/deps.sh test     the same, plus test dependencies: a virtual display, Chromium, a keyring, other agents
#   build/deps.sh package  also for `make package` and `make package-check`: NSIS, rpm, linters for packages
#   build/deps.sh wine     also for `make wine`: Wine and a C compiler for Windows
#
# It installs only missing dependencies, so a second run changes nothing and takes a
# second. System packages are installed with apt-get or dnf, using sudo unless the caller
# is root; everything else is installed in the project's folder.
set -euo pipefail
cd "$(dirname "$0")/.."

want=${1:-run}
case $want in run | test | package | wine) ;; *) echo "usage: build/deps.sh [run|test|package|wine]" >&2; exit 2 ;; esac

say() { printf '• %s\n' "$*"; }
fail() { printf '✗ %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# at_least WANTED GOT compares dotted version numbers.
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n1)" = "$1" ]; }

# 1. Prerequisites that are not installed here.
have go || fail "Go is not installed. VoxPilot needs Go 1.26 or newer: https://go.dev/dl"
go_version=$(go env GOVERSION) || fail "Couldn't download the Go version required by go.mod. Install Go 1.26 or newer: https://go.dev/dl"
at_least 1.26 "${go_version#go}" || fail "Go ${go_version#go} is too old. VoxPilot needs Go 1.26 or newer: https://go.dev/dl"
have node || fail "Node.js is not installed. VoxPilot needs Node.js 20.19 or newer: https://nodejs.org"
node_version=$(node --version)
at_least 20.19 "${node_version#v}" || fail "Node.js ${node_version#v} is too old. VoxPilot needs 20.19 or newer: https://nodejs.org"
have npm || fail "npm is not installed. It comes with Node.js: https://nodejs.org"

# 2. System packages.
as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif ! have sudo; then
		fail "This needs root, and sudo is not installed. Run as root: $*"
	elif [ -t 0 ]; then
		sudo "$@"
	else
		sudo -n "$@" || fail "sudo needs a password but there is no terminal to enter it. Run this first: sudo $*"
	fi
}

# missing_commands NAME=PACKAGE… prints the packages whose command is missing.
missing_commands() {
	local pair
	for pair in "$@"; do have "${pair%%=*}" || echo "${pair#*=}"; done
}

# missing_emoji PACKAGE prints the package if no font has the robot emoji, which heads
# the block of a delegated task.
missing_emoji() {
	{ have fc-list && [ -n "$(fc-list ':charset=1f916')" ]; } || echo "$1"
}

# have_browser checks for the browser that the tests use: /usr/bin/chromium, or the one
# in CHROMIUM.
have_browser() {
	local name
	for name in "${CHROMIUM:-chromium}" chromium-browser google-chrome; do
		have "$name" || continue
		[ -n "${CHROMIUM:-}" ] || [ -e /usr/bin/chromium ] || say "The tests find this browser only after: export CHROMIUM=$(command -v "$name")" >&2
		return 0
	done
	return 1
}

# missing_modules NAME=PACKAGE… prints the packages whose pkg-config module is missing.
missing_modules() {
	local pair
	for pair in "$@"; do
		{ have pkg-config && pkg-config --exists "${pair%%=*}"; } || echo "${pair#*=}"
	done
}

linux_debian() {
	local need=() browser=''
	if [ "$want" != run ] && ! have_browser; then
		[ "$ID" != ubuntu ] ||
			fail "The tests need Chromium, which Ubuntu provides only as a snap. Install Google Chrome or another Chromium and set its path: export CHROMIUM=/usr/bin/google-chrome"
		browser=chromium
	fi
	mapfile -t need < <(
		missing_commands git=git gcc=gcc musl-gcc=musl-tools pkg-config=pkg-config bwrap=bubblewrap
		[ -e /etc/ssl/certs/ca-certificates.crt ] || echo ca-certificates
		[ -e /usr/include/stdio.h ] || echo libc6-dev
		missing_modules gtk+-3.0=libgtk-3-dev webkit2gtk-4.1=libwebkit2gtk-4.1-dev
		missing_emoji fonts-noto-color-emoji
		if [ "$want" != run ]; then
			missing_commands Xvfb=xvfb dbus-run-session=dbus dbus-send=dbus-bin dbus-launch=dbus-x11 openbox=openbox \
				gnome-keyring-daemon=gnome-keyring xdotool=xdotool import=imagemagick \
				xdpyinfo=x11-utils xprop=x11-utils xsettingsd=xsettingsd ps=procps rg=ripgrep dash=dash ksh=ksh tcsh=tcsh zsh=zsh fish=fish
			[ -z "$browser" ] || echo "$browser"
			[ -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ] || echo fonts-dejavu-core
		fi
		if [ "$want" = package ]; then
			missing_commands makensis=nsis rpm=rpm rpm2cpio=rpm2cpio cpio=cpio zip=zip unzip=unzip xz=xz-utils gio=libglib2.0-bin \
				desktop-file-validate=desktop-file-utils appstreamcli=appstream mandoc=mandoc \
				shellcheck=shellcheck osslsigncode=osslsigncode openssl=openssl xprop=x11-utils
		fi
		if [ "$want" = package ] || [ "$want" = wine ]; then
			missing_commands wine=wine x86_64-w64-mingw32-gcc=gcc-mingw-w64-x86-64-win32
			[ -e /usr/lib/wine/wine64 ] || echo wine64
		fi
	)
	[ ${#need[@]} -gt 0 ] || return 0
	say "Installing with apt-get$([ "$(id -u)" = 0 ] || echo ' (sudo may ask for your password)'): ${need[*]}"
	as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq ||
		say "apt-get update had errors; continuing with the existing package lists."
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
		-o Dpkg::Use-Pty=0 "${need[@]}" >/dev/null ||
		fail "apt-get couldn't install: ${need[*]}. VoxPilot needs Debian 12, Ubuntu 22.04 or newer."
}

linux_fedora() {
	local need=()
	mapfile -t need < <(
		missing_commands git=git gcc=gcc musl-gcc=musl-gcc pkg-config=pkgconf-pkg-config bwrap=bubblewrap
		[ -e /etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem ] || echo ca-certificates
		command -v musl-gcc >/dev/null || echo musl-libc-static
		missing_modules gtk+-3.0=gtk3-devel webkit2gtk-4.1=webkit2gtk4.1-devel
		missing_emoji google-noto-color-emoji-fonts
		if [ "$want" != run ]; then
			missing_commands Xvfb=xorg-x11-server-Xvfb dbus-run-session=dbus-daemon dbus-send=dbus-tools dbus-launch=dbus-x11 \
				openbox=openbox gnome-keyring-daemon=gnome-keyring xdotool=xdotool import=ImageMagick \
				xdpyinfo=xdpyinfo xprop=xprop xsettingsd=xsettingsd ps=procps-ng rg=ripgrep dash=dash ksh=ksh tcsh=tcsh zsh=zsh fish=fish
			have_browser || echo chromium
			[ -e /usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf ] || echo dejavu-sans-fonts
		fi
		if [ "$want" = package ]; then
			missing_commands makensis=mingw-nsis-base rpm=rpm rpm2cpio=rpm cpio=cpio zip=zip unzip=unzip xz=xz dpkg-deb=dpkg gio=glib2 \
				desktop-file-validate=desktop-file-utils appstreamcli=appstream mandoc=mandoc \
				shellcheck=ShellCheck osslsigncode=osslsigncode openssl=openssl xprop=xprop
		fi
		if [ "$want" = package ] || [ "$want" = wine ]; then
			missing_commands wine=wine x86_64-w64-mingw32-gcc=mingw64-gcc
		fi
	)
	[ ${#need[@]} -gt 0 ] || return 0
	say "Installing with dnf$([ "$(id -u)" = 0 ] || echo ' (sudo may ask for your password)'): ${need[*]}"
	as_root dnf install -y -q "${need[@]}" || fail "dnf couldn't install: ${need[*]}"
}

case $(uname -s) in
Linux)
	ID='' ID_LIKE=''
	# shellcheck disable=SC1091
	[ ! -r /etc/os-release ] || . /etc/os-release
	case " $ID $ID_LIKE " in
	*" debian "* | *" ubuntu "*) linux_debian ;;
	*" fedora "* | *" rhel "*) linux_fedora ;;
	*)
		{ have gcc && have pkg-config && pkg-config --exists gtk+-3.0 webkit2gtk-4.1; } ||
			fail "This script doesn't support this Linux distribution (${ID:-unknown}). Install gcc, pkg-config and the development files of GTK 3 and webkit2gtk-4.1, then run it again."
		;;
	esac
	;;
Darwin)
	xcode-select -p >/dev/null 2>&1 ||
		fail "The Xcode command line tools are not installed. Run: xcode-select --install"
	[ "$want" = run ] || say "Window and browser tests run only on Linux; all other tests run here."
	;;
MINGW* | MSYS* | CYGWIN*)
	# No libraries are needed: Wails is pure Go on Windows, and the window uses WebView2,
	# which is part of Windows 11 and comes with Edge on Windows 10.
	[ "$want" = run ] || say "Window and browser tests run only on Linux; all other tests run here."
	;;
*) fail "VoxPilot doesn't support $(uname -s)." ;;
esac

# 3. The npm packages, as pinned in package-lock.json: those of the frontend, including
# the Copilot CLI, and the other agents that the tests run.

# npm_packages FOLDER DESCRIPTION FILE installs the packages of the folder, unless its
# package-lock.json is unchanged since the last installation and the file exists.
npm_packages() {
	local lock=$1/package-lock.json installed=$1/node_modules/.package-lock.voxpilot.json
	if cmp -s "$lock" "$installed" && [ -e "$3" ]; then return; fi
	say "Installing $2 with npm"
	(cd "$1" && npm ci --no-audit --no-fund --loglevel=error) ||
		fail "npm couldn't install $2; see its messages above."
	cp "$lock" "$installed"
}

npm_packages frontend "the frontend packages and the GitHub Copilot CLI" "$(build/copilot-path.sh)"
if [ "$want" = test ]; then
	npm_packages build/agents "the other agents for the tests" build/agents/node_modules/@qwen-code/qwen-code/cli.js
fi
