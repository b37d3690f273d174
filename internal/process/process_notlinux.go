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

// tree remembers the descendants that were seen while the process was running: after
// the process has exited, its commands can't be identified.
type tree struct {
	mu   sync.Mutex
	seen map[descendant]bool
}

// DieWithParent does nothing: these systems have no such feature.
func DieWithParent(*syscall.SysProcAttr) {}

// firstInSandbox returns nothing: these systems have no sandbox for agents.
func (*Process) firstInSandbox() []int { return nil }

// LockThread does nothing: on these systems a process doesn't depend on the thread that started it.
func LockThread() (unlock func()) { return func() {} }

// descendant identifies a process that an agent started, by pid and start time.
type descendant struct {
	pid   int
	start int64
}

// running is a process in the system's process table.
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

// family returns root and its descendants among the given processes.
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

// Members returns the pids of the group's processes, except the command itself: the command's descendants, the
// processes in its process group, and their descendants. Other processes aren't found. After the command has exited,
// its group id may be reused. From then on, a process in that group counts only if it started during the command's
// lifetime.
func (g *Group) Members() (pids []int) {
	all, gone := processes(), g.hasExited()
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

// descendants returns the current descendants of p, and those seen earlier that are still running.
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

// Works reports whether the agent is running a command: agents run commands in separate process groups,
// but run their own helpers in the agent's group.
func (p *Process) Works() bool {
	return slices.ContainsFunc(family(p.PID, processes()), func(q running) bool { return q.pgrp != p.PID })
}

// Sweep kills the leftovers of an exited agent.
func (p *Process) Sweep() {
	if p.Remote() {
		return
	}
	for _, d := range p.descendants() {
		d.kill()
	}
}

// startOf returns the start time of the process, or "" if it isn't running.
func startOf(pid int) string {
	for _, q := range processes() {
		if q.pid == pid {
			return strconv.FormatInt(q.start, 10)
		}
	}
	return ""
}

// reap stops the process that the record describes and its descendants, and returns their number.
func (r record) reap() int {
	if r.PID == 0 || r.Start == "" || startOf(r.PID) != r.Start {
		return 0 // it has exited; its descendants are no longer known
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

// List returns the agent and its descendants. commandLine formats their arguments.
func (p *Process) List(commandLine func(args []string) string) (list []backend.Process) {
	all := family(p.PID, processes())
	ids := make([]string, 0, len(all))
	for _, q := range all {
		ids = append(ids, strconv.Itoa(q.pid))
	}
	// The table contains neither memory nor arguments; ps can read both.
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
