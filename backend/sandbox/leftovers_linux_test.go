package sandbox

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend/sandbox/inside"
)

func TestPoints_RemovedWithoutGit(t *testing.T) {
	w := newComputer(t)
	_, _ = w.run(w.policy, "rm -rf .git")
	if left := w.leftovers(); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	if exists(filepath.Join(w.folder, ".git/config.worktree")) {
		t.Error("a file is left")
	}
}

func TestPoints_RemovedWithoutAccess(t *testing.T) {
	for _, dir := range []string{".", ".git", ".github"} {
		w := newComputer(t)
		path := filepath.Join(w.folder, dir)
		point := filepath.Join(path, "point")
		err := os.Mkdir(point, 0o755)
		if err == nil {
			err = os.Chmod(point, 0o755|os.ModeSticky)
		}
		if err == nil {
			err = os.Chmod(path, 0)
		}
		if err != nil {
			t.Fatal(err)
		}
		restore := openUp(path)
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: got %v, %v, want access", dir, info, err)
		}
		restore()
		if err := w.s.parking.removePoint(point, &openFolder{}); err != nil {
			t.Error(err)
		}
		if info, err = os.Stat(path); err != nil || info.Mode().Perm() != 0 {
			t.Errorf("%s: got %v, %v, want the mode of the command", dir, info, err)
		}
		if err := os.Chmod(path, 0o700); err != nil { //nolint:gosec // a folder
			t.Fatal(err)
		}
		if exists(point) {
			t.Errorf("%s: a mount point is left", dir)
		}
	}
}

