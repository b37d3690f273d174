#!/bin/sh
# After VoxPilot was installed: the desktop is told of its entry and icons.
# Nothing else is done here: VoxPilot needs no user, no service and no setting.
set -e
if command -v update-desktop-database >/dev/null; then update-desktop-database -q /usr/share/applications || true; fi
if command -v gtk-update-icon-cache >/dev/null; then gtk-update-icon-cache -q -t -f /usr/share/icons/hicolor || true; fi
