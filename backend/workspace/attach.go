package workspace

import (
	"errors"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// Attach looks at a file or folder that the user chose by hand, which may be
// anywhere. body is the bytes of what can go as an image; it is nil for anything
// else. Errors are for a person.
func Attach(path string) (a backend.Attachment, body []byte, err error) {
	if !filepath.IsAbs(path) {
		return a, nil, backend.Invalid("The file needs its whole path, from the root.")
	}
	path, err = realpath.Clean(path)
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return a, nil, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("There is no file %s any more.", path)}
	case err != nil:
		return a, nil, &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("%s cannot be opened.", path), Detail: err.Error()}
	}
	a = backend.Attachment{Kind: backend.AttachmentFile, Name: filepath.Base(path), Path: path}
	switch {
	case info.IsDir():
		a.Mime = "inode/directory"
		return a, nil, nil
	case !info.Mode().IsRegular():
		return a, nil, backend.Invalid("%s is no file and no folder. It cannot go with a message.", path)
	}
	a.Size = info.Size()
	a.Mime, _, _ = strings.Cut(mime.TypeByExtension(filepath.Ext(path)), ";")
	if a.Size > backend.MaxImageBytes {
		return a, nil, nil
	}
	file, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return a, nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot can't read %s.", path), Detail: err.Error()}
	}
	defer func() { _ = file.Close() }()
	head := make([]byte, 512)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(http.DetectContentType(head[:n]), "image/") {
		return a, nil, nil
	}
	rest, err := io.ReadAll(io.LimitReader(file, backend.MaxImageBytes))
	if err != nil {
		return a, nil, nil
	}
	data := append(head[:n:n], rest...)
	if kind, err := ImageType(a.Name, data); err == nil {
		a.Mime, body = kind, data
	}
	return a, body, nil
}
