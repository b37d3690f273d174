//go:build unix && !linux

package agent

import (
	"sync"
	"syscall"
)

// tree remembers the descendants that were seen while the process lived: once
// it is gone nothing tells its commands from others.
type tree struct {
	mu   sync.Mutex
	seen map[descendant]bool
}

func (*tree) dieWithParent(*syscall.SysProcAttr) {}

func (*tree) lockThread() (unlock func()) { return func() {} }

// descendant is a process that an agent started, by pid and start time.
type descendant struct {
	pid   int
	start int64
}

type running struct {
	descendant
	ppid int
}

func (d descendant) kill() { _ = syscall.Kill(d.pid, syscall.SIGKILL) }

// descendants are the processes below this one now, and those seen before that
// still run.
func (p *process) descendants() []descendant {
	all := processes()
	below := map[int]bool{p.pid: true}
	for grew := true; grew; {
		grew = false
		for _, q := range all {
			if !below[q.pid] && below[q.ppid] {
				below[q.pid], grew = true, true
			}
		}
	}
	p.tree.mu.Lock()
	defer p.tree.mu.Unlock()
	if p.tree.seen == nil {
		p.tree.seen = map[descendant]bool{}
	}
	var found []descendant
	for _, q := range all {
		if q.pid == p.pid {
			continue
		}
		if below[q.pid] || p.tree.seen[q.descendant] {
			p.tree.seen[q.descendant] = true
			found = append(found, q.descendant)
		}
	}
	return found
}

// sweep ends what an agent that is gone left behind.
func (p *process) sweep() {
	for _, d := range p.descendants() {
		d.kill()
	}
}
