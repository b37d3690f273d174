package process

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Look describes the process with the given PID. It returns false if there is none.
func Look(pid int) (Info, bool) {
	dir := "/proc/" + strconv.Itoa(pid)
	b, err := os.ReadFile(dir + "/stat")
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if err != nil || open < 0 || end < open {
		return Info{}, false
	}
	s, ok := readStat(pid)
	f := bytes.Fields(b[end+1:])
	if !ok || s.state == 'Z' || len(f) < 5 {
		return Info{}, false
	}
	i := Info{Parent: s.ppid, User: -1, Program: string(b[open+1 : end])}
	if ticks, err := strconv.ParseInt(s.start, 10, 64); err == nil {
		i.Started = time.UnixMilli(bootTime() + ticks*1000/clockTicks)
	}
	if device, err := strconv.ParseInt(string(f[4]), 10, 32); err == nil {
		i.Terminal = terminalName(uint32(device)) //nolint:gosec // the kernel's bits
	}
	if info, err := os.Stat(dir); err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			i.User = int(stat.Uid)
		}
	}
	if exe, err := os.Readlink(dir + "/exe"); err == nil { // only allowed for processes of the same user
		i.Program = strings.TrimSuffix(filepath.Base(exe), " (deleted)")
	}
	return i, true
}

// terminalName returns the name of the terminal device below /dev, or "" if device isn't a terminal. The kernel stores
// the minor number in the bits 0 to 7 and 20 to 31, and the major number in the bits 8 to 19.
func terminalName(device uint32) string {
	const firstPTS, lastPTS, console, serial = 136, 143, 4, 64
	major, minor := device>>8&0xfff, device&0xff|device>>12&0xfff00
	switch {
	case major >= firstPTS && major <= lastPTS:
		return fmt.Sprintf("pts/%d", (major-firstPTS)<<8+minor)
	case major == console && minor < serial:
		return fmt.Sprintf("tty%d", minor)
	case major == console:
		return fmt.Sprintf("ttyS%d", minor-serial)
	}
	return ""
}

// isInner reports whether a descendant of this process has the given PID inside a sandbox.
func isInner(pid int) bool {
	names, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return false
	}
	parents := map[int]int{}
	for _, name := range names {
		if at, err := strconv.Atoi(filepath.Base(name)); err == nil {
			if s, ok := readStat(at); ok {
				parents[at] = s.ppid
			}
		}
	}
	for at := range under(os.Getpid(), parents) {
		b, err := os.ReadFile("/proc/" + strconv.Itoa(at) + "/status")
		if err != nil {
			continue
		}
		_, rest, _ := bytes.Cut(b, []byte("\nNSpid:"))
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		ids := bytes.Fields(line) // from the outermost PID namespace to the innermost
		for _, id := range ids[min(1, len(ids)):] {
			if string(id) == strconv.Itoa(pid) {
				return true
			}
		}
	}
	return false
}
