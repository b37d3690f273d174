package sessionimport

import (
	"encoding/base64"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// asset is an image that a later event refers to.
type asset struct {
	ID     string `json:"id"`
	Offset int64  `json:"offset"` // of its line in the log
	Size   int64  `json:"size"`   // of the line
}

// maxAssets is the maximum number of assets that are remembered.
const maxAssets = 4096

// resourceLink matches a line with which the CLI names an attached file at the end of a message.
var resourceLink = regexp.MustCompile(`(?:^|\n)\[Resource link: (file://[^\n]*)\]$`)

// withoutLinks separates the lines that name attached files from a message.
func withoutLinks(text, folder string) (rest string, files []backend.Attachment) {
	for {
		m := resourceLink.FindStringSubmatchIndex(text)
		if m == nil {
			return text, files
		}
		path := request.Abs(folder, text[m[2]:m[3]])
		files = append([]backend.Attachment{{Kind: backend.AttachmentFile, Name: filepath.Base(path), Path: path}}, files...)
		text = text[:m[0]]
	}
}

// image returns the content of an image in v, which is an attachment or a part of a result, or nil if it has none. i
// distinguishes the images of an event.
func (r *Reader) image(e sessionfiles.Event, v gjson.Result, itemID string, i int) *backend.Content {
	mime := short(v.Get("mimeType"), 100)
	data := v.Get("data")
	if data.Type != gjson.String {
		if data = r.asset(str(v.Get("assetId"))); mime == "" {
			mime = short(data.Get("mimeType"), 100)
		}
		data = data.Get("data")
	}
	if !strings.HasPrefix(mime, "image/") || data.Type != gjson.String || len(data.Str) > base64.StdEncoding.EncodedLen(backend.MaxImageBytes) {
		return nil
	}
	body, err := base64.StdEncoding.DecodeString(data.Str)
	if err != nil || len(body) == 0 {
		return nil
	}
	return &backend.Content{
		ID: r.id(e, "image"+strconv.Itoa(i)), ItemID: itemID, ChatID: r.s.Target.ChatID, Type: backend.ContentImage, Mime: mime,
		Size: int64(len(body)), Version: 1, Body: body,
	}
}

// asset returns the data of an earlier session.binary_asset event with the given ID.
func (r *Reader) asset(id string) (data gjson.Result) {
	for _, a := range r.s.Assets {
		if a.ID != id || id == "" {
			continue
		}
		line := make([]byte, min(a.Size, sessionfiles.MaxLine))
		if _, err := r.log.ReadAt(line, a.Offset); err != nil {
			return data
		}
		_, _ = sessionfiles.EachEvent(line, func(e sessionfiles.Event) error {
			if v := e.JSON(); str(v.Get("assetId")) == id {
				data = v
			}
			return nil
		})
	}
	return data
}
