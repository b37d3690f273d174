package doctor_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend/doctor"
)

func TestLookFonts_FindsChinese(t *testing.T) {
	for _, c := range []struct {
		name, program, font string
		want                bool
	}{
		{"fontconfig knows one", "#!/bin/sh\n[ \"$1\" = :lang=zh-cn ] && echo /fonts/a.ttf:\n", "", true},
		{"fontconfig knows none", "#!/bin/sh\n", "noto/NotoSansCJK-Regular.ttc", false},
		{"fontconfig fails", "#!/bin/sh\nexit 1\n", "noto/NotoSansCJK-Regular.ttc", true},
		{"a font without its program", "", "truetype/wqy-microhei.ttc", true},
		{"other fonts without its program", "", "truetype/DejaVuSans.ttf", false},
		{"a file that is no font", "", "noto/NotoSansCJK.txt", false},
		{"no fonts", "", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			bin, data := t.TempDir(), t.TempDir()
			t.Setenv("PATH", bin)
			t.Setenv("HOME", t.TempDir())
			t.Setenv("XDG_DATA_DIRS", data)
			t.Setenv("XDG_DATA_HOME", "")
			if c.program != "" {
				if err := os.WriteFile(filepath.Join(bin, "fc-list"), []byte(c.program), 0o700); err != nil { //nolint:gosec // must be executable
					t.Fatal(err)
				}
			}
			if c.font != "" {
				path := filepath.Join(data, "fonts", c.font)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := doctor.ProbeFonts(t.Context()), (doctor.Fonts{Probed: true, Chinese: c.want}); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}
