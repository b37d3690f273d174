package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// commandTime bounds each run of a program.
const commandTime = 20 * time.Second

// errTooMuch is why a program was ended that wrote more than was wanted.
var errTooMuch = errors.New("its output is longer than that")

// run is the output of a program of the user's, at most limit bytes of it, in
// the folder. Where there was more, the error is errTooMuch.
func run(ctx context.Context, folder, path string, env []string, limit int, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, commandTime, fmt.Errorf("it took longer than %v", commandTime))
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = folder
	cmd.Env = env
	cmd.WaitDelay = time.Second
	hide(cmd)
	out := &bounded{limit: limit, full: cancel}
	complaint := &bounded{limit: 4 << 10, full: func() {}}
	cmd.Stdout, cmd.Stderr = out, complaint
	err := cmd.Run()
	switch {
	case out.over:
		return out.buf.Bytes(), errTooMuch
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil && complaint.buf.Len() > 0:
		return out.buf.Bytes(), fmt.Errorf("%w: %s", err, clip(strings.TrimSpace(complaint.buf.String()), maxLine))
	}
	return out.buf.Bytes(), err
}

// bounded keeps the first bytes of what is written.
type bounded struct {
	buf   bytes.Buffer
	limit int
	full  func() // called when more comes
	over  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	room := b.limit - b.buf.Len()
	b.buf.Write(p[:min(room, len(p))])
	if len(p) > room && !b.over {
		b.over = true
		b.full()
	}
	return len(p), nil
}

// kept are the variables that programs get: what they need to run and to find
// the user's own configuration, and no secret.
var kept = []string{
	"HOME", "USER", "LOGNAME", "TMPDIR", "XDG_CONFIG_HOME",
	"USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "SYSTEMROOT", "SYSTEMDRIVE", "TEMP", "TMP", "PATHEXT",
}

// environment is what programs run with.
func (b *Box) environment(more ...string) []string {
	env := []string{"PATH=" + b.cfg.LoginPath(), "LC_ALL=C"}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		if slices.Contains(kept, name) {
			env = append(env, v)
		}
	}
	return append(env, more...)
}

// program is where a program is on the user's PATH, "" where it is not. A
// program in the chat's folder does not count: what an agent or a repository
// put there is not the user's.
func (b *Box) program(folder, name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(b.cfg.LoginPath()) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0 {
			continue
		}
		if place, err := workspace.Locate(folder, path); err == nil && !place.Inside {
			return path
		}
	}
	return ""
}
