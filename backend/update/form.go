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

// Form is a way in which VoxPilot is installed, and the kind of file with which.
type Form string

// The forms.
const (
	FormTar     Form = "tar.gz" // a folder of the user's own, on Linux
	FormZip     Form = "zip"    // the same on Windows
	FormSetup   Form = "exe"    // the installer for Windows
	FormImage   Form = "dmg"
	FormDeb     Form = "deb"
	FormRPM     Form = "rpm"
	FormFlatpak Form = "flatpak"
)

// An Installation is where this VoxPilot was started from, and how it came there.
type Installation struct {
	Form    Form
	Program string // the whole path of the program
}

// Find looks at where this program is.
func Find() (Installation, error) {
	program, err := os.Executable()
	if err == nil {
		program, err = filepath.EvalSymlinks(program)
	}
	return Installation{Form: formOf(runtime.GOOS, program, setupFolder()), Program: program}, err
}

// formOf says how the program at a path was installed. A package says so in the
// file share/voxpilot/packaged beside the folder of its program; the installer
// for Windows tells the system which folder it has installed into.
func formOf(system, program, setup string) Form {
	dir := filepath.Dir(program)
	if said, err := os.ReadFile(filepath.Join(dir, "..", "share", "voxpilot", "packaged")); err == nil {
		if form := Form(strings.TrimSpace(string(said))); form.elsewhere() {
			return form
		}
	}
	switch system {
	case "darwin":
		return FormImage
	case "windows":
		here, err := os.Stat(dir)
		if err != nil {
			return FormZip
		}
		if there, err := os.Stat(setup); err == nil && os.SameFile(here, there) {
			return FormSetup
		}
		return FormZip
	}
	return FormTar
}

// elsewhere says whether another program installs this form.
func (f Form) elsewhere() bool { return f == FormDeb || f == FormRPM || f == FormFlatpak }

// command has the system install a newer version: from a file that was downloaded
// and verified, or, where there is none, from where the package came from.
func (f Form) command(file string) string {
	switch {
	case f == FormDeb && file == "":
		return "sudo apt update && sudo apt install --only-upgrade voxpilot"
	case f == FormDeb:
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
func programIn(archive string, form Form) (io.Reader, func() error, error) {
	if form == FormZip {
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
