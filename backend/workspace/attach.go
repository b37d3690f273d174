package workspace

import (
	"bytes"
	"errors"
	"image"
	_ "image/gif"  // registers the decoder
	_ "image/jpeg" // registers the decoder
	_ "image/png"  // registers the decoder
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	_ "golang.org/x/image/webp" // registers the decoder

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// Attach returns the attachment for a file or folder that the user selected, which may
// be anywhere. body is the content of an image that can be sent; it is nil for anything
// else. Errors are for the user.
func Attach(path string) (a backend.Attachment, body []byte, err error) {
	if !filepath.IsAbs(path) {
		return a, nil, backend.Invalid("Enter the file's full path.")
	}
	path, err = realpath.Clean(path)
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return a, nil, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("The file %s no longer exists.", path)}
	case err != nil:
		return a, nil, &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("Can't open %s.", path), Detail: err.Error()}
	}
	a = backend.Attachment{Kind: backend.AttachmentFile, Name: filepath.Base(path), Path: path}
	switch {
	case info.IsDir():
		a.Mime = "inode/directory"
		return a, nil, nil
	case !info.Mode().IsRegular():
		return a, nil, backend.Invalid("%s isn't a file or folder, so it can't be attached.", path)
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

// maxPixels is the maximum number of pixels in an image: a file of a few bytes can expand to more than
// a window or a model can handle.
const maxPixels = 50_000_000

// ImageType detects the MIME type of an image by its content, not its name: PNG, JPEG, GIF or WebP,
// none of which can contain a script. name is used in errors, which are for the user.
func ImageType(name string, data []byte) (mime string, err error) {
	if len(data) > backend.MaxImageBytes {
		return "", &backend.Error{
			Code:    backend.CodeTooLarge,
			Message: backend.Say("%s is %.1f MB. The limit for an image is %d MB.", name, float64(len(data))/1e6, backend.MaxImageBytes>>20),
		}
	}
	none := backend.Invalid("%s isn't a supported image. Choose a PNG, JPEG, GIF or WebP file.", name)
	switch mime = http.DetectContentType(data); mime {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
	default:
		return "", none
	}
	header, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || header.Width <= 0 || header.Height <= 0 {
		return "", none
	}
	if int64(header.Width)*int64(header.Height) > maxPixels {
		return "", &backend.Error{
			Code:    backend.CodeTooLarge,
			Message: backend.Say("%s is too large (%d × %d pixels). Resize it, then add it again.", name, header.Width, header.Height),
		}
	}
	return mime, nil
}
