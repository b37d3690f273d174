package copilot

import (
	"context"
	"crypto/sha512"
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/voxpilot/voxpilot/backend"
)

// A Package is a version of the Copilot CLI in the npm registry with the integrity hashes of its files.
type Package struct {
	Version   string
	Integrity string            // of the wrapper package
	Programs  map[string]string // of the packages that contain the program, by system
}

// Pinned is the version that VoxPilot is tested with. A test compares it with the
// package-lock.json used by the tests.
var Pinned = Package{
	Version:   backend.TestedCLIVersion,
	Integrity: "sha512-mv6cTWMhMILxg5ZDgqJ6UsnpPuySCPWOPbZVaO8lL0dpmjY3VD9ZhJr6DFcG7fhUXZv6OmvLdcRCa5MJ6hBI+Q==",
	Programs: map[string]string{
		"darwin-arm64":    "sha512-M4Jwxvw9CzxQUVoAz4UFbwFw9SpjUXbMzD481ifFJ+o/GXYJy5+sYxWRSfGhPA9e/w4DlWxdpkSQFnagl/AYbA==",
		"darwin-x64":      "sha512-n4jBdS+QxrXWiQ9v9tUBZUcJ0hlWVG75Qs3Gzo25BRzlWQSSd5eCNrfOVf4Cr95mAK/L54dne+8rSwASNRG7qA==",
		"linux-arm64":     "sha512-5rO0B2/AduCekrE+aUzipySKZxZY2b/tVRZ8Suy8ymPFNC0Q7HQiQ8DZhxj+3RhHR8rU2Z8KOJVAbtMlROX6+A==",
		"linux-x64":       "sha512-eGHPbsP0p2QgfVZCjtbGBFZPBOJQ0DN7xIbBRAo7oG8b1zfLirQIdfI4h8Iy68Dv2cKJGJZg2/EO7W7KpIMJOw==",
		"linuxmusl-arm64": "sha512-PyuqTcgTKd4XrtSRKAQgfIK41cVzHArSNM8f8XS39dQc75aUsKG+MPd5rLwmqqhtbWVFgI+PSS/X18/Qo4EDTg==",
		"linuxmusl-x64":   "sha512-laj1/lFWwkX7P1jAVm2DNNxRljLkhfKI4XDONIA5njiU+PPvWVH38gIvYU+lNTgJ0QT7CSV6Jj2fuqPx0Go+5Q==",
		"win32-arm64":     "sha512-QhbEEfrAri+TA/S+xpUbOpWrzxfmQj5Ncgn6YF6SoI9zLdF57yt6Bd9sVAxWfsmmI0F2wmlQOHQ+s+7EjXQWgQ==",
		"win32-x64":       "sha512-ShdlICQu/Ei0mRX5J/ioaWUm7Kt6TpUvyQFuhFhS+Vb/7VVDi4/6pJAjcETeUJCHe9lkhF25swzcZXsun/i9Hg==",
	},
}

const packageName = "@github/copilot"

// Spec returns the package's npm specifier.
func (p Package) Spec() string { return packageName + "@" + p.Version }

// System returns the Copilot CLI's name for this operating system and architecture, such as linux-x64.
func System() string {
	system := map[string]string{"windows": "win32"}[runtime.GOOS]
	if system == "" {
		system = runtime.GOOS
	}
	if found, _ := filepath.Glob("/lib/ld-musl-*"); system == "linux" && len(found) > 0 {
		system = "linuxmusl"
	}
	return system + "-" + map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
}

// InstallByNPM downloads the CLI with npm, verifies that the files have the integrity
// hashes in Pinned, and installs them. It runs none of the package's scripts.
func InstallByNPM(ctx context.Context, npm string, env []string, out func(string)) error {
	program, known := Pinned.Programs[System()]
	if !known {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Copilot CLI isn't available for this computer.")}
	}
	dir, err := os.MkdirTemp("", "voxpilot-cli-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	pack := []string{"pack", "--silent", Pinned.Spec(), packageName + "-" + System() + "@" + Pinned.Version, "--pack-destination", dir}
	if err := Install(ctx, npm, pack, env, out); err != nil {
		return err
	}
	files, err := checkedPackages(dir, Pinned.Integrity, program)
	if err != nil {
		return err
	}
	// --omit=optional keeps npm from downloading the program again, as a dependency of the wrapper package.
	return Install(ctx, npm, append([]string{"install", "-g", "--ignore-scripts", "--omit=optional"}, files...), env, out)
}

// checkedPackages returns the files in dir that have the given integrity hashes, in the order of the
// hashes. It returns an error if a file is missing or dir contains other files.
func checkedPackages(dir string, integrities ...string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		integrity, err := integrityOf(path)
		if err != nil {
			return nil, err
		}
		found[integrity] = path
	}
	var files []string
	for _, integrity := range integrities {
		if path, ok := found[integrity]; ok {
			files = append(files, path)
		}
	}
	if len(files) != len(integrities) || len(entries) != len(integrities) {
		return nil, &backend.Error{
			Code:    backend.CodeUnavailable,
			Message: backend.Say("npm downloaded a different Copilot CLI package than VoxPilot expected, so VoxPilot didn't install it. Check where npm gets its packages."),
		}
	}
	return files, nil
}

// integrityOf returns npm's integrity hash of a file.
func integrityOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	sum := sha512.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return "sha512-" + base64.StdEncoding.EncodeToString(sum.Sum(nil)), nil
}
