package trust

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Mask lists the parts of a folder that are hidden from an agent, so that it runs none of the folder's
// untrusted code.
type Mask struct {
	// Files are the absolute paths of files with untrusted code, except git configuration files.
	Files []string
	// settings holds the names of git's untrusted settings, as written by git.
	settings []string
	// identities holds the identity that each file in Files had at the time of the check, by path.
	identities map[string]string
}

// IsEmpty reports whether the mask hides nothing, because the user trusts everything in the folder.
func (k Mask) IsEmpty() bool { return len(k.Files) == 0 && len(k.settings) == 0 }

// Covers reports whether k, the mask with which an agent started, hides everything that must be hidden now, so that the
// agent needn't be restarted. A file that was replaced after the start is no longer hidden by k.
func (k Mask) Covers(now Mask) bool {
	for file, identity := range now.identities {
		if k.identities[file] != identity {
			return false
		}
	}
	return !slices.ContainsFunc(now.settings, func(name string) bool { return !slices.Contains(k.settings, name) })
}

// Mask returns the mask for an agent that starts in a folder whose code the user doesn't trust. It fails
// if the folder can't be read completely.
func (m *Manager) Mask(ctx context.Context, by Starter) (Mask, error) {
	l, err := m.inspect(ctx, by)
	if err != nil {
		return Mask{}, err
	}
	if l.findings.Incomplete {
		return Mask{}, errIncomplete
	}
	k := Mask{identities: map[string]string{}}
	for _, e := range l.newEntries {
		if e.Location == GitConfigID && e.Key != "" {
			if !slices.Contains(k.settings, e.Key) {
				k.settings = append(k.settings, e.Key)
			}
			continue
		}
		path := l.findings.path(e.File)
		k.identities[path] = identity(path)
	}
	k.Files = slices.Sorted(maps.Keys(k.identities))
	slices.Sort(k.settings)
	return k, nil
}

// path returns the path on disk of a file named as in Entry.File.
func (f Findings) path(file string) string {
	if in, ok := strings.CutPrefix(file, ".git/"); ok && f.Common != "" && f.Common != f.Root {
		return filepath.Join(f.Common, filepath.FromSlash(in))
	}
	return filepath.Join(f.Root, filepath.FromSlash(file))
}

// identity returns a string that identifies the file at path. The string changes if another file replaces that file.
func identity(path string) string {
	info, err := os.Lstat(path)
	if err != nil {
		return err.Error()
	}
	return fileID(info)
}
