package sessionfiles

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// workspace is the content of workspace.yaml.
type workspace struct {
	name, folder, branch string
	namedByUser          bool // the name isn't from the first message
	isValid              bool // the CLI can read it, as far as VoxPilot can check this without a YAML parser
}

// maxField is the maximum size in bytes of a value in workspace.yaml.
const maxField = 4096

var (
	workspaceField   = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_-]*):(?:[ \t]+(.*))?$`)
	workspaceNumber  = regexp.MustCompile(`^[-+]?[0-9.]+$`)
	workspaceControl = regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f]`)
)

// parseWorkspace parses workspace.yaml. The CLI writes one field per line, and long or multi-line texts as a block.
func parseWorkspace(text []byte) (w workspace) {
	if workspaceControl.Match(text) {
		return w
	}
	fields, block := map[string]string{}, ""
	for line := range bytes.Lines(text) {
		line := strings.TrimRight(string(line), " \t\r\n")
		switch {
		case line == "" || strings.HasPrefix(line, "#") || line == "---":
			continue
		case line[0] == ' ' || strings.HasPrefix(line, "- "): // of the field before
			if block != "" && fields[block] == "" {
				fields[block] = excerpt.Head(strings.TrimSpace(line), maxField)
			}
			continue
		}
		m := workspaceField.FindStringSubmatch(line)
		if m == nil {
			return workspace{}
		}
		key := m[1]
		if _, twice := fields[key]; twice {
			return workspace{}
		}
		value, ok := yamlText(m[2])
		if !ok {
			return workspace{}
		}
		block = ""
		if m[2] == "" || m[2][0] == '|' || m[2][0] == '>' {
			block = key
		}
		fields[key] = excerpt.Head(value, maxField)
	}
	id := fields["id"]
	return workspace{
		name: fields["name"], folder: fields["cwd"], branch: fields["branch"],
		namedByUser: fields["user_named"] == "true",
		isValid:     id != "" && !workspaceNumber.MatchString(id),
	}
}

// yamlText returns the text of a value on one line. It returns false if the value isn't valid.
func yamlText(raw string) (text string, ok bool) {
	if raw == "" || raw[0] == '|' || raw[0] == '>' {
		return "", true // a block follows
	}
	switch raw[0] {
	case '"':
		if err := json.Unmarshal([]byte(raw), &text); err == nil {
			return text, true
		}
		return strings.Trim(raw, `"`), len(raw) > 1 && strings.HasSuffix(raw, `"`)
	case '\'':
		return strings.ReplaceAll(strings.Trim(raw, "'"), "''", "'"), len(raw) > 1 && strings.HasSuffix(raw, "'")
	}
	return raw, !strings.Contains(raw, ": ")
}
