package terminal

import (
	"time"

	"golang.org/x/sys/unix"
)

// members are the processes below the command, and those of its group, without
// the command itself. A process that has left both is not found. Once the
// command has ended, its number may be that of another group: what counts then
// was started while it ran.
func (t *tree) members(gone bool) (found []int) {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	parents := map[int]int{}
	for i := range all {
		parents[int(all[i].Proc.P_pid)] = int(all[i].Eproc.Ppid)
	}
	in := map[int]bool{}
	if !gone {
		in = below(t.pid, parents)
	}
	for i := range all {
		p := &all[i]
		if int(p.Eproc.Pgid) != t.pid || !gone && int(p.Proc.P_pid) == t.pid {
			continue
		}
		if start := time.Unix(0, p.Proc.P_starttime.Nano()); gone && (start.Before(t.started) || start.After(t.ended)) {
			continue
		}
		in[int(p.Proc.P_pid)] = true
		for child := range below(int(p.Proc.P_pid), parents) {
			in[child] = true
		}
	}
	for pid := range in {
		found = append(found, pid)
	}
	return found
}
