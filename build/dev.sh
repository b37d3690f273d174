#!/usr/bin/env bash
# build/dev.sh runs bin/voxpilot-dev with Vite's development server, which reloads the
# page after each edit. It prints an address where the same page opens in a browser.
# Ctrl+C stops both.
set -euo pipefail
cd "$(dirname "$0")/.."

vite=''
cleanup() { [ -z "$vite" ] || kill "$vite" 2>/dev/null || true; }
trap cleanup EXIT

(cd frontend && exec node node_modules/vite/bin/vite.js --clearScreen false) &
vite=$!
echo "• In a browser: http://127.0.0.1:34115"
frontenddevserverurl=http://127.0.0.1:5173 devserver=127.0.0.1:34115 assetdir=$PWD/frontend/dist loglevel=warning \
	bin/voxpilot-dev "$@"
