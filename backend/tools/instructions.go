package tools

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/excerpt"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// maxInstructions is the maximum total size of the instructions in bytes.
const maxInstructions = 32 << 10

// Instructions returns the folder's instructions for AI agents: its AGENTS.md and
// .github/copilot-instructions.md, each under its name as a heading, or "" if there are
// none. It doesn't follow links out of the folder.
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
		// Each file gets half of the space plus the space that the other file leaves unused.
		room := max(maxInstructions/len(names), maxInstructions-len(texts[1-i])) - 100
		if len(texts[i]) > room {
			texts[i] = excerpt.Head(texts[i], room) + "\n[The file continues.]"
		}
		parts = append(parts, "# "+name+"\n\n"+texts[i])
	}
	return strings.Join(parts, "\n\n")
}

// instructionsFrom returns the text of a file in the folder, or "" if the file is missing, isn't readable
// text, or is a link out of the folder. It reads at most one byte more than maxInstructions.
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
