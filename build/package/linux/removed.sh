#!/bin/sh
# Runs after removal or replacement and updates the desktop's caches. It never
# touches the data in users' home folders, not even when the package is purged.
set -e
if command -v update-desktop-database >/dev/null; then update-desktop-database -q /usr/share/applications || true; fi
if command -v gtk-update-icon-cache >/dev/null; then gtk-update-icon-cache -q -t -f /usr/share/icons/hicolor || true; fi
# dpkg passes "remove", rpm the number of packages left.
case "${1:-}" in
remove | 0)
	echo "VoxPilot is removed. Your chats, settings and log stay in ~/.local/share/VoxPilot,"
	echo "and your keys in the system's keychain; delete them there if you want."
	;;
esac
