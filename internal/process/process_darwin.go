package process

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// processes returns the running processes of this machine.
func processes() []running {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	out := make([]running, 0, len(all))
	for i := range all {
		p := &all[i]
		out = append(out, running{
			descendant{int(p.Proc.P_pid), p.Proc.P_starttime.Nano()}, int(p.Eproc.Ppid), int(p.Eproc.Pgid),
		})
	}
	return out
}

func signalName(s syscall.Signal) string { return unix.SignalName(s) }
