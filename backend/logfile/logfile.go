// Package logfile writes VoxPilot's log: a rotating file that only its owner can read and that contains no secrets.
// Redaction is the last step before a record is written, so it finds a secret no matter which attribute, error or
// group contains it.
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

// Name is the name of the log file. The file is rotated at 5 MB, and the two previous files are retained.
const (
	Name       = "voxpilot.log"
	maxSizeMB  = 5
	maxBackups = 2
	maxLine    = 64 << 10 // bytes per record; longer ones are truncated
)

// File is an open log file.
type File struct {
	*slog.Logger
	path string
	redactor
	out *lumberjack.Logger
}

// Open opens the log file in dir, creating the file and dir if needed.
func Open(dir string, level slog.Leveler) (*File, error) {
	path := filepath.Join(dir, Name)
	if err := prepare(dir, path); err != nil {
		return nil, fmt.Errorf("opening the log file: %w", err)
	}
	f := &File{path: path, out: &lumberjack.Logger{Filename: path, MaxSize: maxSizeMB, MaxBackups: maxBackups}}
	f.Logger = slog.New(slog.NewTextHandler(writer{f}, &slog.HandlerOptions{Level: level}))
	return f, nil
}

// prepare makes the log file readable only by its owner, creating the file if needed. It also returns an error if the
// file can't be written, which would otherwise go unnoticed until the first record.
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

// OpenSecond opens another file in the log's folder, for output other than log records. Like the log, the file is
// rotated, and only its owner can read it. Each Write is redacted.
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

// Path returns the path of the log file.
func (f *File) Path() string { return f.path }

// Close closes the file. Writing another record reopens it.
func (f *File) Close() error { return f.out.Close() }

// writer writes records to the log file. Each call of Write must pass one complete record, as slog's handlers do.
type writer struct{ f *File }

func (w writer) Write(record []byte) (int, error) {
	if _, err := io.WriteString(w.f.out, w.f.line(record)); err != nil {
		return 0, err
	}
	return len(record), nil
}

// line returns a record as it is written to the file. A long record is cut twice: first to limit the
// search for secrets, and then well before the first cut, because that cut may have split a secret.
func (f *File) line(record []byte) string {
	if len(record) <= maxLine {
		return f.Redacted(string(record))
	}
	line := f.Redacted(string(record[:min(len(record), 2*maxLine)]))
	return strings.ToValidUTF8(line[:min(maxLine, len(line)/2)], "") + "… (cut)\n"
}

// maxTail is the maximum number of bytes that Tail reads.
const maxTail = 512 << 10

// Tail returns the last n lines of a file, oldest first. It returns fewer lines if they are longer than maxTail bytes
// in total, and none if the file doesn't exist.
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
	if from > 0 { // the first line is incomplete
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	lines := strings.Split(strings.TrimRight(string(data), "\r\n"), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return nil, nil
	}
	return lines[max(0, len(lines)-n):], nil
}
