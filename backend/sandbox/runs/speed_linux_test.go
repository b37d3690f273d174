package runs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sandbox"
	"github.com/voxpilot/voxpilot/internal/need"
)

// BenchmarkWrap measures the preparation of a command: "policy" covers only the creation of the policy, and "whole"
// covers the complete preparation and the removal of the prepared files. The folder is a worktree with 2,000 files. The
// processor time is the value that other load on the machine affects least.
func BenchmarkWrap(b *testing.B) {
	need.Programs(b, "bwrap", "git")
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	repo, folder := filepath.Join(dir, "repo"), filepath.Join(dir, "tree")
	for _, args := range [][]string{
		{"init", "-q", repo}, {"-C", repo, "-c", "user.name=a", "-c", "user.email=a@b.test", "commit", "-q", "--allow-empty", "-m", "m"}, {"-C", repo, "worktree", "add", "-q", folder},
	} {
		if out, err := exec.CommandContext(b.Context(), "git", args...).CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	for i := range 2000 {
		file := filepath.Join(folder, fmt.Sprint("a", i%10), fmt.Sprint("b", i%100), fmt.Sprint("file", i, ".go"))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	w := newEnv(b, filepath.Join(dir, "data"), folder)
	if w.inner, err = sandbox.New(sandbox.Config{Dir: w.dir, Program: os.Args[0], Path: os.Getenv("PATH"), Log: w.cfg.Log}); err != nil {
		b.Fatal(err)
	}
	w.chat.Sandbox.Network = backend.NetworkOff
	c := Command{Line: "true", Folder: folder, Env: os.Environ()}
	b.Run("policy", func(b *testing.B) {
		defer reportCPU(b)()
		for b.Loop() {
			w.policy(w.chat, c)
		}
	})
	b.Run("whole", func(b *testing.B) {
		defer reportCPU(b)()
		for b.Loop() {
			r, err := w.Wrap(b.Context(), "chat", c)
			if err != nil {
				b.Fatal(err)
			}
			r.Discard()
		}
	})
}

// reportCPU returns a function that reports the processor time per iteration since reportCPU was called.
func reportCPU(b *testing.B) func() {
	used := func() (t time.Duration) {
		var r syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
			b.Fatal(err)
		}
		return time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	before := used()
	return func() { b.ReportMetric(float64((used()-before).Microseconds())/float64(b.N), "µs-cpu/op") }
}
