package hostile_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/internal/chaos"
)

// notTried are programs that aren't run because they need a server or more privileges
// than a namespace grants.
var notTried = []string{"docker", "kubectl", "gh", "sudo"}

// effect lists the effects of a line: the programs that it runs, except the rule's, the files that it reads and writes
// outside the folder, and the files that it changes in the folder.
type effect struct {
	ran, read, wrote, changed []string
}

// exceeds reports whether the effect goes beyond a rule that only allows running the program.
func (e effect) exceeds() bool { return len(e.ran)+len(e.read)+len(e.wrote) > 0 }

// TestCommands_ProgramsMatchCorpus checks that a line covered by a rule has no effect outside the folder and runs no
// other program. A line that the corpus marks as exceeding its rule must actually do so. The lines run with the real
// programs, in a namespace that has no network and in which only a project is writable.
func TestCommands_ProgramsMatchCorpus(t *testing.T) {
	if !inNamespaceOfItsOwn(t, syscall.CLONE_NEWPID|syscall.CLONE_NEWNET) {
		return
	}
	seed := chaos.Seed(t)
	random := chaos.Rand(t, seed, 0)
	var all []hostileLine
	for _, c := range commandLines {
		name := strings.Fields(c.rule)[0]
		switch {
		case c.effect != plain && c.effect != program, strings.Contains(c.rule, "*"), slices.Contains(notTried, name):
		case strings.Contains(c.rule, "go test") && !chaos.Long(): // compiles all test dependencies, which takes half a minute
		default:
			all = append(all, c)
		}
	}
	result := chaos.Row(t, "Lines run by the real programs, if installed", len(all))
	p := newProject(t)
	tried, more, absent := 0, 0, map[string]bool{}
	for _, i := range random.Perm(len(all))[:chaos.Runs(len(all)/10, len(all))] {
		c := all[i]
		if name := strings.Fields(c.rule)[0]; !p.hasProgram(name) {
			absent[name] = true
			continue
		}
		tried++
		shell := []string{"bash", "dash"}[random.IntN(2)]
		e, out := p.run(t, shell, c.line)
		switch {
		case c.effect == plain && e.exceeds():
			t.Errorf("%q is marked to do what its rule says; %s has it do %+v: %s", c.line, shell, e, out)
		case c.effect == program && !e.exceeds() && len(e.changed) == 0:
			t.Errorf("%q is marked to do more than its rule says; %s has it do nothing: %s", c.line, shell, out)
		case c.effect == program:
			more++
		}
	}
	result("%d tried: %d did more than the rule covers, none of them allowed by it; %d did not", tried, more, tried-more)
	if !chaos.Long() && tried < 10 || chaos.Long() && tried < 200 {
		t.Errorf("got %d lines tried, which is no test; not installed: %v", tried, slices.Sorted(maps.Keys(absent)))
	}
}

// project is a root directory that contains the system's programs, which are read-only, and a project in /code/app,
// which is recreated for each line.
type project struct {
	root, template string
}

// looked lists the folders that are recreated before each line runs and checked afterward.
var looked = []string{"code", "home", "etc"}

// canary is a program that records that it was run.
const canary = "#!/bin/dash\necho \"$0\" >> /log/ran\nexit 0\n"

