package otherprograms

import (
	"encoding/base64"
	"fmt"
	"iter"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// timeOf parses a time in RFC 3339 or in milliseconds. It returns 0 if r is neither.
func timeOf(r gjson.Result) backend.Millis {
	if r.Type == gjson.Number {
		return backend.Millis(max(0, r.Int()))
	}
	at, err := time.Parse(time.RFC3339Nano, r.String())
	if err != nil {
		return 0
	}
	return backend.Millis(max(0, at.UnixMilli()))
}

// imageOf decodes an image. It returns false if the data isn't an image, or is too large for a message.
func imageOf(mime, encoded string) (Image, bool) {
	if !strings.HasPrefix(mime, "image/") || len(encoded) > base64.StdEncoding.EncodedLen(backend.MaxImageBytes) {
		return Image{}, false
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	return Image{Name: "image", Mime: mime, Data: data}, err == nil && len(data) > 0
}

// imageAt decodes an image from a data URL.
func imageAt(address string) (Image, bool) {
	mime, encoded, is := strings.Cut(strings.TrimPrefix(address, "data:"), ";base64,")
	if !is || !strings.HasPrefix(address, "data:") {
		return Image{}, false
	}
	return imageOf(mime, encoded)
}

// contentOf returns the text and the images of content, which is a text or a list of parts.
func contentOf(content gjson.Result) (text string, images []Image) {
	if content.Type == gjson.String {
		return content.String(), nil
	}
	var texts []string
	for part := range each(content) {
		switch part.Get("type").String() {
		case "text", "input_text", "output_text":
			texts = append(texts, part.Get("text").String())
		case "image":
			if image, is := imageOf(part.Get("source.media_type").String(), part.Get("source.data").String()); is {
				images = append(images, image)
			}
		case "input_image":
			if image, is := imageAt(part.Get("image_url").String()); is {
				images = append(images, image)
			}
		}
	}
	return strings.Join(texts, "\n"), images
}

// each returns the elements of an array, one at a time. Unlike gjson's Array, it needs no memory for them: an array in a
// record can have millions.
func each(array gjson.Result) iter.Seq[gjson.Result] {
	return func(yield func(gjson.Result) bool) {
		if array.IsArray() {
			array.ForEach(func(_, element gjson.Result) bool { return yield(element) })
		}
	}
}

// firstOf returns the first elements of an array. The parameter most is the maximum number.
func firstOf(array gjson.Result, most int) (list []gjson.Result) {
	for element := range each(array) {
		if len(list) == most {
			break
		}
		list = append(list, element)
	}
	return list
}

// maxPlan is the maximum number of tasks of a plan that are shown.
const maxPlan = 200

// planOf returns the plan in a list of tasks, whose texts have the given key.
func planOf(list gjson.Result, key string) (plan []backend.PlanEntry) {
	for _, task := range firstOf(list, maxPlan) {
		status := backend.PlanPending
		switch s := backend.PlanStatus(task.Get("status").String()); s {
		case backend.PlanCompleted, backend.PlanInProgress:
			status = s
		case backend.PlanPending:
		}
		plan = append(plan, backend.PlanEntry{Content: task.Get(key).String(), Status: status})
	}
	return plan
}

// hunkHead returns the header of a hunk in a unified diff.
func hunkHead(oldStart, olds, newStart, news int64) string {
	return fmt.Sprintf("@@ -%d,%d +%d,%d @@\n", oldStart, olds, newStart, news)
}

// joined adds a change to a list. Changes to the same file become one.
func joined(list []diff.Diff, d diff.Diff) []diff.Diff {
	for i := range list {
		if list[i].Path == d.Path {
			list[i] = list[i].And(d)
			return list
		}
	}
	return append(list, d)
}

// titled returns the title of a tool call, such as "Read main.go".
func titled(verb, object string) string {
	if strings.ContainsAny(object, `/\`) && !strings.Contains(object, "://") {
		object = object[strings.LastIndexAny(object, `/\`)+1:]
	}
	return strings.TrimSpace(verb + " " + firstLine(object))
}

func firstLine(text string) string { return excerpt.FirstLine(strings.TrimSpace(text), maxTitle) }

// pathOf returns the path of a file URL, or "" if the address isn't that of a local file.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return ""
	}
	name := u.Path
	if runtime.GOOS == "windows" {
		name = strings.TrimPrefix(name, "/")
	}
	return filepath.FromSlash(name)
}
