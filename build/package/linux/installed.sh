#!/bin/sh
# Runs after installation and updates the desktop's caches of entries and icons.
# VoxPilot needs no user, service or setting of its own.
set -e
if command -v update-desktop-database >/dev/null; then update-desktop-database -q /usr/share/applications || true; fi
if command -v gtk-update-icon-cache >/dev/null; then gtk-update-icon-cache -q -t -f /usr/share/icons/hicolor || true; fi