// newProject mounts the root directory and creates the original files that are copied for each line.
func newProject(t *testing.T) *project {
	t.Helper()
	p := &project{root: t.TempDir(), template: t.TempDir()}
	noErr(t, syscall.Mount("tmpfs", p.root, "tmpfs", syscall.MS_STRICTATIME, "")) // records access times
	t.Cleanup(func() { noErr(t, syscall.Unmount(p.root, syscall.MNT_DETACH)) })
	for _, dir := range []string{"usr", "proc", "dev", "tmp", "log", "canary", "etc-alternatives"} {
		noErr(t, os.MkdirAll(filepath.Join(p.root, dir), 0o755))
	}
	mount := func(from, to string, more uintptr) {
		t.Helper()
		noErr(t, syscall.Mount(from, to, "", syscall.MS_BIND|more, ""))
		t.Cleanup(func() { noErr(t, syscall.Unmount(to, syscall.MNT_DETACH)) })
	}
	locked := func(from, to string) {
		t.Helper()
		mount(from, to, 0)
		var was syscall.Statfs_t
		noErr(t, syscall.Statfs(to, &was))
		keep := uintptr(was.Flags) & (syscall.MS_NOSUID | syscall.MS_NODEV | syscall.MS_NOEXEC | syscall.MS_NOATIME | syscall.MS_RELATIME)
		noErr(t, syscall.Mount("", to, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY|keep, ""))
		if err := os.WriteFile(filepath.Join(to, "hostile"), nil, 0o600); !errors.Is(err, syscall.EROFS) {
			t.Fatalf("%s can be written: %v", to, err)
		}
	}
	locked("/usr", filepath.Join(p.root, "usr"))
	if _, err := os.Stat("/etc/alternatives"); err == nil {
		locked("/etc/alternatives", filepath.Join(p.root, "etc-alternatives"))
	}
	for _, dir := range []string{"bin", "sbin", "lib", "lib64"} {
		if to, err := os.Readlink("/" + dir); err == nil {
			noErr(t, os.Symlink(to, filepath.Join(p.root, dir)))
		} else if _, err := os.Stat("/" + dir); err == nil {
			noErr(t, os.Mkdir(filepath.Join(p.root, dir), 0o755))
			locked("/"+dir, filepath.Join(p.root, dir))
		}
	}
	for _, name := range []string{"null", "zero", "urandom"} {
		to := filepath.Join(p.root, "dev", name)
		noErr(t, os.WriteFile(to, nil, 0o600))
		mount("/dev/"+name, to, 0)
	}
	noErr(t, os.Symlink("/proc/self/fd", filepath.Join(p.root, "dev/fd")))
	noErr(t, syscall.Mount("proc", filepath.Join(p.root, "proc"), "proc", 0, ""))
	t.Cleanup(func() { noErr(t, syscall.Unmount(filepath.Join(p.root, "proc"), syscall.MNT_DETACH)) })
	for _, name := range []string{"id", "less", "vi", "editor", "git-evil", "git-config-x", "cargo-evil", "evil"} {
		noErr(t, os.WriteFile(filepath.Join(p.root, "canary", name), []byte(canary), 0o755)) //nolint:gosec // must be executable
	}
	if path, err := exec.LookPath("/usr/bin/python3"); err == nil {
		noErr(t, os.Symlink(path, filepath.Join(p.root, "canary/python")))
	}
	p.fill(t)
	return p
}

// hasProgram reports whether the program is installed in a folder visible in the namespace.
func (p *project) hasProgram(name string) bool {
	for _, dir := range strings.Split(programPath, ":") {
		if info, err := os.Stat(filepath.Join(p.root, dir, name)); err == nil && !info.IsDir() {
			return true
		}
	}
	_, err := os.Lstat(filepath.Join(p.root, "canary", name))
	return err == nil && name == "python"
}

const programPath = "/usr/local/go/bin:/usr/bin:/bin"

// renew restores the project's original state.
func (p *project) renew(t *testing.T) {
	t.Helper()
	for _, dir := range looked {
		noErr(t, os.RemoveAll(filepath.Join(p.root, dir)))
		noErr(t, os.CopyFS(filepath.Join(p.root, dir), os.DirFS(filepath.Join(p.template, dir))))
	}
	noErr(t, os.Symlink("/etc-alternatives", filepath.Join(p.root, "etc/alternatives")))
	noErr(t, os.MkdirAll(filepath.Join(p.root, "log"), 0o755))
	noErr(t, os.WriteFile(filepath.Join(p.root, "log/ran"), nil, 0o600))
}

