package sessionimport

import (
	"encoding/base64"
	"path/filepath"
	"slices"
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

// maxPath is the maximum size of a path in bytes. A longer one isn't shown.
const maxPath = 32 << 10

// withoutLinks removes the lines at the end of a message that name attached files, at most backend.MaxAttachments. It
// returns the rest of the message and the files.
func withoutLinks(text, folder string) (rest string, files []backend.Attachment) {
	for len(files) < backend.MaxAttachments {
		start := strings.LastIndexByte(text, '\n')
		link, is := strings.CutPrefix(text[start+1:], "[Resource link: ")
		link, ends := strings.CutSuffix(link, "]")
		if !is || !ends || !strings.HasPrefix(link, "file://") || len(link) > maxPath {
			break
		}
		path := request.Abs(folder, link)
		files = append(files, backend.Attachment{Kind: backend.AttachmentFile, Name: filepath.Base(path), Path: path})
		text = text[:max(start, 0)]
	}
	slices.Reverse(files)
	return text, files
}

// firstOf returns the first elements of an array, up to the number most. Unlike gjson's Array, it needs no memory for
// the others.
func firstOf(v gjson.Result, most int) (all []gjson.Result) {
	if !v.IsArray() {
		return nil
	}
	v.ForEach(func(_, element gjson.Result) bool {
		all = append(all, element)
		return len(all) < most
	})
	return all
}

// image returns the image in v, which is an attachment or a part of a tool's result, as the content of an item. It
// returns nil if v contains no image or one that can't be stored. i distinguishes the images of an event.
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

// maxAssetBytes is the maximum number of bytes of images that are read to resolve references. Without it, a log could
// refer to one image any number of times.
const maxAssetBytes = 1 << 30

// asset returns the data of the last session.binary_asset event with the given ID.
func (r *Reader) asset(id string) (data gjson.Result) {
	at := len(r.s.Assets) - 1
	for at >= 0 && (r.s.Assets[at].ID != id || id == "") {
		at--
	}
	if at < 0 || r.s.AssetBytes > maxAssetBytes {
		return data
	}
	a := r.s.Assets[at]
	line := make([]byte, min(a.Size, sessionfiles.MaxLine))
	if _, err := r.log.ReadAt(line, a.Offset); err != nil {
		return data
	}
	r.s.AssetBytes += a.Size
	_, _ = sessionfiles.EachEvent(line, func(e sessionfiles.Event) error {
		if v := e.JSON(); str(v.Get("assetId")) == id {
			data = v
		}
		return nil
	})
	return data
}
