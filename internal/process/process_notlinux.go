//go:build unix && !linux

package process

import (
	"context"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// tree remembers the descendants that were seen while the process lived: once
// it is gone nothing tells its commands from others.
type tree struct {
	mu   sync.Mutex
	seen map[descendant]bool
}

// DieWithParent does nothing: no such thing is known here.
func DieWithParent(*syscall.SysProcAttr) {}

// LockThread does nothing: no process depends on the thread that started it.
func LockThread() (unlock func()) { return func() {} }

// descendant is a process that an agent started, by pid and start time.
type descendant struct {
	pid   int
	start int64
}

// running is a process as the system's table has it.
type running struct {
	descendant
	ppid int
	pgrp int
}

func (d descendant) alive() bool {
	return slices.ContainsFunc(processes(), func(q running) bool { return q.descendant == d })
}

func (d descendant) kill() {
	if d.alive() {
		_ = syscall.Kill(d.pid, syscall.SIGKILL)
	}
}

// family are the process root and those below it, of all.
func family(root int, all []running) (found []running) {
	parents := map[int]int{}
	for _, q := range all {
		parents[q.pid] = q.ppid
	}
	in := under(root, parents)
	for _, q := range all {
		if q.pid == root || in[q.pid] {
			found = append(found, q)
		}
	}
	return found
}

// Members are the processes below the command, and those of its group, without
// the command itself. A process that has left both is not found. Once the
// command has ended, its number may be that of another group: what counts then
// was started while it ran.
func (g *Group) Members() (pids []int) {
	all, gone := processes(), g.gone()
	in := map[int]bool{}
	for _, q := range all {
		start := time.Unix(0, q.start)
		if gone && (q.pgrp != g.pid || start.Before(g.started) || start.After(g.Ended)) || !gone && q.pgrp != g.pid && q.pid != g.pid {
			continue
		}
		for _, member := range family(q.pid, all) {
			in[member.pid] = true
		}
	}
	if !gone {
		delete(in, g.pid)
	}
	return slices.Collect(maps.Keys(in))
}

// descendants are the processes below this one now, and those seen before that
// still run.
func (p *Process) descendants() (found []descendant) {
	p.tree.mu.Lock()
	defer p.tree.mu.Unlock()
	if p.tree.seen == nil {
		p.tree.seen = map[descendant]bool{}
	}
	for _, q := range family(p.PID, processes()) {
		if q.pid != p.PID {
			p.tree.seen[q.descendant] = true
		}
	}
	for _, q := range processes() {
		if p.tree.seen[q.descendant] {
			found = append(found, q.descendant)
		}
	}
	return found
}

// Works says whether a command of the agent's runs: agents run those in groups
// of their own, and what belongs to the agent itself in its own.
func (p *Process) Works() bool {
	return slices.ContainsFunc(family(p.PID, processes()), func(q running) bool { return q.pgrp != p.PID })
}

// Sweep ends what an agent that is gone left behind.
func (p *Process) Sweep() {
	if p.Remote() {
		return
	}
	for _, d := range p.descendants() {
		d.kill()
	}
}

// startOf says when the process was started.
func startOf(pid int) string {
	for _, q := range processes() {
		if q.pid == pid {
			return strconv.FormatInt(q.start, 10)
		}
	}
	return ""
}

// reap ends what the record is of, and says how many processes there were.
func (r record) reap() int {
	if r.PID == 0 || r.Start == "" || startOf(r.PID) != r.Start {
		return 0 // it is gone; what it started is not known any more
	}
	left := family(r.PID, processes())
	_ = syscall.Kill(r.PID, syscall.SIGTERM)
	for end := time.Now().Add(GraceEOF); startOf(r.PID) == r.Start && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	for _, q := range left {
		q.kill()
	}
	return len(left)
}

// List are the agent and what it started, with the command line of each by what
// commandLine makes of its arguments.
func (p *Process) List(commandLine func(args []string) string) (list []backend.Process) {
	all := family(p.PID, processes())
	ids := make([]string, 0, len(all))
	for _, q := range all {
		ids = append(ids, strconv.Itoa(q.pid))
	}
	// The table has neither memory nor arguments; ps may read both.
	said := map[int]string{}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "ps", "-ww", "-o", "pid=,rss=,command=", "-p", strings.Join(ids, ",")).Output(); err == nil { //nolint:gosec // numbers
		for line := range strings.Lines(string(out)) {
			id, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			if pid, err := strconv.Atoi(id); err == nil {
				said[pid] = strings.TrimSpace(rest)
			}
		}
	}
	for _, q := range all {
		kilobytes, command, _ := strings.Cut(said[q.pid], " ")
		n, _ := strconv.ParseInt(kilobytes, 10, 64)
		list = append(list, backend.Process{
			PID: q.pid, ParentPID: q.ppid, Memory: n << 10, StartedAt: backend.Millis(q.start / 1e6),
			Command: commandLine(strings.Fields(command)),
		})
	}
	return list
}
