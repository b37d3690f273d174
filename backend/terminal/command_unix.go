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

// command returns the command for spec, in a new session without a terminal so that it
// can't prompt for a password.
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
	cmd := exec.Command(argv[0], argv[1:]...) //nolint:noctx // stopped by Kill
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	process.DieWithParent(cmd.SysProcAttr)
	return cmd, nil
}

// isLine reports whether a command without arguments is a shell command line rather
// than just a program name.
func isLine(command, dir string) bool {
	if !strings.ContainsAny(command, " \t\n;&|<>()$`\\\"'*?[]#~=%!{}") {
		return false
	}
	return !filepath.IsAbs(command) || !isProgram(command)
}

// shell returns the user's shell if it is POSIX-compatible, or else /bin/sh.
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

// find returns the path of the program called name. It resolves a relative path against dir, and searches the
// PATH in env for a name without a slash. It returns errNoProgram if there is no such program.
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

// lookup returns the value of the variable called name in env, or "" if there is none. If
// there are several, the last one wins.
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

// maxDrained is the maximum number of bytes that drain reads, because a child process may keep writing.
const maxDrained = 1 << 20

// drain reads the output that the pipe contains, without waiting for more.
func (t *Terminal) drain() {
	pipe, err := t.out.SyscallConn()
	if err != nil {
		return
	}
	buf := make([]byte, 64<<10)
	_ = pipe.Read(func(fd uintptr) bool {
		for range maxDrained / len(buf) {
			n, err := unix.Read(int(fd), buf)
			if n <= 0 && err != unix.EINTR {
				break
			}
			_, _ = t.Write(buf[:max(n, 0)])
		}
		return true
	})
}
