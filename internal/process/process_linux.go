package process

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/backend"
)

// tree is empty on Linux: descendants are found in /proc.
type tree struct{}

// DieWithParent makes the kernel send SIGTERM to the process when the thread that
// started it ends. The setting survives exec.
func DieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGTERM }

// LockThread locks the calling goroutine to its thread. Call it before starting a process: the process gets SIGTERM
// when the thread that started it ends; see DieWithParent.
func LockThread() (unlock func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

// descendant identifies a process that an agent started, by pid and start time, since pids are reused.
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

// descendants returns the descendants of p, and all other processes with p's mark.
func (p *Process) descendants() (found []descendant) {
	for _, q := range p.tree.below(p.PID, MarkVar+"="+p.Mark) {
		if q.pid != p.PID {
			found = append(found, q.process())
		}
	}
	return found
}

// running is a process as listed in /proc.
type running struct {
	pid int
	stat
}

func (r running) process() descendant { return descendant{r.pid, r.start} }

// Members returns the pids of the group's processes, except the command itself: the command's descendants, and other
// processes whose environment contains the group's variable. After the command has exited, only the latter are found.
func (g *Group) Members() (pids []int) {
	root := g.pid
	if g.hasExited() {
		root = 0
	}
	for _, q := range (tree{}).below(root, g.Variable) {
		if q.pid != root {
			pids = append(pids, q.pid)
		}
	}
	return pids
}

// below returns three kinds of processes: the process with the pid root, if it is running; its descendants; and
// processes whose environment contains the variable, such as those that have lost their parents. If root is 0, only
// the last kind is returned.
func (tree) below(root int, variable string) (found []running) {
	names, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil
	}
	var all []running
	parents := map[int]int{}
	for _, name := range names {
		pid, err := strconv.Atoi(filepath.Base(name))
		if err != nil || pid == os.Getpid() {
			continue
		}
		if s, ok := readStat(pid); ok && s.state != 'Z' {
			all, parents[pid] = append(all, running{pid, s}), s.ppid
		}
	}
	in := map[int]bool{}
	if root > 0 {
		in = under(root, parents)
		in[root] = true
	}
	for _, q := range all {
		if in[q.pid] || hasVar(q.pid, []byte(variable)) {
			found = append(found, q)
		}
	}
	return found
}

// Works reports whether the agent is running a command: agents run commands in separate process groups,
// but run their own helpers in the agent's group.
func (p *Process) Works() bool {
	all := p.tree.below(p.PID, MarkVar+"="+p.Mark)
	_, group := p.agentIn(all)
	for _, q := range all {
		if q.pgrp != p.PID && q.pgrp != group {
			return true
		}
	}
	return false
}

// firstInSandbox returns the PID of the first process in the sandbox of p, if it is running.
func (p *Process) firstInSandbox() (pids []int) {
	for _, q := range p.tree.below(p.PID, MarkVar+"="+p.Mark) {
		if q.ppid == p.PID {
			pids = append(pids, q.pid)
		}
	}
	return pids
}

// agentIn returns the pid and the process group of the agent itself, given the processes of p. They differ
// from p's own only if p runs in a sandbox.
func (p *Process) agentIn(all []running) (pid, group int) {
	pid, group = p.PID, p.PID
	if !p.sandboxed {
		return pid, group
	}
	for _, first := range all {
		for _, q := range all {
			if first.ppid == p.PID && q.ppid == first.pid {
				return q.pid, q.pgrp
			}
		}
	}
	return pid, group // it is starting
}

// Sweep stops the leftovers of an exited agent. It sends SIGTERM first, so that commands can clean up.
func (p *Process) Sweep() {
	if !p.Remote() {
		endAll(p.descendants, time.Second)
	}
}

// endAll stops the processes that the given function returns. It returns their number. It first sends SIGTERM. It sends
// SIGKILL to the processes that are still running when the grace period is over.
func endAll(find func() []descendant, grace time.Duration) int {
	left := find()
	n := len(left)
	if n == 0 {
		return 0
	}
	for _, d := range left {
		d.signal(syscall.SIGTERM)
	}
	if !exitedWithin(left, grace) {
		for _, d := range left {
			d.kill()
		}
	}
	// Some of the processes may have started others in the meantime.
	for range 3 {
		if left = find(); len(left) == 0 {
			break
		}
		for _, d := range left {
			d.kill()
		}
		exitedWithin(left, time.Second)
	}
	return n
}