// run runs the line in a shell and returns the line's effect and output.
func (p *project) run(t *testing.T, shell, line string) (e effect, said string) {
	t.Helper()
	p.renew(t)
	before := p.state(t)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "/bin/"+shell, "-c", line)
	cmd.Dir = "/code/app"
	cmd.Env = []string{
		"PATH=/canary:" + programPath, "HOME=/home/me", "LC_ALL=C.UTF-8", "TMPDIR=/tmp", "EDITOR=vi", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
		"GOCACHE=/tmp/go", "GOPATH=/tmp/gopath", "GOTOOLCHAIN=local", "GOPROXY=off", "GOFLAGS=-buildvcs=false", "CGO_ENABLED=0", "npm_config_cache=/tmp/npm", "npm_config_update_notifier=false", "npm_config_fetch_retries=0",
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: p.root}
	out, err := os.CreateTemp(p.template, "out")
	noErr(t, err)
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	err = cmd.Run()
	_ = syscall.Kill(-1, syscall.SIGKILL) // kills leftovers: everything in the namespace except this process
	text, _ := os.ReadFile(out.Name())
	said = fmt.Sprintf("%v %.600s", err, text)
	after := p.state(t)
	ran, err := os.ReadFile(filepath.Join(p.root, "log/ran"))
	noErr(t, err)
	e.ran = strings.Fields(string(ran))
	for name := range after {
		if _, ok := before[name]; !ok {
			before[name] = fileState{}
		}
	}
	for name, was := range before {
		is := after[name]
		inside := strings.HasPrefix(name, "code/app/") || name == "code/app"
		switch {
		case inside && strings.HasPrefix(name, "code/app/.git/") && !strings.HasPrefix(name, "code/app/.git/config") && !strings.HasPrefix(name, "code/app/.git/hooks"):
		case is.content != was.content && inside:
			e.changed = append(e.changed, name)
		case is.content != was.content:
			e.wrote = append(e.wrote, name)
		case is.read.After(longAgo) && !inside:
			e.read = append(e.read, name)
		}
	}
	for _, list := range [][]string{e.read, e.wrote, e.changed} {
		slices.Sort(list)
	}
	return e, said
}

// fileState is the observed state of a file.
type fileState struct {
	content string
	read    time.Time
}

// longAgo is the access time that every file gets before a line runs.
var longAgo = time.Unix(1_000_000_000, 0)

// state returns the state of all files by name, and resets their access times.
func (p *project) state(t *testing.T) map[string]fileState {
	t.Helper()
	all := map[string]fileState{}
	read := func(path string) time.Time {
		info, err := os.Lstat(path)
		if err != nil {
			return time.Time{}
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		if !ok {
			t.Fatalf("%s: when it was read is not known", path)
		}
		return time.Unix(stat.Atim.Sec, stat.Atim.Nsec)
	}
	var visit func(name string)
	visit = func(name string) {
		path := filepath.Join(p.root, name)
		info, err := os.Lstat(path)
		noErr(t, err)
		seen := fileState{content: fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano()), read: read(path)}
		if info.Mode()&fs.ModeSymlink != 0 || name == "etc/nsswitch.conf" {
			seen.read = time.Time{}
		}
		if info.IsDir() && name == "home/me/.config/go/telemetry" {
			return // Go's own counters
		}
		if info.IsDir() {
			seen.content = "folder"
			entries, err := os.ReadDir(path)
			noErr(t, err)
			for _, e := range entries {
				visit(filepath.Join(name, e.Name()))
			}
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			noErr(t, os.Chtimes(path, longAgo, info.ModTime()))
		}
		all[name] = seen
	}
	for _, dir := range looked {
		visit(dir)
	}
	all["/"] = fileState{read: read(p.root)}
	noErr(t, os.Chtimes(p.root, longAgo, longAgo))
	return all
}
