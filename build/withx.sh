#!/usr/bin/env bash
# build/withx.sh COMMAND… runs the command on a private desktop and removes it afterward:
# an X server (Xvfb) with a window manager, a D-Bus session with an unlocked keyring, and
# private HOME and XDG folders, so that none of the caller's files are read or written.
# The Go and npm caches and the settings of `go env -w` remain the caller's. Linux only.
set -euo pipefail

work=$(mktemp -d "${TMPDIR:-/tmp}/voxpilot-desktop.XXXXXX")
if command -v go >/dev/null; then
	GOENV=$(go env GOENV) GOPATH=$(go env GOPATH) GOCACHE=$(go env GOCACHE) GOMODCACHE=$(go env GOMODCACHE)
	export GOENV GOPATH GOCACHE GOMODCACHE
fi
export npm_config_cache=${npm_config_cache:-$HOME/.npm}

export HOME=$work/home XDG_RUNTIME_DIR=$work/run
export XDG_CONFIG_HOME=$HOME/.config XDG_DATA_HOME=$HOME/.local/share
export XDG_STATE_HOME=$HOME/.local/state XDG_CACHE_HOME=$HOME/.cache
mkdir -p -m 700 "$XDG_RUNTIME_DIR" "$XDG_CONFIG_HOME" "$XDG_DATA_HOME" "$XDG_STATE_HOME" "$XDG_CACHE_HOME"
export XDG_SESSION_TYPE=x11 XDG_CURRENT_DESKTOP=X-Generic
export LIBGL_ALWAYS_SOFTWARE=1 NO_AT_BRIDGE=1 GTK_USE_PORTAL=0 GIO_USE_VFS=local
unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK GNOME_KEYRING_CONTROL XAUTHORITY
# VOXPILOT_DESKTOP marks the desktop as private, for tests that must not run on a user's.
export VOXPILOT_DESKTOP=private

# cleanup stops all processes started here by ID, the last one first.
started=()
command=''
cleanup() {
	set +e
	trap - EXIT TERM INT HUP
	local i
	for ((i = ${#started[@]} - 1; i >= 0; i--)); do kill "${started[i]}" 2>/dev/null; done
	for i in "${started[@]}"; do
		while kill -0 "$i" 2>/dev/null; do sleep 0.02; done
	done
	# The keyring daemon forks into the background; its environment contains this folder.
	for i in $(pgrep -f '^gnome-keyring-daemon --unlock'); do
		grep -qzF "XDG_RUNTIME_DIR=$work/run" "/proc/$i/environ" 2>/dev/null && kill "$i"
	done
	rm -rf "$work" 2>/dev/null
}
trap cleanup EXIT
stop() { [ -z "$command" ] || kill -TERM "$command" 2>/dev/null || true; }
trap stop TERM INT HUP

# Servers write to this pipe when they are ready. This shell keeps both ends open, so that
# nothing is lost even if a server closes the pipe early.
mkfifo "$work/ready"
exec 7<>"$work/ready"
ready() {
	read -r -t 30 line <&7 || { echo "withx: $1 did not start" >&2; cat "$work/log" >&2; exit 1; }
}

# The X server chooses a free display.
Xvfb -displayfd 7 -screen 0 1280x900x24 -nolisten tcp -noreset >/dev/null 2>>"$work/log" </dev/null &
started+=($!)
ready Xvfb
export DISPLAY=:$line

dbus-daemon --session --nofork --nopidfile --nosyslog --print-address=7 >/dev/null 2>>"$work/log" </dev/null &
started+=($!)
ready dbus-daemon
export DBUS_SESSION_BUS_ADDRESS=$line
exec 7>&-

# The keyring of the new home, unlocked with a fixed password. Wait until it is
# registered: an earlier request on the bus would start a second, locked one.
if command -v gnome-keyring-daemon >/dev/null; then
	printf %s tests | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>>"$work/log" 7>&- ||
		echo "withx: couldn't unlock the keyring" >&2
	for ((i = 0; i < 300; i++)); do
		dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \
			string:org.freedesktop.secrets 2>/dev/null | grep -q true && break
		sleep 0.1
	done
fi
openbox >/dev/null 2>>"$work/log" </dev/null &
started+=($!)

"$@" <&0 &
command=$!
status=0
while :; do
	wait "$command" && status=0 || status=$?
	# A signal interrupts wait; keep waiting until the command has exited.
	kill -0 "$command" 2>/dev/null || break
done
exit "$status"
