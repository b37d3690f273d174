package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sandbox/inside"
)

// mountKind is the way in which a file or folder appears in the sandbox.
type mountKind int

const (
	writable  mountKind = iota // unchanged and writable
	protected                  // read-only; if it doesn't exist, an empty mount point
	masked                     // read-only, and empty or with other content
)

// view describes how a file or folder appears in the sandbox.
type view struct {
	mount mountKind
	// from is the path whose content is mounted, or "" to mount an empty folder.
	from string
	// optional means that the mount is skipped if the path doesn't exist or the user can't access it.
	optional bool
}

// mounts holds the views of a sandbox's files and folders by path. A view takes precedence over those of the folders
// around its path.
type mounts struct {
	places map[string]view
	// own marks files and folders that VoxPilot needs in the sandbox, and those that AgentPolicy lists as Home or Read.
	// Unlike other paths, they are mounted even inside masked folders.
	own map[string]bool
	// resolved caches the results of the method real.
	resolved map[string]string
	// counterfeit means that some files in the chat's folder are masked by files with the same size and time.
	counterfeit bool
	run         *run
}

// newMounts returns an empty set of mounts for a run.
func newMounts(r *run) *mounts {
	return &mounts{places: map[string]view{}, own: map[string]bool{}, resolved: map[string]string{}, run: r}
}

// real does the same as the function real, but caches its results.
func (m *mounts) real(path string) string {
	if to, ok := m.resolved[path]; ok {
		return to
	}
	to := path
	if up := filepath.Dir(path); filepath.Clean(path) != path {
		to = real(path)
	} else if up != path {
		to = filepath.Join(m.real(up), filepath.Base(path))
		if _, err := os.Readlink(to); err == nil {
			to = real(path)
		}
	}
	m.resolved[path] = to
	return to
}

// runtimeFolders are the folders with the sockets of the system and of the user. Like /tmp and /var/tmp, they are
// masked.
var runtimeFolders = []string{"/run", "/var/run"}

// runtimeFiles are the files in /run that programs need: those for name resolution, and parts of the system
// on NixOS.
var runtimeFiles = []string{
	"/run/systemd/resolve/resolv.conf", "/run/systemd/resolve/stub-resolv.conf", "/run/NetworkManager/resolv.conf", "/run/NetworkManager/no-stub-resolv.conf", "/run/resolvconf/resolv.conf",
	"/run/current-system", "/run/booted-system", "/run/opengl-driver", "/run/opengl-driver-32",
}

// Paths in the sandbox.
const (
	insideRun     = "/run"
	insideDir     = "/" + toolsDir
	insideCaches  = insideDir + "/caches"
	insideProgram = insideDir + "/hook"
	insideProxy   = insideDir + "/proxy"
)

// add adds a view for a path. If the path already has one, the stricter of the two is kept.
func (m *mounts) add(path string, p view) {
	if old, ok := m.places[path]; !ok || old.mount < p.mount {
		if ok && old.mount == protected {
			p.optional = false
		}
		m.places[path] = p
	}
}

// write makes a path writable, if it exists.
func (m *mounts) write(path string) {
	if _, err := os.Stat(path); err == nil {
		m.add(real(path), view{mount: writable, from: real(path)})
	}
}

// hide masks a file or folder, if it exists.
func (m *mounts) hide(path string, isSocket bool) error {
	path = m.real(path)
	info, err := os.Lstat(path)
	if err != nil {
		return nil //nolint:nilerr // nothing to hide
	}
	// If the user can't access the path, its mount may be skipped. That isn't safe in a writable folder, where a
	// command could make the path accessible.
	optional := isSocket || !m.isWritable(path)
	switch {
	case info.IsDir():
		m.add(path, view{mount: masked, optional: optional})
		return nil
	case !info.Mode().IsRegular() || !m.isWritable(path):
		m.add(path, view{masked, m.run.file(emptyFile), optional})
		return nil
	}
	// The file may be in a repository. If its size, time and mode are the same, git considers it unchanged
	// and doesn't read it.
	m.counterfeit = true
	from, err := m.run.counterfeit(info, false)
	m.add(path, view{mount: masked, from: from})
	return err
}

// gitConfig returns env with additional git settings if the sandbox has counterfeit files. With these settings, git
// compares only those properties of a file that a counterfeit has in common with the real file.
func (m *mounts) gitConfig(env []string) []string {
	if !m.counterfeit {
		return env
	}
	return gitConfig(env, "core.trustctime", "false", "core.checkStat", "minimal")
}

// above returns the innermost folder around path that has a view, and that view. The folder is never path itself.
func (m *mounts) above(path string) (view, string) {
	for path != "/" {
		path = filepath.Dir(path)
		if p, ok := m.places[path]; ok {
			return p, path
		}
	}
	return view{mount: protected, from: "/"}, "/"
}

// isWritable reports whether a path is inside a writable folder.
func (m *mounts) isWritable(path string) bool {
	p, at := m.above(path)
	return p.mount == writable && p.from == at
}

// sharedFolders are the names of folders that can contain protected files, but in which commands may also create other
// files. If such a folder doesn't exist, it isn't protected as a whole.
var sharedFolders = []string{".github", ".config"}

