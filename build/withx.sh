#!/usr/bin/env bash
# build/withx.sh COMMAND… runs the command on a desktop of its own and takes
# everything away afterwards: an X server (Xvfb) with a window manager, a D-Bus
# session with an unlocked keyring, and a private HOME and XDG folders, so that
# nothing of the caller's is read or written. The caches of Go and npm, and
# what `go env -w` has set, stay the caller's. Linux only.
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
# VOXPILOT_DESKTOP tells tests that this is not a person's desktop.
export VOXPILOT_DESKTOP=private

# Everything that is started here is ended here, by its id, the last one first.
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
	# The keyring's daemon goes into the background by itself: it is the one
	# whose environment names this folder.
	for i in $(pgrep -f '^gnome-keyring-daemon --unlock'); do
		grep -qzF "XDG_RUNTIME_DIR=$work/run" "/proc/$i/environ" 2>/dev/null && kill "$i"
	done
	rm -rf "$work" 2>/dev/null
}
trap cleanup EXIT
stop() { [ -z "$command" ] || kill -TERM "$command" 2>/dev/null || true; }
trap stop TERM INT HUP

# Servers say on this pipe that they can be used. This shell holds it open at
# both ends, so that nothing is lost however early a server writes and closes.
mkfifo "$work/ready"
exec 7<>"$work/ready"
ready() {
	read -r -t 30 line <&7 || { echo "withx: $1 did not start" >&2; cat "$work/log" >&2; exit 1; }
}

# The X server chooses a free display itself.
Xvfb -displayfd 7 -screen 0 1280x900x24 -nolisten tcp -noreset >/dev/null 2>>"$work/log" </dev/null &
started+=($!)
ready Xvfb
export DISPLAY=:$line

dbus-daemon --session --nofork --nopidfile --nosyslog --print-address=7 >/dev/null 2>>"$work/log" </dev/null &
started+=($!)
ready dbus-daemon
export DBUS_SESSION_BUS_ADDRESS=$line
exec 7>&-

# The keyring of a fresh home, unlocked with a password that nobody needs. It
# is waited for: whoever asks the bus for a keyring before it has registered
# would be given a second one, which nobody has unlocked.
if command -v gnome-keyring-daemon >/dev/null; then
	printf %s tests | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>>"$work/log" 7>&- ||
		echo "withx: the keyring could not be unlocked" >&2
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
	# A signal ends wait early; the command is waited for until it has ended.
	kill -0 "$command" 2>/dev/null || break
done
exit "$status"
