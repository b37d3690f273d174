#!/usr/bin/env bash
# Builds the packages that can be built on Linux, in dist/: .deb, .rpm and .tar.gz for
# Linux, the installer and the .zip for Windows, their SBOM and their checksums.
# `make package` runs it after `make build` and passes RELEASE, VERSION and STAMP.
#
# Builds are meant to be reproducible: files have the time of the commit and contain
# neither paths nor users of the build machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${RELEASE:?}" "${VERSION:?}" "${STAMP:?}"

HERE=$PWD/build/package
ARCH=$(go env GOARCH)
DIST=$PWD/dist
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y VERSION)}
MTIME=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
work=$(mktemp -d)
STAGE=$work/stage
syso=rsrc_windows_amd64.syso
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C.UTF-8
trap 'rm -rf "$work" "$syso"' EXIT

tool() { go tool -modfile=build/package/tools/go.mod "$@"; }
as_of_the_commit() { find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }
put() { install -D -m "$1" "$2" "$STAGE/$3"; }

# fill FILE… replaces the placeholders for version, date and folders in the files.
fill() {
	sed -i -e "s/@RELEASE@/$RELEASE/g; s/@VERSION@/$VERSION/g" \
		-e "s|@STAGE@|$STAGE|; s|@HERE@|$HERE|; s/@MTIME@/$MTIME/; s/@ARCH@/$ARCH/" \
		-e "s/@DATE@/$(date -u -d "$MTIME" +%F)/; s/@MANDATE@/$(date -u -d "$MTIME" '+%B %-d, %Y')/" "$@"
}

rm -rf "$DIST"
mkdir -p "$DIST"

# 1. Linux: the file tree of the packages.
id=io.github.voxpilot.VoxPilot
linux=build/package/linux
put 755 bin/voxpilot usr/bin/voxpilot
put 644 $linux/$id.desktop usr/share/applications/$id.desktop
put 644 $linux/$id.metainfo.xml usr/share/metainfo/$id.metainfo.xml
put 644 $linux/$id.nemo_action usr/share/nemo/actions/$id.nemo_action
put 755 $linux/$id.servicemenu.desktop usr/share/kio/servicemenus/$id.desktop
put 644 $linux/voxpilot.bash usr/share/bash-completion/completions/voxpilot
put 644 $linux/voxpilot.fish usr/share/fish/vendor_completions.d/voxpilot.fish
put 644 $linux/icons/scalable.svg usr/share/icons/hicolor/scalable/apps/$id.svg
put 644 $linux/icons/symbolic.svg usr/share/icons/hicolor/symbolic/apps/$id-symbolic.svg
for icon in "$linux"/icons/*.png; do
	size=$(basename "$icon" .png)
	put 644 "$icon" "usr/share/icons/hicolor/${size}x$size/apps/$id.png"
done
put 644 $linux/copyright usr/share/doc/voxpilot/copyright
put 644 CHANGELOG.md usr/share/doc/voxpilot/CHANGELOG.md
put 644 $linux/voxpilot.1 usr/share/man/man1/voxpilot.1
fill "$STAGE/usr/share/metainfo/$id.metainfo.xml" "$STAGE/usr/share/man/man1/voxpilot.1"
printf 'voxpilot (%s) stable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- VoxPilot authors <voxpilot@users.noreply.github.com>  %s\n' \
	"$RELEASE" "$(date -u -d "$MTIME" -R)" >"$STAGE/usr/share/doc/voxpilot/changelog"

# The portable archive has the desktop files beside the program, so that they can be
# linked into ~/.local.
portable=$work/voxpilot-$RELEASE
mkdir -p "$portable"
cp -a "$STAGE/usr/bin/voxpilot" "$STAGE/usr/share" "$portable/"
cp -a LICENSE "$portable/LICENSE.txt"
rm -r "$portable/share/doc"
install -D -m 644 $linux/voxpilot.zsh "$portable/share/zsh/site-functions/_voxpilot"
cp -a CHANGELOG.md "$portable/"
as_of_the_commit "$portable"
tar --sort=name --owner=0 --group=0 --numeric-owner --mode=u+w,go-w -C "$work" -cf - "voxpilot-$RELEASE" |
	gzip -9n >"$DIST/voxpilot_${RELEASE}_$ARCH.tar.gz"

gzip -9n "$STAGE/usr/share/man/man1/voxpilot.1" "$STAGE/usr/share/doc/voxpilot/"{CHANGELOG.md,changelog}
cp build/package/nfpm.yaml "$work/nfpm.yaml"
fill "$work/nfpm.yaml"
for format in deb rpm; do
	# VoxPilot reads this file to show how it is updated.
	install -d "$STAGE/usr/share/voxpilot"
	echo $format >"$STAGE/usr/share/voxpilot/packaged"
	chmod 644 "$STAGE/usr/share/voxpilot/packaged"
	as_of_the_commit "$STAGE"
	tool nfpm package -f "$work/nfpm.yaml" -p $format -t "$DIST/voxpilot_${RELEASE}_$ARCH.$format" >/dev/null
done

# 2. Windows: without cgo, with an icon, a manifest and version information.
mkdir -p "$work/windows"
cp build/windows/icon.ico "$work/windows/icon.ico"
sed "s/{{.Info.ProductVersion}}/$RELEASE/g" build/windows/wails.exe.manifest >"$work/windows/manifest.xml"
cp build/package/windows/winres.json "$work/windows/winres.json"
fill "$work/windows/winres.json"
tool go-winres make --in "$work/windows/winres.json" --arch amd64 --out "${syso%_windows_amd64.syso}"
exe=$work/windows/voxpilot.exe
CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go build -tags desktop,production -trimpath \
	-ldflags "-s -w -H windowsgui $STAMP" -o "$exe" .
rm "$syso"
build/package/windows/sign.sh "$exe"
cp LICENSE "$work/windows/LICENSE.txt"
as_of_the_commit "$work/windows"
makensis -V2 -NOCD -INPUTCHARSET UTF8 -DRELEASE="$RELEASE" -DEXE="$exe" -DICON="$work/windows/icon.ico" \
	-DLICENSE="$work/windows/LICENSE.txt" -DSIGN="$HERE/windows/sign.sh" \
	-DWEBVIEW2="$(go list -m -f '{{.Dir}}' github.com/wailsapp/wails/v2)/internal/webview2runtime/MicrosoftEdgeWebview2Setup.exe" \
	-DOUT="$DIST/VoxPilot-$RELEASE-setup.exe" build/package/windows/installer.nsi
(cd "$work/windows" && zip -q -X -9 "$DIST/VoxPilot-$RELEASE-windows-portable.zip" voxpilot.exe LICENSE.txt)

# 3. The SBOM and the checksums.
go run ./build/package/sbom "$VERSION" build/licenses/made/licenses.json.gz >"$DIST/voxpilot_$RELEASE.cdx.json"
(cd "$DIST" && sha256sum -- * >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" SHA256SUMS)
stat -c "%s %n" "$DIST"/* | awk -v dist="$DIST/" '{ sub(dist, ""); printf "%8.2f MB  %s\n", $1 / 1e6, $2 }'
