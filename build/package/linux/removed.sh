#!/bin/sh
# Runs after VoxPilot is removed or upgraded, and updates the desktop's menu and icon
# caches. User data in home folders is never deleted, not even by a purge.
set -e
if command -v update-desktop-database >/dev/null; then update-desktop-database -q /usr/share/applications || true; fi
if command -v gtk-update-icon-cache >/dev/null; then gtk-update-icon-cache -q -t -f /usr/share/icons/hicolor || true; fi
# dpkg passes "remove"; rpm passes the number of versions that remain installed.
case "${1:-}" in
remove | 0)
	echo "VoxPilot was removed. Your chats, settings and log remain in ~/.local/share/VoxPilot,"
	echo "and your keys remain in the system keychain. Delete them there if you want."
	;;
esac
