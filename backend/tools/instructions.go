package tools

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// maxInstructions is the size of all instructions together, in bytes.
const maxInstructions = 32 << 10

// Instructions are what the folder tells an AI that works in it: its AGENTS.md
// and .github/copilot-instructions.md, each under its name. It is "" where
// there is none. A link that leads out of the folder is not followed.
func Instructions(folder string) string {
	var out strings.Builder
	for _, name := range []string{"AGENTS.md", ".github/copilot-instructions.md"} {
		room := maxInstructions - out.Len()
		text := strings.TrimSpace(instructionsFrom(folder, name, room))
		if text == "" {
			continue
		}
		heading := "# " + name + "\n\n"
		const cut = "\n[The file goes on.]"
		if room -= len(heading) + len("\n\n"); len(text) > room {
			text = clip(text, max(0, room-len(cut))) + cut
		}
		if room <= len(cut) {
			break
		}
		out.WriteString(heading + text + "\n\n")
	}
	return strings.TrimSpace(out.String())
}

// instructionsFrom is the beginning of a file of the folder, and more than room
// where there is more.
func instructionsFrom(folder, name string, room int) string {
	place, err := workspace.Locate(folder, filepath.Join(folder, filepath.FromSlash(name)))
	if err != nil || !place.Inside {
		return ""
	}
	f, _, err := place.Open()
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	body, err := io.ReadAll(io.LimitReader(f, int64(room)+1))
	if err != nil || !isText(body, true) {
		return ""
	}
	return strings.ToValidUTF8(strings.TrimPrefix(string(body), "\uFEFF"), "")
}
