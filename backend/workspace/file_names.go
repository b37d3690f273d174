package workspace

import (
	"cmp"
	"path/filepath"
	"strings"
)

// ImageName returns a file name for an image, with the ending of its type.
func ImageName(name, mime string) string {
	name = FileName("", filepath.Base(strings.ReplaceAll(name, `\`, "/")))
	ending := "." + strings.TrimPrefix(mime, "image/")
	if ending == ".jpeg" {
		if strings.EqualFold(filepath.Ext(name), ".jpg") {
			return name
		}
		ending = ".jpg"
	}
	if strings.EqualFold(filepath.Ext(name), ending) {
		return name
	}
	return strings.TrimSuffix(name, filepath.Ext(name)) + ending
}

// FileName is a chat's title, behind some words, as the name of a file on any
// system.
func FileName(words, title string) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '-'
		}
		return r
	}, title)
	return words + cmp.Or(strings.Trim(name, ". "), "chat")
}
