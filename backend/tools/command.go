package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// commandTime is the time limit for a program.
const commandTime = 20 * time.Second

// errTooMuch means that a program was stopped because its output exceeded the limit.
var errTooMuch = errors.New("its output is longer than that")

// run runs the program at path in the given folder, for at most commandTime, and returns at most limit bytes of its
// output. If there was more output, the error is errTooMuch.
func run(ctx context.Context, folder, path string, env []string, limit int, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, commandTime, fmt.Errorf("it took longer than %v", commandTime))
	defer cancel()
	cmd := workspace.Command(ctx, folder, path, env, args...)
	out := &limitedBuffer{limit: limit, full: cancel}
	complaint := &limitedBuffer{limit: 4 << 10, full: func() {}}
	cmd.Stdout, cmd.Stderr = out, complaint
	err := cmd.Run()
	switch {
	case out.over:
		return out.buf.Bytes(), errTooMuch
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil && complaint.buf.Len() > 0:
		return out.buf.Bytes(), fmt.Errorf("%w: %s", err, excerpt.Head(strings.TrimSpace(complaint.buf.String()), maxLine))
	}
	return out.buf.Bytes(), err
}

// limitedBuffer stores the bytes that are written to it, up to its limit, and drops the rest.
type limitedBuffer struct {
	buf   bytes.Buffer
	limit int
	full  func() // called when the first byte is dropped
	over  bool
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	room := b.limit - b.buf.Len()
	b.buf.Write(p[:min(room, len(p))])
	if len(p) > room && !b.over {
		b.over = true
		b.full()
	}
	return len(p), nil
}

// environment returns the environment of the programs that tools run.
func (r *Registry) environment() []string { return workspace.Environment(r.cfg.LoginPath()) }

// program returns the path of the program with the given name on the user's PATH, or "" if it isn't found. It ignores
// programs in the chat's folder.
func (r *Registry) program(folder, name string) string {
	return workspace.Program(folder, r.cfg.LoginPath(), name)
}
