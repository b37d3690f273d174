package repository

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend/repository/hookconfig"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// indexHook is the name of the hook that git runs whenever it has changed an index. Git ignores its exit code.
const indexHook = "post-index-change"

// commitHooks returns the names of the hooks that git runs for a commit, in order. The first hook can run several
// times. pre-auto-gc runs only if git cleans up the repository after the commit.
func commitHooks(amend bool) []string {
	hooks := []string{indexHook, "pre-commit", "prepare-commit-msg", "commit-msg", "reference-transaction", "pre-auto-gc", "post-commit"}
	if amend {
		hooks = append(hooks, "post-rewrite")
	}
	return hooks
}

// hooks looks for the hooks of the given events. It returns those that git would run, in the order in which git runs
// them: "pre-commit" for a file in the hooks folder, and "pre-commit (lint)" for the hook "lint" in git's configuration.
func (r *repo) hooks(ctx context.Context, events []string) (found []string) {
	configured := r.configuredHooks(ctx)
	files := r.hookFiles(ctx, events)
	for _, event := range events {
		if configured.Off[event] {
			continue
		}
		for _, name := range configured.ByEvent[event] {
			found = append(found, event+" ("+excerpt.Head(name, maxHookName)+")")
		}
		if slices.Contains(files, event) {
			found = append(found, event)
		}
	}
	return found
}

// maxHookName is the maximum length in bytes of the name of a configured hook.
const maxHookName = 60

// hookFiles returns the names of the files in the hooks folder that git would run for the given events.
func (r *repo) hookFiles(ctx context.Context, events []string) (found []string) {
	// GitOptions would set another folder for hooks. Without them, this command also runs no program.
	out, err := r.readWith(ctx, []string{"-c", "core.fsmonitor=false"}, "", nil, "rev-parse", "--git-path", "hooks")
	if err != nil {
		return nil
	}
	dir := filepath.FromSlash(strings.TrimRight(string(out), "\r\n"))
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.Root, dir)
	}
	for _, name := range events {
		files := []string{name}
		if runtime.GOOS == "windows" {
			files = append(files, name+".exe")
		}
		if slices.ContainsFunc(files, func(file string) bool {
			info, err := os.Stat(filepath.Join(dir, file))
			return err == nil && info.Mode().IsRegular() && isExecutable(info.Mode())
		}) {
			found = append(found, name)
		}
	}
	return found
}

// configuredHooks reads the hooks in git's configuration. The result is empty if git is too old to run them.
func (r *repo) configuredHooks(ctx context.Context) hookconfig.Hooks {
	out, err := r.read(ctx, "", nil, "config", "--null", "--get-regexp", hookconfig.Keys)
	if err != nil || len(out) == 0 { // the exit code is 1 if there are none
		return hookconfig.Hooks{}
	}
	return hookconfig.Parse(string(out), r.line(ctx, "version"))
}

// failedHook returns the name of the hook that made git fail, or "" if none did. trace is the path of the file to which
// git wrote its trace (GIT_TRACE2_EVENT).
func failedHook(trace string) string {
	file, err := os.Open(trace)
	if err != nil {
		return ""
	}
	defer file.Close()
	running := map[int]string{} // hooks by child ID
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e struct {
			Event string `json:"event"`
			SID   string `json:"sid"`
			Child int    `json:"child_id"`
			Class string `json:"child_class"`
			Hook  string `json:"hook_name"`
			Code  int    `json:"code"`
		}
		if json.Unmarshal(lines.Bytes(), &e) != nil || strings.Contains(e.SID, "/") { // the event is from a git command that a hook runs
			continue
		}
		switch {
		case e.Event == "child_start" && e.Class == "hook":
			if name := path.Base(filepath.ToSlash(e.Hook)); name != indexHook {
				running[e.Child] = name
			}
		case e.Event == "child_exit" && e.Code != 0 && running[e.Child] != "":
			return running[e.Child]
		}
	}
	return ""
}
