package tools

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/excerpt"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// maxInstructions is the size of all instructions together, in bytes.
const maxInstructions = 32 << 10

// Instructions are what the folder tells an AI that works in it: its AGENTS.md
// and .github/copilot-instructions.md, each under its name. It is "" where
// there is none. A link that leads out of the folder is not followed.
func Instructions(folder string) string {
	names := []string{"AGENTS.md", ".github/copilot-instructions.md"}
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = instructionsFrom(folder, name)
	}
	var parts []string
	for i, name := range names {
		if texts[i] == "" {
			continue
		}
		// Each may have its half, and what the other one leaves.
		room := max(maxInstructions/len(names), maxInstructions-len(texts[1-i])) - 100
		if len(texts[i]) > room {
			texts[i] = excerpt.Head(texts[i], room) + "\n[The file goes on.]"
		}
		parts = append(parts, "# "+name+"\n\n"+texts[i])
	}
	return strings.Join(parts, "\n\n")
}

// instructionsFrom is the beginning of a file of the folder, at least as much
// of it as could be of use.
func instructionsFrom(folder, name string) string {
	place, err := workspace.Locate(folder, realpath.Join(folder, filepath.FromSlash(name)))
	if err != nil || !place.Inside {
		return ""
	}
	f, _, err := place.Open()
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	body, err := io.ReadAll(io.LimitReader(f, maxInstructions+1))
	if err != nil || !isText(body, true) {
		return ""
	}
	return strings.TrimSpace(strings.ToValidUTF8(strings.TrimPrefix(string(body), "\uFEFF"), ""))
}
