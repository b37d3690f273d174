package workspace

import (
	"bytes"
	"image"
	_ "image/gif"  // the kinds of images that are known
	_ "image/jpeg" // …
	_ "image/png"  // …
	"net/http"

	_ "golang.org/x/image/webp" // …

	"github.com/voxpilot/voxpilot/backend"
)

// maxPixels bounds an image by what it says of its own size: a few bytes can
// unfold to more than a window, or a model, can hold.
const maxPixels = 50_000_000

// ImageType is the type of the image that data is, by its bytes and not by its
// name: PNG, JPEG, GIF or WebP, none of which can hold a script. name is what an
// error for a person calls it.
func ImageType(name string, data []byte) (mime string, err error) {
	if len(data) > backend.MaxImageBytes {
		return "", &backend.Error{
			Code:    backend.CodeTooLarge,
			Message: backend.Say("%s is %.1f MB large. An image can have %d MB.", name, float64(len(data))/1e6, backend.MaxImageBytes>>20),
		}
	}
	none := backend.Invalid("%s is no image that can be used. Choose a PNG, JPEG, GIF or WebP file.", name)
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
			Message: backend.Say("%s has %d × %d pixels, which is too many. Make it smaller, then add it again.", name, header.Width, header.Height),
		}
	}
	return mime, nil
}
