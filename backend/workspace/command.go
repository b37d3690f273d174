package workspace

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Program returns the path of a program, or "" if it isn't found. It looks for the program in the folders listed in
// path, which is the user's PATH. Programs in the chat's folder are ignored, since an agent or a repository may have
// put them there.
func Program(folder, path, name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, name)
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0 {
			continue
		}
		if place, err := Locate(folder, file); err == nil && !place.Inside {
			return file
		}
	}
	return ""
}

// passedVariables are the environment variables that are passed on to programs. Programs need them to run and
// to find the user's configuration; none of them is a secret.
var passedVariables = []string{
	"HOME", "USER", "LOGNAME", "TMPDIR", "XDG_CONFIG_HOME",
	"USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "SYSTEMROOT", "SYSTEMDRIVE", "TEMP", "TMP", "PATHEXT",
	"NODEFAULTCURRENTDIRECTORYINEXEPATH",
}

// Environment returns the environment for programs that inspect a chat's folder: PATH with the given value, LC_ALL=C,
// the variables listed in passedVariables, and any additional ones.
func Environment(path string, more ...string) []string {
	env := []string{"PATH=" + path, "LC_ALL=C"}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		if slices.Contains(passedVariables, name) {
			env = append(env, v)
		}
	}
	return append(env, more...)
}

// GitEnvironment returns the environment for read-only git commands.
func GitEnvironment(path string) []string {
	return Environment(path, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
}

// GitOptions returns the options for every git command that inspects a chat's folder. They prevent programs named in
// the repository's configuration from running, except filters (FiltersOff): the user trusts the folder as a working
// directory, but not the contents of its .git. Together with GIT_OPTIONAL_LOCKS, they also keep git diff from writing
// the index, which would run the hooks in the configuration of Git 2.54 and later. Commands that show differences
// need more options.
func GitOptions() []string {
	return []string{
		"--no-pager", "--literal-pathspecs",
		"-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=" + os.DevNull,
		"-c", "core.quotePath=false",
		"-c", "core.pager=cat",
		"-c", "log.showSignature=false",
		"-c", "color.ui=false",
		"-c", "diff.autoRefreshIndex=false",
		"-c", "diff.noprefix=false",
		"-c", "diff.mnemonicPrefix=false",
		"-c", "safe.bareRepository=explicit",
	}
}

// Command returns a command that runs a program in the given folder without opening a window. The
// program is killed when ctx ends.
func Command(ctx context.Context, folder, program string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = folder
	cmd.Env = env
	cmd.WaitDelay = time.Second
	hide(cmd)
	return cmd
}

// FiltersOff returns the git options that disable the filters named in the repository's own configuration.
// The user's own filters, such as Git LFS, stay enabled. FiltersOff requires git 2.26, and returns a
// FilterError if a filter can't be disabled.
func FiltersOff(ctx context.Context, folder, program string, env []string) ([]string, error) {
	args := append(GitOptions(), "config", "--null", "--show-scope", "--name-only", "--list")
	out, err := Command(ctx, folder, program, env, args...).Output()
	if err != nil {
		return nil, errors.Join(ctx.Err(), err)
	}
	var options []string
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		scope, name := fields[i], fields[i+1]
		filter, is := strings.CutPrefix(name, "filter.")
		dot := strings.LastIndexByte(filter, '.')
		if !is || dot < 0 || scope == "system" || scope == "global" || scope == "command" {
			continue
		}
		if strings.ContainsRune(name, '=') {
			return nil, FilterError{Name: filter[:dot]}
		}
		for _, what := range []string{"clean", "smudge", "process", "required"} {
			if option := "filter." + filter[:dot] + "." + what + "="; !slices.Contains(options, option) {
				options = append(options, "-c", option)
			}
		}
	}
	return options, nil
}

// FilterError reports a git filter that no option can disable, because its name contains "=".
type FilterError struct{ Name string }

func (e FilterError) Error() string {
	return "filter: " + e.Name
}
