package doctor

import (
	"regexp"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// cleaner takes secrets out of a text and the user's home, which holds the
// user's name.
func cleaner(in Input) func(string) string {
	var home *regexp.Regexp
	if trimmed := strings.TrimRight(in.Home, `/\`); trimmed != "" {
		// A path of Windows has its backslashes doubled within quotes, or
		// slashes instead, and letters of any case.
		parts := regexp.MustCompile(`[/\\]+`).Split(trimmed, -1)
		for i, p := range parts {
			parts[i] = regexp.QuoteMeta(p)
		}
		flags := ""
		if strings.Contains(trimmed, `\`) {
			flags = "(?i)"
		}
		home = regexp.MustCompile(flags + strings.Join(parts, `[/\\]{1,2}`) + `($|[^\pL\pN_.-])`)
	}
	return func(s string) string {
		s = in.Redact(s)
		if home != nil {
			s = home.ReplaceAllString(s, "~$1")
		}
		return s
	}
}

// size is a number of bytes for a person.
func size(n uint64) backend.Message {
	units := []string{"bytes", "kB", "MB", "GB", "TB"}
	f, i := float64(n), 0
	for f >= 1000 && i < len(units)-1 {
		f /= 1000
		i++
	}
	if i == 0 {
		return backend.Say("%d bytes", n)
	}
	return backend.Say("%.1f %s", f, units[i])
}

func when(m backend.Millis) string {
	return time.UnixMilli(int64(m)).UTC().Format("2006-01-02 15:04:05 UTC")
}
