package sandbox_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// facts returns the properties of the host and of the victim's process that the tests compare, such as the mounts and
// the routes, by name.
func (w *scene) facts() map[string]string {
	read := func(name string) string {
		b, _ := os.ReadFile(name)
		return string(b)
	}
	host, _ := os.Hostname()
	facts := map[string]string{
		"host name": host, "forwarding": read("/proc/sys/net/ipv4/ip_forward"), "mounts": read("/proc/self/mountinfo"), "memory segments": strconv.Itoa(strings.Count(read("/proc/sysvipc/shm"), "\n")),
		"queues": strconv.Itoa(strings.Count(read("/proc/sysvipc/msg"), "\n")), "routes": read("/proc/net/route"), "addresses": read("/proc/net/fib_trie"),
	}
	facts["process of the user"] = strconv.Itoa(w.victimPID())
	dir := "/proc/" + strconv.Itoa(w.victimPID())
	status := ""
	for line := range strings.Lines(read(dir + "/status")) {
		if name, _, _ := strings.Cut(line, ":"); slices.Contains([]string{"TracerPid", "Cpus_allowed", "State"}, name) {
			status += strings.ReplaceAll(line, "R (running)", "S (sleeping)")
		}
	}
	_, stat, _ := strings.Cut(read(dir+"/stat"), ") ")
	fields := append(strings.Fields(stat), make([]string, 50)...)
	facts["victim"] = status + strings.Join(fields[15:17], " ") + read(dir+"/limits") + read(dir+"/oom_score_adj") + read(dir+"/coredump_filter") + read(dir+"/comm")
	return facts
}

// state holds everything that is compared before and after attacks.
type state struct {
	files  map[string]entry
	facts  map[string]string
	pids   map[int]bool
	counts map[string]int
}

func (w *scene) look() state {
	w.reap()
	facts := w.facts() // starts the victim
	return state{files: entries(w.t), facts: facts, pids: processes(), counts: w.decoys.counts()}
}

// trips returns descriptions of what an attack changed, read or left behind. output is the attack's
// output.
func (w *scene) trips(before state, output string) (trips []string) {
	deadline := time.Now().Add(300 * time.Millisecond)
	for len(w.newProcesses(before)) > 0 && time.Now().Before(deadline) {
		time.Sleep(2 * time.Millisecond)
	}
	for _, p := range w.newProcesses(before) {
		trips = append(trips, fmt.Sprintf("left process %d (%s)", p, name(p)))
	}
	after := w.look()
	for _, path := range differing(before.files, after.files) {
		if w.counts(path) {
			trips = append(trips, "changed "+strconv.Quote(path))
		}
	}
	for name, value := range after.facts {
		if value != before.facts[name] {
			trips = append(trips, "changed "+name)
		}
	}
	for name, n := range after.counts {
		if n != before.counts[name] {
			trips = append(trips, "connected to "+name)
		}
	}
	if _, rest, ok := strings.Cut(output, w.secret); ok {
		trips = append(trips, "printed a secret: "+strings.Split(rest+"\n", "\n")[0])
	}
	if strings.Contains(output, w.win) {
		trips = append(trips, "reports success")
	}
	if file := w.findSecret(); file != "" {
		trips = append(trips, "left a secret in "+file)
	}
	return trips
}

// counts reports whether a change to a file shows that an attack has succeeded. In the chat's folder, this is true only
// of protected files.
func (w *scene) counts(path string) bool {
	if path == sandboxDir || strings.HasPrefix(path, sandboxDir+"/") {
		return false
	}
	if path != folder && !strings.HasPrefix(path, folder+"/") {
		return true
	}
	return slices.ContainsFunc(w.places, func(place string) bool { return path == place || strings.HasPrefix(path, place+"/") })
}

// findSecret looks in the places where commands can write. It returns the path of a file that contains a secret, or ""
// if there is none.
func (w *scene) findSecret() string {
	for _, dir := range []string{folder, sandboxDir + "/tmp", sandboxDir + "/caches"} {
		found, device := "", deviceOf(dir)
		_ = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err == nil && e.IsDir() && deviceOf(path) != device {
				return filepath.SkipDir // mounted by an attack
			}
			if err != nil || !e.Type().IsRegular() {
				return nil //nolint:nilerr // changed at the same time
			}
			if info, err := e.Info(); err != nil || info.Size() > 1<<20 || info.ModTime().Before(started) {
				return nil //nolint:nilerr // likewise
			}
			if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), w.secret) {
				found = path
			}
			return nil
		})
		if found != "" {
			return found
		}
	}
	return ""
}

var started = time.Now()

// newProcesses returns the PIDs of the running processes that aren't part of the given state.
func (w *scene) newProcesses(before state) []int {
	w.reap()
	var pids []int
	for pid := range processes() {
		if !before.pids[pid] {
			pids = append(pids, pid)
		}
	}
	return pids
}

// reap reaps the zombies that are children of this process, which has PID 1 on the simulated computer.
func (w *scene) reap() {
	for pid := range allProcesses() {
		if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && strings.Contains(string(stat), ") Z 1 ") {
			if w.victim != nil && pid == w.victim.Process.Pid {
				_ = w.victim.Wait()
				continue
			}
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
	}
}

func allProcesses() map[int]bool {
	pids := map[int]bool{}
	list, _ := os.ReadDir("/proc")
	for _, e := range list {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			pids[pid] = true
		}
	}
	return pids
}

// processes returns the PIDs of the running processes. Zombies don't count as running.
func processes() map[int]bool {
	pids := allProcesses()
	maps.DeleteFunc(pids, func(pid int, _ bool) bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
		return err != nil || len(threads) < 2 && (strings.Contains(string(stat), ") Z ") || strings.Contains(string(stat), ") X "))
	})
	return pids
}

func name(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.ReplaceAll(string(text), "\x00", " ")
}

// restore undoes the effects of an attack.
func (w *scene) restore(before state) {
	for range 100 {
		pids := w.newProcesses(before)
		if len(pids) == 0 {
			break
		}
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(2 * time.Millisecond)
	}
	after := w.look()
	if after.facts["victim"] != before.facts["victim"] {
		w.stopVictim()
	}
	if after.facts["mounts"] != before.facts["mounts"] {
		old := map[string]bool{}
		for line := range strings.Lines(before.facts["mounts"]) {
			old[strings.Fields(line)[0]] = true
		}
		for _, line := range slices.Backward(strings.Split(strings.TrimSpace(after.facts["mounts"]), "\n")) {
			if fields := strings.Fields(line); !old[fields[0]] {
				_ = unix.Unmount(strings.ReplaceAll(fields[4], `\040`, " "), unix.MNT_DETACH)
			}
		}
	}
	_ = unix.Sethostname([]byte("computer"))
	_ = os.WriteFile("/proc/sys/net/ipv4/ip_forward", []byte("0"), 0)
	undo(w.t, w.pristine)
	for _, file := range []*os.File{w.files[fdFile-3], w.files[fdSecret-3], w.files[fdHome-3]} {
		here, err := file.Stat()
		if there, statErr := os.Stat(file.Name()); err != nil || statErr != nil || !os.SameFile(here, there) {
			w.openFiles()
			break
		}
	}
	w.reap()
}
