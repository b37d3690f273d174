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
	"strconv"
	"strings"

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
		if configured.off[event] {
			continue
		}
		for _, name := range configured.byEvent[event] {
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

// The versions of git from which on it runs the hooks in its configuration, and heeds hook.<event>.enabled.
var (
	configuredSince = [2]int{2, 54}
	switchSince     = [2]int{2, 55}
)

// configuredHooks holds the hooks that are defined in git's configuration (hook.<name>.command and hook.<name>.event).
type configuredHooks struct {
	byEvent map[string][]string // names of the enabled hooks by event, in the order in which git runs them
	off     map[string]bool     // events for which git runs no hook at all (hook.<event>.enabled)
}

// configuredHooks reads the hooks in git's configuration. The result is empty if git is too old to run them.
func (r *repo) configuredHooks(ctx context.Context) configuredHooks {
	out, err := r.read(ctx, "", nil, "config", "--null", "--get-regexp", `^hook\..+\.(command|event|enabled|parallel)$`)
	if err != nil || len(out) == 0 { // the exit code is 1 if there are none
		return configuredHooks{}
	}
	version := versionIn(r.line(ctx, "version"))
	if slices.Compare(version[:], configuredSince[:]) < 0 {
		return configuredHooks{}
	}
	hooks := hooksIn(string(out))
	if slices.Compare(version[:], switchSince[:]) < 0 {
		hooks.off = nil
	}
	return hooks
}

// versionIn returns the first two numbers in the output of git version, such as "git version 2.54.0.windows.1".
func versionIn(line string) (version [2]int) {
	numbers := strings.SplitN(strings.TrimPrefix(line, "git version "), ".", 3)
	for i := range min(len(numbers), len(version)) {
		version[i], _ = strconv.Atoi(numbers[i])
	}
	return version
}

// hooksIn reads hooks from the output of git config --null --get-regexp, with the rules of git's own hook.c: an empty
// event removes the earlier events of a hook, an event that is repeated moves the hook to the end, and the last value
// of enabled holds.
func hooksIn(config string) configuredHooks {
	res := configuredHooks{byEvent: map[string][]string{}, off: map[string]bool{}}
	known, commands, disabled := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for setting := range strings.SplitSeq(config, "\x00") {
		key, value, hasValue := strings.Cut(setting, "\n")
		key = strings.TrimPrefix(key, "hook.")
		dot := strings.LastIndexByte(key, '.')
		if dot < 0 || !hasValue {
			continue
		}
		name := key[:dot]
		remove := func(event string) {
			res.byEvent[event] = slices.DeleteFunc(res.byEvent[event], func(each string) bool { return each == name })
		}
		switch key[dot+1:] {
		case "command":
			known[name], commands[name] = true, true
		case "parallel":
			known[name] = true
		case "event":
			if value == "" {
				for event := range res.byEvent {
					remove(event)
				}
				continue
			}
			known[name] = true
			remove(value)
			res.byEvent[value] = append(res.byEvent[value], name)
		case "enabled":
			switch strings.ToLower(value) {
			case "false", "no", "off", "0", "":
				disabled[name] = true
			case "true", "yes", "on", "1":
				delete(disabled, name)
			}
		}
	}
	for event, names := range res.byEvent {
		// Git fails on a hook without a command.
		res.byEvent[event] = slices.DeleteFunc(names, func(name string) bool { return disabled[name] || !commands[name] })
	}
	for name := range disabled {
		res.off[name] = !known[name]
	}
	return res
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
