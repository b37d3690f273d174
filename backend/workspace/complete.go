package workspace

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// MaxFolders is the maximum number of folders returned by FoldersAt.
const MaxFolders = 100

// maxEntries is the maximum number of a folder's entries that FoldersAt reads.
const maxEntries = 20_000

// FoldersAt returns the folders whose paths start with the typed text, ignoring case. The paths keep
// the form that the user typed ("~" isn't expanded) and end with a separator. Hidden folders are listed
// only if their dot was typed. Errors are for the user.
func FoldersAt(ctx context.Context, typed string) ([]string, error) {
	at := strings.LastIndexFunc(typed, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) })
	if at < 0 {
		if typed == "~" {
			return []string{"~" + string(filepath.Separator)}, nil
		}
		return nil, nil
	}
	parent, begin := typed[:at+1], strings.ToLower(typed[at+1:])
	dir, err := Resolve(parent)
	if err != nil {
		return nil, err
	}
	d, err := os.Open(dir)
	if err != nil {
		return nil, unreadable(dir, err)
	}
	defer func() { _ = d.Close() }()
	var found []string
	for read := 0; read < maxEntries && ctx.Err() == nil; {
		entries, err := d.ReadDir(500)
		read += len(entries)
		for _, entry := range entries {
			name := entry.Name()
			if !strings.HasPrefix(strings.ToLower(name), begin) || (strings.HasPrefix(name, ".") && begin == "") {
				continue
			}
			if isFolder(dir, entry) {
				found = append(found, parent+name+string(filepath.Separator))
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, unreadable(dir, err)
		}
	}
	slices.SortFunc(found, func(a, b string) int {
		return strings.Compare(strings.ToLower(a), strings.ToLower(b))
	})
	return found[:min(len(found), MaxFolders)], nil
}

func unreadable(dir string, err error) error {
	return &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("VoxPilot can't read the folder %s.", dir), Detail: err.Error()}
}

// isFolder reports whether an entry of dir is a folder, or a link to one.
func isFolder(dir string, entry fs.DirEntry) bool {
	if entry.Type()&fs.ModeSymlink == 0 {
		return entry.IsDir()
	}
	info, err := os.Stat(filepath.Join(dir, entry.Name()))
	return err == nil && info.IsDir()
}
