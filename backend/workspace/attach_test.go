package workspace_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// sampleImages returns a small image of each type.
func sampleImages(t *testing.T) map[string][]byte {
	t.Helper()
	dot := image.NewPaletted(image.Rect(0, 0, 2, 2), palette.Plan9)
	var p, j, g bytes.Buffer
	for _, err := range []error{png.Encode(&p, dot), jpeg.Encode(&j, dot, nil), gif.Encode(&g, dot, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	webp, err := base64.StdEncoding.DecodeString("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"image/png": p.Bytes(), "image/jpeg": j.Bytes(), "image/gif": g.Bytes(), "image/webp": webp}
}

// pngOfSize returns a PNG with the given dimensions in its header, but without pixels.
func pngOfSize(width, height uint32) []byte {
	header := []byte("IHDR")
	header = binary.BigEndian.AppendUint32(header, width)
	header = binary.BigEndian.AppendUint32(header, height)
	header = append(header, 8, 6, 0, 0, 0)
	out := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d")
	return binary.BigEndian.AppendUint32(append(out, header...), crc32.ChecksumIEEE(header))
}

func TestImage_TypeFromContent(t *testing.T) {
	all := sampleImages(t)
	for want, data := range all {
		if got, err := workspace.ImageType("x.txt", data); got != want || err != nil {
			t.Errorf("an image of the type %s is %q, %v", want, got, err)
		}
	}
	large := append(bytes.Clone(all["image/png"]), make([]byte, backend.MaxImageBytes)...)
	for what, bad := range map[string]struct {
		data []byte
		code backend.Code
	}{
		"nothing":           {nil, backend.CodeInvalid},
		"text":              {[]byte("hello"), backend.CodeInvalid},
		"SVG":               {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), backend.CodeInvalid},
		"BMP":               {[]byte("BM\x00\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28"), backend.CodeInvalid},
		"a PNG that is cut": {all["image/png"][:12], backend.CodeInvalid},
		"no pixels":         {pngOfSize(0, 10), backend.CodeInvalid},
		"too many pixels":   {pngOfSize(10_000, 5_001), backend.CodeTooLarge},
		"a bomb":            {pngOfSize(60_000, 60_000), backend.CodeTooLarge},
		"too many bytes":    {large, backend.CodeTooLarge},
	} {
		if got, err := workspace.ImageType("x.png", bad.data); backend.CodeOf(err) != bad.code || got != "" {
			t.Errorf("%s is %q, %v", what, got, err)
		}
	}
	if _, err := workspace.ImageType("x.png", pngOfSize(10_000, 5_000)); err != nil {
		t.Errorf("an image of 50 megapixels: %v", err)
	}
}

func TestAttach_ClassifiesFilesFoldersImages(t *testing.T) {
	folder := t.TempDir()
	put := func(name string, data []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	shot := sampleImages(t)["image/png"]
	for path, want := range map[string]backend.Attachment{
		put("a.html", []byte("<p>")):       {Name: "a.html", Mime: "text/html", Size: 3},
		put("shot", shot):                  {Name: "shot", Mime: "image/png", Size: int64(len(shot))},
		put("no.gif", []byte("not a GIF")): {Name: "no.gif", Mime: "image/gif", Size: 9},
		put("empty.svg", nil):              {Name: "empty.svg", Mime: "image/svg+xml"},
		folder:                             {Name: filepath.Base(folder), Mime: "inode/directory"},
	} {
		want.Kind, want.Path = backend.AttachmentFile, path
		got, body, err := workspace.Attach(path)
		if err != nil {
			t.Error(err)
		}
		if isImage := want.Name == "shot"; isImage != (body != nil) || isImage && !bytes.Equal(body, shot) {
			t.Errorf("%s has %d bytes of an image", want.Name, len(body))
		}
		if want.Name == "empty.svg" {
			want.Mime = got.Mime // system-dependent, may be empty
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	huge := put("huge.png", shot)
	if err := os.Truncate(huge, backend.MaxImageBytes+1); err != nil {
		t.Fatal(err)
	}
	if got, body, err := workspace.Attach(huge); body != nil || got.Kind != backend.AttachmentFile || err != nil {
		t.Errorf("an image that is too large is %+v with %d bytes, %v", got, len(body), err)
	}
}

func TestAttach_OnlyExistingAccepted(t *testing.T) {
	folder := t.TempDir()
	bad := map[string]backend.Code{
		"x.txt": backend.CodeInvalid, filepath.Join(folder, "gone.txt"): backend.CodeNotFound,
	}
	if runtime.GOOS != "windows" {
		bad[os.DevNull] = backend.CodeInvalid
		t.Chdir(folder) // socket paths are limited in length
		l, err := net.Listen("unix", "s")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		bad[filepath.Join(folder, "s")] = backend.CodeInvalid
	}
	for path, code := range bad {
		if got, _, err := workspace.Attach(path); backend.CodeOf(err) != code {
			t.Errorf("%s is %+v, %v", path, got, err)
		}
	}
}
