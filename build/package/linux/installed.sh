#!/bin/sh
# Runs after VoxPilot is installed. It only updates the desktop's menu and icon caches:
# VoxPilot needs no system user, service or configuration.
set -e
if command -v update-desktop-database >/dev/null; then update-desktop-database -q /usr/share/applications || true; fi
if command -v gtk-update-icon-cache >/dev/null; then gtk-update-icon-cache -q -t -f /usr/share/icons/hicolor || true; fi
