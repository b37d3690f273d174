package workspace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// MaxRead is the maximum size in bytes of the text that a single call of Read returns. Larger files must be read in
// parts.
const MaxRead = 8 << 20

// Read returns up to limit lines of the file, or all remaining lines if limit is 0. The parameter line is the number of
// the first line to return, counted from 1; 0 has the same effect as 1. Line endings and a byte order mark are
// preserved, so that writing the text back results in the same file.
//
// Errors are of type *backend.Error: CodeNotFound if the file doesn't exist, CodeTooLarge if the text exceeds
// MaxRead, CodeInvalid if it isn't a file with UTF-8 text on this computer, and CodeUnavailable if it can't be opened
// or read.
func (p ResolvedPath) Read(line, limit int) (string, error) {
	dir, name, err := p.parent(false)
	if err != nil {
		return "", err
	}
	defer func() { _ = dir.Close() }()
	f, _, err := p.openFile(dir, name, os.O_RDONLY)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	text, err := readLines(f, line, limit)
	switch {
	case errors.Is(err, errTooLarge):
		return "", &backend.Error{
			Code:    backend.CodeTooLarge,
			Message: backend.Plain(fmt.Sprintf("%s has more text than the %d MB that can be read at once. Read it in parts, using line and limit.", p.Path, MaxRead>>20)),
		}
	case err != nil:
		return "", p.readError(err)
	case !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0:
		return "", &backend.Error{Code: backend.CodeInvalid, Message: backend.Plain(p.Path + " isn't UTF-8 text, so it can't be read as text.")}
	}
	return string(text), nil
}

// openFile opens the file with the given name in dir. It must be a regular file: a link that has replaced it isn't
// followed.
func (p ResolvedPath) openFile(dir *os.Root, name string, flag int) (*os.File, fs.FileInfo, error) {
	named, err := dir.Lstat(name)
	if err == nil {
		err = p.plain(named)
	}
	if err != nil {
		return nil, nil, p.openError(err)
	}
	f, err := dir.OpenFile(name, flag|openFlags, 0)
	if err != nil {
		return nil, nil, p.openError(err)
	}
	opened, err := f.Stat()
	if err == nil {
		// Check again now that it is open: the name must still refer to the opened file.
		if named, err = dir.Lstat(name); err == nil && !os.SameFile(named, opened) {
			err = errReplaced
		}
	}
	if err == nil {
		err = p.plain(opened)
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, p.openError(err)
	}
	return f, opened, nil
}

// plain returns an error with the reason a file isn't a regular file, or nil if it is one.
func (p ResolvedPath) plain(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return &backend.Error{Code: backend.CodeInvalid, Message: backend.Plain(p.Path + " is a folder. Only files can be read and written.")}
	case info.Mode()&fs.ModeSymlink != 0:
		return errReplaced
	case !info.Mode().IsRegular():
		return &backend.Error{Code: backend.CodeInvalid, Message: backend.Plain(p.Path + " is a device or a pipe. Only files can be read and written.")}
	}
	return nil
}

var errTooLarge = errors.New("too large")

// readLines returns up to limit lines, or all remaining lines if limit is 0. The parameter line is the number of the
// first line to return, counted from 1. Preceding lines are skipped in chunks, whatever their length.
func readLines(r io.Reader, line, limit int) ([]byte, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	for n := 1; n < line; {
		switch _, err := in.ReadSlice('\n'); {
		case err == nil:
			n++
		case errors.Is(err, io.EOF):
			return nil, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
	var text []byte
	for n := 0; limit == 0 || n < limit; {
		piece, err := in.ReadSlice('\n')
		if len(text)+len(piece) > MaxRead {
			return nil, errTooLarge
		}
		text = append(text, piece...)
		switch {
		case err == nil:
			n++
		case errors.Is(err, io.EOF):
			return text, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
	return text, nil
}

// Write replaces the content of the file with text, creating it and its parent folders if they are
// missing. The file is replaced atomically: after any failure, including a crash of the app or the
// system, it has either its old or its new content. Its mode is preserved, and so is its owner if
// permitted.
//
// If Write returns an error, it is of type *backend.Error, and the file is unchanged.
func (p ResolvedPath) Write(text string) error {
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
		return p.writeError(err)
	}
	if err := dir.Rename(temp, name); err != nil {
		_ = dir.Remove(temp)
		return p.writeError(err)
	}
	syncDir(dir)
	return nil
}

// writable returns information about the existing file, or nil if there is none. It returns an error if
// the file must not be written, for example because it is read-only. Without this check, replacing a
// read-only file would succeed.
func (p ResolvedPath) writable(dir *os.Root, name string) (fs.FileInfo, error) {
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
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Plain(p.Path + " is read-only, so nothing was written.")}
	}
	return was, err
}

// fill creates a file with text and syncs it to disk. The given FileInfo is that of the file to be replaced, or nil
// if there is none. The new file gets that file's mode and, if permitted, its owner.
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
