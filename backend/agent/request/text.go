package request

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// Text returns the text in a request's content. It represents images and audio by their MIME type, links by their
// address, and unknown items by their JSON. It leaves out diffs and terminals.
func Text(call gjson.Result) string {
	var parts []string
	call.Get("content").ForEach(func(_, c gjson.Result) bool {
		switch c.Get("type").String() {
		case "diff", "terminal":
		case "content":
			parts = append(parts, textOfBlock(c.Get("content")))
		default:
			parts = append(parts, c.Raw)
		}
		return true
	})
	return strings.ToValidUTF8(strings.TrimSpace(strings.Join(parts, "\n\n")), "\uFFFD")
}

func textOfBlock(block gjson.Result) string {
	switch block.Get("type").String() {
	case "text":
		return block.Get("text").String()
	case "image", "audio":
		return block.Get("mimeType").String()
	case "resource":
		if text := block.Get("resource.text"); text.Exists() {
			return text.String()
		}
		return block.Get("resource.uri").String()
	case "resource_link":
		return block.Get("uri").String()
	}
	return block.Raw
}

// DisplayedKind infers the kind of a permission request whose call states none. If the call shows diffs and no
// commands, the request is an edit. If the request's text contains exactly one name in backquotes, the words around the
// name decide whether the request edits the file of this name or runs the name as a command. path and commands are
// taken from the request, and ofCall holds the commands of its tool call. DisplayedKind also returns the inferred file
// or command, if there is one. The kind is "" if it remains unknown, for example because there are both diffs and
// commands.
func DisplayedKind(folder string, call gjson.Result, path string, commands, ofCall []string) (kind backend.ToolKind, file, command string) {
	if shown := call.Get(`content.#(type=="diff")#.path`).Array(); len(shown) > 0 && len(commands)+len(ofCall) == 0 {
		if path == "" && len(shown) == 1 {
			file = Abs(folder, shown[0].String())
		}
		return backend.ToolEdit, file, ""
	}
	if call.Get("rawInput").IsObject() || path != "" || len(commands) > 0 {
		return "", "", ""
	}
	parts := strings.Split(Text(call), "`")
	if len(parts) != 3 || strings.TrimSpace(parts[1]) == "" {
		return "", "", ""
	}
	around, named := parts[0]+" "+parts[2], strings.TrimSpace(parts[1])
	switch writes, runs := writeWords.MatchString(around), runWords.MatchString(around); {
	case writes && !runs && !strings.Contains(named, "\n"):
		return backend.ToolEdit, Abs(folder, named), ""
	case runs && !writes:
		return backend.ToolExecute, "", named
	}
	return "", "", ""
}

// These patterns match the words in a request's text that suggest that the agent wants to write a file (writeWords) or
// run a command (runWords).
var (
	writeWords = regexp.MustCompile(`(?i)\b(?:write|edit|create|change|modify|update|overwrite|append)\b`)
	runWords   = regexp.MustCompile(`(?i)\b(?:run|execute)\b`)
)

// maxRaw is the maximum size in bytes of a request that Raw returns unmodified.
const maxRaw = 1 << 20

// Raw returns the original request for the audit log, or a note with its size if it exceeds maxRaw.
func Raw(params gjson.Result) []byte {
	if len(params.Raw) <= maxRaw {
		return []byte(params.Raw)
	}
	b, _ := json.Marshal(map[string]any{ //nolint:errchkjson // strings only
		"sessionId": params.Get("sessionId").String(),
		"left_out":  fmt.Sprintf("the request, which was %d bytes", len(params.Raw)),
	})
	return b
}
