package update

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/voxpilot/voxpilot/backend"
)

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
			return nil, nil, errors.Join(backend.Problem("%w: no program is in it: %w", errFormat, err), file.Close())
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
	return nil, nil, errors.Join(fmt.Errorf("%w: no program is in it", errFormat), files.Close())
}
