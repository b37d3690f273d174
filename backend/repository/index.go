package repository

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// copyIndex copies an index file, including its modification time. Git uses that time to recognize files that may have
// changed since they were added. copyIndex returns the content of the index, or nil if there is no index file, which
// means that the index is empty.
func copyIndex(from, to string) ([]byte, error) {
	body, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(from)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(to, body, 0o600); err != nil {
		return nil, err
	}
	return body, os.Chtimes(to, info.ModTime(), info.ModTime())
}

// write runs a git command that changes an index, with input as the command's standard input. If index is "", the
// command changes the repository's own index.
func (r *repo) write(ctx context.Context, index string, input []byte, args ...string) error {
	var env []string
	if index != "" {
		env = append(env, "GIT_INDEX_FILE="+index)
	}
	_, err := r.change(ctx, env, input, args...)
	return err
}

// change runs a git command that changes the repository, and returns its standard output. Git may run programs
// specified by the repository, such as hooks and filters. If git fails, the error is a *backend.Error with the reason.
func (r *repo) change(ctx context.Context, env []string, input []byte, args ...string) (string, error) {
	p := program{path: r.git, args: append([]string{"--literal-pathspecs"}, args...), dir: r.Root, env: r.m.environment(env...)}
	if input != nil {
		file, err := inputFile(input)
		if err != nil {
			return "", fileError(err)
		}
		defer discard(file)
		p.input = file
	}
	out, errs := &limited{most: maxRead}, &tail{most: 16 << 10}
	p.stdout, p.output = out, errs
	if r.hookOutput != nil {
		p.output = io.MultiWriter(errs, r.hookOutput)
	}
	code, err := p.run(ctx)
	switch {
	case err != nil:
		return "", err
	case code != 0:
		return "", gitFailed(errs.String())
	}
	return out.String(), nil
}

// inputFile returns a temporary file with the given content, open for reading. The caller must pass the file to
// discard.
func inputFile(content []byte) (*os.File, error) {
	file, err := os.CreateTemp("", "voxpilot-input-")
	if err != nil {
		return nil, err
	}
	if _, err = file.Write(content); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		discard(file)
		return nil, err
	}
	return file, nil
}

// discard closes and deletes a file.
func discard(file *os.File) { _, _ = file.Close(), os.Remove(file.Name()) }

// fileError returns the error to report if err occurred while a file in the repository or a temporary file was being
// read or written.
func fileError(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return withDetail(errFull, err.Error())
	}
	return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't read or write a file: %s", err)}
}

// indexInfo returns the input for git update-index -z --index-info that sets the entries of files. A file with the zero
// entry is removed from the index.
func indexInfo(files map[string]entry) []byte {
	var b bytes.Buffer
	hash := "0000000000000000000000000000000000000000"
	for _, e := range files {
		if len(e.hash) > len(hash) {
			hash = strings.Repeat("0", len(e.hash)) // the repository uses SHA-256
		}
	}
	for name, e := range files {
		if e == (entry{}) {
			e = entry{"0", hash}
		}
		b.WriteString(e.mode + " " + e.hash + " 0\t" + name + "\x00")
	}
	return b.Bytes()
}

// set sets the entries of files in an index. A file with the zero entry is removed. If index is "", set changes the
// repository's own index.
func (r *repo) set(ctx context.Context, index string, files map[string]entry) error {
	if len(files) == 0 {
		return nil
	}
	return r.write(ctx, index, indexInfo(files), "update-index", "-z", "--index-info")
}

// lockTime is the maximum time that createLock waits for the lock of the index.
const lockTime = 5 * time.Second

// install replaces the repository's index with the index in the given file. If the content of the repository's index is
// no longer equal to before, install changes nothing and returns false.
func (r *repo) install(ctx context.Context, file string, before []byte) (bool, error) {
	lock := filepath.Join(r.Dir, lockFile)
	to, err := createLock(ctx, lock)
	if err != nil {
		return false, err
	}
	installed := false
	defer func() {
		_ = to.Close()
		if !installed {
			_ = os.Remove(lock)
		}
	}()
	now, err := os.ReadFile(r.index())
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil || !bytes.Equal(now, before) {
		return false, err
	}
	body, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return false, err
	}
	if own, err := os.Stat(r.index()); err == nil {
		_ = to.Chmod(own.Mode().Perm()) // as core.sharedRepository requires
	}
	_, err = to.Write(body)
	if err := errors.Join(err, to.Close()); err != nil {
		return false, fileError(err)
	}
	if err := os.Chtimes(lock, info.ModTime(), info.ModTime()); err != nil {
		return false, err
	}
	if err := os.Rename(lock, r.index()); err != nil {
		return false, fileError(err)
	}
	installed = true
	return true, nil
}

// createLock creates the lock file of the index. If git holds the lock, createLock waits for at most lockTime.
func createLock(ctx context.Context, lock string) (*os.File, error) {
	for end := time.Now().Add(lockTime); ; {
		to, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		switch {
		case err == nil:
			return to, nil
		case !errors.Is(err, fs.ErrExist):
			return nil, fileError(err)
		case ctx.Err() != nil || time.Now().After(end):
			return nil, errLocked
		}
		time.Sleep(50 * time.Millisecond) // there is no event for the release of the lock
	}
}
