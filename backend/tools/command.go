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

// commandTime bounds each run of a program.
const commandTime = 20 * time.Second

// errTooMuch is why a program was ended that wrote more than was wanted.
var errTooMuch = errors.New("its output is longer than that")

// run is the output of a program of the user's, at most limit bytes of it, in
// the folder. Where there was more, the error is errTooMuch.
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

// limitedBuffer keeps the first bytes of what is written.
type limitedBuffer struct {
	buf   bytes.Buffer
	limit int
	full  func() // called when more comes
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

// environment is what programs run with.
func (r *Registry) environment() []string { return workspace.Environment(r.cfg.LoginPath()) }

// program is where a program of the user's is, "" where it is not.
func (r *Registry) program(folder, name string) string {
	return workspace.Program(folder, r.cfg.LoginPath(), name)
}
