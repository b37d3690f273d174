#!/usr/bin/env bash
# Builds dist/VoxPilot-<version>.dmg on macOS: the app for Intel and Apple processors,
# signed and notarized if there is a certificate. The release workflow runs it. It hasn't
# been tested yet.
#
#   MACOS_IDENTITY           the certificate's name, "Developer ID Application: …"; without it, the app is signed ad hoc
#   MACOS_NOTARY_PROFILE     the profile of `xcrun notarytool store-credentials`; without it, nothing is notarized
set -euo pipefail
cd "$(dirname "$0")/../../.."
[ "$(uname -s)" = Darwin ] || { echo "bundle.sh: the macOS app can only be built on macOS" >&2; exit 1; }

release=$(cat VERSION)
version=$(make -s version)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
app=$work/image/VoxPilot.app
contents=$app/Contents
mkdir -p "$contents/MacOS" "$contents/Resources" dist

# 1. A universal binary.
export CGO_ENABLED=1 MACOSX_DEPLOYMENT_TARGET=12.0
export CGO_CFLAGS=-mmacosx-version-min=12.0 CGO_LDFLAGS='-framework UniformTypeIdentifiers -mmacosx-version-min=12.0'
for arch in amd64 arm64; do
	GOARCH=$arch go build -tags desktop,production -trimpath -ldflags "-s -w ${STAMP:--X main.stamped=$version}" -o "$work/voxpilot-$arch" .
done
lipo -create -output "$contents/MacOS/VoxPilot" "$work/voxpilot-amd64" "$work/voxpilot-arm64"

# 2. Info.plist, from the template and the wails.json that `wails build` uses.
value() { plutil -extract "info.$1" raw -o - wails.json; }
sed -e "s/{{.Name}}/VoxPilot/; s/{{.Info.ProductName}}/$(value productName)/; s/{{.Info.ProductVersion}}/$release/" \
	-e "s/{{.Info.Comments}}/$(value comments)/; s/{{.Info.Copyright}}/$(value copyright)/" \
	build/darwin/Info.plist >"$contents/Info.plist"
plutil -lint "$contents/Info.plist" build/package/darwin/entitlements.plist

# 3. The icon, from the image of 1024 pixels.
icons=$work/iconfile.iconset
mkdir "$icons"
for size in 16 32 128 256 512; do
	sips -z $size $size build/appicon.png --out "$icons/icon_${size}x$size.png" >/dev/null
	sips -z $((size * 2)) $((size * 2)) build/appicon.png --out "$icons/icon_${size}x$size@2x.png" >/dev/null
done
iconutil -c icns "$icons" -o "$contents/Resources/iconfile.icns"
for language in en de zh-Hans; do mkdir -p "$contents/Resources/$language.lproj"; done
cp LICENSE "$contents/Resources/LICENSE.txt"

# 4. The signature: with the certificate, or ad hoc, which Apple processors require.
if [ -n "${MACOS_IDENTITY:-}" ]; then
	codesign --force --options runtime --timestamp --entitlements build/package/darwin/entitlements.plist --sign "$MACOS_IDENTITY" "$app"
else
	codesign --force --entitlements build/package/darwin/entitlements.plist --sign - "$app"
fi
codesign --verify --strict --verbose=2 "$app"
[ "$("$contents/MacOS/VoxPilot" --version)" = "voxpilot $version" ]

# 5. The disk image.
ln -s /Applications "$work/image/Applications"
image=dist/VoxPilot-$release.dmg
rm -f "$image"
hdiutil create -volname VoxPilot -srcfolder "$work/image" -fs HFS+ -format UDZO "$image"
[ -z "${MACOS_IDENTITY:-}" ] || codesign --timestamp --sign "$MACOS_IDENTITY" "$image"
if [ -n "${MACOS_NOTARY_PROFILE:-}" ]; then
	xcrun notarytool submit "$image" --keychain-profile "$MACOS_NOTARY_PROFILE" --wait
	xcrun stapler staple "$image"
	spctl --assess --type open --context context:primary-signature "$image"
fi
hdiutil verify "$image"
