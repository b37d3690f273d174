package process

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// Look describes the process with the given PID. It returns false if there is none.
func Look(pid int) (Info, bool) {
	const zombie, noTerminal, pseudoTerminal = 5, -1, 16
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(p.Proc.P_pid) != pid || p.Proc.P_stat == zombie {
		return Info{}, false
	}
	i := Info{
		Started: time.Unix(0, p.Proc.P_starttime.Nano()), Parent: int(p.Eproc.Ppid), User: int(p.Eproc.Ucred.Uid),
		Program: unix.ByteSliceToString(p.Proc.P_comm[:]),
	}
	if device := p.Eproc.Tdev; device != noTerminal && device>>24&0xff == pseudoTerminal {
		i.Terminal = fmt.Sprintf("ttys%03d", device&0xffffff)
	}
	return i, true
}

// isInner returns false: this system has no sandbox with its own PIDs.
func isInner(int) bool { return false }
