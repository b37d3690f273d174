package agent

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tree holds nothing on Linux: descendants are found in /proc.
type tree struct{}

// dieWithParent makes the kernel send SIGTERM to the process when the thread
// that started it ends. The setting survives exec.
func (tree) dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGTERM }

func (tree) lockThread() (unlock func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

// descendant is a process that an agent started, by pid and start time, so
// that another process that got the same pid is not taken for it.
type descendant struct {
	pid   int
	start string
}

func (d descendant) alive() bool {
	s, ok := readStat(d.pid)
	return ok && s.start == d.start && s.state != 'Z'
}

func (d descendant) signal(sig syscall.Signal) {
	if d.alive() {
		_ = syscall.Kill(d.pid, sig)
	}
}

func (d descendant) kill() { d.signal(syscall.SIGKILL) }

// descendants are the processes below this one, and those that carry its mark
// and have lost their parents.
func (p *process) descendants() []descendant {
	names, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil
	}
	type proc struct {
		pid int
		stat
	}
	var all []proc
	for _, name := range names {
		pid, err := strconv.Atoi(filepath.Base(name))
		if err != nil || pid == os.Getpid() {
			continue
		}
		if s, ok := readStat(pid); ok && s.state != 'Z' {
			all = append(all, proc{pid, s})
		}
	}
	below := map[int]bool{p.pid: true}
	for grew := true; grew; {
		grew = false
		for _, q := range all {
			if !below[q.pid] && below[q.ppid] {
				below[q.pid], grew = true, true
			}
		}
	}
	mark := []byte(markVar + "=" + p.mark)
	var found []descendant
	for _, q := range all {
		if q.pid == p.pid {
			continue
		}
		if below[q.pid] || hasVar(q.pid, mark) {
			found = append(found, descendant{q.pid, q.start})
		}
	}
	return found
}

// sweep ends what an agent that is gone left behind. Its commands are asked
// first: they may have files to put away.
func (p *process) sweep() {
	left := p.descendants()
	if len(left) == 0 {
		return
	}
	for _, d := range left {
		d.signal(syscall.SIGTERM)
	}
	for end := time.Now().Add(time.Second); time.Now().Before(end); {
		alive := false
		for _, d := range left {
			alive = alive || d.alive()
		}
		if !alive {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	// Some may have started others meanwhile.
	for range 3 {
		if left = p.descendants(); len(left) == 0 {
			return
		}
		for _, d := range left {
			d.kill()
		}
	}
}

type stat struct {
	state byte
	ppid  int
	start string
}

// readStat reads what is needed of /proc/<pid>/stat. The second field is the
// program's name in parentheses and may contain anything.
func readStat(pid int) (stat, bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return stat{}, false
	}
	i := bytes.LastIndexByte(b, ')')
	if i < 0 {
		return stat{}, false
	}
	f := bytes.Fields(b[i+1:])
	if len(f) < 20 {
		return stat{}, false
	}
	ppid, err := strconv.Atoi(string(f[1]))
	return stat{f[0][0], ppid, string(f[19])}, err == nil
}

func hasVar(pid int, kv []byte) bool {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	for v := range bytes.SplitSeq(env, []byte{0}) {
		if bytes.Equal(v, kv) {
			return true
		}
	}
	return false
}

func signalName(s syscall.Signal) string { return unix.SignalName(s) }
