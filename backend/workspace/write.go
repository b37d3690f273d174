package workspace

import (
	"errors"
	"io/fs"
	"os"

	"github.com/voxpilot/voxpilot/backend"
)

// Write makes text the whole of the file, which is made, with the folders it is
// in, where it is not there. The file is replaced in one step: whatever goes
// wrong, and also when the app or the machine dies meanwhile, it has its old
// text or the new one. Its mode and, as far as that is allowed, its owner stay.
//
// Errors are *backend.Error. The file is as it was then.
func (p Place) Write(text string) error {
	if p.rel == "." {
		return &backend.Error{Code: backend.CodeInvalid, Message: backend.Plain(p.Path + " is a folder. Only files can be read and written.")}
	}
	dir, name, err := p.parent(true)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	was, err := p.writable(dir, name)
	if err != nil {
		return err
	}
	temp := ".voxpilot-" + backend.NewID() + ".tmp"
	if err := fill(dir, temp, text, was); err != nil {
		_ = dir.Remove(temp)
		return p.notWritten(err)
	}
	if err := dir.Rename(temp, name); err != nil {
		_ = dir.Remove(temp)
		return p.notWritten(err)
	}
	syncDir(dir)
	return nil
}

// writable is what is known of the file that is there, nil where there is none,
// or why it is not to be written: a file that the user made read-only could be
// replaced all the same, so that is looked at here.
func (p Place) writable(dir *os.Root, name string) (fs.FileInfo, error) {
	f, was, err := p.openFile(dir, name, os.O_WRONLY)
	switch backend.CodeOf(err) {
	case "":
		_ = f.Close()
	case backend.CodeNotFound:
		return nil, nil
	case backend.CodeUnavailable:
		if was, _ = dir.Lstat(name); was == nil {
			return nil, err
		}
	default:
		return nil, err
	}
	if was.Mode().Perm()&0o200 == 0 {
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Plain(p.Path + " is read-only, so it was not written.")}
	}
	return was, err
}

// fill writes the file that is to take the place of was, nil where there is
// none, down to the disk.
func fill(dir *os.Root, name, text string, was fs.FileInfo) error {
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if was != nil {
		keepOwner(f, was)
		err = f.Chmod(was.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
	}
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
