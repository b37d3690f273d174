package runs

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sandbox"
	"github.com/voxpilot/voxpilot/backend/trust"
)

// policy returns the sandbox policy for a chat's command.
func (m *Manager) policy(chat backend.Chat, c Command) sandbox.Policy {
	s := m.cfg.Settings()
	folder := realPath(c.Folder)
	p := sandbox.Policy{
		Folder: folder, Temp: !chat.Sandbox.OnlyFolder, Caches: m.cachesOf(folder),
		Env: c.Env, IsSecret: m.cfg.IsSecret, KeepSecretNames: s.KeepSecrets, Ports: s.Ports, Hint: c.Hint,
		Network: cmp.Or(chat.Sandbox.Network, s.Network, backend.NetworkSites),
	}
	for _, place := range slices.Concat(s.Write, chat.Sandbox.Write) {
		if dir := realPath(m.expand(place)); isFolder(dir) && !slices.Contains(p.Write, dir) {
			p.Write = append(p.Write, dir)
		}
	}
	for _, dir := range append([]string{folder}, p.Write...) {
		p.Protected = append(p.Protected, m.placesOf("folder", dir, m.cfg.Places)...)
	}
	for _, dir := range m.repositoryOf(folder) {
		if !slices.Contains(p.Write, dir) {
			p.Write = append(p.Write, dir)
			p.Protected = append(p.Protected, m.placesOf("git", dir, trust.GitPlaces)...)
		}
	}
	shown := slices.DeleteFunc(slices.Clone(sandbox.DefaultHidden), func(place string) bool { return slices.Contains(s.Readable, place) })
	p.Hidden = sandbox.Hidden(append(shown, s.Hidden...), m.home)
	for _, dir := range append(m.cfg.Own(), m.cfg.Data) {
		p.Hidden = append(p.Hidden, hide(realPath(dir), folder)...)
	}
	slices.Sort(p.Protected)
	p.Protected = slices.Compact(p.Protected)
	return p
}

// expand returns the path of a file or folder named in the settings, with a leading "~" replaced by the home directory.
func (m *Manager) expand(place string) string {
	if rest, ok := strings.CutPrefix(place, "~"); ok && (rest == "" || rest[0] == '/') {
		return filepath.Join(m.home, rest)
	}
	return place
}

// hide returns the paths to hide so that commands can't read dir: usually dir itself, or none if dir is folder or isn't
// a folder. If dir contains folder, as it does for the practice chat, the paths cover everything in dir except folder.
func hide(dir, folder string) (places []string) {
	switch {
	case !isFolder(dir) || dir == folder:
		return nil
	case !below(dir, folder):
		return []string{dir}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []string{dir} // the sandbox then fails to start
	}
	for _, e := range entries {
		if at := filepath.Join(dir, e.Name()); !below(at, folder) {
			places = append(places, at)
		} else {
			places = append(places, hide(at, folder)...)
		}
	}
	return places
}

// knownPlaces is a cached list of files and folders, with the time when they were found.
type knownPlaces struct {
	list []string
	at   time.Time
}

// placesFresh is the time for which cached lists of files and folders are reused.
const placesFresh = 5 * time.Second

// placesOf calls find to get the protected files and folders in a folder, and returns them. Results are reused for
// placesFresh. kind names the function find.
func (m *Manager) placesOf(kind, folder string, find func(folder string) []string) []string {
	return m.known("places "+kind+" "+folder, func() []string { return find(folder) })
}

// repositoryOf returns the git directories that are outside a folder but to which git commands in the folder may write
// (trust.OwnGitDirs).
func (m *Manager) repositoryOf(folder string) []string {
	return m.known("repository "+folder, func() (dirs []string) {
		for _, dir := range trust.OwnGitDirs(folder) {
			if !below(folder, dir) && !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
		return dirs
	})
}

// known returns the result of find. It caches results by key, for the time placesFresh.
func (m *Manager) known(key string, find func() []string) []string {
	m.mu.Lock()
	known := m.places[key]
	m.mu.Unlock()
	if time.Since(known.at) < placesFresh {
		return known.list
	}
	known = knownPlaces{find(), time.Now()}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.places) > 300 {
		clear(m.places)
	}
	m.places[key] = known
	return known.list
}

// realPath returns path with symbolic links resolved or, if that fails, only cleaned. It returns "" if path is "".
func realPath(path string) string {
	if path == "" {
		return ""
	}
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return filepath.Clean(path)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() && filepath.IsAbs(path)
}

// below reports whether path is dir or a path in it.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
