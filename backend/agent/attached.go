package agent

import (
	"context"
	"encoding/base64"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/voxpilot/voxpilot/backend"
)

// attached is what goes with a prompt, as ACP has it: the bytes of images, and
// the addresses of files and folders, which the agent reads where it needs to.
func (a *Agent) attached(ctx context.Context, k *link, with []backend.Attachment) (blocks []sdk.ContentBlock, err error) {
	isImage := func(w backend.Attachment) bool { return w.Kind == backend.AttachmentImage }
	if !k.can().Image && slices.ContainsFunc(with, isImage) {
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Copilot does not take images. Send the message without them.")}
	}
	for _, w := range with {
		if !isImage(w) {
			link := sdk.ContentBlockResourceLink{Type: "resource_link", Name: w.Name, Uri: fileURI(w.Path)}
			if w.Mime != "" {
				link.MimeType = &w.Mime
			}
			if w.Size > 0 {
				size := int(w.Size)
				link.Size = &size
			}
			blocks = append(blocks, sdk.ContentBlock{ResourceLink: &link})
			continue
		}
		mime, data, err := a.cfg.Image(ctx, w.ContentID)
		if err != nil {
			return nil, &backend.Error{
				Code: backend.CodeStorage, Message: backend.Say("The message was not sent, because the image %s could not be read. Try again.", w.Name),
				Detail: err.Error(),
			}
		}
		image := sdk.ContentBlockImage{Type: "image", MimeType: mime, Data: base64.StdEncoding.EncodeToString(data)}
		if w.Path != "" {
			uri := fileURI(w.Path)
			image.Uri = &uri
		}
		blocks = append(blocks, sdk.ContentBlock{Image: &image})
	}
	return blocks, nil
}

// fileURI is the address of a file (RFC 8089), whose path may be one of Windows.
func fileURI(path string) string {
	host := ""
	path = filepath.ToSlash(path)
	if share, is := strings.CutPrefix(path, "//"); is && filepath.VolumeName(path) != "" {
		host, path, _ = strings.Cut(share, "/")
		path = "/" + path
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Host: host, Path: path}).String()
}
