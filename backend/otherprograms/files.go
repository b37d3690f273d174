package otherprograms

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/tidwall/gjson"
)

// Limits for reading files.
const (
	maxRecord = 64 << 20  // bytes of a record; longer ones are skipped
	maxHead   = 1 << 20   // bytes of a file that are read to describe its conversation
	maxSmall  = 1 << 20   // bytes of a file with settings
	maxFiles  = 100_000   // entries of one folder
	maxState  = 256 << 20 // bytes of a conversation whose records change earlier ones
)

// errNotRegular means that a file isn't a regular file.
var errNotRegular = errors.New("not a regular file")

// openFile opens a regular file and returns its size. It never waits, even if the file is a pipe.
func openFile(root *os.Root, name string) (*os.File, int64, error) {
	file, err := root.OpenFile(name, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		_ = file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

// readSmall reads a file of at most limit bytes.
func readSmall(root *os.Root, name string, limit int64) ([]byte, error) {
	file, size, err := openFile(root, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if size > limit {
		return nil, fmt.Errorf("%s has %d bytes", name, size)
	}
	return io.ReadAll(io.LimitReader(file, limit))
}

// entries returns at most maxFiles entries of a folder, in the order of the file system.
func entries(root *os.Root, name string) ([]fs.DirEntry, error) {
	dir, err := root.OpenFile(name, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	list, err := dir.ReadDir(maxFiles)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return list, err
}

// folders returns the paths of the folders in a folder. Links aren't folders.
func folders(root *os.Root, name string) (list []string, err error) {
	all, err := entries(root, name)
	for _, e := range all {
		if e.IsDir() {
			list = append(list, path.Join(name, e.Name()))
		}
	}
	return list, err
}

// files calls do for each regular file in the folder with the given name, passing the file's info and its path. It
// skips files whose info can't be read, and returns ctx's error if ctx ends.
func files(ctx context.Context, root *os.Root, name string, do func(info fs.FileInfo, path string)) error {
	all, err := entries(root, name)
	for _, e := range all {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil {
			do(info, path.Join(name, e.Name()))
		}
	}
	return err
}

// lines reads the lines of a file.
type lines struct {
	r    *bufio.Reader
	line []byte
	read int64 // bytes read
	long bool  // the line was too long and was skipped
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 256<<10)} }

// next reads the next line into l.line, without its end. It returns false at the end of the file and after an error.
func (l *lines) next() (bool, error) {
	l.line, l.long = l.line[:0], false
	if cap(l.line) > 4<<20 {
		l.line = nil // an unusually long line must not occupy memory until the end
	}
	for {
		part, err := l.r.ReadSlice('\n')
		l.read += int64(len(part))
		if l.long = l.long || len(l.line)+len(part) > maxRecord; l.long {
			l.line = nil
		} else {
			l.line = append(l.line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF):
			return len(l.line) > 0 || l.long, nil
		case err != nil:
			return false, err
		}
		return true, nil
	}
}

// record returns the line as JSON. It returns false if the line isn't a JSON object.
func (l *lines) record() (gjson.Result, bool) {
	if l.long || !json.Valid(l.line) { // unlike gjson, it limits the depth
		return gjson.Result{}, false
	}
	r := gjson.ParseBytes(l.line)
	return r, r.IsObject()
}

// isBlank reports whether the line has no content.
func (l *lines) isBlank() bool {
	for _, b := range l.line {
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return false
		}
	}
	return !l.long
}

// eachRecord calls do with each record of a file of JSON lines. It counts lines that can't be read as damaged.
func eachRecord(ctx context.Context, c Conversation, to Sink, do func(gjson.Result) error) error {
	root, err := os.OpenRoot(c.root)
	if err != nil {
		return err
	}
	defer root.Close()
	file, _, err := openFile(root, c.file)
	if err != nil {
		return err
	}
	defer file.Close()
	l := newLines(file)
	for {
		more, err := l.next()
		if err != nil || !more {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		to.Progress(l.read)
		if l.isBlank() {
			continue
		}
		r, is := l.record()
		if !is {
			to.Skip(true)
			continue
		}
		if err := do(r); err != nil {
			return err
		}
	}
}

// headRecords calls do with the records in the first maxHead bytes of a file, until do returns false.
func headRecords(file io.Reader, do func(gjson.Result) bool) {
	l := newLines(io.LimitReader(file, maxHead))
	for {
		more, err := l.next()
		if err != nil || !more {
			return
		}
		if r, is := l.record(); is && !do(r) {
			return
		}
	}
}

// tailRecords calls do with the records in the last maxTail bytes of a file of the given size.
func tailRecords(file *os.File, size int64, do func(gjson.Result)) {
	const maxTail = 16 << 10
	from := max(0, size-maxTail)
	l := newLines(io.NewSectionReader(file, from, maxTail))
	if from > 0 {
		if more, err := l.next(); err != nil || !more { // skips the rest of a line
			return
		}
	}
	for {
		more, err := l.next()
		if err != nil || !more {
			return
		}
		if r, is := l.record(); is {
			do(r)
		}
	}
}
