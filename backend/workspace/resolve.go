package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// ResolvedPath is the resolved location of a path named by an agent, relative to a chat's folder.
//
// It remembers the directory that was checked: later reads and writes happen below that directory or
// fail, even if a link has replaced a file or folder in the meantime.
type ResolvedPath struct {
	// Path is the absolute path of the actual file, with all links resolved. It is the path to show to the user.
	Path string
	// Inside is true if Path is the chat's folder itself or something in it.
	Inside bool

	// root is the chat's folder if Path is inside, and otherwise the deepest existing directory above Path. It is ""
	// if Path is on another computer.
	root string
	at   fs.FileInfo // identity of root
	rel  string      // Path relative to root
}

// IsFolder reports whether the path is the chat's folder itself.
func (p ResolvedPath) IsFolder() bool { return p.Inside && p.rel == "." }

// Locate resolves a path in the same way as the system does, and determines whether it is in the given folder. Nothing
// needs to exist at the path. Locate compares directories by identity, not by name, so that different case, short names
// and other paths to the same directory are recognized.
//
// Errors are for the user. Locate returns one if the path isn't absolute or can't name a file, or if the path or the
// folder can't be read.
func Locate(folder, path string) (ResolvedPath, error) {
	if err := checkName(path, runtime.GOOS == "windows"); err != nil {
		return ResolvedPath{}, err
	}
	if !filepath.IsAbs(path) {
		return ResolvedPath{}, backend.Invalid("The path %s isn't absolute.", path)
	}
	if isForeign(folder, path) {
		// Even checking the path would sign in to the other computer.
		return ResolvedPath{Path: path}, nil
	}
	home, err := os.Stat(folder)
	if err != nil {
		return ResolvedPath{}, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Can't open the folder %s.", folder), Detail: err.Error()}
	}
	real, err := realpath.Resolve(path)
	if err != nil {
		return ResolvedPath{}, &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("Can't resolve the path %s.", path), Detail: err.Error()}
	}
	p := ResolvedPath{Path: real}
	for dir, rel := real, "."; ; {
		info, err := os.Stat(dir)
		switch {
		case err == nil && os.SameFile(info, home):
			p.Inside, p.root, p.at, p.rel = true, dir, info, rel
			return p, nil
		case err == nil && info.IsDir() && p.root == "" && rel != ".":
			p.root, p.at, p.rel = dir, info, rel
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir, rel = parent, filepath.Join(filepath.Base(dir), rel)
	}
	if p.root == "" { // path is the root directory
		p.root, p.rel = real, "."
		p.at, _ = os.Stat(real)
	}
	return p, nil
}

// LocateNamed is like Locate, but for a path that another program will open. Programs differ in how
// they resolve ".." after a link or a missing directory, so a path with ".." in such a position counts
// as outside.
func LocateNamed(folder, path string) (ResolvedPath, error) {
	p, err := Locate(folder, path)
	if _, plain := realpath.Plain(path); !plain {
		p.Inside = false
	}
	return p, err
}

// isForeign reports whether path is on a different computer than folder. It returns
// false on systems without such paths.
func isForeign(folder, path string) bool {
	vol := filepath.VolumeName(path)
	return strings.HasPrefix(vol, `\\`) && !strings.EqualFold(vol, filepath.VolumeName(folder))
}

// open opens the directory that Locate found, and fails if it was replaced.
func (p ResolvedPath) open() (*os.Root, error) {
	if p.root == "" {
		return nil, backend.Invalid("%s is on another computer. Only files on this computer can be used.", p.Path)
	}
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return nil, p.openError(err)
	}
	info, err := root.Stat(".")
	if err == nil && !os.SameFile(info, p.at) {
		err = errReplaced
	}
	if err != nil {
		_ = root.Close()
		return nil, p.openError(err)
	}
	return root, nil
}

// parent opens the directory that contains p and returns p's name there. It doesn't enter a directory
// that was replaced by a link, even if the link leads into the folder, because access was decided for
// the file that Locate found. If make is true, missing directories are created.
func (p ResolvedPath) parent(make bool) (dir *os.Root, name string, err error) {
	if dir, err = p.open(); err != nil {
		return nil, "", err
	}
	names := strings.Split(filepath.ToSlash(p.rel), "/")
	for _, name := range names[:len(names)-1] {
		next, err := enter(dir, name, make)
		_ = dir.Close()
		if err != nil {
			return nil, "", p.openError(err)
		}
		dir = next
	}
	return dir, names[len(names)-1], nil
}

// enter opens the directory with the given name in dir, and fails if it is a link. If make is true, it
// creates a missing directory.
func enter(dir *os.Root, name string, make bool) (*os.Root, error) {
	named, err := dir.Lstat(name)
	if make && errors.Is(err, fs.ErrNotExist) {
		if err = dir.Mkdir(name, 0o777); err == nil || errors.Is(err, fs.ErrExist) {
			named, err = dir.Lstat(name)
		}
	}
	if err != nil {
		return nil, err
	}
	if !named.IsDir() {
		return nil, errReplaced
	}
	next, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	opened, err := next.Stat(".")
	if err == nil && !os.SameFile(named, opened) {
		err = errReplaced
	}
	if err != nil {
		_ = next.Close()
		return nil, err
	}
	return next, nil
}

var errReplaced = backend.Problem("it was replaced by something else")

func (p ResolvedPath) openError(err error) error {
	return p.failed(backend.Say("Couldn't open %s.", p.Path), err)
}

func (p ResolvedPath) readError(err error) error {
	return p.failed(backend.Say("Couldn't read %s.", p.Path), err)
}

func (p ResolvedPath) writeError(err error) error {
	return p.failed(backend.Say("Couldn't write %s.", p.Path), err)
}

// failed returns the user-facing error for a failed operation. sentence states which operation failed.
func (p ResolvedPath) failed(sentence backend.Message, err error) error {
	var own *backend.Error
	switch {
	case errors.As(err, &own):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("The file %s doesn't exist.", p.Path), Detail: err.Error()}
	case errors.Is(err, fs.ErrPermission):
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("%s VoxPilot doesn't have the required permission.", sentence), Detail: err.Error()}
	case isFull(err):
		return &backend.Error{Code: backend.CodeStorage, Message: backend.Say("%s The disk is full. Nothing was changed.", sentence), Detail: err.Error()}
	}
	return &backend.Error{Code: backend.CodeUnavailable, Message: sentence, Detail: err.Error()}
}
