package sandbox

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sandbox/inside"
)

// checkTime is the time limit for a test of the sandbox.
const checkTime = 20 * time.Second

// Check tests the sandbox with commands that try to escape it. The returned status reports whether the sandbox can be
// offered. It contains no Sites.
func (s *Sandbox) Check(ctx context.Context) backend.SandboxStatus {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	status := backend.SandboxStatus{State: backend.SandboxUnavailable, Hidden: DefaultHidden}
	if inside.Landlock() > 0 {
		status.State = backend.SandboxLimited
	}
	bwrap := program(s.cfg.Path, "", "bwrap")
	if bwrap == "" {
		status.Problem, status.Fix = backend.Say("The sandbox needs bubblewrap, which isn't installed."), installFix()
		return status
	}
	out, err := groupCommand(ctx, bwrap, "--version").Output()
	status.Program = strings.TrimSpace(string(out))
	if err != nil || status.Program == "" {
		status.Problem = backend.Say("The sandbox needs bubblewrap, but %s won't start.", bwrap)
		return status
	}
	args := []string{"--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "--", "/bin/sh", "-c", ":"}
	if out, err := groupCommand(ctx, bwrap, args...).CombinedOutput(); err != nil {
		s.cfg.Log.Info("bubblewrap failed", "err", err, "output", string(out))
		status.Problem, status.Fix = namespaceProblem()
		return status
	}
	escapes, err := s.tryEscapes(ctx)
	switch {
	case err != nil:
		s.cfg.Log.Warn("the test of the sandbox failed", "err", err)
		status.Problem = backend.Say("Couldn't test the sandbox. See the log in Settings > Doctor.")
	case len(escapes) > 0:
		s.cfg.Log.Warn("the sandbox doesn't hold", "escapes", escapes)
		status.Problem = backend.Say("The sandbox isn't safe on this computer: a test command was able to escape it. See the log in Settings > Doctor.")
	default:
		status.State, status.Limits = backend.SandboxReady, limits()
	}
	return status
}

// groupCommand returns a command that is killed together with its child processes when ctx is canceled. If only
// bubblewrap were killed, a child process that it has just started could outlive it.
func groupCommand(ctx context.Context, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	return cmd
}

// limits returns descriptions of what the sandbox can't prevent on this computer.
func limits() []backend.Message {
	all := []backend.Message{
		backend.Say("Commands can change files in the folder that you or other programs run later, such as scripts and build files."),
		backend.Say("Commands can create a Git repository in a subfolder. If you then use Git in that subfolder, the repository's configuration can run programs outside the sandbox."),
	}
	version := inside.Landlock()
	if version < inside.VersionScopes {
		all = append(all, backend.Say("With full network access, commands can connect to programs on your desktop because the kernel is older than 6.12 or lacks Landlock."))
	}
	if version < inside.VersionUnix {
		all = append(all, backend.Say("While a command runs, it can connect to sockets that other programs create. Sockets in the system's socket folders are protected."))
	}
	if !inside.Filters() {
		all = append(all, backend.Say("Commands can create user namespaces, which makes kernel vulnerabilities easier to exploit."))
	}
	if os.Geteuid() == 0 {
		all = append(all, backend.Say("VoxPilot is running as root, so the sandbox offers less protection against kernel vulnerabilities."))
	}
	return all
}

// installFix returns the command with which the user can install bubblewrap, or "" if the package manager is unknown.
func installFix() string {
	for _, manager := range []struct{ program, command string }{
		{"apt-get", "sudo apt install bubblewrap"}, {"dnf", "sudo dnf install bubblewrap"}, {"pacman", "sudo pacman -S bubblewrap"}, {"zypper", "sudo zypper install bubblewrap"}, {"apk", "sudo apk add bubblewrap"},
	} {
		if program("/usr/bin:/sbin:/usr/sbin", "", manager.program) != "" {
			return manager.command
		}
	}
	return ""
}

// namespaceProblem returns the reason why bubblewrap can't create a sandbox and the command that fixes the problem. If
// the system's settings don't reveal the reason, it returns a general message and "".
func namespaceProblem() (backend.Message, string) {
	for _, setting := range []struct{ file, bad, fix string }{
		{"/proc/sys/user/max_user_namespaces", "0", "sudo sysctl -w user.max_user_namespaces=15000"},
		{"/proc/sys/kernel/unprivileged_userns_clone", "0", "sudo sysctl -w kernel.unprivileged_userns_clone=1"},
	} {
		if value, err := os.ReadFile(setting.file); err == nil && strings.TrimSpace(string(value)) == setting.bad {
			return backend.Say("This system doesn't allow user namespaces, which the sandbox needs."), setting.fix
		}
	}
	if value, err := os.ReadFile("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"); err == nil && strings.TrimSpace(string(value)) == "1" {
		return backend.Say("AppArmor doesn't allow bubblewrap to create user namespaces, which the sandbox needs."),
			"sudo apt install apparmor-profiles && sudo cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo systemctl reload apparmor"
	}
	return backend.Say("bubblewrap can't create a sandbox on this system. This can happen if VoxPilot itself runs in a container."), ""
}

// canaries is a script that tries to escape the sandbox. It has three arguments: the folder with the files that
// tryEscapes creates, the port of a local server, and a mark by which tryEscapes recognizes a process that the script
// leaves running.
const canaries = `cd "$1/folder" || exit 9
( echo x > "$1/outside/new"; echo x >> "$1/outside/file"; echo x > locked/file; mkdir -p missing/file; mv held moved && mkdir -p held/locked && echo x > held/locked/file ) 2>/dev/null
cat "$1/hidden/secret" "$1/hidden-file" 2>/dev/null
cat /proc/[0-9]*/environ 2>/dev/null | tr '\0' '\n'
( exec 9<>"/dev/tcp/127.0.0.1/$2" && echo x >&9 ) 2>/dev/null
( trap '' HUP TERM; setsid bash -c "sleep 300; : $3" & ) >/dev/null 2>&1
echo x > written && echo ran`

// tryEscapes runs canaries and returns the names of the successful escapes. It returns an error if the script
// didn't run.
func (s *Sandbox) tryEscapes(ctx context.Context) (escapes []string, err error) {
	base, err := os.MkdirTemp(s.cfg.Dir, "check-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.unparkAll(), removeAll(base)) }()
	secret, mark := "secret-"+rand.Text(), "mark-"+rand.Text()
	at := func(name string) string { return filepath.Join(base, filepath.FromSlash(name)) }
	for _, dir := range []string{"folder/locked", "folder/held/locked", "outside", "hidden"} {
		err = errors.Join(err, os.MkdirAll(at(dir), 0o700))
	}
	for _, file := range []string{"outside/file", "hidden/secret", "hidden-file", "folder/locked/file", "folder/held/locked/file"} {
		err = errors.Join(err, os.WriteFile(at(file), []byte(secret), 0o600))
	}
	port, connected, stop, listenErr := listen(ctx)
	if err = errors.Join(err, listenErr); err != nil {
		return nil, err
	}
	defer stop()
	ended := make(chan struct{})
	r, err := s.Command(ctx, Policy{
		Folder: at("folder"), Temp: true, Hidden: []string{at("hidden"), at("hidden-file")}, Protected: []string{at("folder/locked"), at("folder/missing/file"), at("folder/held/locked")},
		Env: []string{"PATH=" + s.cfg.Path, "CANARY_TOKEN=" + secret}, Network: backend.NetworkOff,
	}, "set -- "+quote(base)+" "+port+" "+mark+"\n"+canaries, func() { close(ended) })
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program(s.cfg.Path, "", "bash"), "-c", r.Shell)
	cmd.Env = []string{"PATH=" + s.cfg.Path, "CANARY_TOKEN=" + secret}
	cmd.Dir = at("folder")
	cmd.WaitDelay = time.Second
	out, runErr := cmd.CombinedOutput()
	s.Discard(r.ID)
	select {
	case <-ended:
	case <-ctx.Done():
		return nil, errors.Join(runErr, context.Cause(ctx))
	}
	if written, err := os.ReadFile(at("folder/written")); err != nil || string(written) != "x\n" || !bytes.Contains(out, []byte("ran")) {
		return nil, fmt.Errorf("%w: %s", errors.Join(runErr, errors.New("the command didn't run")), strings.TrimSpace(string(out)))
	}
	found := func(is bool, what string) {
		if is {
			escapes = append(escapes, what)
		}
	}
	unchanged := func(name string) bool {
		text, err := os.ReadFile(at(name))
		return err == nil && string(text) == secret
	}
	found(exists(at("outside/new")) || !unchanged("outside/file"), "write outside the folder")
	found(!unchanged("folder/locked/file"), "write protected files")
	found(!unchanged("folder/held/locked/file"), "move protected folders")
	found(exists(at("folder/missing")), "create protected files")
	found(bytes.Contains(out, []byte(secret)), "read secrets")
	found(connected(), "reach local ports")
	found(runs(mark), "leave processes behind")
	return escapes, nil
}

// listen starts a server on a local port. stop and connected both stop the server; connected also reports whether a
// client had connected to it.
func listen(ctx context.Context) (port string, connected func() bool, stop func(), err error) {
	server, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return "", nil, nil, err
	}
	done, got := make(chan struct{}), false
	go func() {
		defer close(done)
		if conn, err := server.Accept(); err == nil {
			got = true
			_ = conn.Close()
		}
	}()
	_, port, _ = net.SplitHostPort(server.Addr().String())
	return port, func() bool { _ = server.Close(); <-done; return got }, func() { _ = server.Close(); <-done }, nil
}

// runs reports whether the arguments of any running process contain mark.
func runs(mark string) bool {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if args, err := os.ReadFile(file); err == nil && bytes.Contains(args, []byte(mark)) {
			return true
		}
	}
	return false
}