// protect makes a path in a writable folder read-only. If nothing exists at path, protect creates a mount point, so
// that commands can't create anything there. Each folder between path and the writable folder around it becomes a
// separate mount, because a command could otherwise rename that folder.
func (m *mounts) protect(path string) error {
	parent, root := m.above(path)
	if old, ok := m.places[path]; ok && old.mount == writable {
		parent, root = old, path
	}
	for parent.mount == writable && root != "/" { // find the outermost writable folder
		p, up := m.above(root)
		if p.mount != writable || p.from != up {
			break
		}
		parent, root = p, up
	}
	if parent.mount != writable || parent.from != root {
		return nil // commands can't write to path, or they see another folder there, such as the private /tmp
	}
	if path == root {
		m.add(path, view{mount: protected, from: path})
		return nil
	}
	names := strings.Split(strings.TrimPrefix(path, root+"/"), "/")
	at := root
	for i, name := range names {
		dir, last := at, i == len(names)-1
		at = filepath.Join(at, name)
		info, err := os.Lstat(at)
		switch {
		case os.IsNotExist(err):
			if err := m.run.makePoint(at); err != nil {
				return err
			}
			if _, isFile := pointContent(at); isFile {
				m.add(at, view{mount: protected, from: at})
				return nil
			}
			if last || !slices.Contains(sharedFolders, name) {
				m.add(at, view{mount: protected})
				return nil
			}
			m.add(at, view{mount: writable, from: at})
		case err != nil:
			return err
		case info.Mode()&fs.ModeSymlink != 0:
			return m.protectLink(dir, root, at)
		case last || !info.IsDir() || m.run.sandbox.isPoint(at) && !slices.Contains(sharedFolders, name):
			if err := m.run.usePoint(at); err != nil {
				return err
			}
			m.add(at, view{mount: protected, from: at})
			return nil
		default:
			if err := m.run.usePoint(at); err != nil {
				return err
			}
			m.add(at, view{mount: writable, from: at})
		}
	}
	return nil
}

// protectLink protects a symbolic link in the folder dir and the link's target. Nothing can be mounted on a link, so
// the whole folder dir becomes read-only. It returns an error if dir is root, which must stay writable.
func (m *mounts) protectLink(dir, root, link string) error {
	if dir == root {
		return backend.Invalid("Commands can't run in the sandbox because the protected file %s is a symbolic link. Replace the link with a copy of the file that it points to.", link)
	}
	m.add(dir, view{mount: protected, from: dir})
	to := real(link)
	if below(dir, to) {
		return nil
	}
	return m.protect(to)
}

// skeleton creates the mount points that are needed in the sandbox's /run. They are in a folder of the run, which is
// mounted as /run, because mounting an existing folder is faster than mounting a new file system.
func (m *mounts) skeleton() error {
	for path, p := range m.places {
		if !below(insideRun, path) || path == insideRun {
			continue
		}
		point := m.run.file(runtimeDir + strings.TrimPrefix(path, insideRun))
		dir := point
		info, err := os.Stat(p.from)
		if isFile := p.from != "" && err == nil && !info.IsDir(); isFile {
			dir = filepath.Dir(point)
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		if dir != point && !exists(point) {
			if err := os.WriteFile(point, nil, 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}

// list returns the mounts in the order in which they must be mounted.
func (m *mounts) list() []inside.Mount {
	paths := make([]string, 0, len(m.places))
	for path := range m.places {
		paths = append(paths, path)
	}
	slices.Sort(paths) // a folder comes before the paths inside it
	var list []inside.Mount
	for _, path := range paths {
		p := m.places[path]
		over, at := m.above(path)
		switch {
		case !m.own[path] && p.mount == masked && over.mount == writable && over.from != at:
			// This path isn't visible in the sandbox, because another folder, such as the private /tmp, is mounted
			// above it.
		case !m.own[path] && (p.mount == masked && over.mount == masked || p.mount == protected && over.mount != writable):
			// The mount above it has the same effect.
		case p.from == "":
			list = append(list, inside.Mount{Kind: inside.Empty, At: path, Optional: p.optional})
		case p.mount == writable:
			list = append(list, inside.Mount{Kind: inside.Writable, From: p.from, At: path})
		default:
			list = append(list, inside.Mount{Kind: inside.ReadOnly, From: p.from, At: path, Optional: p.optional})
		}
	}
	return list
}

// folders returns the paths of the writable files and folders, except those inside other writable folders. Landlock
// allows writing to them.
func (m *mounts) folders() []string {
	var paths []string
	for path, p := range m.places {
		if p.mount == writable {
			if over, _ := m.above(path); over.mount != writable {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// socketFolders are the folders that the sandbox masks or replaces together with the sockets in them.
var socketFolders = append([]string{"/tmp", "/var/tmp", "/dev", "/proc"}, runtimeFolders...)

// maxSockets is the maximum number of sockets that are masked individually.
const maxSockets = 500

// sockets returns the paths of this computer's Unix sockets outside socketFolders, at most maxSockets of them. They
// must be masked, because connections to a socket are possible even if its mount is read-only.
func sockets() []string {
	table, err := readFile("/proc/net/unix")
	if err != nil {
		return nil
	}
	var paths []string
	for line := range strings.Lines(string(table)) {
		start := strings.Index(line, " /")
		if start < 0 || len(paths) == maxSockets {
			continue
		}
		if path := strings.TrimSuffix(line[start+1:], "\n"); !slices.ContainsFunc(socketFolders, func(dir string) bool { return below(dir, path) }) && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}
