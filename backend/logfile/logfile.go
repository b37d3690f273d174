// Package logfile is VoxPilot's own log: a rotating file that only its owner
// can read and that no secret gets into. Whatever is logged goes through the
// redactor last, as the bytes that would be written, so it does not matter in
// which attribute, error or group a secret was.
package logfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/natefinch/lumberjack.v2"
)

// The file is Name, begun anew when it reaches 5 MB; the two before it are
// kept.
const (
	Name       = "voxpilot.log"
	maxSizeMB  = 5
	maxBackups = 2
	maxLine    = 64 << 10 // bytes of one record; the rest of a longer one is cut off
)

// File is an open log file.
type File struct {
	*slog.Logger
	path string
	redactor
	out *lumberjack.Logger
}

// Open opens the log file in dir, and makes both where they are not there.
func Open(dir string, level slog.Leveler) (*File, error) {
	path := filepath.Join(dir, Name)
	if err := prepare(dir, path); err != nil {
		return nil, fmt.Errorf("opening the log file: %w", err)
	}
	f := &File{path: path, out: &lumberjack.Logger{Filename: path, MaxSize: maxSizeMB, MaxBackups: maxBackups}}
	f.Logger = slog.New(slog.NewTextHandler(writer{f}, &slog.HandlerOptions{Level: level}))
	return f, nil
}

// prepare finds out whether the file can be written, which the first record
// would find out too late, and takes it away from other users.
func prepare(dir, path string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Chmod(0o600), f.Close())
}

// OpenSecond opens another file in the folder of the log, for lines of somebody
// else's. It is rotated as the log is, only its owner can read it, and secrets
// are taken out of each Write.
func (f *File) OpenSecond(name string) (io.WriteCloser, error) {
	dir := filepath.Dir(f.path)
	if err := prepare(dir, filepath.Join(dir, name)); err != nil {
		return nil, fmt.Errorf("opening %s: %w", name, err)
	}
	return &secondFile{f, &lumberjack.Logger{Filename: filepath.Join(dir, name), MaxSize: maxSizeMB, MaxBackups: maxBackups}}, nil
}

type secondFile struct {
	*File
	out *lumberjack.Logger
}

func (b *secondFile) Write(line []byte) (int, error) {
	if _, err := io.WriteString(b.out, b.Redacted(string(line))); err != nil {
		return 0, err
	}
	return len(line), nil
}

func (b *secondFile) Close() error { return b.out.Close() }

// Path is where the log is.
func (f *File) Path() string { return f.path }

// Close closes the file. What is logged afterwards opens it again.
func (f *File) Close() error { return f.out.Close() }

// writer takes one record a call, as slog's handlers write them.
type writer struct{ f *File }

func (w writer) Write(record []byte) (int, error) {
	if _, err := io.WriteString(w.f.out, w.f.line(record)); err != nil {
		return 0, err
	}
	return len(record), nil
}

// line is a record as it is written. A long one is cut twice: first to bound
// the search for secrets, then far before the place where that cut may have
// gone through one.
func (f *File) line(record []byte) string {
	if len(record) <= maxLine {
		return f.Redacted(string(record))
	}
	line := f.Redacted(string(record[:min(len(record), 2*maxLine)]))
	return strings.ToValidUTF8(line[:min(maxLine, len(line)/2)], "") + "… (cut)\n"
}

// maxTail is how much of a file's end Tail looks at.
const maxTail = 512 << 10

// Tail returns the last n lines of a file, oldest first, or fewer where they are
// long. Where there is no file there are no lines.
func Tail(path string, n int) ([]string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the log: %w", err)
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("reading the log: %w", err)
	}
	from := max(0, size-maxTail)
	data, err := io.ReadAll(io.NewSectionReader(f, from, size-from))
	if err != nil {
		return nil, fmt.Errorf("reading the log: %w", err)
	}
	if from > 0 { // The first line is not whole.
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	lines := strings.Split(strings.TrimRight(string(data), "\r\n"), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return nil, nil
	}
	return lines[max(0, len(lines)-n):], nil
}
