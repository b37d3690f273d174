package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/voxpilot/voxpilot/backend"
)

// seatbeltProgram is the program that runs a command with a profile.
const seatbeltProgram = "/usr/bin/sandbox-exec"

// Sandbox runs commands with the macOS sandbox. It is untested, so Check doesn't offer it.
type Sandbox struct {
	cfg   Config
	tasks sync.WaitGroup
}

// New prepares cfg.Dir and cleans up after earlier runs.
func New(cfg Config) (*Sandbox, error) {
	dir, err := filepath.EvalSymlinks(filepath.Dir(cfg.Dir))
	if err != nil {
		return nil, err
	}
	cfg.Dir = filepath.Join(dir, filepath.Base(cfg.Dir))
	return &Sandbox{cfg: cfg}, errors.Join(os.RemoveAll(filepath.Join(cfg.Dir, "runs")), os.MkdirAll(filepath.Join(cfg.Dir, "runs"), 0o700))
}

// Close discards the runs that haven't started, and waits for the others. The caller must have stopped their agents.
func (s *Sandbox) Close() {
	runs, _ := os.ReadDir(filepath.Join(s.cfg.Dir, "runs"))
	for _, run := range runs {
		s.Discard(run.Name())
	}
	s.tasks.Wait()
}

// Discard removes a run that hasn't started.
func (s *Sandbox) Discard(id string) {
	if fifo, err := os.OpenFile(filepath.Join(s.cfg.Dir, "runs", id, "alive"), os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
		_ = fifo.Close()
	}
}

// Command prepares a command for the sandbox in the same way as on Linux. The private temporary folder is in the run's
// folder.
func (s *Sandbox) Command(ctx context.Context, p Policy, command string, ended func()) (Run, error) {
	if err := errors.Join(context.Cause(ctx), checkPaths([]string{p.Folder}, p.Write, p.Hidden, p.Protected)); err != nil {
		return Run{}, err
	}
	folder, err := checkFolder(p.Folder, p.Hidden, real)
	if err != nil {
		return Run{}, err
	}
	id := rand.Text()[:12]
	dir := filepath.Join(s.cfg.Dir, "runs", id)
	alive, script, profile := filepath.Join(dir, "alive"), filepath.Join(dir, "script"), filepath.Join(dir, "profile")
	env := filterEnv(p.Env, p.IsSecret, p.KeepSecretNames)
	if err := os.MkdirAll(filepath.Join(dir, "tmp"), 0o700); err != nil {
		return Run{}, err
	}
	if p.Caches != "" {
		settings := filepath.Join(dir, "tmp")
		env, err = cacheEnv(p.Caches, p.Caches, settings, settings, env, askGo(ctx, folder, s.cfg.Dir, env))
	}
	words := []string{"exec", seatbeltProgram, "-f", quote(profile), "/usr/bin/env", "-i"}
	for _, v := range set(env, "TMPDIR="+filepath.Join(dir, "tmp")) {
		words = append(words, quote(v))
	}
	words = append(words, "/bin/bash", "-c", quote(command))
	resolved := p
	resolved.Folder = folder
	for _, list := range []*[]string{&resolved.Write, &resolved.Hidden, &resolved.Protected} {
		var paths []string
		for _, path := range *list {
			paths = append(paths, real(path))
		}
		*list = paths
	}
	err = errors.Join(err, syscall.Mkfifo(alive, 0o600), os.WriteFile(profile, []byte(seatbelt(resolved, dir)), 0o600), os.WriteFile(script, []byte(strings.Join(words, " ")+"\n"), 0o600))
	if err != nil {
		return Run{}, errors.Join(err, os.RemoveAll(dir))
	}
	s.tasks.Go(func() {
		if fifo, err := os.Open(alive); err == nil { // waits until the run starts
			_, _ = fifo.Read(make([]byte, 1)) // waits until all processes that have it open have ended
			_ = fifo.Close()
		}
		_ = os.RemoveAll(dir)
		if ended != nil {
			ended()
		}
	})
	return Run{ID: id, Shell: "exec 4>" + quote(alive) + " && exec /bin/bash " + quote(script)}, nil
}

// Agent always returns an error, because whole agents don't run in a sandbox on macOS.
func (*Sandbox) Agent(context.Context, AgentPolicy, string, []string, func()) (*Agent, error) {
	return nil, errors.ErrUnsupported
}

// Check returns a status that marks the sandbox as untested on macOS, so that it isn't offered.
func (*Sandbox) Check(context.Context) backend.SandboxStatus {
	return backend.SandboxStatus{
		State: backend.SandboxLimited, Program: "Seatbelt", Hidden: DefaultHidden,
		Problem: backend.Say("The sandbox for macOS hasn't been tested, so it isn't available yet."),
	}
}
