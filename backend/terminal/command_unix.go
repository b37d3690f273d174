//go:build unix

package terminal

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/process"
)

// command is the command of spec in a session of its own: it has no terminal
// that a question for a password could come up in.
func command(spec Spec, env, through []string) (*exec.Cmd, error) {
	argv := append([]string{spec.Command}, spec.Args...)
	if len(spec.Args) == 0 && isLine(spec.Command, spec.Dir) {
		argv = []string{shell(env), "-c", spec.Command}
	}
	path, err := find(argv[0], spec.Dir, env)
	if err != nil {
		return nil, &backend.Error{Code: backend.CodeInvalid, Message: backend.Plain(fmt.Sprintf("Couldn't start the command: %v: %s.", err, argv[0]))}
	}
	argv = slices.Concat(through, []string{path}, argv[1:])
	cmd := exec.Command(argv[0], argv[1:]...) //nolint:noctx // it ends by Kill, not by a context
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	process.DieWithParent(cmd.SysProcAttr)
	return cmd, nil
}

// isLine says whether a command without arguments is more than the name of a
// program.
func isLine(command, dir string) bool {
	if !strings.ContainsAny(command, " \t\n;&|<>()$`\\\"'*?[]#~=%!{}") {
		return false
	}
	return !filepath.IsAbs(command) || !isProgram(command)
}

// shell is the user's, where it understands what any shell does.
func shell(env []string) string {
	path := lookup(env, "SHELL")
	switch filepath.Base(path) {
	case "bash", "zsh", "sh", "dash", "ksh":
		if filepath.IsAbs(path) && isProgram(path) {
			return path
		}
	}
	return "/bin/sh"
}

// find is where the program is, by the command's own PATH.
func find(name, dir string, env []string) (string, error) {
	if strings.Contains(name, "/") {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if isProgram(name) {
			return name, nil
		}
		return "", errNoProgram
	}
	for _, d := range filepath.SplitList(lookup(env, "PATH")) {
		if path := filepath.Join(d, name); filepath.IsAbs(path) && isProgram(path) {
			return path, nil
		}
	}
	return "", errNoProgram
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// lookup is the value of a variable; the last one counts.
func lookup(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if v, is := strings.CutPrefix(kv, name+"="); is {
			return v
		}
	}
	return ""
}

func signalOf(s *os.ProcessState) string {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return unix.SignalName(ws.Signal())
	}
	return ""
}
