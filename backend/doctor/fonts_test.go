package doctor_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/doctor"
)

func TestExamine_ChineseFont(t *testing.T) {
	for _, c := range []struct {
		name     string
		language string
		fonts    doctor.Fonts
		state    doctor.State // "" for no check
		hint     bool
	}{
		{"a system that has one always", "zh", doctor.Fonts{}, "", false},
		{"installed", "zh", doctor.Fonts{Probed: true, Chinese: true}, doctor.OK, false},
		{"absent in Chinese", "zh", doctor.Fonts{Probed: true}, doctor.Warn, true},
		{"absent in English", "en", doctor.Fonts{Probed: true}, doctor.OK, true},
	} {
		in := healthyInput()
		in.Language, in.Fonts = c.language, c.fonts
		report := doctor.Examine(t.Context(), in)
		i := slices.IndexFunc(report.Checks, func(c doctor.Check) bool { return c.Name == "Chinese font" })
		if i < 0 {
			if c.state != "" {
				t.Errorf("%s: there is no row", c.name)
			}
			continue
		}
		row := report.Checks[i]
		if row.State != c.state || strings.Contains(row.Hint.String(), "fonts-noto-cjk") != c.hint {
			t.Errorf("%s: got %+v", c.name, row)
		}
	}
}
