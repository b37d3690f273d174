#!/bin/sh
# After VoxPilot was removed or replaced: the desktop is told. Users' data is
# never touched, in a purge neither: it is theirs, and in their home folders.
set -e
if command -v update-desktop-database >/dev/null; then update-desktop-database -q /usr/share/applications || true; fi
if command -v gtk-update-icon-cache >/dev/null; then gtk-update-icon-cache -q -t -f /usr/share/icons/hicolor || true; fi
# dpkg says remove, rpm says how many are left.
case "${1:-}" in
remove | 0)
	echo "VoxPilot is removed. Your chats, settings and log stay in ~/.local/share/VoxPilot,"
	echo "and your keys in the system's keychain; delete them there if you want."
	;;
esac