// TestPoints_ParkedContentReturns checks that a file created in a parked mount point appears at the mount point's
// original path later. Such a file can be created if a process still has the mount point open.
func TestPoints_ParkedContentReturns(t *testing.T) {
	w := newComputer(t)
	parked := func(name string) string {
		return filepath.Join(w.data, "sandbox", parkedDir, parkedName(filepath.Join(w.folder, name)))
	}
	create := func(dir string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "x"), []byte("of the user"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	must := func(name string) {
		t.Helper()
		info, err := os.Stat(filepath.Join(w.folder, name))
		text, readErr := os.ReadFile(filepath.Join(w.folder, name, "x"))
		if err != nil || readErr != nil || string(text) != "of the user" || info.Mode()&os.ModeSticky != 0 {
			t.Errorf("%s: got %v (%v), %q (%v)", name, info, err, text, readErr)
		}
	}
	if out, _ := w.run(w.policy, "true"); len(w.leftovers()) > 0 {
		t.Fatalf("left %v: %s", w.leftovers(), out)
	}
	create(parked(".claude"))
	w.run(w.policy, "true")
	must(".claude")
	create(parked(".vscode"))
	w.open() // as after an exit of VoxPilot
	must(".vscode")
	if names, err := os.ReadDir(filepath.Join(w.data, "sandbox", parkedDir)); err != nil || len(names) > 0 {
		t.Errorf("got %v, %v parked", names, err)
	}
	w.run(w.policy, "true")
	create(parked(".husky"))
	w.s.Close()
	must(".husky")
	if names, err := os.ReadDir(filepath.Join(w.data, "sandbox", parkedDir)); err != nil || len(names) > 0 {
		t.Errorf("got %v, %v parked", names, err)
	}
}

// TestPoints_ContentStays checks that files that another program creates in a mount point during a run aren't removed.
func TestPoints_ContentStays(t *testing.T) {
	w := newComputer(t)
	for range 3 {
		cmd, ended := w.start(w.policy, "true")
		if err := os.WriteFile(filepath.Join(w.folder, ".claude", "x"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		w.wait(ended)
		if !exists(filepath.Join(w.folder, ".claude", "x")) {
			t.Fatal("a file is gone")
		}
		if err := os.RemoveAll(filepath.Join(w.folder, ".claude")); err != nil {
			t.Fatal(err)
		}
		w.run(w.policy, "true")
	}
}

// TestMounts_SkipVanished checks that a command starts even if a socket disappears between reading the list of sockets
// and starting the sandbox.
func TestMounts_SkipVanished(t *testing.T) {
	w := newComputer(t)
	sock := filepath.Join(w.home, "short.sock")
	if _, err := syscall.Open(sock, syscall.O_CREAT|syscall.O_WRONLY, 0o600); err != nil {
		t.Fatal(err)
	}
	p := w.policy
	p.Hidden = append(p.Hidden, sock)
	cmd, ended := w.start(p, "cat ~/.ssh/id_ed25519; echo ran")
	if err := os.Remove(sock); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	w.wait(ended)
	if err != nil || !strings.HasSuffix(string(out), "ran\n") || strings.Contains(string(out), secret) {
		t.Errorf("got %v: %s", err, out)
	}
	m := &mounts{places: map[string]view{}}
	m.add("/a", view{mount: protected, from: "/a"})
	m.add("/a", view{mount: masked, optional: true})
	if m.places["/a"].optional {
		t.Error("a protected place can be skipped")
	}
}

// TestMounts_LockedDevices checks that commands run and can write to /dev/null even if /dev is read-only and the
// sandbox can't change that, as in some containers.
func TestMounts_LockedDevices(t *testing.T) {
	w := newComputer(t)
	cmd, ended := w.start(w.policy, "echo x > /dev/null && echo ran")
	line := cmd.Args[2]
	cmd.Args = []string{"bash", "-c", "exec unshare -Urm bash -c 'mount --rbind /dev /dev && mount -o remount,bind,ro /dev && exec bash -c \"$0\"' " + quote(line)}
	out, err := cmd.CombinedOutput()
	w.wait(ended)
	if err != nil || string(out) != "ran\n" {
		t.Errorf("got %v: %s", err, out)
	}
}

// TestRun_KilledEarlyLeavesNothing checks that nothing remains of a run if bubblewrap is killed very early: before it
// has asked the kernel to kill its child process when bubblewrap itself ends.
func TestRun_KilledEarlyLeavesNothing(t *testing.T) {
	for range 40 {
		w := newComputer(t)
		cmd, ended := w.start(w.policy, "exec -a killed-early sleep 300")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		w.until(func() bool {
			comm, err := os.ReadFile("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/comm")
			return err != nil || strings.HasPrefix(string(comm), "bwrap")
		})
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		w.wait(ended)
		if left := w.leftovers(); len(left) > 0 {
			t.Fatalf("left %v", left)
		}
	}
	if out, _ := exec.CommandContext(t.Context(), "pgrep", "-f", "killed-early").Output(); len(out) > 0 {
		t.Errorf("processes are left: %s", out)
	}
}

// TestRun_EndSparesNextNamespace checks that the end of a run neither ends another run nor waits for it, although the
// kernel can reuse the name of an ended PID namespace for the next one.
func TestRun_EndSparesNextNamespace(t *testing.T) {
	w := newComputer(t)
	cmd, ended := w.start(w.policy, "echo ran; cat; echo end")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("the command didn't start")
	}
	first := strconv.Itoa(childOf(cmd.Process.Pid))
	namespace, err := os.Readlink("/proc/" + first + "/ns/pid")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	waitEmpty(inside.Started + "1." + namespace + "." + first)
	waitEmpty(inside.Started + "1.pid:[1]." + first)
	if took := time.Since(start); took > endTime/2 {
		t.Errorf("waited %v for another run", took)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if !lines.Scan() || lines.Text() != "end" {
		t.Errorf("got %q, want the end of the command", lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	w.wait(ended)
}

func TestSettings_KeepOnlyPairs(t *testing.T) {
	got := string(withoutSecrets([]byte("# " + secret + "\nregistry = r\n  more\n" + secret + "\n[net]\n; " + secret + "\na = [\n  \"-C\", \"x=y\",\n]\ntoken = t\n  " + secret + "\nb = 1\n")))
	if want := "registry = r\n  more\n[net]\na = [\n  \"-C\", \"x=y\",\n]\nb = 1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRun_ReusedFolderIsEmpty checks that a finished run's folder contains none of its command's text when it is kept
// for reuse. Otherwise, some of the text would remain if the next command were shorter and overwrote only part of the
// file.
func TestRun_ReusedFolderIsEmpty(t *testing.T) {
	w := newComputer(t)
	const text = "only-in-the-first-command"
	if out, _ := w.run(w.policy, "echo "+text+strings.Repeat(" ", 2000)); out != text+"\n" {
		t.Fatalf("got %q", out)
	}
	jobs, _ := filepath.Glob(filepath.Join(w.data, "sandbox", spareDir, "*", inside.JobFile))
	if len(jobs) != 1 {
		t.Fatalf("got the jobs %v, want one to reuse", jobs)
	}
	if job, err := os.ReadFile(jobs[0]); err != nil || len(job) == 0 || strings.Trim(string(job), "\x00") != "" {
		t.Errorf("the reused file has %q, %v", job, err)
	}
	if out, code := w.run(w.policy, "echo second"); code != 0 || out != "second\n" {
		t.Errorf("got %d, %q in the reused folder", code, out)
	}
}
