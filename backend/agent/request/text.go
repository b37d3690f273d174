package request

import (
	"strings"

	"github.com/tidwall/gjson"
)

// Text is what the agent itself says of a request, in its content: all
// texts, and of what is none what it is.
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
