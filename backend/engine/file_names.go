package engine

import (
	"cmp"
	"path/filepath"
	"strings"
)

// imageName returns a file name for an image, with the ending of its type.
func imageName(name, mime string) string {
	name = fileNameOf("", filepath.Base(strings.ReplaceAll(name, `\`, "/")))
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

// fileNameOf is a chat's title, behind some words, as the name of a file on any
// system.
func fileNameOf(words, title string) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '-'
		}
		return r
	}, title)
	return words + cmp.Or(strings.Trim(name, ". "), "chat")
}