func exitedWithin(all []descendant, d time.Duration) bool {
	for end := time.Now().Add(d); ; time.Sleep(10 * time.Millisecond) {
		if !slices.ContainsFunc(all, descendant.alive) {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// startOf returns the start time of the process in a form that is unique among all processes with the given pid, even
// across reboots. It returns "" if the process isn't running.
func startOf(pid int) string {
	s, ok := readStat(pid)
	if !ok {
		return ""
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return s.start + "@" + strings.TrimSpace(string(boot))
}

// reap stops the process that the record describes, its descendants and all other processes with its mark, and returns
// their number.
func (r record) reap() int {
	return endAll(func() (found []descendant) {
		root := r.PID
		if root != 0 && (r.Start == "" || startOf(root) != r.Start) {
			root = 0 // the pid was reused
		}
		for _, q := range (tree{}).below(root, MarkVar+"="+r.mark) {
			found = append(found, q.process())
		}
		return found
	}, GraceEOF)
}

// List returns the agent and its descendants. For an agent in a sandbox, it omits the sandbox's own processes
// and names VoxPilot as the agent's parent. commandLine formats the arguments.
func (p *Process) List(commandLine func(args []string) string) (list []backend.Process) {
	booted, page := bootTime(), int64(os.Getpagesize())
	all := p.tree.below(p.PID, MarkVar+"="+p.Mark)
	agent, _ := p.agentIn(all)
	for _, q := range all {
		if agent != p.PID && (q.pid == p.PID || q.ppid == p.PID) {
			continue // part of the sandbox
		}
		if q.pid == agent {
			q.ppid = os.Getpid()
		}
		out := backend.Process{PID: q.pid, ParentPID: q.ppid, Memory: q.pages * page}
		if ticks, err := strconv.ParseInt(q.start, 10, 64); err == nil && booted > 0 {
			out.StartedAt = backend.Millis(booted + ticks*1000/clockTicks)
		}
		if b, err := os.ReadFile("/proc/" + strconv.Itoa(q.pid) + "/cmdline"); err == nil {
			out.Command = commandLine(strings.Split(strings.TrimRight(string(b), "\x00"), "\x00"))
		}
		list = append(list, out)
	}
	return list
}

// clockTicks is the number of clock ticks per second: 100 on every architecture that Go supports. Linux reports process
// start times in clock ticks.
const clockTicks = 100

// bootTime returns the boot time in milliseconds since the Unix epoch, or 0 if unknown.
func bootTime() int64 {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), "\nbtime ")
	line, _, _ := strings.Cut(rest, "\n")
	seconds, err := strconv.ParseInt(line, 10, 64)
	if err != nil {
		return 0
	}
	return seconds * 1000
}

type stat struct {
	state byte
	ppid  int
	pgrp  int
	start string // start time in clock ticks since boot
	pages int64  // resident memory in pages
}

// readStat parses /proc/<pid>/stat. The second field is the program's name in
// parentheses and may contain anything.
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
	if len(f) < 22 {
		return stat{}, false
	}
	ppid, err := strconv.Atoi(string(f[1]))
	pgrp, err2 := strconv.Atoi(string(f[2]))
	pages, err3 := strconv.ParseInt(string(f[21]), 10, 64)
	return stat{f[0][0], ppid, pgrp, string(f[19]), pages}, err == nil && err2 == nil && err3 == nil
}

func hasVar(pid int, kv []byte) bool {
	for v := range bytes.SplitSeq(environ(pid), []byte{0}) {
		if bytes.Equal(v, kv) {
			return true
		}
	}
	return false
}

// execTime is the maximum time that a process takes to exec another program, even on a busy machine.
const execTime = 10 * time.Second

// environ returns the environment of a process. During execve(2), a process briefly has neither an environment nor a
// command line, or can't be read. In these cases, environ tries again.
func environ(pid int) []byte {
	dir, without, start := "/proc/"+strconv.Itoa(pid), 0, time.Now()
	for ; ; time.Sleep(time.Millisecond) {
		env, err := os.ReadFile(dir + "/environ")
		if len(env) > 0 || time.Since(start) > execTime {
			return env
		}
		const kernel = 2 // parent of kernel threads, which have no environment
		s, ok := readStat(pid)
		if !ok || s.state == 'Z' || s.ppid == kernel || pid == kernel {
			return nil
		}
		// A child of this process may be unreadable, like this process itself, until it execs another program; see
		// harden.Process.
		if errors.Is(err, fs.ErrPermission) && s.ppid != os.Getpid() {
			return nil
		}
		// A process that has a command line but no environment may get its environment in a moment, or may
		// never have one. In the first case, it is ready to run, but a busy machine may not schedule it for a
		// while.
		if line, err := os.ReadFile(dir + "/cmdline"); err == nil && len(line) > 0 {
			isRunning := s.state == 'R' || s.state == 'D'
			if without++; without >= 20 && (!isRunning || time.Since(start) > time.Second) {
				return nil
			}
		}
	}
}

func signalName(s syscall.Signal) string { return unix.SignalName(s) }
