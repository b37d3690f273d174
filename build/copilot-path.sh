#!/usr/bin/env bash
# Prints the path of the Copilot CLI that frontend/package.json installs: the native
# program, not its npm wrapper. Prints nothing if it isn't installed.
set -euo pipefail
cd "$(dirname "$0")/.."
case $(uname -s) in
Linux) if ldd --version 2>&1 | grep -qi musl; then os=linuxmusl; else os=linux; fi ;;
Darwin) os=darwin ;;
MINGW* | MSYS* | CYGWIN*) os=win32 ;;
*) exit 0 ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=x64 ;;
aarch64 | arm64) arch=arm64 ;;
*) exit 0 ;;
esac
for name in copilot copilot.exe; do
	path=$PWD/frontend/node_modules/@github/copilot-$os-$arch/$name
	if [ -f "$path" ]; then
		printf '%s\n' "$path"
		exit 0
	fi
done
