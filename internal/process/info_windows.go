package process

import (
	"path/filepath"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Look describes the process with the given PID. It returns false if there is none.
func Look(pid int) (Info, bool) {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.SYNCHRONIZE, false, uint32(pid)) //nolint:gosec // a PID
	if err != nil {
		return Info{}, false
	}
	defer func() { _ = windows.CloseHandle(h) }()
	if state, err := windows.WaitForSingleObject(h, 0); err != nil || state == windows.WAIT_OBJECT_0 {
		return Info{}, false // it has exited
	}
	i := Info{User: -1, Parent: parentOf(pid)}
	if at, err := createdAt(h); err == nil {
		i.Started = time.Unix(0, at.Nanoseconds())
	}
	name := make([]uint16, windows.MAX_LONG_PATH)
	n := uint32(len(name))
	if windows.QueryFullProcessImageName(h, 0, &name[0], &n) == nil {
		i.Program = filepath.Base(windows.UTF16ToString(name[:n]))
	}
	return i, true
}

// parentOf returns the PID of the parent process, or 0 if unknown.
func parentOf(pid int) int {
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return 0
	}
	defer func() { _ = windows.CloseHandle(snap) }()
	var e windows.ProcessEntry32
	e.Size = uint32(unsafe.Sizeof(e))
	for err = windows.Process32First(snap, &e); err == nil; err = windows.Process32Next(snap, &e) {
		if int(e.ProcessID) == pid {
			return int(e.ParentProcessID)
		}
	}
	return 0
}

// isInner returns false: this system has no sandbox with its own PIDs.
func isInner(int) bool { return false }
