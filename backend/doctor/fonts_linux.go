package doctor

import (
	"bytes"
	"cmp"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// fontTime is the time limit for fontconfig, which reads all fonts on its first run.
const fontTime = 20 * time.Second

// ProbeFonts checks with fontconfig whether the system has a Chinese font or, if that
// fails, looks for one by file name.
func ProbeFonts(ctx context.Context) Fonts {
	ctx, cancel := context.WithTimeout(ctx, fontTime)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "fc-list", ":lang=zh-cn", "file").Output(); err == nil {
		return Fonts{Probed: true, Chinese: len(bytes.TrimSpace(out)) > 0}
	}
	return Fonts{Probed: true, Chinese: slices.ContainsFunc(fontDirs(), hasChinese)}
}

// fontDirs returns the font folders of the system and of the user.
func fontDirs() (dirs []string) {
	home, _ := os.UserHomeDir()
	data := cmp.Or(os.Getenv("XDG_DATA_HOME"), filepath.Join(home, ".local", "share"))
	for _, dir := range append(filepath.SplitList(cmp.Or(os.Getenv("XDG_DATA_DIRS"), "/usr/local/share:/usr/share")), data) {
		dirs = append(dirs, filepath.Join(dir, "fonts"))
	}
	return append(dirs, filepath.Join(home, ".fonts"))
}

// chinese holds substrings that occur in the file names of fonts that support Chinese.
var chinese = []string{
	"cjk", "droidsansfallback", "fandol", "lxgw", "msyh", "notosanssc", "notoserifsc", "simhei", "simsun",
	"sourcehan", "ukai", "uming", "unifont", "wqy",
}

// maxFonts is the maximum number of files and folders read per font folder.
const maxFonts = 50_000

func hasChinese(dir string) (found bool) {
	looked := 0
	_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if looked++; looked > maxFonts {
			return fs.SkipAll
		}
		if err != nil {
			return nil //nolint:nilerr // a font VoxPilot can't read isn't usable
		}
		name := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(filepath.Base(path)))
		if slices.Contains([]string{".ttf", ".ttc", ".otf", ".otc"}, filepath.Ext(name)) &&
			slices.ContainsFunc(chinese, func(part string) bool { return strings.Contains(name, part) }) {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}
