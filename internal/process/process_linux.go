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

// tree holds nothing on Linux: descendants are found in /proc.
type tree struct{}

// DieWithParent makes the kernel send SIGTERM to the process when the thread
// that started it ends. The setting survives exec.
func DieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGTERM }

// LockThread keeps the calling goroutine on its thread, which starts a process.
func LockThread() (unlock func()) {
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
func (p *Process) descendants() (found []descendant) {
	for _, q := range p.tree.below(p.PID, MarkVar+"="+p.Mark) {
		if q.pid != p.PID {
			found = append(found, q.process())
		}
	}
	return found
}

// running is a process as /proc has it.
type running struct {
	pid int
	stat
}

func (r running) process() descendant { return descendant{r.pid, r.start} }

// Members are the processes below the command, and those that carry its variable,
// without the command itself.
func (g *Group) Members() (pids []int) {
	root := g.pid
	if g.gone() {
		root = 0
	}
	for _, q := range (tree{}).below(root, g.Variable) {
		if q.pid != root {
			pids = append(pids, q.pid)
		}
	}
	return pids
}

// below are the process root, where it runs, those below it, and those that
// carry the variable and have lost their parents. root is 0 where it is gone.
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

// Works says whether a command of the agent's runs: agents run those in groups
// of their own, and what belongs to the agent itself in its own.
func (p *Process) Works() bool {
	for _, q := range p.tree.below(p.PID, MarkVar+"="+p.Mark) {
		if q.pgrp != p.PID {
			return true
		}
	}
	return false
}

// Sweep ends what an agent that is gone left behind. Its commands are asked
// first: they may have files to put away.
func (p *Process) Sweep() {
	if !p.Remote() {
		endAll(p.descendants, time.Second)
	}
}

// endAll ends the processes that find finds: asked first, killed after grace.
// It says how many there were.
func endAll(find func() []descendant, grace time.Duration) int {
	left := find()
	n := len(left)
	if n == 0 {
		return 0
	}
	for _, d := range left {
		d.signal(syscall.SIGTERM)
	}
	if !goneWithin(left, grace) {
		for _, d := range left {
			d.kill()
		}
	}
	// Some may have started others meanwhile.
	for range 3 {
		if left = find(); len(left) == 0 {
			break
		}
		for _, d := range left {
			d.kill()
		}
		goneWithin(left, time.Second)
	}
	return n
}

func goneWithin(all []descendant, d time.Duration) bool {
	for end := time.Now().Add(d); ; time.Sleep(10 * time.Millisecond) {
		if !slices.ContainsFunc(all, descendant.alive) {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// startOf says when the process was started, in a way that no other process
// with its pid shares, also after the machine was started anew.
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

// reap ends what the record is of, and says how many processes there were.
func (r record) reap() int {
	return endAll(func() (found []descendant) {
		root := r.PID
		if root != 0 && (r.Start == "" || startOf(root) != r.Start) {
			root = 0 // another process by now
		}
		for _, q := range (tree{}).below(root, MarkVar+"="+r.mark) {
			found = append(found, q.process())
		}
		return found
	}, GraceEOF)
}

// List are the agent and what it started, with the command line of each by what
// commandLine makes of its arguments.
func (p *Process) List(commandLine func(args []string) string) (list []backend.Process) {
	booted, page := bootTime(), int64(os.Getpagesize())
	for _, q := range p.tree.below(p.PID, MarkVar+"="+p.Mark) {
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

// clockTicks is what Linux counts the start of a process in, in a second: 100
// on every architecture that Go runs on.
const clockTicks = 100

// bootTime is when the machine was started, in milliseconds; 0 where it is not
// known.
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
	start string
	pages int64 // of memory
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

// execTime bounds how long a process may take to become another program, on a
// machine under load.
const execTime = 10 * time.Second

// environ is the environment of a process. In execve(2) there is a moment in which
// a process has neither that nor a command line, or cannot be looked into; it is
// over soon.
func environ(pid int) []byte {
	dir, without := "/proc/"+strconv.Itoa(pid), 0
	for end := time.Now().Add(execTime); ; time.Sleep(time.Millisecond) {
		env, err := os.ReadFile(dir + "/environ")
		if len(env) > 0 || time.Now().After(end) {
			return env
		}
		const kernel = 2 // the parent of its threads, which have none
		s, ok := readStat(pid)
		if !ok || s.state == 'Z' || s.ppid == kernel || pid == kernel {
			return nil
		}
		// A child of this process is hidden as this process is until it is another program.
		if errors.Is(err, fs.ErrPermission) && s.ppid != os.Getpid() {
			return nil
		}
		// One that has a command line by now may have its environment too, or go on.
		if line, err := os.ReadFile(dir + "/cmdline"); err == nil && len(line) > 0 {
			if without++; without == 20 {
				return nil
			}
		}
	}
}

func signalName(s syscall.Signal) string { return unix.SignalName(s) }
