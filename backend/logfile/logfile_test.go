package logfile_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend/logfile"
)

func TestLog_WritesToFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "logs")
	f := open(t, dir, slog.LevelInfo)
	f.Info("hello", "chat", "1", slog.Group("agent", "pid", 7))
	f.Debug("not this")
	got := read(t, f)
	if !strings.Contains(got, "hello") || !strings.Contains(got, "agent.pid=7") || strings.Contains(got, "not this") {
		t.Errorf("got %s", got)
	}
	if f.Path() != filepath.Join(dir, logfile.Name) {
		t.Errorf("the path is %s", f.Path())
	}
}

func TestLog_ReadableByOwnerOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps rights in other ways: the user's data directory is theirs alone")
	}
	dir := filepath.Join(t.TempDir(), "logs")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, logfile.Name)
	if err := os.WriteFile(path, []byte("old\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f := open(t, dir, slog.LevelInfo)
	line := strings.Repeat("x", 60_000)
	for range 200 { // 12 MB: rotated twice
		f.Info(line)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 3 {
		t.Errorf("there are %d files, want 3", len(entries))
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 || info.Size() > 5<<20 {
			t.Errorf("%s has mode %v and %d bytes", e.Name(), info.Mode(), info.Size())
		}
	}
}

func TestLog_UnwritableReported(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := logfile.Open(file, slog.LevelInfo); err == nil || !strings.Contains(err.Error(), "log file") {
		t.Errorf("got %v", err)
	}
}

type valuer struct{ s string }

func (v valuer) LogValue() slog.Value { return slog.StringValue(v.s) }

func TestLog_KnownSecretsRedacted(t *testing.T) {
	for _, secret := range []string{"plain-secret", "longer-plain-secret-1", `quo"te\and`, "tab\tand ünïcödé 🙂", " spaced-secret ", "<&>angle"} {
		t.Run(secret, func(t *testing.T) {
			f := open(t, t.TempDir(), slog.LevelDebug)
			f.Redact("plain-secret")
			f.Redact(secret)
			f.Redact(secret)
			f.Info("a "+secret+" b", "key", secret, "err", fmt.Errorf("oh: %w", errors.New(secret)))
			f.Debug("x", "v", valuer{secret}, slog.Group("g", "bytes", []byte(secret), "map", map[string]string{"k": secret}))
			f.With("w", secret).WithGroup(secret).Warn("y", secret, 1)
			f.Error("z", "json", fmt.Sprintf("{\"k\":%q}", secret))
			got := read(t, f)
			for _, part := range []string{strings.TrimSpace(secret), "plain-secret", "and ünïcödé", `te\and`, `te\\and`, "angle"} {
				if strings.Contains(got, part) {
					t.Errorf("%q is in\n%s", part, got)
				}
			}
			if !strings.Contains(got, "•••") || strings.Count(got, "\n") != 4 {
				t.Errorf("got\n%s", got)
			}
		})
	}
}

func TestLog_SecretPatternsRedacted(t *testing.T) {
	// The secrets are assembled here so that secret scanners don't report them.
	body := strings.Repeat("A1b2", 9)
	f := open(t, t.TempDir(), slog.LevelInfo)
	for _, text := range []string{
		"gho" + "_" + body, "ghu" + "_" + body, "ghp" + "_" + body, "ghs" + "_" + body, "github" + "_pat_" + body,
		"sk" + "-" + body, "sk" + "-proj-" + body, "AIza" + body, "hf" + "_" + body,
		"Authorization: Bearer " + body, "authorization: bearer " + body, "Authorization: Basic " + body,
		"COPILOT_PROVIDER_API_KEY=" + body, `{"api_key":"` + body + `"}`, `{\"token\": \"` + body + `\"}`, "password=" + body,
		"https://user:" + body + "@example.com/x", "https://:" + body + "@example.com",
	} {
		f.Info("before "+text+" after", "a", text)
	}
	got := read(t, f)
	if strings.Contains(got, body) || strings.Contains(got, "A1b2") {
		t.Errorf("got\n%s", got)
	}
	for line := range strings.Lines(got) {
		if !strings.Contains(line, "before ") || !strings.Contains(line, " after") {
			t.Errorf("too much is gone: %s", line)
		}
	}
}

func TestLog_OrdinaryTextUnchanged(t *testing.T) {
	f := open(t, t.TempDir(), slog.LevelInfo)
	f.Redact("no") // too short to be redacted
	f.Redact("")
	for _, text := range []string{
		"used tokens=123456789 of 128000", "the token was refused", "basic rules", "no password", "sk-1", "https://example.com:8080/a@b",
		"session 43527e0d-b5ca-44d0-a795-fd8b299e9eb7", "/home/ann/token/file", "tokenChecked=true", "a task-force",
	} {
		if got := f.Redacted(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestLog_LongRecordTruncated(t *testing.T) {
	f := open(t, t.TempDir(), slog.LevelInfo)
	f.Info(strings.Repeat("ü", 6<<20))
	f.Info("next")
	got := read(t, f)
	if len(got) > 70_000 || !strings.Contains(got, "… (cut)\n") || !strings.Contains(got, "msg=next") {
		t.Errorf("got %d bytes", len(got))
	}
}

func TestLog_ConcurrentWithNewSecrets(t *testing.T) {
	f := open(t, t.TempDir(), slog.LevelInfo)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for j := range 50 {
				secret := fmt.Sprintf("secret-%d-%d-end", i, j)
				f.Redact(secret)
				f.Info("x", "s", secret)
			}
		})
	}
	wait.Wait()
	if got := read(t, f); strings.Contains(got, "secret-") || strings.Count(got, "\n") != 400 {
		t.Errorf("%d lines:\n%.2000s", strings.Count(got, "\n"), got)
	}
}

func TestTail_ReturnsLastLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	for _, c := range []struct {
		name, content string
		n             int
		want          string
	}{
		{"some of many", "a\nb\nc\n", 2, "b|c"},
		{"more than there are", "a\nb\n", 9, "a|b"},
		{"no newline at the end", "a\nb", 1, "b"},
		{"empty lines within", "a\n\nb\n", 2, "|b"},
		{"nothing", "", 3, ""},
		{"only newlines", "\n\n", 3, ""},
		{"none wanted", "a\n", 0, ""},
		{"a long file", strings.Repeat("x", 1<<20) + "\nlast\n", 5, "last"},
		{"a long line", "a\n" + strings.Repeat("x", 1<<20) + "\n", 5, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := logfile.Tail(path, c.n)
			if err != nil || strings.Join(got, "|") != c.want {
				t.Errorf("got %.200q, %v", got, err)
			}
		})
	}
	if got, err := logfile.Tail(path+".none", 3); err != nil || got != nil {
		t.Errorf("of no file: %q, %v", got, err)
	}
	if _, err := logfile.Tail(filepath.Dir(path), 3); err == nil {
		t.Error("of a directory: no error")
	}
}

func open(t *testing.T, dir string, level slog.Level) *logfile.File {
	t.Helper()
	f, err := logfile.Open(dir, level)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func read(t *testing.T, f *logfile.File) string {
	t.Helper()
	b, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
