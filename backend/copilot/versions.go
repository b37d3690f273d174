package copilot

import (
	"context"
	"fmt"
	"os"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// Versions remembers whether programs are Copilot CLIs that VoxPilot can use. The zero value is ready to
// use. It is safe for concurrent use.
type Versions struct {
	mu     sync.Mutex
	usable map[string]bool // by path and version of the file
}

// IsUsable reports whether the program at path is a Copilot CLI that VoxPilot can use. It runs the
// program on the first call and again if the file has changed. It returns false if ctx ends first. login
// is as in Find.
func (v *Versions) IsUsable(ctx context.Context, path string, login func(context.Context) []string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	key := fmt.Sprint(path, info.Size(), info.ModTime().UnixNano())
	v.mu.Lock()
	usable, known := v.usable[key]
	v.mu.Unlock()
	if known {
		return usable
	}
	usable = Find(ctx, path, login).State == backend.CLIFound
	if ctx.Err() != nil {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.usable == nil {
		v.usable = map[string]bool{}
	}
	v.usable[key] = usable
	return usable
}
