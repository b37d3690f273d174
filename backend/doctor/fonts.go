package doctor

import "github.com/voxpilot/voxpilot/backend"

// Fonts is what LookFonts found out about the fonts of the system.
type Fonts struct {
	Looked  bool // false on systems that always have a Chinese font
	Chinese bool // there is a font with Chinese characters
}

// fonts says whether Chinese text can be read. It is a warning only where the
// window is in Chinese: elsewhere such text is rare.
func fonts(f Fonts, language string) []Check {
	switch {
	case !f.Looked:
		return nil
	case f.Chinese:
		return []Check{{Name: "Chinese font", State: OK, Detail: backend.Say("one is installed")}}
	}
	c := Check{Name: "Chinese font", State: OK, Detail: backend.Say("not installed, so Chinese characters are drawn as boxes")}
	if language == "zh" {
		c.State = Warn
	}
	c.Hint = backend.Say("Install fonts-noto-cjk (Debian, Ubuntu), google-noto-sans-cjk-fonts (Fedora) or noto-fonts-cjk (Arch), then start VoxPilot again.")
	return []Check{c}
}
