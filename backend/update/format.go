package update

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// PackageFormat is a way in which VoxPilot is installed, and the kind of file with which.
type PackageFormat string

// The forms.
const (
	FormatTar     PackageFormat = "tar.gz" // a folder of the user's own, on Linux
	FormatZip     PackageFormat = "zip"    // the same on Windows
	FormatSetup   PackageFormat = "exe"    // the installer for Windows
	FormatImage   PackageFormat = "dmg"
	FormatDeb     PackageFormat = "deb"
	FormatRPM     PackageFormat = "rpm"
	FormatFlatpak PackageFormat = "flatpak"
)

// An Installation is where this VoxPilot was started from, and how it came there.
type Installation struct {
	Format  PackageFormat
	Program string // the whole path of the program
}

// Find looks at where this program is.
func Find() (Installation, error) {
	program, err := os.Executable()
	if err == nil {
		program, err = filepath.EvalSymlinks(program)
	}
	return Installation{Format: formatOf(runtime.GOOS, program, setupFolder()), Program: program}, err
}

// formatOf says how the program at a path was installed. A package says so in the
// file share/voxpilot/packaged beside the folder of its program; the installer
// for Windows tells the system which folder it has installed into.
func formatOf(system, program, setup string) PackageFormat {
	dir := filepath.Dir(program)
	if said, err := os.ReadFile(filepath.Join(dir, "..", "share", "voxpilot", "packaged")); err == nil {
		if form := PackageFormat(strings.TrimSpace(string(said))); form.isExternal() {
			return form
		}
	}
	switch system {
	case "darwin":
		return FormatImage
	case "windows":
		here, err := os.Stat(dir)
		if err != nil {
			return FormatZip
		}
		if there, err := os.Stat(setup); err == nil && os.SameFile(here, there) {
			return FormatSetup
		}
		return FormatZip
	}
	return FormatTar
}

// isExternal says whether another program installs this form.
func (f PackageFormat) isExternal() bool {
	return f == FormatDeb || f == FormatRPM || f == FormatFlatpak
}

// command has the system install a newer version: from a file that was downloaded
// and verified, or, where there is none, from where the package came from.
func (f PackageFormat) command(file string) string {
	switch {
	case f == FormatDeb && file == "":
		return "sudo apt update && sudo apt install --only-upgrade voxpilot"
	case f == FormatDeb:
		return "sudo apt install " + quoted(file)
	case file == "":
		return "sudo " + rpmTool() + " update voxpilot"
	}
	return "sudo " + rpmTool() + " install " + quoted(file)
}

// rpmTool is what installs .rpm files here, with what they need.
func rpmTool() string {
	if _, err := exec.LookPath("dnf"); err != nil {
		if _, err := exec.LookPath("zypper"); err == nil {
			return "zypper"
		}
	}
	return "dnf"
}

var plain = regexp.MustCompile(`^[a-zA-Z0-9/._+-]+$`)

// quoted is a path as a shell reads it.
func quoted(path string) string {
	if plain.MatchString(path) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// programIn finds the program in the archive of a portable VoxPilot, wherever it
// is there. Nothing else of the archive is unpacked.
func programIn(archive string, form PackageFormat) (io.Reader, func() error, error) {
	if form == FormatZip {
		return programInZip(archive)
	}
	return programInTar(archive)
}

func programInTar(archive string) (io.Reader, func() error, error) {
	file, err := os.Open(archive)
	if err != nil {
		return nil, nil, err
	}
	packed, err := gzip.NewReader(file)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%w: %w", errFormat, err), file.Close())
	}
	for files := tar.NewReader(packed); ; {
		header, err := files.Next()
		if err != nil {
			return nil, nil, errors.Join(backend.Problem("%w: it contains no program: %w", errFormat, err), file.Close())
		}
		if header.Typeflag == tar.TypeReg && path.Base(header.Name) == "voxpilot" && header.FileInfo().Mode()&0o100 != 0 {
			return files, file.Close, nil
		}
	}
}

func programInZip(archive string) (io.Reader, func() error, error) {
	files, err := zip.OpenReader(archive)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errFormat, err)
	}
	for _, file := range files.File {
		if path.Base(file.Name) == "voxpilot.exe" && file.Mode().IsRegular() {
			program, err := file.Open()
			if err != nil {
				return nil, nil, errors.Join(fmt.Errorf("%w: %w", errFormat, err), files.Close())
			}
			return program, func() error { return errors.Join(program.Close(), files.Close()) }, nil
		}
	}
	return nil, nil, errors.Join(fmt.Errorf("%w: it contains no program", errFormat), files.Close())
}
