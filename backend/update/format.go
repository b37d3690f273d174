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

// PackageFormat is the way VoxPilot is installed, named by the file extension of its package.
type PackageFormat string

// Package formats.
const (
	FormatTar     PackageFormat = "tar.gz" // portable on Linux, in one of the user's folders
	FormatZip     PackageFormat = "zip"    // portable on Windows
	FormatSetup   PackageFormat = "exe"    // Windows installer
	FormatImage   PackageFormat = "dmg"
	FormatDeb     PackageFormat = "deb"
	FormatRPM     PackageFormat = "rpm"
	FormatFlatpak PackageFormat = "flatpak"
)

// An Installation is the running program and the way it was installed.
type Installation struct {
	Format  PackageFormat
	Program string // absolute path
}

// Find returns the installation of the running program.
func Find() (Installation, error) {
	program, err := os.Executable()
	if err == nil {
		program, err = filepath.EvalSymlinks(program)
	}
	return Installation{Format: formatOf(runtime.GOOS, program, setupFolder()), Program: program}, err
}

// formatOf returns the format in which the program at a path was installed on a system (a GOOS value). System packages
// record it in the file share/voxpilot/packaged next to the program's folder. The parameter setup is the folder into
// which the Windows installer installed VoxPilot, or "".
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

// isExternal reports whether packages of this format are installed by an external
// program, such as a package manager.
func (f PackageFormat) isExternal() bool {
	return f == FormatDeb || f == FormatRPM || f == FormatFlatpak
}

// command returns the shell command that installs a newer .deb or .rpm package: from a downloaded
// and verified file, or from the package source if file is "".
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

// rpmTool returns the program that installs .rpm files with their dependencies on this system.
func rpmTool() string {
	if _, err := exec.LookPath("dnf"); err != nil {
		if _, err := exec.LookPath("zypper"); err == nil {
			return "zypper"
		}
	}
	return "dnf"
}

var plain = regexp.MustCompile(`^[a-zA-Z0-9/._+-]+$`)

// quoted quotes a path for the shell.
func quoted(path string) string {
	if plain.MatchString(path) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// programIn opens the program in the archive of a portable VoxPilot, whichever folder of the archive contains it. It
// also returns a function that closes the archive. Nothing else is unpacked.
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
			return nil, nil, errors.Join(backend.Problem("%w: couldn't find the VoxPilot program in the archive: %w", errFormat, err), file.Close())
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
	return nil, nil, errors.Join(fmt.Errorf("%w: couldn't find the VoxPilot program in the archive", errFormat), files.Close())
}
