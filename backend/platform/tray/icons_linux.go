package tray

import (
	"bytes"
	"embed"
	"errors"
	"image"
	"image/draw"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

//go:embed icons/*.svg icons/*-22.png icons/*-44.png
var icons embed.FS

// drawing returns the name of a shape's icon. Its "-symbolic" suffix makes panels recolor it.
func drawing(s Shape) string { return "voxpilot-tray-" + string(s) + "-symbolic" }

// writeDrawings writes an icon theme with the icons of all shapes to a folder inside dir. It returns the path of the
// theme folder to pass to panels. KDE requires the last component of that path to be "icons".
func writeDrawings(dir string) (themes string, err error) {
	themes = filepath.Join(dir, "tray", "icons")
	into := filepath.Join(themes, "hicolor", "scalable", "status")
	if err := os.MkdirAll(into, 0o700); err != nil {
		return "", err
	}
	for _, s := range []Shape{ShapeIdle, ShapeRunning, ShapeNeedsYou, ShapeFailed, ShapeOffline} {
		svg, err := icons.ReadFile("icons/" + drawing(s) + ".svg")
		if err != nil {
			return "", err
		}
		file := filepath.Join(into, drawing(s)+".svg")
		if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, svg) {
			continue
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if err := os.WriteFile(file, svg, 0o600); err != nil {
			return "", err
		}
	}
	return themes, nil
}

// pixmap is an image in D-Bus format: ARGB, four bytes per pixel, not premultiplied.
type pixmap struct {
	Width, Height int32
	Pixels        []byte
}

// pixmaps returns a shape as pixels for normal and high-density screens.
func pixmaps(s Shape) []pixmap {
	var all []pixmap
	for _, size := range []int{22, 44} {
		file, err := icons.ReadFile("icons/" + string(s) + "-" + strconv.Itoa(size) + ".png")
		if err != nil {
			panic(err) // every shape is embedded
		}
		picture, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			panic(err)
		}
		straight := image.NewNRGBA(picture.Bounds())
		draw.Draw(straight, straight.Bounds(), picture, image.Point{}, draw.Src)
		pixels := make([]byte, 0, 4*size*size)
		for y := range size {
			for x := range size {
				c := straight.NRGBAAt(x, y)
				pixels = append(pixels, c.A, c.R, c.G, c.B)
			}
		}
		all = append(all, pixmap{int32(size), int32(size), pixels})
	}
	return all
}
