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

// ResolvedPath is where a path that an agent named leads, seen from a chat's folder.
//
// It holds on to the directory that was looked at: what is read or written
// later is read or written below that directory or not at all, also where a
// link took the place of a file or folder meanwhile.
type ResolvedPath struct {
	// Path is absolute and without links: the file that is really meant. It is
	// what a person is to be asked about.
	Path string
	// Inside says whether that is the folder itself or something in it.
	Inside bool

	root string      // the folder, or the deepest directory of Path that is there
	at   fs.FileInfo // of root
	rel  string      // of Path below root
}

// IsFolder says whether the place is the chat's folder itself.
func (p ResolvedPath) IsFolder() bool { return p.Inside && p.rel == "." }

// Locate follows path, which need not exist, as the system does, and says whether
// it is in folder.
// Names are not compared with one another: a directory is the folder where the
// system says that it is the same one, so that letters of another case, short
// names and other ways to the same directory count as what they are.
//
// An error says for a person why path is the name of no file.
func Locate(folder, path string) (ResolvedPath, error) {
	if err := checkName(path, runtime.GOOS == "windows"); err != nil {
		return ResolvedPath{}, err
	}
	if !filepath.IsAbs(path) {
		return ResolvedPath{}, backend.Invalid("The path %s isn't absolute.", path)
	}
	if isForeign(folder, path) {
		// To look at it would already sign in to another machine.
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
	if p.root == "" { // a root directory
		p.root, p.rel = real, "."
		p.at, _ = os.Stat(real)
	}
	return p, nil
}

// LocateNamed is Locate for a path that another program is going to open. Programs
// take a ".." after a link, or after what is not there, for different files: such a
// path counts as one outside.
func LocateNamed(folder, path string) (ResolvedPath, error) {
	p, err := Locate(folder, path)
	if _, plain := realpath.Plain(path); !plain {
		p.Inside = false
	}
	return p, err
}

// isForeign says whether path names another machine than folder does. It is
// false on systems where paths name none.
func isForeign(folder, path string) bool {
	vol := filepath.VolumeName(path)
	return strings.HasPrefix(vol, `\\`) && !strings.EqualFold(vol, filepath.VolumeName(folder))
}

// open gives access to the directory that Locate saw, and to nothing else.
func (p ResolvedPath) open() (*os.Root, error) {
	if p.root == "" {
		return nil, backend.Invalid("%s is on another computer. Only files on this computer can be used.", p.Path)
	}
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return nil, p.notOpened(err)
	}
	info, err := root.Stat(".")
	if err == nil && !os.SameFile(info, p.at) {
		err = errReplaced
	}
	if err != nil {
		_ = root.Close()
		return nil, p.notOpened(err)
	}
	return root, nil
}

// parent gives access to the directory that has the place, and says what the place
// is called there. A directory on the way that a link took the place of is not
// entered, also where the link leads into the folder: what was decided was about
// the file that Locate found. Where make is true, directories that are not there
// are made.
func (p ResolvedPath) parent(make bool) (dir *os.Root, name string, err error) {
	if dir, err = p.open(); err != nil {
		return nil, "", err
	}
	names := strings.Split(filepath.ToSlash(p.rel), "/")
	for _, name := range names[:len(names)-1] {
		next, err := enter(dir, name, make)
		_ = dir.Close()
		if err != nil {
			return nil, "", p.notOpened(err)
		}
		dir = next
	}
	return dir, names[len(names)-1], nil
}

// enter opens the directory with that name in dir, which is no link.
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

var errReplaced = backend.Problem("something else replaced it")

func (p ResolvedPath) notOpened(err error) error {
	return p.failed(backend.Say("Couldn't open %s.", p.Path), err)
}

func (p ResolvedPath) notRead(err error) error {
	return p.failed(backend.Say("Couldn't read %s.", p.Path), err)
}

func (p ResolvedPath) notWritten(err error) error {
	return p.failed(backend.Say("Couldn't write %s.", p.Path), err)
}

// failed is the error, for a person, of what was to be done with the place; that
// it was not is a sentence.
func (p ResolvedPath) failed(sentence backend.Message, err error) error {
	var own *backend.Error
	switch {
	case errors.As(err, &own):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("The file %s doesn't exist.", p.Path), Detail: err.Error()}
	case errors.Is(err, fs.ErrPermission):
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("%s VoxPilot doesn't have permission.", sentence), Detail: err.Error()}
	case isFull(err):
		return &backend.Error{Code: backend.CodeStorage, Message: backend.Say("%s The disk is full. Nothing was changed.", sentence), Detail: err.Error()}
	}
	return &backend.Error{Code: backend.CodeUnavailable, Message: sentence, Detail: err.Error()}
}
